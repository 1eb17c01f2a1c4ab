package main

import (
	"context"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// behave plays the part that a scenario asks for.
func behave(ctx context.Context, request simmodel.Request) simmodel.Answer {
	for _, scenario := range scenarios {
		if request.Faults.Has(scenario.name) {
			return simmodel.Script(scenario.script...)(ctx, request)
		}
	}
	return simmodel.Say("I do not know this part.")
}

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

const (
	// wrongFix makes Average of nothing 1, which the test does not accept.
	wrongFix = `--- a/calc.go
+++ b/calc.go
@@ -11,4 +11,7 @@ func Average(numbers []int) int {
 		sum = Add(sum, n)
 	}
+	if len(numbers) == 0 {
+		return 1
+	}
 	return sum / len(numbers)
 }
`
	// secondFix mends the wrong one.
	secondFix = `--- a/calc.go
+++ b/calc.go
@@ -12,5 +12,5 @@ func Average(numbers []int) int {
 	}
 	if len(numbers) == 0 {
-		return 1
+		return 0
 	}
 	return sum / len(numbers)
`
	// fix is right at once.
	fix = `--- a/calc.go
+++ b/calc.go
@@ -11,4 +11,7 @@ func Average(numbers []int) int {
 		sum = Add(sum, n)
 	}
+	if len(numbers) == 0 {
+		return 0
+	}
 	return sum / len(numbers)
 }
`
	// multiply adds a function.
	multiply = `--- a/calc.go
+++ b/calc.go
@@ -3,3 +3,6 @@ package calc
 
 // Add returns the sum of two numbers.
 func Add(a, b int) int { return a + b }
+
+// Multiply returns the product of two numbers.
+func Multiply(a, b int) int { return a * b }
`
	multiplyTest = `package calc

import "testing"

func TestMultiply(t *testing.T) {
	if got := Multiply(6, 7); got != 42 {
		t.Errorf("Multiply(6, 7) is %d, want 42", got)
	}
}
`
)
