package guardtest_test

import (
	"context"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A turn without a model: it lies, is asked again, and works.
func Example() {
	g, err := guard.New([]tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}}, nil)
	if err != nil {
		panic(err)
	}
	model := guardtest.Script(
		guardtest.Say("I've deleted Read book."),
		guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book"}`)),
		guardtest.Say("I've deleted Read book."),
	)
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns(`{"success":true}`)})
	reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "delete Read book"})
	fmt.Println(reply.Text, err)
	fmt.Println("the model was asked", len(model.Requests()), "times, and the tool ran", executor.Count("delete_task"), "time")
	// Output:
	// I've deleted Read book. <nil>
	// the model was asked 3 times, and the tool ran 1 time
}
