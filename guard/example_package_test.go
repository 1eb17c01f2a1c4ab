package guard_test

import (
	"context"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// The whole of it: tools, a guard, your model and your executor. This model lies,
// and nobody is told that the task is gone.
func Example() {
	g, err := guard.New([]tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes},
		{Name: "list_tasks", Description: "List the user's tasks.", Effect: tooltrack.Reads},
	}, nil)
	if err != nil {
		panic(err)
	}
	model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) { // your client
		return guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: "I've deleted the task Read book."}}, nil
	})
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { // your tools
		return []byte(`{"success":true}`), nil
	})
	reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "delete the task Read book"})
	if err != nil {
		fmt.Println(reply.Account) // what is proven
		return
	}
	fmt.Println(reply.Text)
	// Output:
	// What you asked for was not done.
	// Nothing was changed in this turn.
}
