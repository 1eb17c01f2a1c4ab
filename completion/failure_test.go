package completion

import "testing"

// TestFailureDueNow shows that an attempt which the request calls for now needs
// a record of this turn, however many failed before.
func TestFailureDueNow(t *testing.T) {
	const text = "I tried to delete it, but the server returned an error."
	evaluator := New(nil)
	turn := Turn{User: deleteMilk, Text: text, Tools: assistant, Earlier: recordsOf("delete_task failed", assistant), Expected: []string{"delete_task"}, Contract: Action()}
	if verdict := evaluator.Evaluate(turn); verdict.Reason != FabricatedFailure {
		t.Errorf("without a call in this turn: got %v because of %v, want a fabricated failure", verdict.Outcome, verdict.Reason)
	}
	turn.Records = recordsOf("delete_task failed", assistant)
	if verdict := evaluator.Evaluate(turn); !verdict.Outcome.Completed() {
		t.Errorf("with a failed call in this turn: got %v because of %v", verdict.Outcome, verdict.Reason)
	}
	turn = Turn{User: "Why did that not work?", Text: text, Tools: assistant, Earlier: recordsOf("delete_task failed", assistant), Contract: Question()}
	if verdict := evaluator.Evaluate(turn); !verdict.Outcome.Completed() {
		t.Errorf("asked about the attempt before: got %v because of %v", verdict.Outcome, verdict.Reason)
	}
}

// TestLookupDueNow shows that a look which the request calls for now is not the
// one of an earlier turn.
func TestLookupDueNow(t *testing.T) {
	const text = "I've checked your list: you have 3 tasks, and all of them are done."
	evaluator := New(nil)
	turn := Turn{User: "list my tasks", Text: text, Tools: assistant, Records: recordsOf("list_tasks failed", assistant),
		Earlier: recordsOf("list_tasks", assistant), Expected: []string{"list_tasks"}, Contract: Question()}
	if verdict := evaluator.Evaluate(turn); verdict.Outcome.Completed() {
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
