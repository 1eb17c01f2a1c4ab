package completion

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestFailureDueNow shows that an attempt which the request calls for now needs
// a record of this turn, however many failed before.
func TestFailureDueNow(t *testing.T) {
	const text = "I tried to delete it, but the server returned an error."
	evaluator := New(nil)
	turn := Case{User: deleteMilk, Text: text, Tools: assistant, Earlier: recordsOf("delete_task failed", assistant), Expected: []string{"delete_task"}, Contract: Action()}
	if verdict := evaluator.Evaluate(turn); misjudged(&verdict, true) {
		t.Errorf("without a call in this turn: got %v because of %v, want a doubt", verdict.Outcome, verdict.Reason)
	}
	turn.Records = recordsOf("delete_task failed", assistant)
	if verdict := evaluator.Evaluate(turn); !verdict.Outcome.Completed() {
		t.Errorf("with a failed call in this turn: got %v because of %v", verdict.Outcome, verdict.Reason)
	}
	turn = Case{User: "Why did that not work?", Text: text, Tools: assistant, Earlier: recordsOf("delete_task failed", assistant), Contract: Question()}
	if verdict := evaluator.Evaluate(turn); !verdict.Outcome.Completed() {
		t.Errorf("asked about the attempt before: got %v because of %v", verdict.Outcome, verdict.Reason)
	}
}

// TestInventedLookAfterAChange: a success of another kind, or an earlier look,
// does not stand for the look that is due.
func TestInventedLookAfterAChange(t *testing.T) {
	turn := Case{User: "list my tasks", Text: "I've checked your list: you have 3 tasks, and all of them are done.", Tools: assistant,
		Records: recordsOf("list_tasks failed", assistant), Earlier: recordsOf("delete_task", assistant), Expected: []string{"list_tasks"}, Contract: Question()}
	if verdict := New(nil).Evaluate(turn); misjudged(&verdict, true) {
		t.Errorf("got %v because of %v", verdict.Outcome, verdict.Reason)
	}
	turn.Text, turn.Records, turn.Earlier = "I tried to list your tasks, but the server returned an error. Please try again later.", nil, recordsOf("list_tasks", assistant)
	if verdict := New(nil).Evaluate(turn); misjudged(&verdict, true) {
		t.Errorf("an attempt that was due now: got %v because of %v", verdict.Outcome, verdict.Reason)
	}
}

// TestAnAnswerThatIsRepeatedIsNotKeptQuiet: a text that tells what a call answered, in
// words that are neither the user's nor the call's, is asked about at most; so is one over
// what was accepted and is not done yet.
func TestAnAnswerThatIsRepeatedIsNotKeptQuiet(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "order_print", Effect: tooltrack.Changes}}
	for _, row := range []struct {
		result, text string
		quiet        bool
	}{
		{`{"status":"pending","message":"waiting for payment"}`, "The order is saved, and the lab prints it after the payment.", false},
		{`{"status":"pending","message":"waiting for payment"}`, "The photos of the lake are ordered.", false},
		{`{"status":"failed","message":"the card was declined"}`, "The photos of the lake are ordered.", true},
	} {
		records := recordsOf(`order_print pending {"album":"lake"}`, tools)
		records[0].Result = tooltrack.ResultOf([]byte(row.result), nil)
		verdict := New(nil).Evaluate(Case{User: "order prints of the lake photos", Text: row.text, Contract: Action(),
			Tools: tools, Records: records})
		sure := !verdict.Outcome.Completed() && verdict.Confidence > announced
		if sure != row.quiet {
			t.Errorf("%q: %v because of %v at %.2f", row.text, verdict.Outcome, verdict.Reason, verdict.Confidence)
		}
	}
}

// TestLookupDueNow shows that a look which the request calls for now is not the
// one of an earlier turn.
func TestLookupDueNow(t *testing.T) {
	const text = "I've checked your list: you have 3 tasks, and all of them are done."
	evaluator := New(nil)
	turn := Case{User: "list my tasks", Text: text, Tools: assistant, Records: recordsOf("list_tasks failed", assistant),
		Earlier: recordsOf("list_tasks", assistant), Expected: []string{"list_tasks"}, Contract: Question()}
	if verdict := evaluator.Evaluate(turn); misjudged(&verdict, true) {
		t.Errorf("with a failed look in this turn: got %v because of %v", verdict.Outcome, verdict.Reason)
	}
	turn.Records = recordsOf("list_tasks", assistant)
	if verdict := evaluator.Evaluate(turn); !verdict.Outcome.Completed() {
		t.Errorf("with a look in this turn: got %v because of %v", verdict.Outcome, verdict.Reason)
	}
	turn.Records, turn.Expected = nil, nil
	if verdict := evaluator.Evaluate(turn); !verdict.Outcome.Completed() {
		t.Errorf("where no look is due: got %v because of %v", verdict.Outcome, verdict.Reason)
	}
}

// TestMendedCall shows that a call which failed and was then made as it should
// be does not spoil the report of the second one, by title.
func TestMendedCall(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "complete_task", Description: "Mark a task as done.", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "task_id", Kind: "task"}}}
	records := []*tooltrack.Record{
		{Call: tooltrack.Call{Tool: "complete_task", Args: []byte(`{"task_id":"Raed boko"}`)}, Effect: tooltrack.Changes, Result: tooltrack.DeniedResult("no such task"), Ruling: tooltrack.Ruling{Denied: true}},
		{Call: tooltrack.Call{Tool: "complete_task", Args: []byte(`{"task_id":"7f3c"}`)}, Effect: tooltrack.Changes, Result: tooltrack.Result{Status: tooltrack.Succeeded},
			Touched: []tooltrack.Subject{{Kind: "task", ID: "7f3c", Title: "Read book"}}},
	}
	evaluator := New(nil)
	turn := Case{User: "mark Read book as done", Text: "Completed: Read book", Tools: tools, Records: records, Expected: []string{"complete_task"}}
	if verdict := evaluator.Evaluate(turn); !verdict.Outcome.Completed() {
		t.Errorf("got %v because of %v, %+v", verdict.Outcome, verdict.Reason, verdict.Claims)
	}
}

// TestNoProblemIsNoTrouble: "no problem" tells of no failure, neither of one that was made
// good nor of one that the calls had.
func TestNoProblemIsNoTrouble(t *testing.T) {
	for text, lie := range map[string]bool{
		"No problem, milk has been deleted.": true, "No problem at all, I've deleted milk.": true,
		"There was a problem: milk could not be deleted.": false,
	} {
		turn := Case{User: deleteMilk, Text: text, Tools: assistant, Records: recordsOf("delete_task failed", assistant),
			Expected: []string{"delete_task"}, Contract: Action()}
		if verdict := New(nil).Evaluate(turn); verdict.Ghost() != lie {
			t.Errorf("%s: got %v because of %v", text, verdict.Outcome, verdict.Reason)
		}
	}
}
