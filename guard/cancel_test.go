package guard_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestCancellation(t *testing.T) {
	blocks := func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	ignores := func(context.Context, tooltrack.Call) ([]byte, error) {
		time.Sleep(time.Hour)
		return []byte("ok"), nil
	}
	cases := []struct {
		name      string
		tool      guard.ExecutorFunc
		status    tooltrack.Status
		abandoned uint64
	}{
		{"a change that stops", blocks, tooltrack.Unknown, 0},
		{"a change that does not stop", ignores, tooltrack.Unknown, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": c.tool, "add_task": guardtest.Returns("ok")})
				g := guardFor(t, w, func(o *guard.Options) { o.Clock = time.Now })
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(time.Second, cancel)
				model := guardtest.Script(guardtest.Call(deletes("Read book"), adds("Buy milk")), guardtest.Say(lie))
				input := ask("delete Read book and add Buy milk")
				input.Turn = "m1"
				reply, err := g.Run(ctx, model, w, input)
				if !errors.Is(err, context.Canceled) || model.Calls() != 1 || w.Count("add_task") != 0 {
					t.Errorf("%d model calls, ran %v: %v", model.Calls(), w.Calls(), err)
				}
				if len(reply.Records) != 1 || reply.Records[0].Result.Status != c.status || g.Counters().Abandoned != c.abandoned {
					t.Errorf("the records are %+v, %d abandoned", reply.Records, g.Counters().Abandoned)
				}
				if reply.Text != "" || reply.Account == "" {
					t.Errorf("text %q, account %q", reply.Text, reply.Account)
				}
				// A replay of the turn does not run the change again.
				w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns("ok"), "add_task": guardtest.Returns("ok")})
				_, _ = g.Run(context.Background(), guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(lie)), w, input)
				if w.Count("delete_task") != 0 {
					t.Error("a change of unknown fate was run again")
				}
				time.Sleep(2 * time.Hour) // the bubble's time: the tool that went on comes to its end
			})
		})
	}
}

func TestCancelledWhileAsking(t *testing.T) {
	w := newWorld()
	ctx, cancel := context.WithCancel(context.Background())
	model := guardtest.Script(guardtest.Step{Do: func(context.Context, guard.Request) { cancel() }}, guardtest.Say("never"))
	_, err := guardFor(t, w, nil).Run(ctx, model, w, ask("delete Read book"))
	if !errors.Is(err, context.Canceled) || model.Calls() != 1 {
		t.Errorf("%d model calls: %v", model.Calls(), err)
	}
	if _, err := guardFor(t, w, nil).Run(ctx, model, w, ask("delete Read book")); !errors.Is(err, context.Canceled) || model.Calls() != 1 {
		t.Errorf("a turn of a cancelled context: %d model calls: %v", model.Calls(), err)
	}
}

func TestToolTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		slow := func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"list_tasks": slow, "delete_task": slow})
		g := guardFor(t, w, func(o *guard.Options) { o.ToolTimeout, o.Clock = time.Second, time.Now })
		model := guardtest.Script(guardtest.Call(lists(), deletes("Read book")), guardtest.Say("I couldn't list the tasks, and I don't know whether Read book was deleted: both calls timed out. Please check."))
		reply, _ := g.Run(context.Background(), model, w, ask("delete Read book"))
		if got := []tooltrack.Status{reply.Records[0].Result.Status, reply.Records[1].Result.Status}; got[0] != tooltrack.Failed || got[1] != tooltrack.Unknown {
			t.Errorf("a read and a change that time out are %v", got)
		}
	})
}
