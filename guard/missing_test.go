package guard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestAMissingToolIsAskedForOnceAndThenTold(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	model := guardtest.Script(guardtest.Say("I've deleted Read book."), guardtest.Say("Read book has been deleted."), guardtest.Say("never asked"))
	reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))

	var missing *guard.TurnError
	if !(errors.As(err, &missing) && errors.Is(err, guard.ErrToolNotTriggered)) {
		t.Fatalf("the error is %v", err)
	}
	if strings.Join(missing.Tools, ",") != "delete_task" || missing.Attempts != 2 || model.Calls() != 2 {
		t.Errorf("expected %v after %d attempts and %d model calls", missing.Tools, missing.Attempts, model.Calls())
	}
	contains(t, "the error", err.Error(), "tool not triggered", "delete_task")
	contains(t, "the account", reply.Account, "What you asked for was not done.")
	if strings.Contains(reply.Account, "delete") {
		t.Errorf("names of tools are for programmers: %s", reply.Account)
	}
	if reply.Text != "" || strings.Contains(reply.Account, "been deleted") || !w.has(readBook) {
		t.Errorf("text %q, account %q", reply.Text, reply.Account)
	}
	if reply.Execution.Retried != 1 || reply.Execution.Executed != 0 {
		t.Errorf("execution is %+v", reply.Execution)
	}
	for _, message := range reply.Messages {
		if message.Role != guard.RoleUser {
			t.Errorf("a user would see %s: %s", message.Role, message.Text)
		}
	}
}

