package main

import (
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

func readFile(path string) simmodel.Answer {
	return simmodel.CallWith("read_file", map[string]string{"path": path})
}

func runTests() simmodel.Answer { return simmodel.CallTool("run_tests", "{}") }

func patch(path, diff string) simmodel.Answer {
	return simmodel.CallWith("apply_patch", map[string]string{"path": path, "patch": diff})
}

func write(path, content string) simmodel.Answer {
	return simmodel.CallWith("write_file", map[string]string{"path": path, "content": content})
}

var (
	edits            = files("edits")
	calc, healthy    = files("calc"), files("healthy")
	shop             = files("shop")
	wrongFix, fix    = edits["wrong-fix.diff"], edits["fix.diff"]
	multiply, oneSum = edits["multiply.diff"], edits["sum.go"]
)
