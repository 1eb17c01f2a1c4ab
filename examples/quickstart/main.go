package main

import (
	"context"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func main() {
	g, err := guard.New([]tooltrack.Tool{{
		Name: "delete_task", Description: "Delete a task of the user.", Effect: tooltrack.Changes,
		Subject: tooltrack.SubjectArg{Arg: "title", Kind: "task"},
	}}, nil)
	if err != nil {
		panic(err)
	}
	// Your model client. This one lies: it reports a deletion and calls nothing.
	const lie = "I've deleted Read book."
	model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		return guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: lie}}, nil
	})
	// Your tools.
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
		return []byte(`{"success":true}`), nil
	})
	reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "delete Read book"})
	fmt.Printf("the model says %q\nto be shown:   %q\nerror:   %v\naccount: %s\n", lie, reply.Text, err, reply.Account)
}
