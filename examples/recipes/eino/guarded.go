package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// This file can be copied as it is. It knows eino, and nothing of the agent.

type turnKey struct{}

// withTurn tells the model and the tools of an agent for which turn they work.
func withTurn(ctx context.Context, turn *guard.Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, turn)
}

var errNoTurn = errors.New("the context has no turn; begin one, and call withTurn")

func turnOf(ctx context.Context) (*guard.Turn, error) {
	if turn, ok := ctx.Value(turnKey{}).(*guard.Turn); ok {
		return turn, nil
	}
	return nil, errNoTurn // to answer without a guard would be a way around it
}

// guardedModel is a chat model whose texts are shown only if they passed. What
// passes between guard and model for that stays in here.
type guardedModel struct {
	inner model.ToolCallingChatModel
}

// WithTools binds tools, as eino's agents do.
func (m guardedModel) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	inner, err := m.inner.WithTools(tools)
	return guardedModel{inner}, err
}

// IsCallbacksEnabled leaves callbacks to the model within, if it calls them: each
// call is seen, those of the guard included, and none twice.
func (m guardedModel) IsCallbacksEnabled() bool {
	checker, ok := m.inner.(components.Checker)
	return ok && checker.IsCallbacksEnabled()
}

// Generate answers, or asks for the next calls.
func (m guardedModel) Generate(
	ctx context.Context, input []*schema.Message, options ...model.Option,
) (*schema.Message, error) {
	return generate(ctx, input, options, m.inner.Generate)
}

// Stream is Generate on a stream: a text that must not be shown cannot be taken
// back, so it is held until it has passed.
func (m guardedModel) Stream(
	ctx context.Context, input []*schema.Message, options ...model.Option,
) (*schema.StreamReader[*schema.Message], error) {
	message, err := generate(ctx, input, options, func(
		ctx context.Context, input []*schema.Message, options ...model.Option,
	) (*schema.Message, error) {
		stream, err := m.inner.Stream(ctx, input, options...)
		if err != nil {
			return nil, err
		}
		return schema.ConcatMessageStream(stream)
	})
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{message}), nil
}

type ask = func(context.Context, []*schema.Message, ...model.Option) (*schema.Message, error)

func generate(
	ctx context.Context, input []*schema.Message, options []model.Option, inner ask,
) (*schema.Message, error) {
	turn, err := turnOf(ctx)
	if err != nil {
		return nil, err
	}
	request := guard.Request{}
	for _, message := range input {
		converted, err := toGuard(message)
		if err != nil {
			return nil, err
		}
		request.Messages = append(request.Messages, converted)
	}
	asking := guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
		return asked(ctx, request, options, inner)
	})
	response, err := turn.Model(asking).Generate(ctx, request)
	if err != nil {
		return nil, err
	}
	return fromGuard(response.Message)
}

func asked(ctx context.Context, request guard.Request, options []model.Option, inner ask) (guard.Response, error) {
	var messages []*schema.Message
	for _, message := range request.Messages {
		converted, err := fromGuard(message)
		if err != nil {
			return guard.Response{}, err
		}
		messages = append(messages, converted)
	}
	answer, err := inner(ctx, messages, append(options[:len(options):len(options)], choice(request.Choice)...)...)
	if err != nil {
		return guard.Response{}, err
	}
	response := guard.Response{}
	if response.Message, err = toGuard(answer); err != nil {
		return guard.Response{}, err
	}
	if meta := answer.ResponseMeta; meta != nil {
		switch meta.FinishReason {
		case "length":
			response.Stop = guard.StopCut
		case "content_filter":
			response.Stop = guard.StopFiltered
		}
		if meta.Usage != nil {
			response.Usage = guard.Usage{Input: meta.Usage.PromptTokens, Output: meta.Usage.CompletionTokens}
		}
	}
	return response, nil
}

// choice says how free the model is; automatic is eino's own business.
func choice(choice guard.Choice) []model.Option {
	switch choice.Mode {
	case guard.ChooseRequired:
		return []model.Option{model.WithToolChoice(schema.ToolChoiceForced)}
	case guard.ChooseNamed:
		return []model.Option{model.WithToolChoice(schema.ToolChoiceForced, choice.Tool)}
	case guard.ChooseNone:
		return []model.Option{model.WithToolChoice(schema.ToolChoiceForbidden)}
	}
	return nil
}

