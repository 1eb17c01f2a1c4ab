package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestAGuardLetsTheOuterOneAsk: what answers another guard's request for proof, or its
// correction, is between that guard and the model. The inner one neither doubts it, nor
// asks about it, nor takes sentences out of it.
func TestAGuardLetsTheOuterOneAsk(t *testing.T) {
	for name, c := range map[string]struct {
		answers []guardtest.Step
		user    string
		asked   int
		shown   string
	}{
		"proof": {
			[]guardtest.Step{guardtest.Call(deletes("Read book")), guardtest.Say("Read book is off."), guardtest.Say(kept)},
			"get rid of Read book", 3, "Read book is off.",
		},
		"proof, the second time": {
			[]guardtest.Step{
				guardtest.Call(deletes("Read book")), guardtest.Say("Read book is off."),
				guardtest.Say(strings.Replace(kept, "[1]", "[9]", 1)), guardtest.Say(kept),
			},
			"get rid of Read book", 4, "Read book is off.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			model := guardtest.Script(c.answers...)
			inner := unsureWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("deleted") }) // the report says so
			outer := unsureWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("off") })
			reply, err := outer.Run(context.Background(), inner.Wrap(model), w, ask(c.user))
			require.NoError(t, err)
			require.Equal(t, c.shown, reply.Text)
			require.NotNil(t, reply.Proof)
			require.Equal(t, c.asked, model.Calls())
			require.Zero(t, inner.Counters().ProofsAsked)
		})
	}
}

// TestACorrectionIsTheOuterGuards, too: its answer is judged by the outer one alone.
func TestACorrectionIsTheOuterGuards(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Say(lie), guardtest.Say("Shall Read book really be gone for good?"))
	inner := unsureWorld(t, w, func(o *guard.Options) { o.Evaluator = doubting("gone") })
	outer := guardFor(t, w, func(o *guard.Options) { o.Directories = nil })
	reply, err := outer.Run(context.Background(), inner.Wrap(model), w, ask("delete Read book"))
	require.Zero(t, inner.Counters().ProofsAsked, "%v, %v", reply, err)
	require.Positive(t, outer.Counters().AskedAgain+outer.Counters().Corrected)
}

// TestWhatARefereeTakesIsCounted with what the model took.
func TestWhatARefereeTakesIsCounted(t *testing.T) {
	w := newWorld()
	uses := func(step guardtest.Step, usage guard.Usage) guardtest.Step {
		step.Response.Usage = usage
		return step
	}
	wrong := strings.Replace(kept, "[1]", "[9]", 1)
	referee := guardtest.Script(uses(guardtest.Say(wrong), guard.Usage{Input: 100, Output: 10}), uses(guardtest.Say(kept), guard.Usage{Input: 1000, Output: 20}))
	model := guardtest.Script(uses(guardtest.Call(deletes("Read book")), guard.Usage{Input: 1, Output: 3}), uses(guardtest.Say("Read book is gone."), guard.Usage{Input: 2, Output: 4}))
	g := unsureWorld(t, w, func(o *guard.Options) { o.Referee = referee })
	reply, err := g.Run(context.Background(), model, w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.Equal(t, "Read book is gone.", reply.Text)
	require.Equal(t, guard.Usage{Input: 1103, Output: 37}, reply.Execution.Usage)
}
