// Go-openai shows a guard around the usual loop of sashabaranov/go-openai: the
// client gets another HTTP client, and the tools run under the ledger.
//
//	go run -C examples/recipes ./go-openai
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"os"

	openai "github.com/sashabaranov/go-openai"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func main() {
	log.SetFlags(0)
	if err := play.Show(context.Background(), os.Stdout, build); err != nil {
		log.Fatal(err)
	}
}

func build(_ context.Context, stage *play.Stage) (play.Agent, error) {
	config := openai.DefaultConfig("no key")
	config.BaseURL = stage.URL
	config.HTTPClient = guardedClient(stage.Guard)
	a := newAgent(openai.NewClientWithConfig(config), stage)
	return a.answer, nil
}

// guardedClient is an HTTP client whose turns pass the guard, or end in the guard's
// own error. An http.Client with a chatwire.Transport does the same; go-openai then
// has the account as the message of its own error.
func guardedClient(g *guard.Guard) doer {
	middleware := chatwire.Middleware(g, nil)
	return func(request *http.Request) (*http.Response, error) {
		return middleware(request, http.DefaultClient.Do)
	}
}

type doer func(*http.Request) (*http.Response, error)

// Do sends a request.
func (d doer) Do(request *http.Request) (*http.Response, error) { return d(request) }

type agent struct {
	client  *openai.Client
	ledger  *tooltrack.Ledger
	tools   []tooltrack.Tool
	execute func(context.Context, tooltrack.Call) ([]byte, error)
}

func newAgent(client *openai.Client, stage *play.Stage) *agent {
	return &agent{client, stage.Ledger, play.Tools(), stage.Tasks.Execute}
}

func (a *agent) answer(ctx context.Context, user string, hear func(string)) (string, error) {
	messages := []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: user}}
	text, _, err := a.converse(ctx, guard.Input{Owner: play.Owner, Turn: play.Turn}, messages, hear)
	return text, err
}

// converse is the loop as go-openai's users write it: ask, run the calls, ask
// again, until there are none. It returns the text, and all that was said.
func (a *agent) converse(
	ctx context.Context, input guard.Input, messages []openai.ChatCompletionMessage, hear func(string),
) (string, []openai.ChatCompletionMessage, error) {
	ctx = guard.NewContext(ctx, input)
	turn, err := a.ledger.Open(tooltrack.Scope{Owner: input.Owner, Turn: input.Turn})
	if err != nil {
		return "", messages, err
	}
	told := play.Run{}
	for range 10 {
		request := openai.ChatCompletionRequest{Model: "sim", Messages: messages, Tools: a.offered()}
		message, err := a.ask(ctx, request, hear)
		if err != nil {
			return "", messages, err
		}
		messages = append(messages, message)
		if len(message.ToolCalls) == 0 {
			return message.Content, messages, nil
		}
		for _, call := range message.ToolCalls {
			result, err := a.run(ctx, turn, told, call)
			if err != nil {
				return "", messages, err
			}
			messages = append(messages, openai.ChatCompletionMessage{
				Role: openai.ChatMessageRoleTool, ToolCallID: call.ID, Content: result,
			})
		}
	}
	return "", messages, errors.New("too many rounds")
}

// ask asks the model, whole or streamed.
func (a *agent) ask(
	ctx context.Context, request openai.ChatCompletionRequest, hear func(string),
) (openai.ChatCompletionMessage, error) {
	if hear == nil {
		response, err := a.client.CreateChatCompletion(ctx, request)
		if err != nil {
			return openai.ChatCompletionMessage{}, err
		}
		return response.Choices[0].Message, nil
	}
	stream, err := a.client.CreateChatCompletionStream(ctx, request)
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

// run runs a call under the ledger: it is written down before it runs, and a
// change runs once in the turn, however often the loop is run for it.
func (a *agent) run(ctx context.Context, turn *tooltrack.Turn, told play.Run, call openai.ToolCall) (string, error) {
	tool, known := play.ToolNamed(a.tools, call.Function.Name)
	if !known {
		return "Error: there is no tool " + call.Function.Name, nil
	}
	done, err := turn.Do(ctx, tool, tooltrack.Call{
		ID: call.ID, Tool: call.Function.Name, Args: []byte(call.Function.Arguments),
	}, nil, a.execute)
	if err != nil {
		return "", err
	}
	return told.Tell(done), nil
}

func (a *agent) offered() []openai.Tool {
	var offered []openai.Tool
	for _, tool := range a.tools {
		offered = append(offered, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
		}})
	}
	return offered
}
