package guard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWrapKnowsWhoAsksFromTheContext: titles are resolved for an owner, and
// denials are recorded for an owner and a turn; without them nothing is.
func TestWrapKnowsWhoAsksFromTheContext(t *testing.T) {
	cases := []struct {
		name     string
		input    *guard.Input
		resolves bool
		records  int
	}{
		{"nobody", nil, false, 0},
		{"a turn of nobody", &guard.Input{Turn: "m1"}, false, 0},
		{"an owner", &guard.Input{Owner: "ann"}, true, 0},
		{"an owner and a turn", &guard.Input{Owner: "ann", Turn: "m1"}, true, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ctx := context.Background()
			if c.input != nil {
				ctx = guard.NewContext(ctx, *c.input)
			}
			w := newWorld()
			g := guardFor(t, w, nil)
			inner := guardtest.Script(guardtest.Call(guardtest.Tool("fly", `{}`)), guardtest.Call(deletes("Read book")))
			response, err := g.Wrap(inner).Generate(ctx, said("delete Read book"))
			if err != nil || len(response.Message.Calls) != 1 {
				t.Fatalf("%+v: %v", response, err)
			}
			if got := strings.Contains(string(response.Message.Calls[0].Args), readBook); got != c.resolves {
				t.Errorf("the loop is to run %s", response.Message.Calls[0].Args)
			}
			records := 0
			for _, owner := range []string{"ann", guard.LocalOwner} {
				found, err := g.Ledger().Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: owner}})
				if err != nil {
					t.Fatal(err)
				}
				records += len(found)
			}
			if records != c.records {
				t.Errorf("%d denials are on record, want %d", records, c.records)
			}
		})
	}
}

// behind is a request in which the model has called that often since the user
// spoke.
func behind(rounds int) guard.Request {
	request := said("list my tasks")
	for n := range rounds {
		id := fmt.Sprint("c", n)
		request.Messages = append(request.Messages,
			guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: id, Tool: "list_tasks", Args: []byte(`{}`)}}},
			guard.Message{Role: guard.RoleTool, CallID: id, Text: "1. Read book"})
	}
	return request
}

// TestWrapReadsTheRoundsFromTheMessages: the loop is not the guard's own, and a
// turn has many requests.
func TestWrapReadsTheRoundsFromTheMessages(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Budgets.Rounds = 2 })
	for rounds := range 3 {
		_, err := g.Wrap(guardtest.Script(guardtest.Call(lists()))).Generate(context.Background(), behind(rounds))
		var stuck *guard.TurnError
		if over := errors.As(err, &stuck) && errors.Is(err, guard.ErrInsufficientProgress) && strings.Contains(stuck.Reason, "rounds of tool calls"); over != (rounds == 2) {
			t.Errorf("another call after %d rounds: %v", rounds, err)
		}
	}
	if turns := g.Counters().Turns; turns != 1 {
		t.Errorf("%d turns are counted for three requests of one", turns)
	}
}

// TestWrapFindsTheUsersMessage: a correction that spoke as the user is not what
// the user said.
func TestWrapFindsTheUsersMessage(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	request := said("hello")
	request.Messages = append(request.Messages,
		guard.Message{Role: guard.RoleAssistant, Text: "Hm."}, guard.Message{Role: guard.RoleUser, Text: "delete everything", Internal: true})
	if response, err := g.Wrap(guardtest.Script(guardtest.Say("Hello!"))).Generate(context.Background(), request); err != nil || response.Message.Text != "Hello!" {
		t.Errorf("%q: %v", response.Message.Text, err)
	}
}

// TestWrapHandsOnWhatWasCutOff, unless it claims or leaks what must not get out.
func TestWrapHandsOnWhatWasCutOff(t *testing.T) {
	cases := []struct {
		name, text string
		passes     bool
	}{
		{"a harmless beginning", "The first of your tasks is", true},
		{"a claim", lie + " And I", false},
		{"a leaked call", leak, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			inner := guardtest.Script(guardtest.Stopped(guard.StopCut, c.text, deletes("Read book")))
			response, err := guardFor(t, w, nil).Wrap(inner).Generate(context.Background(), said("delete Read book"))
			if c.passes && (err != nil || response.Message.Text != c.text || response.Stop != guard.StopCut) || !c.passes && !stoppedBy(guard.StopCut)(err) {
				t.Errorf("%+v: %v", response, err)
			}
			if len(response.Message.Calls) != 0 {
				t.Errorf("the loop may run %v", response.Message.Calls)
			}
		})
	}
}

// TestAMessageAfterAResultContinuesTheTurn: the calls before it still count, and
// what it takes back is taken back.
func TestAMessageAfterAResultContinuesTheTurn(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	history := []guard.Message{
		{Role: guard.RoleUser, Text: "delete Read book"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{deletes(readBook)}},
		{Role: guard.RoleTool, CallID: deletes(readBook).ID, Tool: "delete_task", Text: `{"success":true}`},
		{Role: guard.RoleUser, Text: "Analyze the tool result and continue."},
	}
	model := guardtest.Script(guardtest.Say("I've deleted Read book."), guardtest.Say(kept)) // an id alone leaves a doubt
	response, err := g.Wrap(model).Generate(context.Background(), guard.Request{Messages: history, Tools: taskTools()})
	if err != nil || response.Message.Text != "I've deleted Read book." {
		t.Errorf("%q after %d calls: %v", response.Message.Text, model.Calls(), err)
	}
	history[3].Text = "wait, stop"
	model = guardtest.Script(guardtest.Say("Okay."))
	if _, err := g.Wrap(model).Generate(context.Background(), guard.Request{Messages: history, Tools: taskTools()}); err != nil {
		t.Error(err)
	}
}

// TestWrapNeverLetsAProofRepeatAChange: nobody would stop the client from running
// it twice, whether or not the turn has a name.
func TestWrapNeverLetsAProofRepeatAChange(t *testing.T) {
	for _, input := range []guard.Input{{}, {Owner: "ann"}, {Owner: "ann", Turn: "m1"}} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.Proof, o.Directories = guard.Always, nil })
		request := said("delete Read book")
		done := tooltrack.Call{ID: "c1", Tool: "delete_task", Args: []byte(`{"task_id":"Read book"}`)}
		request.Messages = append(request.Messages,
			guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{done}},
			guard.Message{Role: guard.RoleTool, CallID: "c1", Text: `{"success":true}`})
		again := guardtest.Call(guardtest.Tool("delete_task", `{"task_id": "Read book"}`))
		inner := guardtest.Script(guardtest.Say(lie), again, again, again, again)
		response, _ := g.Wrap(inner).Generate(guard.NewContext(context.Background(), input), request)
		if len(response.Message.Calls) != 0 {
			t.Errorf("%+v: the loop is to run %s again", input, response.Message.Calls[0].Args)
		}
	}
}
