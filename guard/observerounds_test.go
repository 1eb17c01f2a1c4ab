package guard_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// forever is a model that calls a tool and never ends, asked at most n times.
func forever(n int) *guardtest.Model {
	steps := make([]guardtest.Step, n)
	for i := range steps {
		steps[i] = guardtest.Call(lists())
	}
	return guardtest.Script(steps...)
}

// TestObserveEndsItsOwnLoops: a loop that only the guard drives ends by the limit
// even where it only watches; in a loop of the host's own it says so and goes on.
func TestObserveEndsItsOwnLoops(t *testing.T) {
	var log bytes.Buffer
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) {
		o.Observe, o.Budgets.Rounds = true, 3
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	})
	ctx := context.Background()
	var stuck *guard.TurnError
	if _, err := g.Run(ctx, forever(10), w, ask("list my tasks")); !(errors.As(err, &stuck) && errors.Is(err, guard.ErrInsufficientProgress)) || !strings.Contains(stuck.Reason, "rounds of tool calls") || w.Count("list_tasks") != 3 {
		t.Errorf("Run: %d calls, %v", w.Count("list_tasks"), err)
	}
	var last error
	for _, err := range g.Stream(ctx, forever(10), w, ask("list my tasks")) {
		last = err
	}
	if !(errors.As(last, &stuck) && errors.Is(last, guard.ErrInsufficientProgress)) || w.Count("list_tasks") != 6 {
		t.Errorf("Stream: %d calls, %v", w.Count("list_tasks"), last)
	}
	log.Reset()
	turn, err := g.Begin(ctx, ask("list my tasks"))
	if err != nil {
		t.Fatal(err)
	}
	model := forever(5)
	for range 5 {
		response, err := model.Generate(ctx, turn.Request(ctx))
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range turn.Take(ctx, response) {
			if _, err := turn.Do(ctx, call, w.Execute); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !turn.Open() || w.Count("list_tasks") != 11 {
		t.Errorf("the host's own loop: open %v, %d calls", turn.Open(), w.Count("list_tasks"))
	}
	contains(t, "the log", log.String(), "guard: limit", "rule=rounds", "observe=true")
}

// TestObserveContinuesAPause: the loop is Run's own, and who only watches loses no
// answer by it.
func TestObserveContinuesAPause(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Observe, o.Budgets.Rounds = true, 3 })
	pause := guardtest.Stopped(guard.StopPaused, "Still thinking.")
	reply, err := g.Run(context.Background(), guardtest.Script(pause, guardtest.Say("Hello!")), w, ask("hello"))
	if err != nil || reply.Text != "Hello!" {
		t.Errorf("%q: %v", reply.Text, err)
	}
	model := guardtest.Script(pause, pause, pause, pause, pause)
	if reply, err = g.Run(context.Background(), model, w, ask("hello")); err != nil || model.Calls() != 4 {
		t.Errorf("without end, after %d calls: %q, %v", model.Calls(), reply.Text, err)
	}
	response, err := g.Wrap(guardtest.Script(pause)).Generate(context.Background(), said("hello"))
	if err != nil || response.Stop != guard.StopPaused {
		t.Errorf("another's loop goes on by itself: %+v, %v", response, err)
	}
}
