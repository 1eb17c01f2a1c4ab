package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestASubAgentsWordsAreNoProof: what it says it did counts only by its records.
func TestASubAgentsWordsAreNoProof(t *testing.T) {
	for _, linked := range []bool{false, true} {
		tools := []tooltrack.Tool{{Name: "ask_assistant", Description: "Ask another agent to do something.", Effect: tooltrack.Changes, Delegates: true}}
		g, err := guard.New(tools, nil)
		require.NoError(t, err)
		w := newWorld()
		inner := guardFor(t, w, nil)
		executor := guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
			if !linked {
				return []byte("I've deleted Read book."), nil
			}
			reply, err := inner.Run(ctx, guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book.")), w, ask("delete Read book"))
			if err != nil {
				return nil, err
			}
			return []byte(reply.Text), guard.Link(ctx, reply.Records...)
		})
		say := guardtest.Say("I've deleted Read book.")
		proven := guardtest.Say(`{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[2]}]}`)
		model := guardtest.Script(guardtest.Call(guardtest.Tool("ask_assistant", `{}`)), say, proven, proven, proven)
		reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "have Read book deleted"})
		if linked {
			require.NoError(t, err)
			require.Equal(t, "I've deleted Read book.", reply.Text)
		} else {
			require.NotEqual(t, "I've deleted Read book.", reply.Text)
		}
	}
	require.ErrorIs(t, guard.Link(context.Background()), guard.ErrNoTurn)
}

// TestWhatASubAgentReportsMayBeTold: its figures are no evidence of what it did, but who
// tells them as they are makes nothing up.
func TestWhatASubAgentReportsMayBeTold(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "ask_coder", Description: "Give a task to another agent.", Delegates: true}}
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
		return []byte(`{"report":"The cookie lacked SameSite. 14 tests pass."}`), nil
	})
	for _, c := range []struct {
		text, status string
		shown        bool
	}{
		{"According to it, 14 tests pass.", "answered", true},
		{"According to it, 41 tests pass.", "answered", false},
		{"According to it, 41 tests pass.", "done", false},
		{"I've run 14 tests.", "done", false}, // the other one has, if anybody
	} {
		text, shown := c.text, c.shown
		g, err := guard.New(tools, &guard.Options{Evaluator: doubting("tests")})
		require.NoError(t, err)
		proven := guardtest.Say(`{"message":null,"items":[{"what":"` + text + `","status":"` + c.status + `","records":[1]}]}`)
		model := guardtest.Script(guardtest.Call(guardtest.Tool("ask_coder", `{"task":"login"}`)), guardtest.Say(text), proven, proven)
		reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "let the coder look into the login"})
		require.NoError(t, err)
		require.Equal(t, shown, reply.Text == text, "%s: %s", c.status, reply.Text)
	}
}

// TestAGuardBehindAGuard: the inner one lets the outer one's exchange pass, and
// reviews the calls that come of it.
func TestAGuardBehindAGuard(t *testing.T) {
	w := newWorld()
	outer, inner := unsureWorld(t, w, nil), guardFor(t, w, nil)
	model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("Read book is gone."), guardtest.Say(kept))
	reply, err := outer.Run(context.Background(), inner.Wrap(model), w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.Equal(t, "Read book is gone.", reply.Text)
	require.True(t, reply.Proof.Kept)
	require.Equal(t, 3, model.Calls())
}

// TestNothingCanBeLinked: a record that is nil backs nothing and breaks nothing,
// nor does a context that is nil. The same holds for records of turns that are
// over.
func TestNothingCanBeLinked(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "ask_assistant", Description: "Ask another agent to delete a task.", Effect: tooltrack.Changes, Delegates: true}}
	g, err := guard.New(tools, nil)
	require.NoError(t, err)
	executor := guard.ExecutorFunc(func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
		return []byte("Asked."), guard.Link(ctx, nil, nil)
	})
	say := guardtest.Say("I've deleted Read book.")
	model := guardtest.Script(guardtest.Call(guardtest.Tool("ask_assistant", `{}`)), say, say, say, say)
	reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "have Read book deleted"})
	require.NotNil(t, reply)
	require.NotEqual(t, "I've deleted Read book.", reply.Text, "%v", err)

	var none context.Context
	require.ErrorIs(t, guard.Link(none), guard.ErrNoContext)

	over := guard.Recorded{User: "delete Read book", Text: "I've deleted Read book.", Records: []*tooltrack.Record{nil}, Earlier: []*tooltrack.Record{nil}}
	_, err = g.Judge(context.Background(), over)
	require.NoError(t, err)
	question, err := g.Question(context.Background(), over)
	require.NoError(t, err)
	require.Zero(t, question.List.Len())
}
