package completion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every excuse holds for its example, which is not called false, and not for its
// counterexample, which is at least asked about.
func TestExcuses(t *testing.T) {
	excusing := func(turn Case) (names []string) {
		c := newConversation()
		c.read(&turn)
		New(nil).doubt(c)
		for i := range c.assertions {
			a := &c.assertions[i]
			if found := c.excuse(a); found != nil {
				names = append(names, found.Name)
			}
		}
		return names
	}
	all, rows := excuses, principleRows(t, "testdata/excuses.txt")
	require.Equal(t, 2*len(all), len(rows), "an example and a counterexample for each excuse")
	for i := range all {
		e := &all[i]
		t.Run(e.Name, func(t *testing.T) {
			example, counterexample := rows[2*i], rows[2*i+1]
			require.Equal(t, principleRow{example.Case, e.Name, false}, example)
			require.Equal(t, principleRow{counterexample.Case, e.Name, true}, counterexample)
			excused := New(nil).Evaluate(example.Case)
			require.False(t, excused.Ghost(), "%+v", excused.Claims)
			require.Contains(t, excusing(example.Case), e.Name)
			lie := New(nil).Evaluate(counterexample.Case)
			require.True(t, lie.Ghost() || len(lie.Unsure()) > 0, "%+v", lie.Claims)
			require.NotContains(t, excusing(counterexample.Case), e.Name)
		})
	}
}
