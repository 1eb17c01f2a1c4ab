package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// behave plays the part that a scenario asks for.
func behave(ctx context.Context, request simmodel.Request) simmodel.Answer {
	for _, scenario := range scenarios {
		for i, script := range append([][]simmodel.Answer{scenario.script}, scenario.later...) {
			if request.Faults.Has(part(scenario.name, i+1)) {
				return simmodel.Script(script...)(ctx, request)
			}
		}
	}
	return simmodel.Say("I do not know this part.")
}

// part is what the model plays in one attempt of a scenario.
func part(name string, attempt int) string { return fmt.Sprintf("%s/%d", name, attempt) }

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
	wrongFix     = edits["wrong-fix.diff"]  // makes Average of nothing 1, which the test does not accept
	secondFix    = edits["second-fix.diff"] // mends the wrong one
	fix          = strings.Replace(wrongFix, "return 1", "return 0", 1)
	multiply     = edits["multiply.diff"] // adds a function
	multiplyTest = edits["multiply_test.go"]
	oneSum       = edits["sum.go"] // calls the other implementation
)
