package intent_test

import (
	"context"
	"fmt"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var tools = []tooltrack.Tool{
	{Name: "add_task", Description: "Add a task or reminder."},
	{Name: "list_tasks", Description: "Show the user's tasks and reminders."},
	{Name: "update_task", Description: "Change a task: its title or due date."},
	{Name: "delete_task", Description: "Delete a task or reminder."},
}

func ExampleFromTools() {
	classifier, err := intent.FromTools(tools, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, message := range []string{
		"delete the task about the boiler",
		"don't delete it yet",
		"can you delete tasks?",
		"add a task 'delete old files'",
		"change my credit limit",
	} {
		asked, err := classifier.Classify(context.Background(), intent.Utterance{User: message})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %v", message, asked.Kind)
		for _, expectation := range asked.Expect {
			fmt.Printf(", expects %s", expectation.Tool)
		}
		fmt.Println()
	}
	// Output:
	// delete the task about the boiler: action, expects delete_task
	// don't delete it yet: chat
	// can you delete tasks?: question
	// add a task 'delete old files': action, expects add_task
	// change my credit limit: chat
}

func ExampleUtterance_previous() {
	classifier, _ := intent.FromTools(tools, nil)
	asked, _ := classifier.Classify(context.Background(), intent.Utterance{
		Previous: "Shall I delete the task “Call Ann”?",
		User:     "Yes, go ahead.",
	})
	fmt.Println(asked.Expect[0].Tool)
	// Output: delete_task
}

func ExampleOptions_examples() {
	var examples []intent.Example
	for _, thing := range []string{"the roof", "number four", "that one", "Ann's thing"} {
		examples = append(examples, intent.Example{User: "park " + thing + " for me", Expected: []string{"add_task"}},
			intent.Example{User: "tell me about " + thing})
	}
	classifier, _ := intent.FromTools(tools, &intent.Options{Examples: examples})
	asked, _ := classifier.Classify(context.Background(), intent.Utterance{User: "park the gutter for me"})
	fmt.Println(asked.Expects("add_task"))
	// Output: true
}

func ExampleChain() {
	local, _ := intent.FromTools(tools, nil)
	model := intent.Func(func(ctx context.Context, request intent.Utterance) (intent.Intent, error) {
		fmt.Println("the model is asked:", request.User)
		return intent.Intent{Kind: intent.Action, Expect: []intent.Expectation{{Tool: "delete_task", Confidence: 0.9}}}, nil
	})
	classifier := intent.Chain(local, model)
	for _, message := range []string{"delete the boiler task", "supprime la tâche"} {
		asked, _ := classifier.Classify(context.Background(), intent.Utterance{User: message})
		fmt.Println(asked.Expects("delete_task"))
	}
	// Output:
	// true
	// the model is asked: supprime la tâche
	// true
}

func ExampleLearn() {
	tools := []tooltrack.Tool{
		{Name: "relocate_pallet", Description: "Moves a pallet to another bay.", Effect: tooltrack.Changes},
		{Name: "find_pallet", Description: "Shows where a pallet stands.", Effect: tooltrack.Reads},
	}
	turns := []intent.Logged{
		{User: "park 104 over in bay 7", Called: []string{"find_pallet", "relocate_pallet"}},
		{User: "yes", Previous: "Shall I relocate it?", Called: []string{"relocate_pallet"}},
	}
	lessons, err := intent.Learn(tools, turns, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, proposal := range lessons.Proposals {
		fmt.Printf("%q %v %q\n", proposal.User, proposal.Expected, proposal.Doubt)
	}
	// Output:
	// "park 104 over in bay 7" [relocate_pallet] ""
	// "yes" [relocate_pallet] "the message only makes sense as an answer"
}
