package anthropicguard_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/anthropicguard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func taskTools() []tooltrack.Tool {
	return []tooltrack.Tool{{
		Name: "delete_task", Description: "Delete a task of the user.", Effect: tooltrack.Changes,
		Parameters: []byte(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`),
		Subject:    tooltrack.SubjectArg{Arg: "title", Kind: "task"},
	}}
}

// The guard runs the turn: the model's lie is not shown, and the tool is asked
// for again.
func ExampleNewModel() {
	server := provider.New(&testing.T{}, // stands for Anthropic's API
		guardtest.Say("I've deleted Read book."),
		guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book"}`)),
		guardtest.Say("Read book is deleted now."))
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		panic(err)
	}
	client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("key"))
	model := anthropicguard.NewModel(client, anthropic.ModelClaudeSonnet5, nil)
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns(`{"success":true}`)})
	reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "delete Read book"})
	fmt.Println(reply.Text, err)
	// Output: Read book is deleted now. <nil>
}

// A loop that exists is guarded where its client is made. This one has a model
// that lies and calls nothing.
func ExampleMiddleware() {
	lie := guardtest.Say("I've deleted Read book.")
	server := provider.New(&testing.T{}, lie, lie, lie)
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		panic(err)
	}
	client := anthropic.NewClient(
		option.WithBaseURL(server.URL), option.WithAPIKey("key"),
		option.WithMiddleware(anthropicguard.Middleware(g, nil)), // the one line
	)
	_, err = client.Messages.New(context.Background(), anthropic.MessageNewParams{
		Model: anthropic.ModelClaudeSonnet5, MaxTokens: 1024, Tools: toolParams(taskTools()),
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("delete Read book"))},
	})
	fmt.Println(err)
	// Output: insufficient progress: unbacked claim, asked 3 times
}