// toGuard keeps eino's own message beside what the guard reads of it: pictures,
// thoughts and extras go back to the model as they were.
func toGuard(message *schema.Message) (guard.Message, error) {
	raw, err := json.Marshal(message)
	if err != nil {
		return guard.Message{}, fmt.Errorf("a message of the conversation: %w", err)
	}
	converted := guard.Message{
		Role: guard.Role(message.Role), Text: textOf(message), CallID: message.ToolCallID, Tool: message.ToolName, Raw: raw,
	}
	for _, call := range message.ToolCalls {
		converted.Calls = append(converted.Calls, tooltrack.Call{
			ID: call.ID, Tool: call.Function.Name, Args: json.RawMessage(call.Function.Arguments),
		})
	}
	return converted, nil
}

func textOf(message *schema.Message) string {
	text := message.Content
	for _, part := range message.UserInputMultiContent {
		text += part.Text
	}
	for _, part := range message.AssistantGenMultiContent {
		text += part.Text
	}
	return text
}

// fromGuard is toGuard backwards. What the guard changed has no Raw any more.
func fromGuard(message guard.Message) (*schema.Message, error) {
	if message.Raw != nil {
		original := new(schema.Message)
		return original, json.Unmarshal(message.Raw, original)
	}
	converted := &schema.Message{
		Role: schema.RoleType(message.Role), Content: message.Text, ToolCallID: message.CallID, ToolName: message.Tool,
	}
	for _, call := range message.Calls {
		converted.ToolCalls = append(converted.ToolCalls, schema.ToolCall{
			ID: call.ID, Type: "function", Function: schema.FunctionCall{Name: call.Tool, Arguments: string(call.Args)},
		})
	}
	return converted, nil
}

// recordedTools runs tools under the ledger. A call that was denied, or that
// failed, is told to the model; without it, a failed tool ends eino's run.
func recordedTools() compose.ToolMiddleware {
	return compose.ToolMiddleware{
		Invokable: func(next compose.InvokableToolEndpoint) compose.InvokableToolEndpoint {
			return func(ctx context.Context, input *compose.ToolInput) (*compose.ToolOutput, error) {
				text, err := record(ctx, input, func(ctx context.Context, input *compose.ToolInput) (string, error) {
					output, err := next(ctx, input)
					if err != nil {
						return "", err
					}
					return output.Result, nil
				})
				return &compose.ToolOutput{Result: text}, err
			}
		},
		Streamable: func(next compose.StreamableToolEndpoint) compose.StreamableToolEndpoint {
			return func(ctx context.Context, input *compose.ToolInput) (*compose.StreamToolOutput, error) {
				text, err := record(ctx, input, func(ctx context.Context, input *compose.ToolInput) (string, error) {
					output, err := next(ctx, input)
					if err != nil {
						return "", err
					}
					return whole(output.Result)
				})
				return &compose.StreamToolOutput{Result: schema.StreamReaderFromArray([]string{text})}, err
			}
		},
		EnhancedInvokable: func(compose.EnhancedInvokableToolEndpoint) compose.EnhancedInvokableToolEndpoint {
			return func(context.Context, *compose.ToolInput) (*compose.EnhancedInvokableToolOutput, error) {
				return nil, errEnhanced
			}
		},
		EnhancedStreamable: func(compose.EnhancedStreamableToolEndpoint) compose.EnhancedStreamableToolEndpoint {
			return func(context.Context, *compose.ToolInput) (*compose.EnhancedStreamableToolOutput, error) {
				return nil, errEnhanced
			}
		},
	}
}

var errEnhanced = errors.New("tools that return pictures and files cannot be recorded; return a text")

type run = func(context.Context, *compose.ToolInput) (string, error)

func record(ctx context.Context, input *compose.ToolInput, run run) (string, error) {
	turn, err := turnOf(ctx)
	if err != nil {
		return "", err
	}
	executor := turn.Executor(guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		approved := *input
		approved.Arguments = string(call.Args)
		text, err := run(ctx, &approved)
		return []byte(text), err
	}))
	call := tooltrack.Call{ID: input.CallID, Tool: input.Name, Args: json.RawMessage(input.Arguments)}
	text, err := executor.Execute(ctx, call)
	return string(text), err
}

func whole(stream *schema.StreamReader[string]) (string, error) {
	defer stream.Close()
	var text strings.Builder
	for {
		piece, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return text.String(), nil
		}
		if err != nil {
			return "", err
		}
		text.WriteString(piece)
	}
}
