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

// TestWrapCountsRoundsNotResults: a round is a message with calls, however many
// results follow it.
func TestWrapCountsRoundsNotResults(t *testing.T) {
	request := said("list my tasks")
	request.Messages = append(request.Messages,
		guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "a", Tool: "list_tasks", Args: []byte(`{}`)}, {ID: "b", Tool: "list_tasks", Args: []byte(`{"page":2}`)}}},
		guard.Message{Role: guard.RoleTool, CallID: "a", Text: "1. Read book"}, guard.Message{Role: guard.RoleTool, CallID: "b", Text: "2. Call mom"})
	g := guardFor(t, newWorld(), func(o *guard.Options) { o.Budgets.Rounds = 2 })
	_, err := g.Wrap(guardtest.Script(guardtest.Call(lists()))).Generate(context.Background(), request)
	require.NoError(t, err)
}

// TestWhatWasCutOffIsHandedOnAsItWas: without calls there is nothing to take
// out of it.
func TestWhatWasCutOffIsHandedOnAsItWas(t *testing.T) {
	for _, calls := range [][]tooltrack.Call{nil, {lists()}} {
		stopped := guardtest.Stopped(guard.StopCut, "The first is", calls...)
		stopped.Response.Raw, stopped.Response.Message.Raw = []byte("{}"), []byte("{}")
		response, err := guardFor(t, newWorld(), nil).Wrap(guardtest.Script(stopped)).Generate(context.Background(), said("hello"))
		require.NoError(t, err)
		require.Equal(t, calls == nil, response.Raw != nil && response.Message.Raw != nil)
	}
}

// TestAnInnerGuardReviewsWhatIsCalled: it leaves the outer one's question alone,
// and still denies and resolves the calls that answer it.
func TestAnInnerGuardReviewsWhatIsCalled(t *testing.T) {
	w := newWorld()
	outer, inner := unsureWorld(t, w, nil), guardFor(t, w, func(o *guard.Options) {
		o.Classifier, o.Evaluator = expecting(intent.Chat, 0), doubting("nowhere")
	})
	fly := guardtest.Call(guardtest.Tool("fly", `{}`))
	model := guardtest.Script(guardtest.Say("Read book is gone."), fly, guardtest.Call(deletes("Read book")), guardtest.Say("Read book is gone."), guardtest.Say(kept))
	ctx := guard.NewContext(context.Background(), ask(""))
	reply, err := outer.Run(ctx, inner.Wrap(model), w, ask("get rid of Read book"))
	require.NoError(t, err)
	require.Equal(t, "Read book is gone.", reply.Text)
	require.Len(t, reply.Records, 1, "what the inner guard denied never reached the outer one")
	require.False(t, w.has(readBook))
	require.Equal(t, 5, model.Calls())
}

// TestToolsThatNobodyDescribed are refused, or only watched.
func TestToolsThatNobodyDescribed(t *testing.T) {
	request := said("hello")
	request.Tools = append(request.Tools, tooltrack.Tool{Name: "fly"})
	for _, observe := range []bool{false, true} {
		g := guardFor(t, newWorld(), func(o *guard.Options) { o.Observe = observe })
		_, err := g.Wrap(guardtest.Script(guardtest.Say("Hello!"))).Generate(context.Background(), request)
		if observe {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, guard.ErrUnknownTool)
			require.ErrorContains(t, err, `"fly"`)
		}
	}
	request.Tools = nil
	_, err := guardFor(t, newWorld(), nil).Wrap(guardtest.Script(guardtest.Say("Hello!"))).Generate(context.Background(), request)
	require.NoError(t, err, "there is nothing to know about none")
}
