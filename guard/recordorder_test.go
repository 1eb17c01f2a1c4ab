package guard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// mixed is an answer with calls of every fate: reads beside each other, a change,
// references that are resolved, and what is denied before, between and after them.
func mixed() []tooltrack.Call {
	return []tooltrack.Call{
		deletes("book"), // 1: ambiguous
		lists(),
		guardtest.Tool("serch_tasks", `{}`), // 3: no such tool
		guardtest.Tool("list_tasks", `{"status_filter":"open"}`),
		guardtest.Tool("list_tasks", `{"status_filter":"done"}`),
		deletes("book"),                  // 6: ambiguous again
		deletes("Read book"),             // 7: rewritten to its id
		guardtest.Tool("add_task", `{}`), // 8: a required argument is missing
		adds("Buy milk"),
		adds("Buy milk"),                            // 10: answered from 9
		guardtest.Tool("add_task", `{"title":" "}`), // 11: blank
	}
}

const mixedOrder = "delete_task- list_tasks serch_tasks- list_tasks list_tasks delete_task- delete_task> add_task- add_task add_task-"

func orderOf(records []*tooltrack.Record) string {
	var order []string
	for _, record := range records {
		mark := ""
		switch {
		case record.Ruling.Denied:
			mark = "-"
		case record.Ruling.Rewritten != nil:
			mark = ">"
		}
		order = append(order, record.Tool+mark)
	}
	return strings.Join(order, " ")
}

// TestRecordsStandInTheOrderOfTheCalls: for the turn, for the ledger and for the
// model that is asked for proof, whoever drives the loop.
func TestRecordsStandInTheOrderOfTheCalls(t *testing.T) {
	const end = "Here is your list."
	ways := map[string]func(t *testing.T, g *guard.Guard, w *world, input guard.Input) []*tooltrack.Record{
		"Run": func(t *testing.T, g *guard.Guard, w *world, input guard.Input) []*tooltrack.Record {
			reply, err := g.Run(t.Context(), guardtest.Script(guardtest.Call(mixed()...), guardtest.Say(end)), w, input)
			require.NoError(t, err)
			return reply.Records
		},
		"Begin": func(t *testing.T, g *guard.Guard, w *world, input guard.Input) []*tooltrack.Record {
			turn, err := g.Begin(t.Context(), input)
			require.NoError(t, err)
			for _, call := range turn.Take(t.Context(), guardtest.Call(mixed()...).Response) {
				_, err := turn.Do(t.Context(), call, w.Execute)
				require.NoError(t, err)
			}
			reply, err := turn.End(t.Context(), end)
			require.NoError(t, err)
			return reply.Records
		},
		"Model and Executor": func(t *testing.T, g *guard.Guard, w *world, input guard.Input) []*tooltrack.Record {
			turn, err := g.Begin(t.Context(), input)
			require.NoError(t, err)
			model, executor := turn.Model(guardtest.Script(guardtest.Call(mixed()...), guardtest.Say(end))), turn.Executor(w)
			response, err := model.Generate(t.Context(), guard.Request{})
			require.NoError(t, err)
			for _, call := range response.Message.Calls {
				_, err := executor.Execute(t.Context(), call)
				require.NoError(t, err)
			}
			_, err = model.Generate(t.Context(), guard.Request{})
			require.NoError(t, err)
			reply, err := turn.Reply()
			require.NoError(t, err)
			return reply.Records
		},
	}
	for name, run := range ways {
		for _, parallel := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, %d at a time", name, parallel), func(t *testing.T) {
				w := newWorld()
				g := guardFor(t, w, func(o *guard.Options) { o.Parallel, o.Classifier, o.Proof = parallel, expecting(0, 0), guard.Never })
				input := ask("hello")
				input.Turn, input.Conversation = "m1", "c1"
				records := run(t, g, w, input)
				require.Equal(t, mixedOrder, orderOf(records))
				stored, err := g.Ledger().Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Turn: "m1"}})
				require.NoError(t, err)
				require.Equal(t, mixedOrder, orderOf(stored))
			})
		}
	}
}

