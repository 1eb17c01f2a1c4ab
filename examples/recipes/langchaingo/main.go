// Langchaingo shows a guard around a loop with tmc/langchaingo: the model gets
// another HTTP client, and the tools run under the ledger.
//
//	go run -C examples/recipes ./langchaingo
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

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
	llm, err := openai.New(openai.WithBaseURL(stage.URL), openai.WithToken("no key"), openai.WithModel("sim"),
		openai.WithHTTPClient(guardedClient(stage.Guard)))
	if err != nil {
		return nil, err
	}
	a := newAgent(llm, stage)
	return a.answer, nil
}

// guardedClient is an HTTP client whose turns pass the guard, or end in the guard's
// own error. An http.Client with a chatwire.Transport does the same; of its errors
// langchaingo then has no more than the account, as a text.
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
	llm     llms.Model
	ledger  *tooltrack.Ledger
	tools   []tooltrack.Tool
	execute func(context.Context, tooltrack.Call) ([]byte, error)
}

func newAgent(llm llms.Model, stage *play.Stage) *agent {
	return &agent{llm, stage.Ledger, play.Tools(), stage.Tasks.Execute}
}

func (a *agent) answer(ctx context.Context, user string, hear func(string)) (string, error) {
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, user)}
	text, _, err := a.converse(ctx, guard.Input{Owner: play.Owner, Turn: play.Turn}, messages, hear)
	return text, err
}

// converse is the loop as langchaingo's users write it: ask, run the calls, ask
// again, until there are none. It returns the text, and all that was said.
func (a *agent) converse(
	ctx context.Context, input guard.Input, messages []llms.MessageContent, hear func(string),
) (string, []llms.MessageContent, error) {
	ctx = guard.NewContext(ctx, input)
	turn, err := a.ledger.Open(tooltrack.Scope{Owner: input.Owner, Turn: input.Turn})
	if err != nil {
		return "", messages, err
	}
	options := []llms.CallOption{llms.WithTools(a.offered())}
	if hear != nil {
		options = append(options, llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
			if !isCalls(chunk) {
				hear(string(chunk))
			}
			return nil
		}))
	}
	told := play.Run{}
	for range 10 {
		response, err := a.llm.GenerateContent(ctx, messages, options...)
		if err != nil {
			return "", messages, err
		}
		choice := response.Choices[0]
		said := llms.TextParts(llms.ChatMessageTypeAI, choice.Content)
		for _, call := range choice.ToolCalls {
			said.Parts = append(said.Parts, call)
		}
		messages = append(messages, said)
		if len(choice.ToolCalls) == 0 {
			return choice.Content, messages, nil
		}
		for _, call := range choice.ToolCalls {
			result, err := a.run(ctx, turn, told, call)
			if err != nil {
				return "", messages, err
			}
			messages = append(messages, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{
				llms.ToolCallResponse{ToolCallID: call.ID, Name: call.FunctionCall.Name, Content: result},
			}})
		}
	}
	return "", messages, errors.New("too many rounds")
}

// isCalls tells pieces of calls from pieces of text: langchaingo streams both to
// the same function.
func isCalls(chunk []byte) bool {
	var calls []struct {
		Function json.RawMessage `json:"function"`
	}
	return json.Unmarshal(chunk, &calls) == nil && len(calls) > 0 && calls[0].Function != nil
}

// run runs a call under the ledger: it is written down before it runs, and a
// change runs once in the turn, however often the loop is run for it.
func (a *agent) run(ctx context.Context, turn *tooltrack.Turn, told play.Run, call llms.ToolCall) (string, error) {
	tool, known := play.ToolNamed(a.tools, call.FunctionCall.Name)
	if !known {
		return "Error: there is no tool " + call.FunctionCall.Name, nil
	}
	done, err := turn.Do(ctx, tool, tooltrack.Call{
		ID: call.ID, Tool: call.FunctionCall.Name, Args: []byte(call.FunctionCall.Arguments),
	}, nil, a.execute)
	if err != nil {
		return "", err
	}
	return told.Tell(done), nil
}

func (a *agent) offered() []llms.Tool {
	var offered []llms.Tool
	for _, tool := range a.tools {
		offered = append(offered, llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
			Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
		}})
	}
	return offered
}
