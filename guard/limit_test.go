package guard_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// noLimiter counts what was asked of it, and answers what it is told to.
type noLimiter struct {
	taken int
	wait  time.Duration
	err   error
}

func (l *noLimiter) Take(context.Context, string, string, policy.Rate) (time.Duration, error) {
	l.taken++
	return l.wait, l.err
}

func withLimiter(t *testing.T, w *world, limiter policy.Limiter, change func(*guard.Options)) *guard.Guard {
	t.Helper()
	return guardFor(t, w, func(o *guard.Options) {
		rate := policy.Rate{Calls: 1, Per: time.Hour}
		o.Policy = &policy.Options{
			Limiter: limiter, Rates: map[string]policy.Rate{"delete_task": rate, "list_tasks": rate},
		}
		if change != nil {
			change(o)
		}
	})
}

func TestReplayTakesNoToken(t *testing.T) {
	w, limiter := newWorld(), &noLimiter{}
	g := withLimiter(t, w, limiter, nil)
	input := ask("delete Call mom")
	input.Turn = "m1"
	for range 2 { // the second is answered from the ledger
		_, err := g.Run(t.Context(), guardtest.Script(guardtest.Call(deletes("Call mom")), guardtest.Say("I have deleted Call mom.")), w.Executor, input)
		require.NoError(t, err)
	}
	require.Equal(t, 1, limiter.taken)
}

func TestObserveTakesNoToken(t *testing.T) {
	w, limiter := newWorld(), &noLimiter{wait: time.Hour}
	g := withLimiter(t, w, limiter, func(o *guard.Options) { o.Observe = true })
	_, err := g.Run(t.Context(), guardtest.Script(guardtest.Call(deletes(callMom)), guardtest.Say("Deleted.")), w.Executor, ask("delete Call mom"))
	require.NoError(t, err)
	require.Zero(t, limiter.taken)
	require.NotContains(t, w.titles, callMom, "what is observed runs")
}

func TestDeniedByRateIsOnRecord(t *testing.T) {
	w, limiter := newWorld(), &noLimiter{wait: time.Minute}
	g := withLimiter(t, w, limiter, nil)
	turn, err := g.Begin(t.Context(), ask("delete Call mom"))
	require.NoError(t, err)
	calls := turn.Take(t.Context(), guardtest.Call(deletes("Call mom")).Response)
	require.Len(t, calls, 1)
	ran := false
	record, err := turn.Do(t.Context(), calls[0], func(context.Context, tooltrack.Call) ([]byte, error) {
		ran = true
		return nil, nil
	})
	var denied *guard.DeniedError
	require.ErrorAs(t, err, &denied)
	require.Equal(t, "rate", denied.Rule)
	require.False(t, ran)
	require.True(t, record.Ruling.Denied)
	stored, err := g.Ledger().Records(t.Context(), tooltrack.Query{Scope: record.Scope})
	require.NoError(t, err)
	require.Len(t, stored, 1)
	require.Equal(t, record.Ruling, stored[0].Ruling)
	require.Equal(t, tooltrack.Denied, stored[0].Result.Status)
	request := turn.Request(t.Context())
	require.Contains(t, request.Messages[len(request.Messages)-1].Text, "wait 1 minute before the next call")
	require.Equal(t, map[string]uint64{"rate": 1}, g.Counters().Denied)

	limiter.wait = 0 // the next attempt is another one
	calls = turn.Take(t.Context(), guardtest.Call(deletes("Call mom")).Response)
	require.Len(t, calls, 1)
	_, err = turn.Do(t.Context(), calls[0], w.Executor.Execute)
	require.NoError(t, err)
	require.NotContains(t, w.titles, callMom)
}

func TestLimiterDownRefusesChangesOnly(t *testing.T) {
	w, limiter := newWorld(), &noLimiter{err: errors.New("connection refused")}
	g := withLimiter(t, w, limiter, nil)
	reply, err := g.Run(t.Context(), guardtest.Script(
		guardtest.Call(lists(), deletes("Call mom")),
		guardtest.Say("I could not delete Call mom: it cannot be checked at the moment how often it was done. Please try again later."),
	), w.Executor, ask("delete Call mom"))
	require.NoError(t, err)
	require.Len(t, reply.Records, 2)
	require.True(t, reply.Records[0].Succeeded())
	require.Equal(t, "limiter", reply.Records[1].Ruling.Rule)
	require.Contains(t, w.titles, callMom)
	require.EqualValues(t, 2, g.Counters().HostFaults["Limiter.Take"])
}

// On the wire a message with a denied call goes back as a whole, and costs nothing.
func TestWrapTakesTokensOfWhatIsHandedOn(t *testing.T) {
	w, limiter := newWorld(), &noLimiter{}
	g := withLimiter(t, w, limiter, nil)
	model := g.Wrap(guardtest.Script(
		guardtest.Call(deletes("Call mom"), guardtest.Tool("delete_task", `{"task_id":5}`)), guardtest.Call(deletes("Call mom")),
	))
	ctx := guard.NewContext(t.Context(), ask(""))
	response, err := model.Generate(ctx, guard.Request{
		Messages: []guard.Message{{Role: guard.RoleUser, Text: "delete Call mom"}}, Tools: taskTools(),
	})
	require.NoError(t, err)
	require.Len(t, response.Message.Calls, 1)
	require.Equal(t, 1, limiter.taken)

	limiter.wait = time.Minute
	model = g.Wrap(guardtest.Script(guardtest.Call(deletes("Call mom")), guardtest.Say("I cannot delete Call mom now: it was done too often. Shall I try again in a minute?")))
	response, err = model.Generate(ctx, guard.Request{
		Messages: []guard.Message{{Role: guard.RoleUser, Text: "delete Call mom"}}, Tools: taskTools(),
	})
	require.NoError(t, err)
	require.Empty(t, response.Message.Calls)
}
