package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// answer is an agent loop as many programs have one. Each step of the guard
// stands beside the line it guards.
func answer(ctx context.Context, g *guard.Guard, model guard.Model, user string) (string, error) {
	turn, err := g.Begin(ctx, guard.Input{User: user, Owner: "ann", Turn: "message-17"})
	if err != nil {
		return "", err
	}
	for turn.Open() {
		response, err := model.Generate(ctx, turn.Request(ctx))
		if err != nil {
			_, err = turn.Fail(err)
			return "", err
		}
		for _, call := range turn.Take(ctx, response) {
			if _, err := turn.Do(ctx, call, run); err != nil {
				return "", err
			}
		}
	}
	reply, err := turn.Reply()
	return reply.Text, err
}

func run(_ context.Context, call tooltrack.Call) ([]byte, error) {
	return []byte(`{"success":true,"data":{"title":"Read book"}}`), nil
}

func main() {
	g, err := guard.New([]tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}}, nil)
	if err != nil {
		panic(err)
	}
	text, err := answer(context.Background(), g, forgetful(), "delete Read book")
	fmt.Println(text, err)
}

// forgetful is a model that first promises, and works when it is asked again.
func forgetful() guard.Model {
	script := []guard.Message{
		{Role: guard.RoleAssistant, Text: "Sure, I'll delete that for you right away!"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "call_1", Tool: "delete_task", Args: json.RawMessage(`{"title":"Read book"}`)}}},
		{Role: guard.RoleAssistant, Text: "I've deleted Read book."},
	}
	return guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		next := script[0]
		script = script[1:]
		return guard.Response{Message: next}, nil
	})
}
