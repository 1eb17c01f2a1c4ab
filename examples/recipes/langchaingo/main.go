// Langchaingo shows a guard around a loop with tmc/langchaingo: the model gets
// another HTTP client, and the tools run under the ledger.
//
//	go run -C examples/recipes ./langchaingo
package main

import (
	"context"
	"encoding/json"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func main() { play.Main(build) }

func build(_ context.Context, stage *play.Stage) (play.Agent, error) {
	llm, err := openai.New(openai.WithBaseURL(stage.URL), openai.WithToken("no key"), openai.WithModel("sim"),
		openai.WithHTTPClient(play.GuardedClient(stage.Guard)))
	if err != nil {
		return nil, err
	}
	return newLoop(llm, play.Tools()).On(stage).Answer, nil
}

// newLoop is the usual loop of langchaingo's users.
func newLoop(llm llms.Model, tools []tooltrack.Tool) play.Loop[llms.MessageContent] {
	type message = llms.MessageContent
	return play.Loop[message]{
		Ask: func(ctx context.Context, said []message, hear func(string)) (message, string, []tooltrack.Call, error) {
			return ask(ctx, llm, said, llms.WithTools(offered(tools)), hear)
		},
		Say: func(user string) message { return llms.TextParts(llms.ChatMessageTypeHuman, user) },
		Tell: func(call tooltrack.Call, result string) message {
			told := llms.ToolCallResponse{ToolCallID: call.ID, Name: call.Tool, Content: result}
			return message{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{told}}
		},
	}
}

// ask asks the model, whole or streamed.
func ask(
	ctx context.Context, llm llms.Model, messages []llms.MessageContent, offer llms.CallOption, hear func(string),
) (said llms.MessageContent, text string, calls []tooltrack.Call, err error) {
	options := []llms.CallOption{offer}
	if hear != nil {
		options = append(options, llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
			if !isCalls(chunk) {
				hear(string(chunk))
			}
			return nil
		}))
	}
	response, err := llm.GenerateContent(ctx, messages, options...)
	if err != nil {
		return said, "", nil, err
	}
	choice := response.Choices[0]
	said = llms.TextParts(llms.ChatMessageTypeAI, choice.Content)
	for _, call := range choice.ToolCalls {
		said.Parts = append(said.Parts, call)
		args := []byte(call.FunctionCall.Arguments)
		calls = append(calls, tooltrack.Call{ID: call.ID, Tool: call.FunctionCall.Name, Args: args})
	}
	return said, choice.Content, calls, nil
}

// isCalls tells pieces of calls from pieces of text: langchaingo streams both to the same function.
func isCalls(chunk []byte) bool {
	var calls []struct {
		Function json.RawMessage `json:"function"`
	}
	return json.Unmarshal(chunk, &calls) == nil && len(calls) > 0 && calls[0].Function != nil
}

func offered(tools []tooltrack.Tool) []llms.Tool {
	var offered []llms.Tool
	for _, tool := range tools {
		offered = append(offered, llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
			Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
		}})
	}
	return offered
}
