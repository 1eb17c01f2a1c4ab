package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestTheDraftKeepsWhatTheModelSaid: whatever became of it.
func TestTheDraftKeepsWhatTheModelSaid(t *testing.T) {
	say, call := guardtest.Say, guardtest.Call
	const gone = "Read book is gone."
	for name, row := range map[string]struct {
		unsure  bool
		steps   []guardtest.Step
		draft   string
		missing bool
		refused bool
	}{
		"passed at once":           {steps: []guardtest.Step{call(deletes("Read book")), say(lie)}},
		"corrected":                {steps: []guardtest.Step{say(lie), call(deletes("Read book")), say("I've deleted it.")}, draft: lie},
		"corrected and refused":    {steps: []guardtest.Step{say(lie), say(promise), say(promise), say(promise)}, draft: lie, refused: true},
		"proven":                   {unsure: true, steps: []guardtest.Step{call(deletes("Read book")), say(gone), say(kept)}, draft: gone},
		"asked, no proof":          {unsure: true, steps: []guardtest.Step{call(deletes("Read book")), say(gone), say("Yes."), say("Yes.")}, draft: gone, missing: true},
		"asked, the call followed": {unsure: true, steps: []guardtest.Step{say(gone), call(deletes("Read book")), say("Good.")}, draft: gone},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, nil)
			if row.unsure {
				g = unsureWorld(t, w, nil)
			}
			reply, err := g.Run(context.Background(), guardtest.Script(row.steps...), w, ask("delete Read book"))
			require.Equal(t, row.refused, err != nil, "%v", err)
			require.Equal(t, row.draft, reply.Draft)
			require.Equal(t, row.missing, reply.ProofMissing)
		})
	}
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Budgets = guard.Budgets{MissingTool: -1, Progress: -1} })
	reply, err := g.Run(context.Background(), guardtest.Script(say(lie)), w, ask("delete Read book"))
	require.ErrorIs(t, err, guard.ErrToolNotTriggered)
	require.Equal(t, lie, reply.Draft, "refused at once")
}

// TestTheDraftWhereProofIsAlwaysAskedFor: it is the text that the report is about, also
// where that is what is shown; talk has none.
func TestTheDraftWhereProofIsAlwaysAskedFor(t *testing.T) {
	const gone = "Read book is gone."
	reported := guardtest.Call(guardtest.Tool("report", `{"message":"`+gone+`","items":[{"what":"Read book deleted","status":"done","calls":[{"tool":"delete_task"}]}]}`))
	for name, row := range map[string]struct {
		user        string
		steps       []guardtest.Step
		draft, text string
	}{
		"by the report tool": {"get rid of Read book", []guardtest.Step{guardtest.Call(deletes("Read book")), reported}, gone, gone},
		"asked and kept":     {"get rid of Read book", []guardtest.Step{guardtest.Call(deletes("Read book")), guardtest.Say(gone), guardtest.Say(kept)}, gone, gone},
		"asked and changed": {"get rid of Read book", []guardtest.Step{
			guardtest.Call(deletes("Read book")), guardtest.Say("Gone."),
			guardtest.Say(`{"message":"` + gone + `","items":[{"what":"Read book deleted","status":"done","records":[1]}]}`),
		}, "Gone.", gone},
		"talk": {"hello", []guardtest.Step{guardtest.Say("Hello!")}, "", "Hello!"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			reply, err := alwaysWorld(t, w, nil).Run(context.Background(), guardtest.Script(row.steps...), w, ask(row.user))
			require.NoError(t, err)
			require.Equal(t, row.text, reply.Text)
			require.Equal(t, row.draft, reply.Draft)
		})
	}
}
