package openaiguard_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
	"github.com/bonafide-go/bonafide/internal/promisetable"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// clientOf is a client of a server on loopback, with its default retries.
func clientOf(address string, options ...option.RequestOption) openai.Client {
	return openai.NewClient(append([]option.RequestOption{
		option.WithBaseURL(address + "/v1/"), option.WithAPIKey("test-key"),
	}, options...)...)
}

func schemaOf(tool tooltrack.Tool) map[string]any {
	var schema map[string]any
	if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
		panic(err)
	}
	return schema
}

func execute(ctx context.Context, executor guard.Executor, id, tool, args string) string {
	body, err := executor.Execute(ctx, tooltrack.Call{ID: id, Tool: tool, Args: []byte(args)})
	if err != nil {
		return "Error: " + err.Error()
	}
	return string(body)
}

// chatLoop is a loop on chat completions that knows nothing of a guard.
func chatLoop(client openai.Client, s *guardtest.Setting, streamed bool) guardtest.Talk {
	params := openai.ChatCompletionNewParams{Model: "sim"}
	for _, tool := range s.Tools {
		params.Tools = append(params.Tools, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: tool.Name, Description: openai.String(tool.Description), Parameters: schemaOf(tool),
		}))
	}
	return func(ctx context.Context, user string) (string, error) {
		params.Messages = append(params.Messages, openai.UserMessage(user))
		var read strings.Builder
		for {
			message, err := askChat(ctx, client, params, streamed, &read)
			if err != nil {
				return read.String(), err
			}
			params.Messages = append(params.Messages, message.ToParam())
			if len(message.ToolCalls) == 0 {
				return read.String(), nil
			}
			for _, call := range message.ToolCalls {
				said := execute(ctx, s.Executor, call.ID, call.Function.Name, call.Function.Arguments)
				params.Messages = append(params.Messages, openai.ToolMessage(said, call.ID))
			}
		}
	}
}

func askChat(
	ctx context.Context, client openai.Client, params openai.ChatCompletionNewParams, streamed bool, read *strings.Builder,
) (openai.ChatCompletionMessage, error) {
	if !streamed {
		answer, err := client.Chat.Completions.New(ctx, params)
		if err != nil {
			return openai.ChatCompletionMessage{}, err
		}
		read.WriteString(answer.Choices[0].Message.Content)
		return answer.Choices[0].Message, nil
	}
	stream := client.Chat.Completions.NewStreaming(ctx, params)
	var answer openai.ChatCompletionAccumulator
	for stream.Next() {
		chunk := stream.Current()
		answer.AddChunk(chunk)
		if len(chunk.Choices) > 0 {
			read.WriteString(chunk.Choices[0].Delta.Content)
		}
	}
	if err := stream.Err(); err != nil {
		return openai.ChatCompletionMessage{}, err
	}
	return answer.Choices[0].Message, nil
}

// keeping says who keeps the conversation of a loop on Responses.
type keeping int

const (
	byClient       keeping = iota // everything is sent again
	byID                          // it goes on from the last response
	inConversation                // the provider has all of it
)

