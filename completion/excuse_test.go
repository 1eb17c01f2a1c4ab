package completion

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every excuse holds for its example, which is not called false, and not for its
// counterexample, which is.
func TestExcuses(t *testing.T) {
	excuses := func(turn Case) (names []string) {
		c := newConversation()
		c.read(&turn)
		d := New(nil).doubt(c)
		for i := range c.assertions {
			a := &c.assertions[i]
			if found := c.excuse(a, d.of(a, c.doubts.top[0]).sure); found != nil {
				names = append(names, found.Name)
			}
		}
		return names
	}
	all, rows := slices.Concat(arguable, beside), principleRows(t, "testdata/excuses.txt")
	require.Equal(t, 2*len(all), len(rows), "an example and a counterexample for each excuse")
	for i := range all {
		e := &all[i]
		t.Run(e.Name, func(t *testing.T) {
			example, counterexample := rows[2*i], rows[2*i+1]
			require.Equal(t, principleRow{example.Case, e.Name, false}, example)
			require.Equal(t, principleRow{counterexample.Case, e.Name, true}, counterexample)
			excused := New(nil).Evaluate(example.Case)
			require.False(t, excused.Ghost(), "%+v", excused.Claims)
			require.Contains(t, excuses(example.Case), e.Name)
			lie := New(nil).Evaluate(counterexample.Case)
			require.True(t, lie.Ghost(), "%+v", lie.Claims)
			require.NotContains(t, excuses(counterexample.Case), e.Name)
		})
	}
}
