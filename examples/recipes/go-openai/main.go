// Go-openai shows a guard around the usual loop of sashabaranov/go-openai: the
// client gets another HTTP client, and the tools run under the ledger.
//
//	go run -C examples/recipes ./go-openai
package main

import (
	"context"
	"errors"
	"io"

	openai "github.com/sashabaranov/go-openai"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func main() { play.Main(build) }

func build(_ context.Context, stage *play.Stage) (play.Agent, error) {
	config := openai.DefaultConfig("no key")
	config.BaseURL = stage.URL
	config.HTTPClient = play.GuardedClient(stage.Guard)
	return newLoop(openai.NewClientWithConfig(config), play.Tools()).On(stage).Answer, nil
}

// newLoop is the usual loop of go-openai's users.
func newLoop(client *openai.Client, tools []tooltrack.Tool) play.Loop[openai.ChatCompletionMessage] {
	type message = openai.ChatCompletionMessage
	return play.Loop[message]{
		Ask: func(ctx context.Context, said []message, hear func(string)) (message, string, []tooltrack.Call, error) {
			request := openai.ChatCompletionRequest{Model: "sim", Messages: said, Tools: offered(tools)}
			answer, err := ask(ctx, client, request, hear)
			var calls []tooltrack.Call
			for _, call := range answer.ToolCalls {
				args := []byte(call.Function.Arguments)
				calls = append(calls, tooltrack.Call{ID: call.ID, Tool: call.Function.Name, Args: args})
			}
			return answer, answer.Content, calls, err
		},
		Say: func(user string) message { return message{Role: openai.ChatMessageRoleUser, Content: user} },
		Tell: func(call tooltrack.Call, result string) message {
			return message{Role: openai.ChatMessageRoleTool, ToolCallID: call.ID, Content: result}
		},
	}
}

// ask asks the model, whole or streamed.
func ask(
	ctx context.Context, client *openai.Client, request openai.ChatCompletionRequest, hear func(string),
) (openai.ChatCompletionMessage, error) {
	if hear == nil {
		response, err := client.CreateChatCompletion(ctx, request)
		if err != nil {
			return openai.ChatCompletionMessage{}, err
		}
		return response.Choices[0].Message, nil
	}
	stream, err := client.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return openai.ChatCompletionMessage{}, err
	}
	defer func() { _ = stream.Close() }()
	whole := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant}
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err != nil {
			return openai.ChatCompletionMessage{}, err
		}
		for _, choice := range chunk.Choices {
			if choice.Delta.Content != "" {
				hear(choice.Delta.Content)
			}
			whole.Content += choice.Delta.Content
			whole.ToolCalls = join(whole.ToolCalls, choice.Delta.ToolCalls)
		}
	}
}

// join puts the pieces of streamed calls together.
func join(calls, pieces []openai.ToolCall) []openai.ToolCall {
	for _, piece := range pieces {
		at := len(calls)
		if piece.Index != nil {
			at = *piece.Index
		}
		for len(calls) <= at {
			calls = append(calls, openai.ToolCall{Type: openai.ToolTypeFunction})
		}
		calls[at].ID += piece.ID
		calls[at].Function.Name += piece.Function.Name
		calls[at].Function.Arguments += piece.Function.Arguments
	}
	return calls
}

func offered(tools []tooltrack.Tool) []openai.Tool {
	var offered []openai.Tool
	for _, tool := range tools {
		offered = append(offered, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
		}})
	}
	return offered
}
