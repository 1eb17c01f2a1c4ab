package chance

import "testing"

// reporter takes the place of a test that may fail.
type reporter struct {
	testing.TB
	failed bool
}

func (*reporter) Helper()                 {}
func (r *reporter) Errorf(string, ...any) { r.failed = true }

func TestSharesAreIntervals(t *testing.T) {
	for _, c := range []struct {
		part, whole int
		limit       float64
		failed      bool
	}{
		{0, 0, 0, false}, {0, 100, 0, false}, {1, 100_000, 0, true}, {10, 100, 0.1, false},
		{18, 100, 0.1, false}, {20, 100, 0.1, true}, {1080, 10_000, 0.1, false}, {1100, 10_000, 0.1, true},
	} {
		most, least := &reporter{TB: t}, &reporter{TB: t}
		AtMost(most, "", c.part, c.whole, c.limit)
		AtLeast(least, "", c.whole-c.part, c.whole, 1-c.limit)
		if most.failed != c.failed || least.failed != c.failed {
			t.Errorf("%d of %d against %v: failed %v and %v, want %v", c.part, c.whole, c.limit, most.failed, least.failed, c.failed)
		}
	}
}
