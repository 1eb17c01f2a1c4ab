package guard_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// resultsOf are the tool messages that the model read before its last answer.
func resultsOf(model *guardtest.Model) map[string]string {
	results := map[string]string{}
	requests := model.Requests()
	for _, message := range requests[len(requests)-1].Messages {
		if message.Role == guard.RoleTool {
			results[message.CallID] = message.Text
		}
	}
	return results
}

func TestEveryCallGetsAResult(t *testing.T) {
	w := newWorld()
	w.fail["add_task"] = errDatabase
	calls := []tooltrack.Call{
		{ID: "1", Tool: "list_tasks", Args: []byte(`{}`)},
		{ID: "2", Tool: "delete_task", Args: []byte(`{"task_id":"book"}`)},
		{ID: "3", Tool: "fly", Args: []byte(`{}`)},
		{ID: "4", Tool: "add_task", Args: []byte(`{"title":"Buy milk"}`)},
		{ID: "5", Tool: "add_task", Args: []byte(`{"title":`)},
		{ID: "6", Tool: "complete_task", Args: []byte(`{"task_id":"Call mom"}`)},
	}
	step := guardtest.Call(calls...)
	step.Response.Faults = []guard.CallFault{{Call: 0, Reason: "the stream lost a piece of it"}}
	model := guardtest.Script(step, guardtest.Say("I've marked Call mom as done. I couldn't add Buy milk: the database is locked. Which book do you mean?"))
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("hello"))
	if err != nil {
		t.Fatal(err)
	}
	results := resultsOf(model)
	for id, piece := range map[string]string{
		"1": "Error: the call was not run. the stream lost a piece of it", "2": "Multiple tasks match", "3": "there is no tool \"fly\"",
		"4": "Error: the database is locked", "5": "Error: the call was not run.", "6": `"success":true`,
	} {
		if !strings.Contains(results[id], piece) {
			t.Errorf("call %s is answered with %q", id, results[id])
		}
	}
	if len(reply.Records) != 6 || len(w.Calls()) != 2 || len(reply.Summaries()) != 6 {
		t.Errorf("%d records, %d actions, ran %v", len(reply.Records), len(reply.Summaries()), w.Calls())
	}
	denied := deniedBy(reply)
	if denied["format"] != 1 || denied["ambiguous"] != 1 || denied["unknown_tool"] != 1 {
		t.Errorf("denied by %v", denied)
	}
}

// deniedBy counts denied calls by rule.
func deniedBy(reply *guard.Reply) map[string]int {
	rules := map[string]int{}
	for _, record := range reply.Records {
		if record.Ruling.Denied {
			rules[record.Ruling.Rule]++
		}
	}
	return rules
}

func TestReadsRunSideBySideAndChangesDoNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		var at atomic.Int32
		slow := func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
			at.Add(1)
			time.Sleep(time.Second)
			return []byte("ok"), nil
		}
		change := func(_ context.Context, call tooltrack.Call) ([]byte, error) {
			order = append(order, call.Tool)
			time.Sleep(time.Second)
			return []byte("ok"), nil
		}
		w := newWorld()
		w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"list_tasks": slow, "add_task": change, "delete_task": change})
		guarded := guardFor(t, w, func(o *guard.Options) { o.Clock = time.Now })
		filtered := func(status string) tooltrack.Call {
			return guardtest.Tool("list_tasks", `{"status_filter":"`+status+`"}`)
		}
		began := time.Now()
		model := guardtest.Script(
			guardtest.Call(lists(), filtered("a"), filtered("b"), adds("Buy milk"), filtered("c"), deletes("Read book")),
			guardtest.Say("I've added Buy milk and deleted Read book."))
		reply, err := guarded.Run(context.Background(), model, w, ask("add Buy milk"))
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 4*time.Second { // three reads at once, and three calls one by one
			t.Errorf("took %v", took)
		}
		if strings.Join(order, ",") != "add_task,delete_task" || len(reply.Records) != 6 {
			t.Errorf("the changes ran as %v, %d records", order, len(reply.Records))
		}
		for i, record := range reply.Records[1:] {
			if record.Seq <= reply.Records[i].Seq {
				t.Errorf("the records are out of order: %d after %d", record.Seq, reply.Records[i].Seq)
			}
		}
	})
}

