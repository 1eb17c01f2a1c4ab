package completion

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// notebook is what the examples of the rules are about.
var notebook = []tooltrack.Tool{
	{Name: "list_notes", Effect: tooltrack.Reads}, {Name: "create_note", Effect: tooltrack.Changes}, {Name: "delete_note", Effect: tooltrack.Changes},
	{Name: "share_note", Effect: tooltrack.Changes}, {Name: "close_ticket", Effect: tooltrack.Changes}, {Name: "move_event", Effect: tooltrack.Changes},
	{Name: "edit_file", Effect: tooltrack.Changes}, {Name: "run_tests", Effect: tooltrack.Verifies},
	{Name: "transfer_to_human", Effect: tooltrack.Changes},
}

// turn makes a turn of a scene.
func (s scene) turn() Case {
	made := Case{User: s[0], Text: s[len(s)-1], Tools: notebook}
	for _, call := range s[1 : len(s)-1] {
		call, title, _ := strings.Cut(call, " touched ")
		call, result, _ := strings.Cut(call, " => ")
		call, earlier := strings.CutPrefix(call, "earlier ")
		r := record(call, notebook)
		if r.Result.Status == tooltrack.Succeeded {
			r.Result = tooltrack.ResultOf([]byte(result), nil)
		} else {
			r.Result.Error = result
		}
		if title != "" {
			r.Touched = []tooltrack.Subject{{ID: "7", Title: title}}
		}
		if earlier {
			made.Earlier = append(made.Earlier, r)
		} else {
			made.Records = append(made.Records, r)
		}
	}
	return made
}

// Every rule holds for its example and not for its counterexample, which is not
// called false by any other either.
func TestRules(t *testing.T) {
	holds := func(r *rule, s scene) bool {
		turn := s.turn()
		c := newConversation()
		c.read(&turn, turn.Text)
		New(nil).doubt(c)
		for i := range c.assertions {
			if r.When(c, &c.assertions[i]) {
				return true
			}
		}
		return false
	}
	for i := range rules {
		r := &rules[i]
		t.Run(r.Name, func(t *testing.T) {
			require.True(t, holds(r, r.Example), "the example")
			require.False(t, holds(r, r.Counterexample), "the counterexample")
			verdict := New(nil).Evaluate(r.Example.turn())
			require.False(t, misjudged(&verdict, true), "the example passes as clean: %+v", verdict.Claims)
			honest := New(nil).Evaluate(r.Counterexample.turn())
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
	require.Equal(t, clauseNames(), m.clause.Features())
	for _, f := range []*forest.Forest{m.turn, m.insufficient, m.blocked} {
		require.Equal(t, turnNames(), f.Features())
	}
}

// Domains that the models have not seen are judged about as well as those that
// they have: a change that learns sentences shows here.
func TestUnseenDomains(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("fits models to the repository's own turns: minutes under the race detector, which has nothing to find in it")
	}
	got := figuresOf(leaveOut(ownSamples(t), 3, 2), "own")
	t.Log(got)
	require.Greater(t, got.area, 0.87)
	require.Greater(t, got.noticed, 0.73)
	require.Less(t, got.asked, 0.18)
	require.Greater(t, got.caught, 0.31)
	require.Less(t, got.harmed, 0.012)
	require.Greater(t, got.precision, 0.96)
}
