package completion_test

import (
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var tasks = []tooltrack.Tool{
	{Name: "create_task", Effect: tooltrack.Changes},
	{Name: "update_task", Effect: tooltrack.Changes},
	{Name: "complete_task", Effect: tooltrack.Changes},
	{Name: "delete_task", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "task_id", Kind: "task"}},
	{Name: "list_tasks", Effect: tooltrack.Reads},
}

// ran is a record as a ledger holds it.
func ran(tool, args string, result tooltrack.Result) *tooltrack.Record {
	effect := tooltrack.Changes
	if tool == "list_tasks" {
		effect = tooltrack.Reads
	}
	return &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: json.RawMessage(args)}, Effect: effect, Result: result}
}

func ok(body string) tooltrack.Result { return tooltrack.ResultOf([]byte(body), nil) }

func Example() {
	evaluator := completion.New(nil)
	turn := completion.Turn{User: "Delete the task Read book", Text: "I've deleted Read book.", Tools: tasks}

	verdict := evaluator.Evaluate(turn)
	fmt.Println(verdict.Outcome, "-", verdict.Reason)

	turn.Records = []*tooltrack.Record{ran("delete_task", `{"task_id":"t1"}`, ok(`{"title":"Read book"}`))}
	verdict = evaluator.Evaluate(turn)
	fmt.Println(verdict.Outcome, "-", verdict.Reason)
	// Output:
	// insufficient_progress - unbacked claim
	// completed_with_work - work done
}

func ExampleEvaluator_Account() {
	evaluator := completion.New(nil)
	fmt.Println(evaluator.Account(completion.Turn{Tools: tasks, Records: []*tooltrack.Record{
		ran("delete_task", `{"task_id":"t1"}`, ok(`{"title":"Read book"}`)),
		ran("complete_task", `{"task_id":"t2"}`, ok(`{"title":"Call Anna"}`)),
		ran("create_task", `{"title":"Buy milk"}`, ok(`{}`)),
		ran("update_task", `{"title":"Pay rent","due":"soon"}`, tooltrack.FailedResult("due is no date")),
		ran("list_tasks", `{}`, ok(`[]`)),
	}}))
	// Output:
	// Deleted: Read book
	// Marked Call Anna as done
	// Added: Buy milk
	// Failed to update Pay rent: due is no date
	// Your task list is empty
}
