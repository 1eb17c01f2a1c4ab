// Package sampling says how much of a long table a test looks at: a fixed sample at each
// push, so that the tests stay quick, and all of it at night. Whatever is promised is looked
// at in both; only the number of cases differs.
package sampling

import "os"

// Variable is the environment variable that, set to anything, asks for all cases.
const Variable = "BONAFIDE_TEST_ALL"

// All reports whether tests look at all cases.
func All() bool { return os.Getenv(Variable) != "" }

// Every returns n, or 1 where tests look at all cases: a test looks at each n-th.
func Every(n int) int {
	if All() {
		return 1
	}
	return n
}
