package guard_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Code of the host's own may panic. The turn ends with an error that names it,
// and the call that could not be recorded has not run.
func ExampleHostError() {
	key := func(guard.Input, tooltrack.Call) string { panic("no such order") }
	g, err := guard.New([]tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}}, &guard.Options{Key: key})
	if err != nil {
		panic(err)
	}
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns("ok")})
	model := guardtest.Script(guardtest.Call(guardtest.Tool("delete_task", `{}`)), guardtest.Say("I've deleted it."))
	reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "delete the task"})
	var host *guard.HostError
	fmt.Println(errors.As(err, &host), host)
	fmt.Println(executor.Count("delete_task"), reply.Account)
	// Output:
	// true Options.Key: panicked: no such order
	// 0 This was stopped before it was complete.
	// Nothing was changed in this turn.
}
