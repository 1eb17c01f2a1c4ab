package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// begin opens a turn that a loop of the host's own is to drive.
func begin(t *testing.T, g *guard.Guard, user string) *guard.Turn {
	t.Helper()
	turn, err := g.Begin(context.Background(), ask(user))
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// said is a request with one user message.
func said(user string) guard.Request {
	return guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: user}}, Tools: taskTools()}
}

// TestALoopMayLoseIDs: some frameworks hand a call on by its tool and arguments
// alone.
func TestALoopMayLoseIDs(t *testing.T) {
	ctx := context.Background()
	w := newWorld()
	turn := begin(t, guardFor(t, w, nil), "add some tasks")
	calls := turn.Take(ctx, guardtest.Call(adds("Buy milk"), adds("Buy bread")).Response)
	for i := range calls {
		calls[i].ID = ""
		calls[i].Args = []byte(strings.Replace(string(calls[i].Args), `{"title":"Buy`, `{ "title": "\u0042uy`, 1)) // written anew
	}
	for _, stranger := range []tooltrack.Call{
		{Tool: "add_task", Args: []byte(`{"title":"Buy beer"}`)}, {Tool: "delete_task", Args: calls[0].Args}, {ID: "x", Tool: "add_task", Args: calls[0].Args},
	} {
		if _, err := turn.Do(ctx, stranger, w.Execute); err == nil || !strings.Contains(err.Error(), "there is no call") {
			t.Errorf("%+v was run: %v", stranger, err)
		}
	}
	approved := []tooltrack.Call{adds("Buy milk"), adds("Buy bread")}
	for _, i := range []int{1, 0} {
		if record, err := turn.Do(ctx, calls[i], w.Execute); err != nil || string(record.Args) != string(approved[i].Args) {
			t.Errorf("%s ran as %+v: %v", calls[i].Args, record, err)
		}
	}
	if _, err := turn.Do(ctx, calls[0], w.Execute); err == nil || !strings.Contains(err.Error(), "begun before") {
		t.Errorf("a second time: %v", err)
	}
	if w.Count("add_task") != 2 {
		t.Errorf("ran %v", w.Calls())
	}
}

func TestCallsWithoutIDsGetDifferentOnes(t *testing.T) {
	w := newWorld()
	one, two := adds("Buy milk"), adds("Buy bread")
	one.ID, two.ID = "", ""
	model := guardtest.Script(guardtest.Call(one, two), guardtest.Say("I've added Buy milk and Buy bread."))
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("add Buy milk"))
	if err != nil || len(reply.Records) != 2 {
		t.Fatalf("%+v: %v", reply, err)
	}
	if a, b := reply.Records[0].ID, reply.Records[1].ID; a == "" || b == "" || a == b || len(resultsOf(model)) != 2 {
		t.Errorf("the ids are %q and %q, the results %v", a, b, resultsOf(model))
	}
}

func TestExecutorForAFramework(t *testing.T) {
	ctx := context.Background()
	w := newWorld()
	turn := begin(t, guardFor(t, w, nil), "delete Read book")
	executor := turn.Executor(w)
	ambiguous, fine := deletes("book"), deletes("Read book")
	calls := turn.Take(ctx, guardtest.Call(ambiguous, fine).Response)
	if body, err := executor.Execute(ctx, calls[0]); err != nil || !strings.Contains(string(body), `"success":true`) || strings.Contains(string(body), readBook) {
		t.Errorf("an approved call: %s, %v; want its result without ids", body, err)
	}
	if body, err := executor.Execute(ctx, ambiguous); err != nil || !strings.HasPrefix(string(body), "Error: the call was not run.") {
		t.Errorf("a denied call: %s, %v; want the reason as a result", body, err)
	}
	if body, err := executor.Execute(ctx, lists()); err == nil {
		t.Errorf("a call that nobody proposed: %s", body)
	}
}

// TestModelForAFramework: the framework's own request goes through, with the
// guard's prompt before it; a correction forces the tool once.
func TestModelForAFramework(t *testing.T) {
	w := newWorld()
	inner := guardtest.Script(guardtest.Say(lie), guardtest.Call(deletes("Read book")))
	request := said("delete Read book")
	request.Choice = guard.Choice{Mode: guard.ChooseRequired}
	turn := begin(t, guardFor(t, w, nil), "delete Read book")
	response, err := turn.Model(inner).Generate(context.Background(), request)
	if err != nil || len(response.Message.Calls) != 1 {
		t.Fatalf("%+v: %v", response, err)
	}
	asked := inner.Requests()
	if len(asked) != 2 || asked[0].Choice != request.Choice || asked[1].Choice != (guard.Choice{Mode: guard.ChooseNamed, Tool: "delete_task"}) {
		t.Errorf("the choices are %v and %v", asked[0].Choice, asked[1].Choice)
	}
	if first := asked[0].Messages; len(first) != 2 || first[0].Role != guard.RoleSystem || !strings.Contains(first[0].Text, "2026") || first[1].Text != "delete Read book" {
		t.Errorf("the first request is %+v", first)
	}
	if got := string(response.Message.Calls[0].Args); got != `{"task_id":"`+readBook+`"}` {
		t.Errorf("the framework is to run %s", got)
	}
}