// TestTheListFollowsTheCalls: the numbers that a model cites are those of its
// calls.
func TestTheListFollowsTheCalls(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Proof = guard.WhenUnsure })
	proof := guardtest.Say(`{"message":null,"items":[{"what":"delete Read book","status":"done","records":[1]},` +
		`{"what":"delete the other","status":"failed","records":[2],"reason":"which one?"}]}`)
	failed := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
		return []byte("Error: the list is locked"), nil
	})
	model := guardtest.Script(guardtest.Call(deletes("Read book"), deletes("book")),
		guardtest.Say("I've deleted Read book. Which of the others do you mean: Return book to library or Book list?"), proof, proof)
	_, err := g.Run(t.Context(), model, failed, ask("delete Read book"))
	require.NoError(t, err)
	asked := model.Requests()[2].Messages
	list := asked[len(asked)-1].Text
	first, second := strings.Index(list, `#1 delete_task "Read book"`), strings.Index(list, `#2 delete_task`)
	require.Positive(t, first, list)
	require.Greater(t, second, first, list)
	require.Contains(t, list[second:], "denied")
}

// TestDeniedCallsOfALoopThatStops: what was denied is on record, whatever becomes
// of the calls before it.
func TestDeniedCallsOfALoopThatStops(t *testing.T) {
	t.Run("nothing was run", func(t *testing.T) {
		turn, err := guardFor(t, newWorld(), nil).Begin(t.Context(), ask("delete Read book"))
		require.NoError(t, err)
		turn.Take(t.Context(), guardtest.Call(deletes("Read book"), deletes("book")).Response)
		reply, err := turn.Fail(errors.New("no model"))
		require.Error(t, err)
		require.Equal(t, "delete_task-", orderOf(reply.Records))
	})
	t.Run("cancelled between", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
			cancel()
			return []byte("ok"), nil
		})
		model := guardtest.Script(guardtest.Call(deletes("Read book"), adds("Tea"), deletes("book")))
		reply, err := guardFor(t, newWorld(), nil).Run(ctx, model, executor, ask("delete Read book"))
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, "delete_task> delete_task-", orderOf(reply.Records))
	})
	t.Run("run at once, in any order", func(t *testing.T) {
		turn, err := guardFor(t, newWorld(), nil).Begin(t.Context(), ask("hello"))
		require.NoError(t, err)
		var group sync.WaitGroup
		turn.Take(t.Context(), guardtest.Call(mixed()...).Response)
		for _, call := range mixed() {
			call.ID = "" // known by tool and arguments, and refused the second time
			group.Go(func() { _, _ = turn.Do(t.Context(), call, newWorld().Execute) })
		}
		group.Wait()
		reply, _ := turn.Fail(errors.New("no model"))
		denied := 0
		for _, record := range reply.Records {
			if record.Ruling.Denied {
				denied++
			}
		}
		require.Equal(t, 5, denied, orderOf(reply.Records))
	})
	t.Run("a store that does not take it", func(t *testing.T) {
		store := &refusing{Store: tooltrack.NewMemory(nil)}
		g := guardFor(t, newWorld(), func(o *guard.Options) { o.Ledger = tooltrack.NewLedger(store, nil) })
		model := guardtest.Script(guardtest.Call(lists(), deletes("book")), guardtest.Say("Here."))
		reply, err := g.Run(t.Context(), model, newWorld(), ask("list my tasks"))
		require.ErrorIs(t, err, errDatabase)
		require.Equal(t, "list_tasks", orderOf(reply.Records))
		require.Equal(t, 1, model.Calls())
	})
}

// refusing is a store that does not write down what was denied.
type refusing struct{ tooltrack.Store }

func (r *refusing) Begin(ctx context.Context, record *tooltrack.Record, rerun bool) (tooltrack.Begun, error) {
	if record.Ruling.Denied {
		return tooltrack.Begun{}, errDatabase
	}
	return r.Store.Begin(ctx, record, rerun)
}
