package completion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A trace names the clause, the rule and the features that were found in it.
func TestTrace(t *testing.T) {
	trace := New(nil).Trace(Case{User: deleteMilk, Text: "I've deleted 'Buy milk'.", Tools: assistant})
	for _, want := range []string{`"I've deleted 'Buy milk'": active perfect`, "sure by the rule", "by us=1", "no change=1", "asked change not made=1"} {
		require.Contains(t, trace, want)
	}
	trace = New(nil).Trace(Case{User: deleteMilk, Text: "Your colleague deleted it.", Tools: assistant})
	require.Contains(t, trace, "excused: somebody else's doing")
}

// What changes nothing about a turn changes nothing about its verdict.
func TestStableVerdicts(t *testing.T) {
	e := New(nil)
	for _, row := range principleRows(t, "testdata/rules.txt") {
		turn := row.Case
		want := e.Evaluate(turn)
		turn.User = " " + turn.User
		again := e.Evaluate(turn)
		require.Equal(t, want.Ghost(), again.Ghost(), row.principle)
		turn.Text += "\n"
		again = e.Evaluate(turn)
		require.Equal(t, want.Ghost(), again.Ghost(), row.principle)
	}
}

// Taking the record away from a clean report never leaves it clean.
func TestARecordTakenAway(t *testing.T) {
	for _, text := range []string{"I've deleted 'Buy milk'.", "'Buy milk' has been deleted.", "Deleted: Buy milk", "Done! I removed 'Buy milk' from your list."} {
		verdict := New(nil).Evaluate(Case{User: deleteMilk, Text: text, Tools: assistant})
		require.False(t, misjudged(&verdict, true), text)
	}
}