func TestToolsThatMisbehave(t *testing.T) {
	panics := func(context.Context, tooltrack.Call) ([]byte, error) { panic("index out of range") }
	cases := []struct {
		name   string
		tool   guard.ExecutorFunc
		call   tooltrack.Call
		status tooltrack.Status
	}{
		{"a read that panics", panics, lists(), tooltrack.Failed},
		{"a change that panics", panics, deletes("Read book"), tooltrack.Unknown},
		{"an answer that was lost", guardtest.Fails(errors.Join(errDatabase, tooltrack.ErrOutcomeUnknown)), deletes("Read book"), tooltrack.Unknown},
		{"a body that says no", guardtest.Returns(`{"success":false,"error":"locked"}`), deletes("Read book"), tooltrack.Failed},
		{"work that is not done yet", guardtest.Returns(`{"status":"pending"}`), deletes("Read book"), tooltrack.Pending},
		{"a nil body", func(context.Context, tooltrack.Call) ([]byte, error) { return nil, nil }, deletes("Read book"), tooltrack.Succeeded},
	}
	for _, c := range cases {
		for _, cancellable := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				w := newWorld()
				w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"list_tasks": c.tool, "delete_task": c.tool})
				ctx := context.Background()
				if cancellable {
					var cancel context.CancelFunc
					ctx, cancel = context.WithCancel(ctx)
					defer cancel()
				}
				reply, _ := guardFor(t, w, nil).Run(ctx, guardtest.Script(guardtest.Call(c.call), guardtest.Say("Hm.")), w, ask("hello"))
				if got := reply.Records[0].Result.Status; got != c.status {
					t.Errorf("the record is %s, want %s", got, c.status)
				}
			})
		}
	}
}

func TestAtMostOnceAcrossReplays(t *testing.T) {
	w := newWorld()
	guarded := guardFor(t, w, nil)
	input := ask("add Buy milk")
	input.Turn, input.Conversation = "message-7", "c1"
	script := func() *guardtest.Model {
		return guardtest.Script(guardtest.Call(adds("Buy milk")), guardtest.Say("I've added Buy milk."))
	}
	for range 2 {
		if reply, err := guarded.Run(context.Background(), script(), w, input); err != nil || reply.Text != "I've added Buy milk." {
			t.Fatalf("%+v: %v", reply, err)
		}
	}
	if text, err := stepByStep(t, guarded, script(), w, input); err != nil || text != "I've added Buy milk." {
		t.Fatalf("%q: %v", text, err)
	}
	if w.Count("add_task") != 1 || guarded.Counters().Repeated != 2 {
		t.Errorf("added %d times, %d repeats", w.Count("add_task"), guarded.Counters().Repeated)
	}
	input.Turn = "message-8"
	if _, err := guarded.Run(context.Background(), script(), w, input); err != nil || w.Count("add_task") != 2 {
		t.Errorf("another message: added %d times: %v", w.Count("add_task"), err)
	}
}

// TestADeletionIsAnsweredFromItsRecord: on a repeat the title is in no directory
// any more.
func TestADeletionIsAnsweredFromItsRecord(t *testing.T) {
	w := newWorld()
	guarded := guardFor(t, w, nil)
	input := ask("delete Read book")
	input.Turn = "message-7"
	for run := range 2 {
		model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Call(deletes("read book")), guardtest.Say(lie))
		reply, err := guarded.Run(context.Background(), model, w, input)
		if err != nil || reply.Text != lie || len(deniedBy(reply)) != 0 {
			t.Fatalf("run %d: %v, %v", run, deniedBy(reply), err)
		}
		for id, result := range resultsOf(model) {
			if !strings.Contains(result, `"success":true`) {
				t.Errorf("run %d: call %s is answered with %s", run, id, result)
			}
		}
	}
	if w.Count("delete_task") != 1 {
		t.Errorf("deleted %d times", w.Count("delete_task"))
	}
}

// TestADeletionOfUnknownFateIsStillMeant: the row is gone, and its record does not
// say yet that the call did it. A repeat means that call, rather than no task.
func TestADeletionOfUnknownFateIsStillMeant(t *testing.T) {
	w := newWorld()
	guarded := guardFor(t, w, nil)
	input := ask("delete Read book")
	input.Turn = "message-7"
	lost := guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		if _, err := w.Execute(ctx, call); err != nil {
			t.Error(err)
		}
		return nil, tooltrack.ErrOutcomeUnknown
	})
	if reply, _ := guarded.Run(context.Background(), guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say("Hm.")), lost, input); len(reply.Records) != 1 {
		t.Fatalf("%d records", len(reply.Records))
	}
	reply, _ := guarded.Run(context.Background(), guardtest.Script(guardtest.Call(deletes("read book")), guardtest.Say("Hm.")), w, input)
	if denied := deniedBy(reply); len(denied) != 0 {
		t.Errorf("the repeat is refused: %v", denied)
	}
	if w.Count("delete_task") != 1 {
		t.Errorf("deleted %d times", w.Count("delete_task"))
	}
}

// stepByStep drives a turn by hand.
func stepByStep(t *testing.T, guarded *guard.Guard, model guard.Model, executor guard.Executor, input guard.Input) (string, error) {
	t.Helper()
	ctx := context.Background()
	turn, err := guarded.Begin(ctx, input)
	if err != nil {
		return "", err
	}
	for turn.Open() {
		response, err := model.Generate(ctx, turn.Request(ctx))
		if err != nil {
			_, err = turn.Fail(err)
			return "", err
		}
		for _, call := range turn.Take(ctx, response) {
			if _, err := turn.Do(ctx, call, executor.Execute); err != nil {
				t.Fatal(err)
			}
		}
	}
	reply, err := turn.Reply()
	return reply.Text, err
}

