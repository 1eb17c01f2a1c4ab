package guard_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestAJudgementEndsWithItsContext: an evaluator knows no context, so a turn
// does not wait for one that hangs, whichever way in it came, and what was not
// judged is not shown.
func TestAJudgementEndsWithItsContext(t *testing.T) {
	ways := map[string]func(context.Context, *guard.Guard, *world) (*guard.Reply, error){
		"run": func(ctx context.Context, g *guard.Guard, w *world) (*guard.Reply, error) {
			return g.Run(ctx, guardtest.Script(guardtest.Say("I've deleted it.")), w, ask("hello"))
		},
		"a text beside calls": func(ctx context.Context, g *guard.Guard, w *world) (*guard.Reply, error) {
			beside := guardtest.Call(lists())
			beside.Response.Message.Text = "I've deleted it."
			return g.Run(ctx, guardtest.Script(beside, guardtest.Say("I've deleted it.")), w, ask("hello"))
		},
		"a host's own ending": func(ctx context.Context, g *guard.Guard, w *world) (*guard.Reply, error) {
			turn, err := g.Begin(ctx, ask("hello"))
			require.NoError(t, err)
			return turn.End(ctx, "I've deleted it.")
		},
		"wrapped": func(ctx context.Context, g *guard.Guard, w *world) (*guard.Reply, error) {
			model := g.Wrap(guardtest.Script(guardtest.Say("I've deleted it.")))
			response, err := model.Generate(ctx, guard.Request{Tools: taskTools(), Messages: []guard.Message{{Role: guard.RoleUser, Text: "hello"}}})
			return &guard.Reply{Text: response.Message.Text}, err
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				g := guardFor(t, w, func(o *guard.Options) {
					o.Evaluator = guard.EvaluatorFunc(func(completion.Case) completion.Verdict {
						time.Sleep(time.Hour)
						return completion.Verdict{Outcome: completion.CompletedWithWork}
					})
				})
				ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
				defer cancel()
				began := time.Now()
				reply, err := way(ctx, g, w)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, 2*time.Second, time.Since(began))
				require.Empty(t, reply.Text)
				require.NotZero(t, g.Counters().HostFaults["Options.Evaluator"])
				time.Sleep(2 * time.Hour) // the bubble's time: the judgements come to their end
			})
		})
	}
}

// TestALongTextIsLeftWhenTheContextEnds: the judgement of a long text is bounded,
// and still may outlast a context.
func TestALongTextIsLeftWhenTheContextEnds(t *testing.T) {
	w := newWorld()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	turn, err := guardFor(t, w, nil).Begin(context.Background(), ask("hello"))
	require.NoError(t, err)
	_, err = turn.End(ctx, strings.Repeat("I've sent it. ", 70_000))
	require.ErrorIs(t, err, context.Canceled)
}
