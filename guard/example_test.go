package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var exampleTools = []tooltrack.Tool{
	{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes,
		Parameters: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`)},
	{Name: "list_tasks", Description: "List the user's tasks.", Effect: tooltrack.Reads},
}

var exampleExecutor = guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
	return []byte(`{"success":true,"data":{"id":"42","title":"Read book"}}`), nil
})

// A model that claims what it did not do is asked again, with an instruction
// that it can hardly miss.
func ExampleGuard_Run() {
	g, err := guard.New(exampleTools, nil)
	if err != nil {
		panic(err)
	}
	model := guardtest.Script(
		guardtest.Say("I've deleted the task Read book."), // no tool ran
		guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book"}`)),
		guardtest.Say("I've deleted the task Read book."), // now it is true
	)
	reply, err := g.Run(context.Background(), model, exampleExecutor, guard.Input{User: "delete the task Read book"})
	if err != nil {
		panic(err)
	}
	fmt.Println(reply.Text)
	fmt.Println(reply.Summaries()[0].Message)
	fmt.Println("asked again:", reply.Execution.Retried+reply.Execution.Corrected)
	// Output:
	// I've deleted the task Read book.
	// Deleted: Read book
	// asked again: 1
}

// When the model does not come round, the caller gets a typed error and an
// account of what is proven.
func ExampleTurnError() {
	g, err := guard.New(exampleTools, nil)
	if err != nil {
		panic(err)
	}
	model := guardtest.Script(guardtest.Say("I've deleted the task."), guardtest.Say("The task has been deleted."))
	reply, err := g.Run(context.Background(), model, exampleExecutor, guard.Input{User: "delete the task Read book"})
	var missing *guard.TurnError
	if errors.As(err, &missing) && errors.Is(err, guard.ErrToolNotTriggered) {
		fmt.Println(missing.Tools)
		fmt.Println(reply.Account)
	}
	// Output:
	// [delete_task]
	// What you asked for was not done.
	// Nothing was changed in this turn.
}

// A loop of the host's own drives a turn step by step.
func ExampleGuard_Begin() {
	ctx := context.Background()
	g, err := guard.New(exampleTools, nil)
	if err != nil {
		panic(err)
	}
	model := guardtest.Script(guardtest.Call(guardtest.Tool("list_tasks", `{}`)), guardtest.Say("You have one task: Read book."))

	turn, err := g.Begin(ctx, guard.Input{User: "list my tasks", Owner: "ann", Turn: "message-17"})
	if err != nil {
		panic(err)
	}
	for turn.Open() {
		response, err := model.Generate(ctx, turn.Request(ctx))
		if err != nil {
			fmt.Println(turn.Fail(err))
			return
		}
		for _, call := range turn.Take(ctx, response) {
			fmt.Println("running", call.Tool)
			if _, err := turn.Do(ctx, call, exampleExecutor); err != nil {
				fmt.Println(err)
			}
		}
	}
	reply, err := turn.Reply()
	fmt.Println(reply.Text, err)
	// Output:
	// running list_tasks
	// You have one task: Read book. <nil>
}

// A framework that hides its loop gets both halves of a turn.
func ExampleTurn_Model() {
	ctx := context.Background()
	g, err := guard.New(exampleTools, nil)
	if err != nil {
		panic(err)
	}
	turn, err := g.Begin(ctx, guard.Input{User: "list my tasks"})
	if err != nil {
		panic(err)
	}
	framework := func(model guard.Model, executor guard.Executor) string {
		answer, _ := model.Generate(ctx, guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: "list my tasks"}}})
		for _, call := range answer.Message.Calls {
			_, _ = executor.Execute(ctx, call)
		}
		answer, _ = model.Generate(ctx, guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: "list my tasks"}, answer.Message}})
		return answer.Message.Text
	}
	inner := guardtest.Script(guardtest.Call(guardtest.Tool("list_tasks", `{}`)), guardtest.Say("You have one task: Read book."))
	fmt.Println(framework(turn.Model(inner), turn.Executor(exampleExecutor)))
	// Output: You have one task: Read book.
}

// A loop that knows nothing of turns gets a guarded model.
func ExampleGuard_Wrap() {
	g, err := guard.New(exampleTools, nil)
	if err != nil {
		panic(err)
	}
	model := g.Wrap(guardtest.Script(guardtest.Say("I've deleted the task Read book."), guardtest.Say("Which task do you mean?")))
	answer, err := model.Generate(context.Background(), guard.Request{
		Messages: []guard.Message{{Role: guard.RoleUser, Text: "delete the task Read book"}}, Tools: exampleTools,
	})
	fmt.Println(answer.Message.Text, err)
	// Output: Which task do you mean? <nil>
}

// Observing changes nothing and shows what the guard would do.
func ExampleOptions_observe() {
	g, err := guard.New(exampleTools, &guard.Options{Observe: true})
	if err != nil {
		panic(err)
	}
	model := guardtest.Script(guardtest.Say("I've deleted the task Read book."))
	reply, err := g.Run(context.Background(), model, exampleExecutor, guard.Input{User: "delete the task Read book"})
	fmt.Println(reply.Text, err)
	fmt.Println(reply.Verdict.Outcome)
	// Output:
	// I've deleted the task Read book. <nil>
	// insufficient_progress
}

// A stream holds a text until it has passed.
func ExampleGuard_Stream() {
	g, err := guard.New(exampleTools, nil)
	if err != nil {
		panic(err)
	}
	model := guardtest.Script(guardtest.Call(guardtest.Tool("list_tasks", `{}`)), guardtest.Say("You have one task: Read book."))
	for event, err := range g.Stream(context.Background(), model, exampleExecutor, guard.Input{User: "list my tasks"}) {
		switch {
		case err != nil:
			fmt.Println(err)
		case event.Calling != "":
			fmt.Println("calling", event.Calling)
		case event.Text != "":
			fmt.Println(event.Text)
		}
	}
	// Output:
	// calling list_tasks
	// You have one task: Read book.
}