func TestWriteAhead(t *testing.T) {
	w := newWorld()
	guarded := guardFor(t, w, nil)
	input := ask("delete Read book")
	input.Turn = "m1"
	var seen []*tooltrack.Record
	run := func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		var err error
		seen, err = guarded.Ledger().Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Turn: "m1"}})
		if in, ok := guard.FromContext(ctx); !ok || in.Owner != "ann" || in.Turn != "m1" {
			t.Errorf("the executor is told that %+v asks", in)
		}
		return []byte("ok"), err
	}
	_, err := guarded.Run(context.Background(), guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Say(lie)), guard.ExecutorFunc(run), input)
	if err != nil || len(seen) != 1 || seen[0].Done() || seen[0].Result.Status != tooltrack.Unknown {
		t.Errorf("while it runs the ledger holds %+v: %v", seen, err)
	}
}

func TestALoopCannotRunWhatItShouldNot(t *testing.T) {
	ctx := context.Background()
	w := newWorld()
	turn, err := guardFor(t, w, nil).Begin(ctx, ask("delete Read book"))
	if err != nil {
		t.Fatal(err)
	}
	ambiguous, fine := deletes("book"), deletes("Read book")
	step := guardtest.Call(ambiguous, fine)
	calls := turn.Take(ctx, step.Response)
	if len(calls) != 1 || calls[0].ID != fine.ID {
		t.Fatalf("the calls to run are %v", calls)
	}
	var denied *guard.DeniedError
	if _, err := turn.Do(ctx, ambiguous, w.Execute); !errors.As(err, &denied) || !errors.Is(err, guard.ErrDenied) || denied.Rule != "ambiguous" {
		t.Errorf("a denied call: %v", err)
	}
	if _, err := turn.Do(ctx, tooltrack.Call{ID: "x", Tool: "delete_task"}, w.Execute); err == nil {
		t.Error("a call that nobody proposed was run")
	}
	if _, err := turn.Do(ctx, calls[0], w.Execute); err != nil {
		t.Error(err)
	}
	if _, err := turn.Do(ctx, calls[0], w.Execute); err == nil || len(w.Calls()) != 1 {
		t.Errorf("a call was run twice: %v", w.Calls())
	}
	if _, err := turn.Reply(); err == nil {
		t.Error("an open turn has a reply")
	}
}

func TestACallThatTheLoopForgotIsToldAsNotRun(t *testing.T) {
	ctx := context.Background()
	w := newWorld()
	turn, err := guardFor(t, w, nil).Begin(ctx, ask("delete Read book"))
	if err != nil {
		t.Fatal(err)
	}
	turn.Take(ctx, guardtest.Call(deletes("Read book")).Response)
	messages := turn.Request(context.Background()).Messages
	if last := messages[len(messages)-1]; last.Role != guard.RoleTool || last.Text != "the call was not run" || !last.Failed {
		t.Errorf("the model is told %+v", last)
	}
	turn.Take(ctx, guardtest.Say(lie).Response)
	if !turn.Open() {
		t.Error("a call that was not run backed a claim")
	}
}

func TestTextBesideCalls(t *testing.T) {
	cases := []struct {
		name, text string
		fails      bool
		withheld   bool
	}{
		{"an announcement", "I'll delete Read book now.", false, false},
		{"a claim that the calls make true", "I've deleted Read book.", false, false},
		{"a claim that fails", "I've deleted Read book.", true, true},
		{"a claim of something else", "I've deleted Read book and added Buy milk.", false, true},
		{"a leaked call", leak, false, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			if c.fails {
				w.fail["delete_task"] = errDatabase
			}
			model := guardtest.Script(guardtest.SayAndCall(c.text, deletes("Read book")), guardtest.Say("I couldn't delete Read book: the database is locked. Please try again."))
			if !c.fails {
				model = guardtest.Script(guardtest.SayAndCall(c.text, deletes("Read book")), guardtest.Say("I've deleted Read book."))
			}
			guarded := guardFor(t, w, nil)
			reply, err := guarded.Run(context.Background(), model, w, ask("delete Read book"))
			if err != nil {
				t.Fatal(err)
			}
			shown := false
			for _, message := range reply.Messages {
				shown = shown || message.Text == c.text && len(message.Calls) > 0
			}
			if shown == c.withheld || guarded.Counters().Withheld != map[bool]uint64{true: 1}[c.withheld] {
				t.Errorf("shown %v, counted %d", shown, guarded.Counters().Withheld)
			}
		})
	}
}
