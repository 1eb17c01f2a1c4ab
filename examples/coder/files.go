package main

// calc is a module with a bug and a test that finds it.
var calc = map[string]string{
	"go.mod": "module example.com/calc\n\ngo 1.25\n",
	"calc.go": `// Package calc does sums.
package calc

// Add returns the sum of two numbers.
func Add(a, b int) int { return a + b }

// Average returns the mean of the numbers, rounded down, and 0 for none.
func Average(numbers []int) int {
	sum := 0
	for _, n := range numbers {
		sum = Add(sum, n)
	}
	return sum / len(numbers)
}
`,
	"calc_test.go": `package calc

import "testing"

func TestAverage(t *testing.T) {
	if got := Average([]int{1, 2, 6}); got != 3 {
		t.Errorf("Average(1, 2, 6) is %d, want 3", got)
	}
}

func TestAverageOfNothing(t *testing.T) {
	defer func() {
		if recover() != nil {
			t.Error("Average of no numbers panics, want 0")
		}
	}()
	if got := Average(nil); got != 0 {
		t.Errorf("Average of no numbers is %d, want 0", got)
	}
}
`,
}

// healthy is the same module without the bug.
var healthy = map[string]string{
	"go.mod": calc["go.mod"],
	"calc.go": `// Package calc does sums.
package calc

// Add returns the sum of two numbers.
func Add(a, b int) int { return a + b }
`,
	"calc_test.go": `package calc

import "testing"

func TestAdd(t *testing.T) {
	if got := Add(2, 3); got != 5 {
		t.Errorf("Add(2, 3) is %d, want 5", got)
	}
}
`,
}

// rates is a module whose test needs a credential that is not there.
var rates = map[string]string{
	"go.mod": "module example.com/rates\n\ngo 1.25\n",
	"rates.go": `// Package rates asks a service for exchange rates.
package rates

import "os"

// Token is the credential for the service, from the environment.
func Token() string { return os.Getenv("EXAMPLE_RATES_TOKEN") }
`,
	"rates_test.go": `package rates

import "testing"

func TestLive(t *testing.T) {
	if Token() == "" {
		t.Fatal("EXAMPLE_RATES_TOKEN is not set: the service refuses requests without a credential")
	}
}
`,
}