// itemsLoop is a loop on Responses that knows nothing of a guard. Each request may
// be made by another client: the replicas of a program.
func itemsLoop(client func() openai.Client, s *guardtest.Setting, kept keeping, streamed bool) guardtest.Talk {
	params := responses.ResponseNewParams{Model: "sim", Instructions: openai.String("Be brief.")}
	switch kept {
	case byClient:
		params.Store = openai.Bool(false)
		params.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	case inConversation:
		params.Conversation = responses.ResponseNewParamsConversationUnion{OfString: openai.String("conv_1")}
	}
	for _, tool := range s.Tools {
		params.Tools = append(params.Tools, responses.ToolUnionParam{OfFunction: &responses.FunctionToolParam{
			Name: tool.Name, Description: openai.String(tool.Description), Parameters: schemaOf(tool),
		}})
	}
	var items responses.ResponseInputParam // not yet sent, or, if the client keeps them, all
	return func(ctx context.Context, user string) (string, error) {
		items = append(items, responses.ResponseInputItemParamOfMessage(user, responses.EasyInputMessageRoleUser))
		read := ""
		for {
			params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: items}
			response, said, err := respondOnce(ctx, client(), params, streamed)
			if read += said; err != nil {
				if kept == inConversation {
					items = nil // the provider has them
				}
				return read, err
			}
			switch kept {
			case byClient:
				items = append(items, itemsOf(response)...)
			case byID:
				params.PreviousResponseID, items = openai.String(response.ID), nil
			case inConversation:
				items = nil
			}
			called := false
			for _, item := range response.Output {
				if item.Type == "function_call" {
					called = true
					said := execute(ctx, s.Executor, item.CallID, item.Name, item.Arguments.OfString)
					items = append(items, responses.ResponseInputItemParamOfFunctionCallOutput(item.CallID, said))
				}
			}
			if !called {
				return read, nil
			}
		}
	}
}

// itemsOf is an answer as it is sent back.
func itemsOf(response *responses.Response) responses.ResponseInputParam {
	var items responses.ResponseInputParam
	for _, item := range response.Output {
		var back responses.ResponseInputItemUnionParam
		if err := json.Unmarshal([]byte(item.RawJSON()), &back); err != nil {
			panic(err)
		}
		items = append(items, back)
	}
	return items
}

func adapters() []guardtest.Adapter {
	messagesOnly := map[string]string{"written": "no: it does not run it", "once": "no: it does not run it"}
	guarded := func(s *guardtest.Setting) openai.Client {
		return clientOf(s.Address, option.WithMiddleware(openaiguard.Middleware(s.Guard, nil)))
	}
	one := func(s *guardtest.Setting) func() openai.Client {
		client := guarded(s)
		return func() openai.Client { return client }
	}
	replicas := func(s *guardtest.Setting) func() openai.Client { return func() openai.Client { return guarded(s) } }
	var list []guardtest.Adapter
	for variant, streamed := range map[string]bool{"": false, ", streamed": true} {
		model := func(name string, byResponses bool) guardtest.Adapter {
			return guardtest.Adapter{
				Name: "openaiguard.Model", Variant: name + variant, Wire: true, Streams: streamed,
				Open: func(s *guardtest.Setting) guardtest.Talk {
					model := openaiguard.NewModel(clientOf(s.Address), "sim", &openaiguard.Options{Responses: byResponses})
					return guardtest.Conversation(s.Guard, model, s.Executor, streamed)
				},
			}
		}
		loop := func(name string, open func(s *guardtest.Setting) guardtest.Talk) guardtest.Adapter {
			return guardtest.Adapter{
				Name: "openaiguard.Middleware", Variant: name + variant, Wire: true, Streams: streamed, Except: messagesOnly, Open: open,
			}
		}
		list = append(list, model("chat completions", false), model("Responses", true),
			loop("chat completions", func(s *guardtest.Setting) guardtest.Talk { return chatLoop(guarded(s), s, streamed) }),
			loop("Responses", func(s *guardtest.Setting) guardtest.Talk { return itemsLoop(one(s), s, byClient, streamed) }),
			loop("Responses by id", func(s *guardtest.Setting) guardtest.Talk { return itemsLoop(one(s), s, byID, streamed) }),
			loop("Responses by id, in replicas", func(s *guardtest.Setting) guardtest.Talk { return itemsLoop(replicas(s), s, byID, streamed) }),
			loop("Responses in a conversation", func(s *guardtest.Setting) guardtest.Talk { return itemsLoop(one(s), s, inConversation, streamed) }),
			loop("Responses in a conversation, in replicas", func(s *guardtest.Setting) guardtest.Talk { return itemsLoop(replicas(s), s, inConversation, streamed) }))
	}
	return list
}

func TestAdapters(t *testing.T) {
	promisetable.Check(t, guardtest.Promises(), guardtest.TestAdapters(t, adapters()...))
}
