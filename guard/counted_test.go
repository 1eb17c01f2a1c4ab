package guard_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// TestCounters runs one turn of each fate and looks at all counts.
func TestCounters(t *testing.T) {
	say, call := guardtest.Say, guardtest.Call
	w := newWorld()
	g := guardFor(t, w, nil)
	run := func(user string, steps ...guardtest.Step) *guard.Reply {
		reply, _ := g.Run(context.Background(), guardtest.Script(steps...), w, ask(user))
		return reply
	}
	run("hello", say("Hello!"))
	run("delete Read book", say(lie), call(deletes("Read book")), say(lie))                          // asked again
	run("add Buy milk", call(adds("Buy milk")), say(leak), say("I've added Buy milk."))              // corrected
	run("delete Call mom", say("Done, I've deleted Call mom."), say("Done, I've deleted Call mom.")) // refused
	run("hello", call(guardtest.Tool("fly", `{}`)), say("I cannot fly. Which task do you mean?"))    // denied
	run("hello", guardtest.Stopped(guard.StopCut, "Hel"))                                            // stopped
	got := g.Counters()
	want := guard.Counters{
		Turns: 6, Accepted: 4, ToolsDue: 3, ToolsCalled: 2, ModelCalls: 12, AskedAgain: 2, AskedAgainWithSuccess: 1,
		Corrected: 1, CorrectedWithSuccess: 1, Rewritten: got.Rewritten,
		Refused: map[string]uint64{"missing tool": 1, "stopped by the provider": 1}, Denied: map[string]uint64{"unknown_tool": 1},
	}
	if !maps.Equal(got.Refused, want.Refused) || !maps.Equal(got.Denied, want.Denied) {
		t.Errorf("refused %v and denied %v, want %v and %v", got.Refused, got.Denied, want.Refused, want.Denied)
	}
	got.Refused, got.Denied, want.Refused, want.Denied = nil, nil, nil, nil
	if got.Turns != want.Turns || got.Accepted != want.Accepted || got.ToolsDue != want.ToolsDue || got.ToolsCalled != want.ToolsCalled ||
		got.ModelCalls != want.ModelCalls || got.AskedAgain != want.AskedAgain || got.AskedAgainWithSuccess != want.AskedAgainWithSuccess ||
		got.Corrected != want.Corrected || got.CorrectedWithSuccess != want.CorrectedWithSuccess {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestExecutionCountsWhatSucceeded(t *testing.T) {
	w := newWorld()
	w.fail["add_task"] = errDatabase
	model := guardtest.Script(guardtest.Call(lists(), adds("Buy milk"), deletes("Read book"), deletes("nothing of the kind")), guardtest.Say("Hm."), guardtest.Say("Hm."), guardtest.Say("Hm."), guardtest.Say("Hm."))
	reply, _ := guardFor(t, w, nil).Run(context.Background(), model, w, ask("hello"))
	if reply.Execution.Executed != 2 || len(reply.Records) != 4 {
		t.Errorf("%d of %d calls count as executed, want the list and the deletion", reply.Execution.Executed, len(reply.Records))
	}
}

// TestTheTurnHasACapOfItsOwn: budgets for each kind of fault do not add up.
func TestTheTurnHasACapOfItsOwn(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Budgets = guard.Budgets{MissingTool: 2, Progress: 2} })
	model := guardtest.Script(guardtest.Say(leak), guardtest.Say(leak), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie))
	reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
	if err == nil || model.Calls() != 4 || reply.Execution.Retried != 1 || reply.Execution.Corrected != 2 {
		t.Errorf("%d model calls, %+v: %v", model.Calls(), reply.Execution, err)
	}
}

// TestAnEmptyAnswerIsNotReplayed: providers refuse a message that says nothing.
func TestAnEmptyAnswerIsNotReplayed(t *testing.T) {
	raw := guardtest.Say("")
	raw.Response.Message.Raw = []byte(`{"role":"assistant","content":null}`)
	for name, c := range map[string]struct {
		step     guardtest.Step
		replayed int
	}{"empty": {guardtest.Say(""), 0}, "a text": {guardtest.Say(promise), 1}, "the provider's own form": {raw, 1}} {
		w := newWorld()
		model := guardtest.Script(c.step, guardtest.Call(deletes("Read book")), guardtest.Say(lie))
		reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book"))
		if err != nil {
			t.Fatal(err)
		}
		replayed := 0
		for _, message := range model.Requests()[1].Messages {
			if message.Role == guard.RoleAssistant {
				replayed++
			}
		}
		if replayed != c.replayed {
			t.Errorf("%s: %d messages of the model are replayed, want %d", name, replayed, c.replayed)
		}
		for _, message := range reply.Messages {
			if message.Text == promise {
				t.Errorf("%s: people see %q", name, promise)
			}
		}
	}
}

// TestHeadlinesOfAProvidersStop: a refusal is told in the provider's words.
func TestHeadlinesOfAProvidersStop(t *testing.T) {
	refused := guardtest.Stopped(guard.StopRefused, "")
	refused.Response.Refusal = "I can't help with that."
	for name, c := range map[string]struct {
		step guardtest.Step
		want string
	}{"refused": {refused, "I can't help with that.\n"}, "cut": {guardtest.Stopped(guard.StopCut, "I"), "The answer was cut off before it was complete.\n"}} {
		w := newWorld()
		reply, err := guardFor(t, w, nil).Run(context.Background(), guardtest.Script(c.step), w, ask("hello"))
		if err == nil || !strings.HasPrefix(reply.Account, c.want) {
			t.Errorf("%s: %q, %v", name, reply.Account, err)
		}
	}
	if got := guard.Stop(9).String() + guard.Stop(5).String() + guard.StopPaused.String(); got != "stop(9)stop(5)paused" {
		t.Errorf("the stops print as %s", got)
	}
}

// TestARetryIsMarked, also one that was denied.
func TestARetryIsMarked(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Say(lie), guardtest.Call(deletes("book")), guardtest.Call(deletes("no such thing")), guardtest.Say("Which book do you mean?"))
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book"))
	if err != nil || len(reply.Records) != 2 {
		t.Fatalf("%d records: %v", len(reply.Records), err)
	}
	if first := reply.Records[0]; !first.Retried || first.RetryReason != "missing tool" {
		t.Errorf("after asking again: retried %v for %q", first.Retried, first.RetryReason)
	}
	if second := reply.Records[1]; second.Retried || second.RetryReason != "" {
		t.Errorf("the call behind it: retried %v for %q", second.Retried, second.RetryReason)
	}
}
