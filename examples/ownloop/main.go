package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// answer is an agent loop as many programs have one. Each step of the guard
// stands beside the line it guards. The id is that of the message: the same one again
// is a replay, and does nothing twice.
func answer(ctx context.Context, g *guard.Guard, model guard.Model, id, user string) (string, error) {
	turn, err := g.Begin(ctx, guard.Input{User: user, Owner: "ann", Turn: id})
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
	fmt.Printf("tool    %s %s ran\n", call.Tool, call.Args)
	return []byte(`{"success":true,"data":{"title":"Read book"}}`), nil
}

func main() {
	g, err := guard.New([]tooltrack.Tool{{
		Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes,
	}}, nil)
	if err != nil {
		panic(err)
	}
	const user = "delete Read book"
	fmt.Println("user   ", user)
	text, err := answer(context.Background(), g, liar(), "message-17", user)
	if err != nil {
		fmt.Println("error  ", err)
	}
	fmt.Println("shown  ", text)
}

// liar is a model that first claims what it did not do, and works when it is
// asked again. It prints what passes between the guard and itself.
func liar() guard.Model {
	script := []guard.Message{
		{Role: guard.RoleAssistant, Text: "I've deleted Read book."},
		{
			Role:  guard.RoleAssistant,
			Calls: []tooltrack.Call{{ID: "call_1", Tool: "delete_task", Args: json.RawMessage(`{"title":"Read book"}`)}},
		},
		{Role: guard.RoleAssistant, Text: "Read book is deleted now."},
	}
	called := false
	return guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		if last := request.Messages[len(request.Messages)-1]; last.Internal {
			first, _, _ := strings.Cut(last.Text, ". ")
			fmt.Println("guard  ", strings.Replace(first, ", but", ",\n        but", 1)+".")
		}
		if len(script) == 0 {
			return guard.Response{}, errors.New("the model has nothing more to say")
		}
		next := script[0]
		script = script[1:]
		switch {
		case len(next.Calls) > 0:
			called = true
			fmt.Println("model   calls", next.Calls[0].Tool)
		case called:
			fmt.Printf("model   %q: true by now\n", next.Text)
		default:
			fmt.Printf("model   %q: a lie, nothing was called\n", next.Text)
		}
		return guard.Response{Message: next}, nil
	})
}
