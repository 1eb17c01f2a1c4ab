package guard_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	lie     = "I've deleted Read book."
	promise = "I will delete it now, please hold on."
	leak    = "```json\n{\"name\":\"delete_task\",\"arguments\":{\"task_id\":\"Read book\"}}\n```"
)

func TestPrecedenceOfFaults(t *testing.T) {
	say := guardtest.Say
	cases := []struct {
		name   string
		script []guardtest.Step
		calls  int
		want   error // by errors.Is, or
		reason completion.Reason
	}{
		{"a missing tool comes before the claim that it ran", []guardtest.Step{say(lie), say(lie)}, 2, guard.ErrToolNotTriggered, completion.UnbackedClaim},
		{"a leaked call comes before the missing tool", []guardtest.Step{say(leak), say(leak), say(leak)}, 3, guard.ErrInsufficientProgress, completion.LeakedCall},
		{"leaked, then missing: each budget by itself", []guardtest.Step{say(leak), say(lie), say(lie)}, 3, guard.ErrToolNotTriggered, completion.UnbackedClaim},
		{"leaked twice, then missing twice: the turn's cap", []guardtest.Step{say(leak), say(leak), say(lie), say(lie)}, 4, guard.ErrToolNotTriggered, completion.UnbackedClaim},
		{"missing, then leaked to the end", []guardtest.Step{say(lie), say(leak), say(leak), say(leak)}, 4, guard.ErrInsufficientProgress, completion.LeakedCall},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			model := guardtest.Script(append(c.script, say("one too many"))...)
			reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book"))
			if !errors.Is(err, c.want) || model.Calls() != c.calls || reply.Verdict.Reason != c.reason {
				t.Errorf("%d calls, reason %s: %v", model.Calls(), reply.Verdict.Reason, err)
			}
		})
	}
}

func TestWhatTheProviderDidCostsNoRetry(t *testing.T) {
	broken := errors.New("connection reset")
	cases := []struct {
		name  string
		step  guardtest.Step
		calls int
		check func(error) bool
	}{
		{"cut", guardtest.Stopped(guard.StopCut, "I've del"), 1, stoppedBy(guard.StopCut)},
		{"cut with a call", guardtest.Stopped(guard.StopCut, "", deletes("Read book")), 1, stoppedBy(guard.StopCut)},
		{"filtered", guardtest.Stopped(guard.StopFiltered, ""), 1, stoppedBy(guard.StopFiltered)},
		{"refused", guardtest.Stopped(guard.StopRefused, ""), 1, stoppedBy(guard.StopRefused)},
		{"broken", guardtest.Step{Err: broken}, 1, func(err error) bool {
			var provider *guard.TurnError
			return errors.As(err, &provider) && errors.Is(err, guard.ErrProvider) && errors.Is(err, broken)
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			model := guardtest.Script(c.step, guardtest.Say(lie))
			reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book"))
			if !c.check(err) || model.Calls() != c.calls || len(w.Calls()) != 0 || reply.Text != "" || reply.Account == "" {
				t.Errorf("%d calls, ran %v, %+v: %v", model.Calls(), w.Calls(), reply, err)
			}
		})
	}
}

func stoppedBy(stop guard.Stop) func(error) bool {
	return func(err error) bool {
		var stopped *guard.TurnError
		return errors.As(err, &stopped) && errors.Is(err, guard.ErrStopped) && stopped.Stop == stop
	}
}

func TestAPauseIsContinuedWithinTheRounds(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Budgets.Rounds = 3 })
	pause := guardtest.Stopped(guard.StopPaused, "Still thinking.")
	model := guardtest.Script(pause, pause, guardtest.Say("Hello!"))
	if reply, err := g.Run(context.Background(), model, w, ask("hello")); err != nil || reply.Text != "Hello!" {
		t.Errorf("%q: %v", reply.Text, err)
	}
	model = guardtest.Script(pause, pause, pause, pause, pause)
	if _, err := g.Run(context.Background(), model, w, ask("hello")); !stoppedBy(guard.StopPaused)(err) || model.Calls() != 4 {
		t.Errorf("after %d calls: %v", model.Calls(), err)
	}
}

