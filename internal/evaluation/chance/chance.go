// Package chance holds shares to limits, by no more than chance explains.
package chance

import (
	"math"
	"testing"
)

// standardErrors is how many standard errors of a share chance may explain: of a thousand shares
// that lie at their bound, one is further away.
const standardErrors = 3

// AtMost fails if a part of a whole is a larger share than a limit, by more than chance
// explains in a whole of this size. A limit of nothing is nothing, in any sample.
func AtMost(t testing.TB, what string, part, whole int, limit float64) {
	t.Helper()
	if n := float64(whole); float64(part) > limit*n+margin(n, limit) {
		t.Errorf("%s: %d of %d, %.4f; the limit is %.4f, and chance explains %.4f more",
			what, part, whole, float64(part)/n, limit, margin(n, limit)/n)
	}
}

// AtLeast fails if a part of a whole is a smaller share than a floor, by more than chance
// explains.
func AtLeast(t testing.TB, what string, part, whole int, floor float64) {
	t.Helper()
	AtMost(t, "not "+what, whole-part, whole, 1-floor)
}

func margin(n, share float64) float64 { return standardErrors * math.Sqrt(n*share*(1-share)) }
