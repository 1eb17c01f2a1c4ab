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

// ran is a record as a ledger holds it: what the result says is read together with the call.
func ran(tool, args, result string) *tooltrack.Record {
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: json.RawMessage(args)}, Effect: tooltrack.Changes}
	if tool == "list_tasks" || tool == "read_file" {
		record.Effect = tooltrack.Reads
	}
	record.Result = tooltrack.ParseCall(&tooltrack.Tool{Effect: record.Effect}, record.Call, result, nil)
	return record
}

func Example() {
	evaluator := completion.New(nil)
	turn := completion.Case{User: "Delete the task Read book", Text: "I've deleted Read book.", Tools: tasks}

	verdict := evaluator.Evaluate(turn)
	fmt.Println(verdict.Outcome, "-", verdict.Reason)

	turn.Records = []*tooltrack.Record{ran("delete_task", `{"task_id":"t1"}`, `{"title":"Read book"}`)}
	verdict = evaluator.Evaluate(turn)
	fmt.Println(verdict.Outcome, "-", verdict.Reason)
	// Output:
	// insufficient_progress - unbacked claim
	// completed_with_work - work done
}

func ExampleEvaluator_Account() {
	evaluator := completion.New(nil)
	fmt.Println(evaluator.Account(completion.Case{Tools: tasks, Records: []*tooltrack.Record{
		ran("delete_task", `{"task_id":"t1"}`, `{"title":"Read book"}`),
		ran("complete_task", `{"task_id":"t2"}`, `{"title":"Call Anna"}`),
		ran("create_task", `{"title":"Buy milk"}`, `{}`),
		ran("update_task", `{"title":"Pay rent","due":"soon"}`, `{"error":"due is no date"}`),
		ran("list_tasks", `{}`, `[]`),
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
		Records: []*tooltrack.Record{ran("delete_task", `{"title":"Buy milk"}`, `{}`)},
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
		Records:  []*tooltrack.Record{ran("update_task", `{"title":"Read book"}`, `{}`)},
		Contract: completion.Action(completion.Verified()),
	})
	fmt.Println(verdict.Reason, verdict.Missing)
	// Output: missing requirement [a successful verification after the last change]
}

func ExampleCalled() {
	both := completion.Called("pay", completion.With{"person": 1}, completion.With{"person": 2})
	turn := completion.Case{Records: []*tooltrack.Record{ran("pay", `{"person":1,"times":2}`, `{"ok":true}`)}}
	fmt.Println(both.Unmet(turn, completion.Blocker{}))

	turn.Records = append(turn.Records, ran("pay", `{"person":2,"times":1}`, `{"ok":true}`))
	fmt.Println(both.Unmet(turn, completion.Blocker{}) == "")
	// Output:
	// a call of pay with person 2
	// true
}

func ExampleCovers() {
	verdict := completion.New(nil).Evaluate(completion.Case{
		User: "Review a.go and b.go",
		Text: "Both files are fine; a.go could do with a comment.",
		Records: []*tooltrack.Record{
			ran("read_file", `{"path":"a.go","limit":2}`, "package a\n"),
			ran("read_file", `{"path":"b.go","limit":2}`, "package b\nvar x = 1\n"), // as many lines as were asked for
		},
		Contract: completion.Analysis(completion.Covers("read_file", "a.go", "b.go")),
	})
	fmt.Println(verdict.Reason, verdict.Missing)
	// Output: missing requirement [a whole read of b.go]
}

func ExampleVerified() {
	edited, tested := ran("edit_file", `{"path":"a.go"}`, `{"ok":true}`), ran("shell", `{"command":"go test ./..."}`, "ok  a  0.2s")
	for _, records := range [][]*tooltrack.Record{
		{edited, tested},
		{tested, edited},
		{edited, ran("shell", `{"command":"grep -r test ."}`, "a_test.go")},
	} {
		fmt.Println(completion.Verified().Unmet(completion.Case{Records: records}, completion.Blocker{}) == "")
	}
	// Output:
	// true
	// false
	// false
}

func ExampleVerdict_Unsure() {
	verdict := completion.New(nil).Evaluate(completion.Case{
		User:    "Delete Buy milk",
		Text:    "Buy milk is deleted, and your list is sorted by date.",
		Tools:   tasks,
		Records: []*tooltrack.Record{ran("delete_task", `{"title":"Buy milk"}`, `{"ok":true}`)},
	})
	fmt.Println(verdict.Outcome)
	for _, claim := range verdict.Unsure() { // what proof is asked of
		fmt.Printf("%q: %s\n", claim.Text, claim.Fault)
	}
	// Output:
	// completed_with_work
	// "and your list is sorted by date": no record clearly shows it
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
	fmt.Println(evaluator.Account(completion.Case{Tools: tasks, Records: []*tooltrack.Record{ran("delete_task", `{"title":"Read book"}`, `{}`)}}))
	// Output:
	// unbacked claim - host: filed away
	// Read book is off your list.
}