func TestRoundsAreCapped(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Budgets.Rounds, o.Budgets.Repeats = 5, -1 })
	var script []guardtest.Step
	for range 20 {
		script = append(script, guardtest.Call(lists()))
	}
	model := guardtest.Script(script...)
	_, err := g.Run(context.Background(), model, w, ask("list my tasks"))
	var stuck *guard.TurnError
	if !(errors.As(err, &stuck) && errors.Is(err, guard.ErrInsufficientProgress)) || !strings.Contains(stuck.Reason, "rounds of tool calls") || model.Calls() != 6 || w.Count("list_tasks") != 5 {
		t.Errorf("%d model and %d tool calls: %v", model.Calls(), w.Count("list_tasks"), err)
	}
}

// TestNeverMoreModelCallsThanTheBudgetsAllow throws every fault at a guard in
// random order and counts at each layer.
func TestNeverMoreModelCallsThanTheBudgetsAllow(t *testing.T) {
	steps := []func() guardtest.Step{
		func() guardtest.Step { return guardtest.Say(lie) },
		func() guardtest.Step { return guardtest.Say(promise) },
		func() guardtest.Step { return guardtest.Say(leak) },
		func() guardtest.Step { return guardtest.Say("") },
		func() guardtest.Step { return guardtest.Say("The task could not be deleted because of an error.") },
		func() guardtest.Step { return guardtest.Call(lists()) },
		func() guardtest.Step { return guardtest.Call(deletes("book")) },
		func() guardtest.Step { return guardtest.Call(deletes("Call mom"), deletes("Call mom")) },
		func() guardtest.Step { return guardtest.Call(tooltrack.Call{Tool: "nonsense", Args: []byte("{")}) },
		func() guardtest.Step { return guardtest.SayAndCall(lie, adds("Buy milk")) },
	}
	source := rand.New(rand.NewPCG(1, 2))
	for _, budgets := range []guard.Budgets{{}, {MissingTool: 3, Progress: 1, Rounds: 4}, {MissingTool: -1, Progress: -1, Rounds: 2}} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.Budgets = budgets })
		missing, progress, rounds := effective(budgets)
		for n := range 200 {
			w := newWorld()
			var script []guardtest.Step
			for range 100 {
				script = append(script, steps[source.IntN(len(steps))]())
			}
			model := guardtest.Script(script...)
			before := g.Counters().ProofsAsked
			reply, err := g.Run(context.Background(), model, w, ask("delete Read book and add Buy milk"))
			if errors.Is(err, guardtest.ErrScriptEnded) {
				t.Fatalf("turn %d never ended", n)
			}
			asked := int(g.Counters().ProofsAsked - before)
			if asked > 3 {
				t.Fatalf("turn %d: asked %d times for proof", n, asked)
			}
			if most := 1 + rounds + 1 + max(missing, progress) + 2*asked; model.Calls() > most { // each proof may be put right once
				t.Fatalf("turn %d: %d model calls, at most %d are allowed", n, model.Calls(), most)
			}
			if reply.Execution.Retried > missing || reply.Execution.Corrected > progress || reply.Execution.ModelCalls != model.Calls() {
				t.Fatalf("turn %d: %+v of %d", n, reply.Execution, model.Calls())
			}
			if reply.Text != "" && reply.Verdict.Ghost() {
				t.Fatalf("turn %d shows %q", n, reply.Text)
			}
		}
	}
}

func effective(b guard.Budgets) (missing, progress, rounds int) {
	pick := func(value, standard int) int {
		if value == 0 {
			return standard
		}
		return max(value, 0)
	}
	return pick(b.MissingTool, 1), pick(b.Progress, 2), pick(b.Rounds, 32)
}

func TestAReaskHasItsOwnTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) {
			o.ReaskTimeout = time.Second
			o.Clock = time.Now
			o.Classifier = expecting(intent.Action, 0.99, "delete_task")
		})
		slow := guardtest.Step{Do: func(ctx context.Context, _ guard.Request) { <-ctx.Done() }}
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		_, err := g.Run(ctx, guardtest.Script(guardtest.Say(lie), slow), w, ask("delete Read book"))
		if !errors.Is(err, guard.ErrToolNotTriggered) || !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestBudgetsAreToldInTheError(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Budgets.MissingTool = 3 })
	_, err := g.Run(context.Background(), guardtest.Script(guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie)), w, ask("delete Read book"))
	if want := "tool not triggered: expected delete_task, asked 4 times"; fmt.Sprint(err) != want {
		t.Errorf("the error reads %v", err)
	}
}
