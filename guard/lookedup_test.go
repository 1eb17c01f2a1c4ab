package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestATurnThatOnlyReadIsToldAsOne: what was looked up is on record. That nothing was
// changed is of interest to who asked for a change.
func TestATurnThatOnlyReadIsToldAsOne(t *testing.T) {
	const heading = "\nOn record in this turn:\n"
	const nothing = "Nothing was changed in this turn."
	tools := []tooltrack.Tool{
		{Name: "get_tide", Description: "Look up the tide.", Effect: tooltrack.Reads},
		{Name: "book_berth", Description: "Book a berth.", Effect: tooltrack.Changes},
	}
	tide := guardtest.Call(guardtest.Tool("get_tide", `{}`))
	for name, c := range map[string]struct {
		kind  intent.Kind
		calls []guardtest.Step
		texts guard.Texts
		shown string
	}{
		"a question":            {intent.Question, []guardtest.Step{tide}, guard.Texts{}, heading + "Looked up: tide"},
		"twice":                 {intent.Question, []guardtest.Step{tide, tide}, guard.Texts{}, heading + "Looked up: tide"},
		"something to be done":  {intent.Action, []guardtest.Step{tide}, guard.Texts{}, heading + "Looked up: tide\n" + nothing},
		"no call at all":        {intent.Question, nil, guard.Texts{}, heading + nothing},
		"in the host's own way": {intent.Question, []guardtest.Step{tide}, guard.Texts{LookedUp: "Nachgesehen"}, heading + "Nachgesehen: tide"},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := guard.New(tools, &guard.Options{Classifier: expecting(c.kind, 0), Evaluator: doubting("gone"), Texts: &c.texts})
			require.NoError(t, err)
			executor := guardtest.Tools(map[string]guard.ExecutorFunc{
				"get_tide": func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"height":2.4}`), nil },
			})
			steps := append(c.calls, guardtest.Say("Good evening. The boat is gone."), guardtest.Say("So it is."), guardtest.Say("So it is."))
			reply, err := g.Run(context.Background(), guardtest.Script(steps...), executor, ask("what about the boat?"))
			require.NoError(t, err)
			require.Equal(t, "Good evening.\n\nA part of the answer is left out, because no record of a call shows it."+c.shown, reply.Text)
		})
	}
}
