// Any-llm-go shows a guard around a loop with mozilla-ai/any-llm-go: every provider gets
// another HTTP client, and the tools run under the ledger.
//
//	go run -C examples/recipes ./any-llm-go
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"

	anyllm "github.com/mozilla-ai/any-llm-go"
	"github.com/mozilla-ai/any-llm-go/providers/gemini"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func main() { play.Main(build) }

func build(_ context.Context, stage *play.Stage) (play.Agent, error) {
	provider, err := newProvider(strings.TrimSuffix(stage.URL, "/v1"), stage.Guard)
	return newLoop(provider, play.Tools()).On(stage).Answer, err
}

// newProvider is a provider for Gemini, whose address is taken from the environment.
func newProvider(address string, g *guard.Guard) (anyllm.Provider, error) {
	_ = os.Setenv("GOOGLE_GEMINI_BASE_URL", address) // a name without "=" can be set
	return gemini.New(anyllm.WithAPIKey("no key"), anyllm.WithHTTPClient(&http.Client{Transport: play.GuardedClient(g)}))
}

// newLoop is the usual loop of any-llm-go's users.
func newLoop(provider anyllm.Provider, tools []tooltrack.Tool) play.Loop[anyllm.Message] {
	return play.Loop[anyllm.Message]{
		Ask: func(
			ctx context.Context, said []anyllm.Message, hear func(string),
		) (anyllm.Message, string, []tooltrack.Call, error) {
			params := anyllm.CompletionParams{Model: "sim", Messages: said, Tools: offered(tools)}
			answer, err := ask(ctx, provider, params, hear)
			var calls []tooltrack.Call
			for _, call := range answer.ToolCalls {
				args := []byte(call.Function.Arguments)
				calls = append(calls, tooltrack.Call{ID: call.ID, Tool: call.Function.Name, Args: args})
			}
			return answer, answer.ContentString(), calls, err
		},
		Say: func(user string) anyllm.Message { return anyllm.Message{Role: anyllm.RoleUser, Content: user} },
		Tell: func(call tooltrack.Call, result string) anyllm.Message {
			return anyllm.Message{Role: anyllm.RoleTool, ToolCallID: call.ID, Name: call.Tool, Content: result}
		},
	}
}

// ask asks the model, whole or streamed.
func ask(
	ctx context.Context, provider anyllm.Provider, params anyllm.CompletionParams, hear func(string),
) (anyllm.Message, error) {
	if hear == nil {
		response, err := provider.Completion(ctx, params)
		if err != nil {
			return anyllm.Message{}, err
		}
		return response.Choices[0].Message, nil
	}
	text, whole := "", anyllm.Message{Role: anyllm.RoleAssistant}
	chunks, failed := provider.CompletionStream(ctx, params)
	for chunk := range chunks {
		for _, choice := range chunk.Choices {
			if choice.Delta.Content != "" {
				hear(choice.Delta.Content)
			}
			text += choice.Delta.Content
			whole.ToolCalls = append(whole.ToolCalls, choice.Delta.ToolCalls...) // Gemini's come whole
		}
	}
	whole.Content = text
	return whole, <-failed
}

func offered(tools []tooltrack.Tool) []anyllm.Tool {
	var offered []anyllm.Tool
	for _, tool := range tools {
		function := anyllm.Function{Name: tool.Name, Description: tool.Description}
		_ = json.Unmarshal(tool.Parameters, &function.Parameters) // the guard has read the schema
		offered = append(offered, anyllm.Tool{Type: "function", Function: function})
	}
	return offered
}
