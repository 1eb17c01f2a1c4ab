package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
)

// dueWorld is a guard that thinks, and is not sure, that a task is to be deleted.
func dueWorld(t *testing.T, w *world, due float64) *guard.Guard {
	return guardFor(t, w, func(o *guard.Options) {
		o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
			expected := intent.Expectation{Tool: "delete_task", Confidence: 0.6, Words: "delete Read book"}
			return intent.Intent{Kind: intent.Action, Due: due, Expect: []intent.Expectation{expected}}, nil
		})
		o.Directories = nil
	})
}

const (
	noReport = "Trust me."
	noItems  = `{"message":null,"items":[]}`
	notTried = `{"message":null,"items":[{"what":"delete Read book","status":"not_done","reason":"no tool was called"}]}`
)

// TestWhatIsDueIsNotSettledByNothing: a text that says nothing does not end a turn as
// if it were done, whatever the model answers a request for proof with.
func TestWhatIsDueIsNotSettledByNothing(t *testing.T) {
	const line = "\n\nNot done: delete Read book."
	for _, text := range []string{"On it!", "Sure!", "You're welcome.", "I'm on it, give me a second."} {
		for _, answer := range []string{noReport, noItems, `{"message":null,"items":[{"what":"small talk","status":"general"}]}`} {
			w := newWorld()
			model := guardtest.Script(guardtest.Say(text), guardtest.Say(answer), guardtest.Say(answer))
			reply, err := dueWorld(t, w, 0.85).Run(context.Background(), model, w, ask("delete Read book"))
			require.NoError(t, err)
			require.Equal(t, text+line, reply.Text, answer)
			require.Equal(t, completion.InsufficientProgress, reply.Verdict.Outcome)
			require.Equal(t, text, reply.Draft)
			require.Nil(t, reply.Proof)
		}
	}
	t.Run("said by the report", func(t *testing.T) {
		w := newWorld()
		model := guardtest.Script(guardtest.Say("On it!"), guardtest.Say(notTried))
		reply, err := dueWorld(t, w, 0.85).Run(context.Background(), model, w, ask("delete Read book"))
		require.NoError(t, err)
		require.Equal(t, "On it!\n\nNot done: delete Read book: no tool was called.", reply.Text)
		require.Equal(t, completion.CompletedWithBlocker, reply.Verdict.Outcome)
	})
	t.Run("less likely due", func(t *testing.T) {
		w := newWorld()
		const talk = "Reading in the evening is a fine habit, and a good chapter takes half an hour."
		model := guardtest.Script(guardtest.Say(talk), guardtest.Say(noItems))
		reply, err := dueWorld(t, w, 0.7).Run(context.Background(), model, w, ask("what about Read book"))
		require.NoError(t, err)
		require.Equal(t, talk, reply.Text)
		model = guardtest.Script(guardtest.Say("Sure!"), guardtest.Say(noItems), guardtest.Say(noItems))
		reply, err = dueWorld(t, w, 0.7).Run(context.Background(), model, w, ask("delete Read book"))
		require.NoError(t, err)
		require.Equal(t, "Sure!"+line, reply.Text)
	})
	t.Run("asked no more", func(t *testing.T) {
		w := newWorld()
		g := dueWorld(t, w, 0.85)
		for range 12 {
			model := guardtest.Script(guardtest.Say("Sure!"), guardtest.Say(noReport), guardtest.Say(noReport))
			reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
			require.NoError(t, err)
			require.Equal(t, "Sure!"+line, reply.Text)
			require.Equal(t, completion.InsufficientProgress, reply.Verdict.Outcome)
		}
		require.NotZero(t, g.Counters().ProofsSkipped)
	})
}

// TestAPromiseNeedsMoreThanAnEmptyReport.
func TestAPromiseNeedsMoreThanAnEmptyReport(t *testing.T) {
	for _, text := range []string{"Deleting it now.", "Will do."} {
		for _, answer := range []string{noItems, notTried} {
			w := newWorld()
			model := guardtest.Script(guardtest.Say(text), guardtest.Say(answer), guardtest.Say(answer))
			_, err := dueWorld(t, w, 0.85).Run(context.Background(), model, w, ask("delete Read book"))
			var short *guard.TurnError
			require.ErrorAs(t, err, &short, "%s %s", text, answer)
			require.ErrorIs(t, err, guard.ErrInsufficientProgress)
			require.Equal(t, completion.Promise, short.Verdict.Reason)
		}
	}
}

// TestWithheldIsNotWorkDone: what was asked for is not told as completed where the
// only sentence that says so is left out.
func TestWithheldIsNotWorkDone(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Say("It's gone."), guardtest.Say(noReport), guardtest.Say(noReport))
	g := guardFor(t, w, func(o *guard.Options) {
		o.Classifier = expecting(intent.Action, 0.85)
		o.Evaluator = doubting("gone")
	})
	reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
	require.NoError(t, err)
	require.NotContains(t, reply.Text, "gone")
	require.Equal(t, 1, strings.Count(reply.Text, "Nothing was changed"))
	require.Equal(t, completion.InsufficientProgress, reply.Verdict.Outcome)
}

// TestAPieceIsAskedAboutOnce, although several claims stand in it.
func TestAPieceIsAskedAboutOnce(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Say("Read book is gone and deleted."), guardtest.Say(noItems), guardtest.Say(noItems))
	_, err := unsureWorld(t, w, nil).Run(context.Background(), model, w, ask("get rid of Read book"))
	require.NoError(t, err)
	requests := model.Requests()
	asked := requests[1].Messages[len(requests[1].Messages)-1].Text
	require.Equal(t, 1, strings.Count(asked, "Read book is gone and deleted."), asked)
}
