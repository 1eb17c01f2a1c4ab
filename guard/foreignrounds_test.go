package guard_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestAForeignLoopEndsItself: long turns are ordinary for the loops of others, so the
// guard has no bound of its own for them.
func TestAForeignLoopEndsItself(t *testing.T) {
	unwatched := func(o *guard.Options) { o.Budgets.Repeats = -1 } // the same call each time is no matter here
	for _, rounds := range []int{31, 32, 33, 100} {
		_, err := guardFor(t, newWorld(), unwatched).Wrap(forever(1)).Generate(context.Background(), behind(rounds))
		require.NoError(t, err, "Wrap after %d rounds", rounds)
	}
	w := newWorld()
	turn, err := guardFor(t, w, unwatched).Begin(t.Context(), ask("list my tasks"))
	require.NoError(t, err)
	steps := make([]guardtest.Step, 0, 42)
	for range 40 {
		steps = append(steps, guardtest.Call(lists()))
	}
	steps = append(steps, guardtest.Stopped(guard.StopPaused, "Still reading."), guardtest.Say("Your tasks: Read book."))
	model, executor := turn.Model(guardtest.Script(steps...)), turn.Executor(w)
	for range 40 {
		response, err := model.Generate(t.Context(), turn.Request(t.Context()))
		require.NoError(t, err)
		_, err = executor.Execute(t.Context(), response.Message.Calls[0])
		require.NoError(t, err)
	}
	_, err = model.Generate(t.Context(), turn.Request(t.Context()))
	require.NoError(t, err, "a pause goes on, however long the loop is")
}

// TestObserveCountsTheEndOfAForeignLoop: a limit that the host has set would end it.
func TestObserveCountsTheEndOfAForeignLoop(t *testing.T) {
	const measure = "end of the turn after 2 rounds"
	var log bytes.Buffer
	g := guardFor(t, newWorld(), func(o *guard.Options) {
		o.Observe, o.Budgets.Rounds = true, 2
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	})
	_, err := g.Wrap(forever(1)).Generate(context.Background(), behind(1))
	require.NoError(t, err)
	require.Zero(t, g.Counters().Would[measure])
	_, err = g.Wrap(forever(1)).Generate(context.Background(), behind(2))
	require.NoError(t, err)
	require.EqualValues(t, 1, g.Counters().Would[measure])
	contains(t, "the log", log.String(), "guard: limit", "observe=true", measure)
}
