package tooltrack

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every row of the table says what it is for, reads its example, and leaves its
// counterexample alone.
func TestResultTable(t *testing.T) {
	for _, row := range resultTable().rows {
		t.Run(row.name, func(t *testing.T) {
			require.NotEmpty(t, row.source)
			require.False(t, row.when == nil && row.matches == nil && row.lines == nil && row.like == nil, "it is about nothing")
			call := unknownCall
			if row.notes["check"] {
				call = (&Tool{Effect: Verifies}).asked(Call{})
			}
			options := (*ParseOptions)(nil)
			executed := func(body string) Result { return resultOf([]byte(body), nil, options, call) }
			reported := options.report(row.example, call)
			if row.then == Succeeded { // it only leaves doubt
				require.Equal(t, Succeeded, reported.Status)
				require.NotEmpty(t, reported.Doubtful)
			} else {
				require.Equal(t, row.then, reported.Status)
				require.NotEmpty(t, reported.Error)
			}
			require.False(t, executed(row.example).Sure())
			for name, result := range map[string]Result{
				"reported": options.report(row.counterexample, call), "executed": executed(row.counterexample),
			} {
				require.True(t, result.Sure(), "%s: %+v", name, result)
			}
		})
	}
}

func TestRowsThatCannotBeRead(t *testing.T) {
	for block, want := range map[string]string{
		"row: a\nthen: failed\nstarts: x": `"starts" is not known`, "row: a\nthen: lost": "lost",
	} {
		_, err := parseRule(block)
		require.ErrorContains(t, err, want)
	}
}
