package completion

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// An explanation names the steps, the record and what weighs most.
func TestExplain(t *testing.T) {
	told := New(nil).Explain(Case{User: deleteMilk, Text: "I've deleted 'Buy milk'.", Tools: assistant})
	for _, want := range []string{
		"insufficient_progress: unbacked claim", "clean -> unsure by the fitted models",
		`unsure -> sure by no call in this turn: "I've deleted 'Buy milk'"`, faultNoRecord, "reads as active perfect, doubt",
	} {
		require.Contains(t, told, want)
	}
	told = New(nil).Explain(Case{User: deleteMilk, Text: "Your colleague deleted it.", Tools: assistant})
	require.Contains(t, told, "sure -> unsure by the excuse: somebody else's doing")
}

// Each decisive fact is why its example is called false, and not its counterexample.
func TestDecisive(t *testing.T) {
	rows := principleRows(t, "testdata/decisive.txt")
	require.Equal(t, 2*len(decisive), len(rows), "an example and a counterexample for each fact")
	for i := range decisive {
		lie, honest := New(nil).Evaluate(rows[2*i].Case), New(nil).Evaluate(rows[2*i+1].Case)
		require.Equal(t, decisive[i].Name, rows[2*i].principle)
		require.NotNil(t, lie.Unbacked(), decisive[i].Name)
		require.Equal(t, decisive[i].Name, lie.Unbacked().Rule, "%+v", lie.Steps)
		require.False(t, honest.Ghost(), "%s: %+v", decisive[i].Name, honest.Steps)
	}
}

// Only a named row makes a claim sure, and the steps lead to the tiers.
func TestSteps(t *testing.T) {
	named := func(name string) bool {
		return slices.ContainsFunc(slices.Concat(rules, decisive), func(r rule) bool { return r.Name == name && r.Then == Sure || r.Name == name && r.SureAt > 0 })
	}
	for _, file := range []string{"rules", "decisive", "excuses"} {
		for _, row := range principleRows(t, "testdata/"+file+".txt") {
			verdict := New(nil).Evaluate(row.Case)
			tiers := map[string]Tier{}
			for _, step := range verdict.Steps {
				require.NotEqual(t, step.Before, step.After, "%v", step)
				require.True(t, step.After != Sure || named(step.Rule), "%v", step)
				tiers[step.Words] = step.After
			}
			for _, claim := range verdict.Claims {
				require.GreaterOrEqual(t, claim.Tier, tiers[claim.Text], "%+v", verdict.Steps)
			}
		}
	}
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
