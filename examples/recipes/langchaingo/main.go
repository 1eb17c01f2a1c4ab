// Langchaingo shows a guard around a loop with tmc/langchaingo: the model gets
// another HTTP client, and the tools run under the ledger.
//
//	go run ./examples/recipes/langchaingo
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
	// recipe: client
	middleware := chatwire.Middleware(stage.Guard, nil)
	client := doer(func(request *http.Request) (*http.Response, error) {
		return middleware(request, http.DefaultClient.Do)
	})
	llm, err := openai.New(openai.WithBaseURL(stage.URL), openai.WithToken("no key"), openai.WithModel("sim"),
		openai.WithHTTPClient(client))
	// end
	if err != nil {
		return nil, err
	}
	a := &agent{llm, stage}
	return a.answer, nil
}

// doer is an HTTP client. An http.Client with a chatwire.Transport does the same;
// of its errors langchaingo then has no more than the account, as a text.
type doer func(*http.Request) (*http.Response, error)

// Do sends a request.
func (d doer) Do(request *http.Request) (*http.Response, error) { return d(request) }

type agent struct {
	llm   llms.Model
	stage *play.Stage
}

// answer is the loop as langchaingo's users write it: ask, run the calls, ask
// again, until there are none.
func (a *agent) answer(ctx context.Context, user string, hear func(string)) (string, error) {
	// recipe: turn
	ctx = guard.NewContext(ctx, guard.Input{Owner: play.Owner, Turn: play.Turn})
	turn, err := a.stage.Ledger.Open(tooltrack.Scope{Owner: play.Owner, Turn: play.Turn})
	// end
	if err != nil {
		return "", err
	}
	options := []llms.CallOption{llms.WithTools(offered())}
	if hear != nil {
		options = append(options, llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
			if !isCalls(chunk) {
				hear(string(chunk))
			}
			return nil
		}))
	}
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, user)}
	told := play.Run{}
	for range 10 {
		response, err := a.llm.GenerateContent(ctx, messages, options...)
		if err != nil {
			return "", err
		}
		choice := response.Choices[0]
		if len(choice.ToolCalls) == 0 {
			return choice.Content, nil
		}
		said := llms.TextParts(llms.ChatMessageTypeAI, choice.Content)
		for _, call := range choice.ToolCalls {
			said.Parts = append(said.Parts, call)
		}
		messages = append(messages, said)
		for _, call := range choice.ToolCalls {
			result, err := a.run(ctx, turn, told, call)
			if err != nil {
				return "", err
			}
			messages = append(messages, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{
				llms.ToolCallResponse{ToolCallID: call.ID, Name: call.FunctionCall.Name, Content: result},
			}})
		}
	}
	return "", errors.New("too many rounds")
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
	tool, known := play.ToolNamed(call.FunctionCall.Name)
	if !known {
		return "Error: there is no tool " + call.FunctionCall.Name, nil
	}
	// recipe: tools
	done, err := turn.Do(ctx, tool, tooltrack.Call{
		ID: call.ID, Tool: call.FunctionCall.Name, Args: []byte(call.FunctionCall.Arguments),
	}, nil, a.stage.Tasks.Execute)
	// end
	if err != nil {
		return "", err
	}
	return told.Tell(done), nil
}

func offered() []llms.Tool {
	var offered []llms.Tool
	for _, tool := range play.Tools() {
		offered = append(offered, llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
			Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
		}})
	}
	return offered
}