func TestTheSecondAskHelps(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	model := guardtest.Script(guardtest.Say("I've deleted Read book."), guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book."))
	reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
	if err != nil {
		t.Fatal(err)
	}
	if reply.Text != "I've deleted Read book." || w.has(readBook) {
		t.Errorf("text %q", reply.Text)
	}
	record := reply.Records[0]
	if !record.Retried || record.RetryReason != "missing tool" || string(record.Args) != `{"task_id":"`+readBook+`"}` || string(record.Ruling.Rewritten) != `{"task_id":"Read book"}` {
		t.Errorf("the record is %+v", record)
	}
	counted := g.Counters()
	if counted.ToolsDue != 1 || counted.ToolsCalled != 1 || counted.AskedAgain != 1 || counted.AskedAgainWithSuccess != 1 || counted.Accepted != 1 {
		t.Errorf("counted %+v", counted)
	}
}

func TestEveryPartOfARequestNeedsItsTool(t *testing.T) {
	cases := []struct {
		name    string
		answers []guardtest.Step
		missing string
	}{
		{"one of two called", []guardtest.Step{guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book."), guardtest.Say("All good.")}, "add_task"},
		{"both called", []guardtest.Step{guardtest.Call(deletes("Read book"), adds("Buy milk")), guardtest.Say("I've deleted Read book and added Buy milk.")}, ""},
		{"the second on the second ask", []guardtest.Step{guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book."), guardtest.Call(adds("Buy milk")), guardtest.Say("I've deleted Read book and added Buy milk.")}, ""},
		{"the other part is blocked, and said so", []guardtest.Step{guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book. What should the title of the new task be?")}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			model := guardtest.Script(c.answers...)
			_, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book and add Buy milk"))
			var missing *guard.TurnError
			switch {
			case c.missing == "" && err != nil:
				t.Error(err)
			case c.missing != "" && (!(errors.As(err, &missing) && errors.Is(err, guard.ErrToolNotTriggered)) || strings.Join(missing.Tools, ",") != c.missing):
				t.Errorf("the error is %v, want %s missing", err, c.missing)
			}
		})
	}
}

func TestLegitimateEndsAreNotForced(t *testing.T) {
	for _, text := range []string{
		"Which book do you mean: Read book or Book list?",
		"I can't delete tasks that belong to someone else; please ask their owner to do it.",
		"Do you really want to delete Read book?",
	} {
		t.Run(text, func(t *testing.T) {
			w := newWorld()
			model := guardtest.Script(guardtest.Say(text))
			reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete book"))
			if err != nil || reply.Text != text || model.Calls() != 1 {
				t.Errorf("text %q after %d calls: %v", reply.Text, model.Calls(), err)
			}
		})
	}
}

func TestAnotherToolOnTheSameSubjectWillDo(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Classifier = expecting(intent.Action, 0.99, "update_task") })
	model := guardtest.Script(guardtest.Call(guardtest.Tool("complete_task", `{"task_id":"Read book"}`)), guardtest.Say("I've marked Read book as done."))
	if _, err := g.Run(context.Background(), model, w, ask("set Read book to done")); err != nil {
		t.Error(err)
	}
}

func TestForcingIsWithheldUnlessCertain(t *testing.T) {
	cases := []struct {
		name       string
		user       string
		tool       string
		confidence float64
		limits     guard.Capabilities
		directory  bool
		want       string
	}{
		{"the subject resolves", "delete Read book", "delete_task", 0.99, guard.Capabilities{}, true, "delete_task"},
		{"the subject is ambiguous", "delete book", "delete_task", 0.99, guard.Capabilities{}, true, "auto"},
		{"the subject does not exist", "delete Paint fence", "delete_task", 0.99, guard.Capabilities{}, true, "auto"},
		{"no directory", "delete Read book", "delete_task", 0.99, guard.Capabilities{}, false, "auto"},
		{"a change without a subject", "add Buy milk", "add_task", 0.99, guard.Capabilities{}, true, "auto"},
		{"a read", "list tasks", "list_tasks", 0.99, guard.Capabilities{}, true, "list_tasks"},
		{"no named choice", "list tasks", "list_tasks", 0.99, guard.Capabilities{NoNamedChoice: true}, true, "required"},
		{"no choice at all", "list tasks", "list_tasks", 0.99, guard.Capabilities{NoNamedChoice: true, NoRequiredChoice: true}, true, "auto"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) {
				o.Classifier = expecting(intent.Action, c.confidence, c.tool)
				if !c.directory {
					o.Directories = nil
				}
			})
			model := guardtest.Script(guardtest.Say("Sure, done."), guardtest.Call(lists()), guardtest.Say("Hm."))
			model.Limits = c.limits
			_, _ = g.Run(context.Background(), model, w, ask(c.user))
			requests := model.Requests()
			if got := requests[1].Choice.String(); got != c.want {
				t.Errorf("the choice is %s, want %s", got, c.want)
			}
			if requests[0].Choice.String() != "auto" || len(requests) > 2 && requests[2].Choice.String() != "auto" {
				t.Errorf("the forced choice was not released: %v", requests)
			}
		})
	}
}

func TestBindingFailsBeforeAnyModelCall(t *testing.T) {
	if _, err := guard.New(nil, nil); !errors.Is(err, guard.ErrNoTools) {
		t.Errorf("a guard without tools: %v", err)
	}
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Classifier = expecting(intent.Action, 1, "archive_task") })
	model := guardtest.Script(guardtest.Say("Sure."))
	_, err := g.Run(context.Background(), model, w, ask("archive Read book"))
	if !errors.Is(err, guard.ErrToolNotOffered) || !strings.Contains(err.Error(), "archive_task") || model.Calls() != 0 {
		t.Errorf("the error is %v after %d calls", err, model.Calls())
	}
	if _, err := g.Run(context.Background(), model, w, guard.Input{User: "hi", Mode: "flying"}); err == nil || model.Calls() != 0 {
		t.Errorf("an unknown mode: %v", err)
	}
}

