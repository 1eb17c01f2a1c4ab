package genaiguard_test

import (
	"context"
	"fmt"
	"testing"

	"google.golang.org/genai"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/genaiguard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
)

// The guard runs the turn: the model's lie is not shown, and the tool is asked
// for again.
func ExampleNewModel() {
	server := provider.New(&testing.T{}, // stands for the Gemini API
		guardtest.Say("I've deleted task 1."),
		guardtest.Call(guardtest.Tool("delete_task", `{"id":"1"}`)),
		guardtest.Say("I've deleted task 1."))
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: "key", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		panic(err)
	}
	model, err := genaiguard.NewModel(client, "gemini", nil)
	if err != nil {
		panic(err)
	}
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns(`{"success":true}`)})
	reply, err := g.Run(ctx, model, executor, guard.Input{User: "delete task 1"})
	fmt.Println(reply.Text, err)
	// Output: I've deleted task 1. <nil>
}

// A loop that exists is guarded where its client is made. This one has a model
// that lies and calls nothing.
func ExampleHTTPClient() {
	lie := guardtest.Say("I've deleted task 1.")
	server := provider.New(&testing.T{}, lie, lie, lie, lie)
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey: "key", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
		HTTPClient: genaiguard.HTTPClient(g, nil, nil), // the one line
	})
	if err != nil {
		panic(err)
	}
	_, err = client.Models.GenerateContent(ctx, "gemini", genai.Text("delete task 1"), &genai.GenerateContentConfig{
		Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{Name: "delete_task"}}}},
	})
	fmt.Println(err != nil)
	// Output: true
}
