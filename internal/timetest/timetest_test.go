package timetest

import (
	"errors"
	"fmt"
	"testing"
)

// reporter takes the place of a test that may fail.
type reporter struct {
	testing.TB
	said string
}

func (r *reporter) Helper() {}

func (r *reporter) Errorf(format string, args ...any) { r.said = fmt.Sprintf(format, args...) }

func TestHolds(t *testing.T) {
	slow := errors.New("5 s")
	for _, c := range []struct {
		broken int // rounds before the bound holds
		asked  int
		said   string
	}{
		{0, 1, ""}, {3, 4, ""}, {rounds - 1, rounds, ""}, {rounds, rounds, "in each of 8 rounds, at last: 5 s"},
	} {
		r, asked := &reporter{TB: t}, 0
		Holds(r, func() error {
			asked++
			if asked <= c.broken {
				return slow
			}
			return nil
		})
		if r.said != c.said || asked != c.asked {
			t.Errorf("after %d broken rounds: %q, measured %d times", c.broken, r.said, asked)
		}
	}
}
