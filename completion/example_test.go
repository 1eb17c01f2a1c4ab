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
	turn := completion.Case{User: "Delete the task Read book", Text: "I've deleted Read book.", Tools: tasks}

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
	fmt.Println(evaluator.Account(completion.Case{Tools: tasks, Records: []*tooltrack.Record{
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

func ExampleEvaluator_Evaluate() {
	evaluator := completion.New(nil)
	verdict := evaluator.Evaluate(completion.Case{
		User:    "Delete Buy milk and add Call Anna",
		Text:    "I've deleted Buy milk and added Call Anna.",
		Tools:   tasks,
		Records: []*tooltrack.Record{ran("delete_task", `{"title":"Buy milk"}`, ok(`{}`))},
	})
	for _, claim := range verdict.Claims {
		fmt.Printf("%s %v %q\n", claim.Kind, claim.Backed(), claim.Fault)
	}
	// Output:
	// change true ""
	// change false "no successful call of this turn does that"
}

func ExampleContract() {
	evaluator := completion.New(nil)
	verdict := evaluator.Evaluate(completion.Case{
		User:     "Rename the task and check the list",
		Text:     "I've renamed it.",
		Tools:    tasks,
		Records:  []*tooltrack.Record{ran("update_task", `{"title":"Read book"}`, ok(`{}`))},
		Contract: completion.Action(completion.Verified()),
	})
	fmt.Println(verdict.Reason, verdict.Missing)
	// Output: missing requirement [a successful verification after the last change]
}

func ExampleBlocker() {
	verdict := completion.New(nil).Evaluate(completion.Case{
		User: "Delete book", Text: "There are two tasks with that word: Read book and Book a table. Which one do you mean?", Tools: tasks,
	})
	fmt.Println(verdict.Outcome)
	fmt.Printf("%s: %s\n", verdict.Blocker.Kind, verdict.Blocker.Cause)
	// Output:
	// completed_with_blocker
	// needs input: Which one do you mean
}

func ExampleFindLeak() {
	leak := completion.FindLeak("<tool_call>{\"name\": \"delete_task\", \"arguments\": {\"task_id\": \"t1\"}}</tool_call>", tasks)
	fmt.Println(leak.Tool, leak.Rule)
	fmt.Println(completion.FindLeak("I would use delete_task for that.", tasks).Found())
	// Output:
	// delete_task tag
	// false
}

func ExampleOptions() {
	evaluator := completion.New(&completion.Options{
		Claims:   []completion.ClaimPhrase{{Text: "filed away", Tool: "update_task"}},
		Blockers: []completion.BlockerPhrase{{Text: "quiet hours", Kind: completion.Policy}},
		Wording:  map[string]completion.Wording{"delete_task": {Done: "{title} is off your list."}},
	})
	verdict := evaluator.Evaluate(completion.Case{User: "File it away", Text: "The task is filed away.", Tools: tasks})
	fmt.Println(verdict.Reason, "-", verdict.Unbacked().Rule)
	fmt.Println(evaluator.Account(completion.Case{Tools: tasks, Records: []*tooltrack.Record{ran("delete_task", `{"title":"Read book"}`, ok(`{}`))}}))
	// Output:
	// unbacked claim - host: filed away
	// Read book is off your list.
}