// TestAFrameworkTellsResultsItself: what came of its calls stands in its own
// messages, and a correction does not repeat it.
func TestAFrameworkTellsResultsItself(t *testing.T) {
	ctx := context.Background()
	w := newWorld()
	w.fail["delete_task"] = errors.New("the disk is full")
	turn := begin(t, guardFor(t, w, nil), "delete Read book")
	inner := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(lie), guardtest.Say("I couldn't delete Read book: the disk is full. Please free some space."))
	model, request := turn.Model(inner), said("delete Read book")
	first, err := model.Generate(ctx, request)
	if err != nil {
		t.Fatal(err)
	}
	result, err := turn.Executor(w).Execute(ctx, first.Message.Calls[0])
	if err != nil {
		t.Fatal(err)
	}
	request.Messages = append(request.Messages, first.Message, guard.Message{Role: guard.RoleTool, CallID: first.Message.Calls[0].ID, Text: string(result)})
	if _, err := model.Generate(ctx, request); err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, message := range inner.Requests()[2].Messages {
		if message.Role == guard.RoleTool {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the corrected model reads %d results of one call", told)
	}
}

func TestWithoutAPromptAFrameworksMessagesAreItsOwn(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "list_tasks", Description: "List the user's tasks.", Effect: tooltrack.Reads}}
	g, err := guard.New(tools, &guard.Options{Classifier: byWords()})
	if err != nil {
		t.Fatal(err)
	}
	inner := guardtest.Script(guardtest.Say("Hello!"))
	request := guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: "hello"}}, Tools: tools}
	if _, err := begin(t, g, "hello").Model(inner).Generate(context.Background(), request); err != nil {
		t.Fatal(err)
	}
	if got := inner.Requests()[0].Messages; len(got) != 1 || got[0].Text != "hello" {
		t.Errorf("the model is asked %+v", got)
	}
}

// TestTheProvidersOwnFormIsReplayedOnlyIfItIsTrue: a raw message that still
// holds what was replaced would undo the replacement.
func TestTheProvidersOwnFormIsReplayedOnlyIfItIsTrue(t *testing.T) {
	raw := json.RawMessage(`{"role":"assistant"}`)
	cases := []struct {
		name  string
		step  guardtest.Step
		keeps bool
	}{
		{"a text as it was", guardtest.Say("Which one do you mean?"), true},
		{"a text with an id", guardtest.Say("Do you mean " + callMom + "?"), false},
		{"a call as it was", guardtest.Call(lists()), true},
		{"a call with an id as it was", guardtest.Call(deletes(readBook)), true},
		{"a call with a title", guardtest.Call(deletes("Read book")), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			c.step.Response.Message.Raw, c.step.Response.Raw = raw, raw
			turn := begin(t, guardFor(t, w, nil), "delete Read book")
			response, err := turn.Model(guardtest.Script(c.step)).Generate(context.Background(), said("delete Read book"))
			if err != nil || (response.Message.Raw != nil) != c.keeps || (response.Raw != nil) != c.keeps {
				t.Errorf("raw %s and %s, want them kept: %v; %v", response.Message.Raw, response.Raw, c.keeps, err)
			}
			if strings.Contains(response.Message.Text, callMom) {
				t.Errorf("people read %q", response.Message.Text)
			}
			if reply, err := turn.Reply(); err == nil {
				if last := reply.Messages[len(reply.Messages)-1]; (last.Raw != nil) != c.keeps {
					t.Errorf("the conversation keeps %s", last.Raw)
				}
			}
		})
	}
}

func TestAccountForAFramework(t *testing.T) {
	for _, deliver := range []bool{false, true} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.DeliverAccount = deliver })
		model := begin(t, g, "delete Read book").Model(guardtest.Script(guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie)))
		response, err := model.Generate(context.Background(), said("delete Read book"))
		if deliver && (err != nil || !strings.HasPrefix(response.Message.Text, "What you asked for was not done.")) {
			t.Errorf("delivered %q: %v", response.Message.Text, err)
		}
		if !deliver && (!errors.Is(err, guard.ErrToolNotTriggered) || response.Message.Text != "") {
			t.Errorf("returned %q: %v", response.Message.Text, err)
		}
		if _, err := model.Generate(context.Background(), said("and now?")); !errors.Is(err, guard.ErrTurnClosed) {
			t.Errorf("after the end: %v", err)
		}
	}
}

func TestTheContractIsInThePrompt(t *testing.T) {
	w := newWorld()
	plain := guard.Mode{Mode: policy.Mode{Name: "plain", Calls: policy.Unlimited}}
	g := guardFor(t, w, func(o *guard.Options) { o.Modes = []guard.Mode{plain} })
	turn, err := g.Begin(context.Background(), guard.Input{User: "hello", Owner: "ann", Mode: "plain"})
	if err != nil {
		t.Fatal(err)
	}
	if prompt := turn.Request(context.Background()).Messages[0].Text; strings.Contains(prompt, "BEFORE YOUR FINAL ANSWER") {
		t.Errorf("a mode without a contract asks for something: %s", prompt)
	}
}