// TestAWrongIntentMakesNoUnaskedChange: a model that does exactly what it is
// forced to do is the worst case for a confident but wrong reading of a message.
func TestAWrongIntentMakesNoUnaskedChange(t *testing.T) {
	for _, user := range []string{"I deleted my old account yesterday.", "How does one delete a book from a library?", "delete"} {
		t.Run(user, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.Classifier = expecting(intent.Action, 0.99, "delete_task") })
			obedient := guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
				if request.Choice.Mode == guard.ChooseNamed || request.Choice.Mode == guard.ChooseRequired {
					return guardtest.Call(deletes("Call mom")).Response, nil
				}
				return guardtest.Say("Interesting!").Response, nil
			})
			_, err := g.Run(context.Background(), obedient, w, ask(user))
			if len(w.Calls()) != 0 || !w.has(callMom) {
				t.Errorf("an unasked change was made: %v", w.Calls())
			}
			held := intent.HoldOf(user) != intent.NotHeld
			if errors.Is(err, guard.ErrToolNotTriggered) == held {
				t.Errorf("held back %v, and the error is %v", held, err)
			}
		})
	}
}

func TestAForcedCallStaysWithItsSubject(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	model := guardtest.Script(guardtest.Say(lie), guardtest.Call(deletes("Call mom")), guardtest.Call(deletes("Read book")), guardtest.Say(lie))
	reply, err := g.Run(context.Background(), model, w, ask("delete Read book"))
	if err != nil || !w.has(callMom) || w.has(readBook) || reply.Records[0].Ruling.Rule != "astray" {
		t.Errorf("%+v: %v", reply.Records, err)
	}
}

// TestItIsWhatTheMessageNames: a model that takes "it" for something of an earlier turn
// changes nothing else than what the message names; what else may be meant runs.
func TestItIsWhatTheMessageNames(t *testing.T) {
	update := func(id string) tooltrack.Call {
		return guardtest.Tool("update_task", fmt.Sprintf(`{"task_id":%q,"priority":"high"}`, id))
	}
	for _, test := range []struct {
		user, changed string
		denied        bool
	}{
		{"rename Read book to Read novel and set it high", "Call mom", true},
		{"rename Read book to Read novel and set its priority to high", "Call mom", true},
		{"rename Read book to Read novel and set it high", "Read book", false},
		{"rename Read book to Read novel and set the mom one high, it is urgent", "Call mom", false},
		{"rename it to Read novel and set it high", "Call mom", false},
		{"move it before Read book and set it high", "Call mom", false},
		{"rename Read book to Read novel and set the other one high", "Call mom", false},
	} {
		t.Run(test.user+" "+test.changed, func(t *testing.T) {
			w := newWorld()
			model := guardtest.Script(guardtest.Call(update(test.changed)), guardtest.Say("I could not do it all."),
				guardtest.Say("I could not do it all."), guardtest.Say("I could not do it all."))
			reply, err := guardFor(t, w, nil).Run(t.Context(), model, w, ask(test.user))
			require.NotEmpty(t, reply.Records, "%v", err)
			require.Equal(t, test.denied, reply.Records[0].Ruling.Rule == "astray", "%+v", reply.Records[0].Ruling)
			require.Equal(t, !test.denied, len(w.Calls()) == 1)
		})
	}
}

// TestWordsThatHoldTheTitle: a classifier may name the whole message as the
// words that ask for a tool; the title in it still says which entity is meant.
func TestWordsThatHoldTheTitle(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) {
		o.Classifier = intentFunc(func(request intent.Utterance) intent.Intent {
			return intent.Intent{Kind: intent.Action, Expect: []intent.Expectation{{Tool: "delete_task", Confidence: 0.99, Words: request.User}}}
		})
	})
	var choices []string
	model := guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		choices = append(choices, request.Choice.String())
		return guardtest.Say("Sure.").Response, nil
	})
	_, err := g.Run(context.Background(), model, w, ask("delete Read book"))
	if !errors.Is(err, guard.ErrToolNotTriggered) || strings.Join(choices, ",") != "auto,delete_task" {
		t.Errorf("the choices were %v: %v", choices, err)
	}
}

type intentFunc func(intent.Utterance) intent.Intent

func (f intentFunc) Classify(_ context.Context, request intent.Utterance) (intent.Intent, error) {
	return f(request), nil
}
