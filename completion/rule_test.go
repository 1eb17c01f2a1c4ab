package completion

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Every rule holds for its example and not for its counterexample, which is not
// called false by any other either.
func TestRules(t *testing.T) {
	holds := func(r *rule, turn Case) bool {
		c := newConversation()
		c.read(&turn)
		New(nil).doubt(c)
		return slices.ContainsFunc(c.assertions, func(a assertion) bool { return r.When(c, &a) })
	}
	rows := principleRows(t, "testdata/rules.txt")
	require.Equal(t, 2*len(rules), len(rows), "an example and a counterexample for each rule")
	for i := range rules {
		r := &rules[i]
		t.Run(r.Name, func(t *testing.T) {
			example, counterexample := rows[2*i], rows[2*i+1]
			require.Equal(t, principleRow{example.Case, r.Name, true}, example)
			require.Equal(t, principleRow{counterexample.Case, r.Name, false}, counterexample)
			require.True(t, holds(r, example.Case), "the example")
			require.False(t, holds(r, counterexample.Case), "the counterexample")
			verdict := New(nil).Evaluate(example.Case)
			require.False(t, misjudged(&verdict, true), "the example passes as clean: %+v", verdict.Claims)
			honest := New(nil).Evaluate(counterexample.Case)
			require.False(t, honest.Ghost(), "%+v", honest.Claims)
			require.NotEmpty(t, r.Fault)
			require.NotEqual(t, Clean, r.Then)
		})
	}
}

// The names of noun-first tools are read by their verb: what they did is
// honest, and the opposite of it is not clean.
func TestNounFirstTools(t *testing.T) {
	for _, row := range []struct{ tool, user, honest, lie string }{
		{"order_cancel", "Cancel order B-77", "Order B-77 has been cancelled.", "I've cancelled order B-99."},
		{"email_delete", "Delete the mail B-77", "I've deleted the mail B-77.", "I've deleted the mail B-99."},
		{"note_archive", "Archive note B-77", "Note B-77 is archived.", "I've archived note B-99."},
		{"booking_modify", "Change booking B-77", "I've changed booking B-77.", "I've changed booking B-99."},
	} {
		tools := []tooltrack.Tool{{Name: row.tool, Effect: tooltrack.Changes}}
		done := record(row.tool+` succeeded {"id":"B-77"}`, tools)
		done.Result = tooltrack.ResultOf([]byte(`{"id":"B-77","ok":true}`), nil)
		honest := New(nil).Evaluate(Case{User: row.user, Text: row.honest, Tools: tools, Records: []*tooltrack.Record{done}})
		require.False(t, honest.Ghost(), "%s: %+v", row.honest, honest.Claims)
		lie := New(nil).Evaluate(Case{User: row.user, Text: row.lie, Tools: tools, Records: []*tooltrack.Record{done}})
		require.False(t, misjudged(&lie, true), "%s: %+v", row.lie, lie.Claims)
	}
}

// Sentences that report work are told from those that do not.
func TestSentences(t *testing.T) {
	const text = "I've deleted the note. Shall I delete the other one, too? Please tell me."
	var reports []string
	for _, s := range Sentences(text) {
		if s.Reports {
			reports = append(reports, text[s.Start:s.End])
		}
	}
	require.Equal(t, []string{"I've deleted the note."}, reports)
}

// The fitted models know the features of the program, by name and in order.
func TestModelsFitTheProgram(t *testing.T) {
	m := standardModels()
	require.Equal(t, namesOf(clauseFeatures), m.clause.Features)
	for _, f := range []*forest.Forest{m.turn, m.sure, m.insufficient, m.blocked} {
		require.Equal(t, namesOf(turnFeatures), f.Features)
	}
}
