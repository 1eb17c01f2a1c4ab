package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core"
	"github.com/firebase/genkit/go/genkit"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// This file can be copied as it is. It knows Genkit, and nothing of the agent.

type turnKey struct{}

// withTurn tells models and tools for which turn they work.
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

// guardedModel is a middleware for models of any plugin: a text is handed out only
// if it passed. What passes between guard and model for that stays in here.
//
// A text that must not be shown cannot be taken back, so a stream is held until
// its text has passed. What is said beside calls is not streamed.
func guardedModel(next ai.ModelFunc) ai.ModelFunc {
	return func(ctx context.Context, request *ai.ModelRequest, stream ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		turn, err := turnOf(ctx)
		if err != nil {
			return nil, err
		}
		messages, err := toGuard(request.Messages)
		if err != nil {
			return nil, err
		}
		inner := &asking{next: next, request: *request, streamed: stream != nil}
		answer, err := turn.Model(inner).Generate(ctx, guard.Request{Messages: messages})
		if err != nil {
			return nil, err
		}
		response := *inner.last
		if response.Message, err = oneFromGuard(answer.Message); err != nil {
			return nil, err
		}
		if stream != nil && len(answer.Message.Calls) == 0 {
			err = stream(ctx, &ai.ModelResponseChunk{Role: ai.RoleModel, Content: response.Message.Content})
		}
		return &response, err
	}
}

// asking is the model as the guard asks it, in one request of Genkit's.
type asking struct {
	next     ai.ModelFunc
	request  ai.ModelRequest
	streamed bool
	last     *ai.ModelResponse
}

// Capabilities: Genkit cannot name the tool that a model must call, and not every
// plugin sends tool choices on. The guard then asks in words.
func (a *asking) Capabilities() guard.Capabilities {
	return guard.Capabilities{NoNamedChoice: true, NoRequiredChoice: true}
}

func (a *asking) Generate(ctx context.Context, asked guard.Request) (guard.Response, error) {
	messages, err := fromGuard(asked.Messages)
	if err != nil {
		return guard.Response{}, err
	}
	request := a.request
	request.Messages = messages
	var held ai.ModelStreamCallback
	if a.streamed {
		held = func(context.Context, *ai.ModelResponseChunk) error { return nil }
	}
	if a.last, err = a.next(ctx, &request, held); err != nil {
		return guard.Response{}, err
	}
	answers, err := toGuard([]*ai.Message{a.last.Message})
	if err != nil {
		return guard.Response{}, err
	}
	response := guard.Response{Message: answers[0]}
	switch a.last.FinishReason {
	case ai.FinishReasonLength:
		response.Stop = guard.StopCut
	case ai.FinishReasonBlocked:
		response.Stop, response.Refusal = guard.StopFiltered, a.last.FinishMessage
	}
	if usage := a.last.Usage; usage != nil {
		response.Usage = guard.Usage{Input: usage.InputTokens, Output: usage.OutputTokens}
	}
	return response, nil
}

var roles = map[ai.Role]guard.Role{
	ai.RoleSystem: guard.RoleSystem, ai.RoleUser: guard.RoleUser,
	ai.RoleModel: guard.RoleAssistant, ai.RoleTool: guard.RoleTool,
}

// toGuard keeps Genkit's own messages beside what the guard reads of them, so that pictures, thoughts
// and metadata go back to the model as they were. The results of one message become one message each.
func toGuard(messages []*ai.Message) ([]guard.Message, error) {
	var converted []guard.Message
	for _, message := range messages {
		pieces := []*ai.Message{message}
		if message.Role == ai.RoleTool {
			pieces = nil
			for _, part := range message.Content {
				pieces = append(pieces, &ai.Message{Role: ai.RoleTool, Content: []*ai.Part{part}, Metadata: message.Metadata})
			}
		}
		for _, piece := range pieces {
			one, err := oneToGuard(piece)
			if err != nil {
				return nil, err
			}
			converted = append(converted, one)
		}
	}
	return converted, nil
}

func oneToGuard(message *ai.Message) (guard.Message, error) {
	raw, err := json.Marshal(message)
	if err != nil {
		return guard.Message{}, fmt.Errorf("a message of the conversation: %w", err)
	}
	converted := guard.Message{Role: roles[message.Role], Raw: raw}
	for _, part := range message.Content {
		switch {
		case part.IsText():
			converted.Text += part.Text
		case part.IsToolRequest():
			args, err := json.Marshal(part.ToolRequest.Input)
			if err != nil {
				return guard.Message{}, fmt.Errorf("the arguments of %s: %w", part.ToolRequest.Name, err)
			}
			call := tooltrack.Call{ID: part.ToolRequest.Ref, Tool: part.ToolRequest.Name, Args: args}
			converted.Calls = append(converted.Calls, call)
		case part.IsToolResponse():
			result, err := json.Marshal(part.ToolResponse.Output)
			if err != nil {
				return guard.Message{}, fmt.Errorf("the result of %s: %w", part.ToolResponse.Name, err)
			}
			converted.Tool, converted.CallID, converted.Text = part.ToolResponse.Name, part.ToolResponse.Ref, string(result)
		}
	}
	return converted, nil
}

// fromGuard is toGuard backwards: results that follow each other are one message again, as some providers want it.
func fromGuard(messages []guard.Message) ([]*ai.Message, error) {
	var converted []*ai.Message
	for _, message := range messages {
		one, err := oneFromGuard(message)
		if err != nil {
			return nil, err
		}
		if last := len(converted) - 1; last >= 0 && one.Role == ai.RoleTool && converted[last].Role == ai.RoleTool {
			converted[last].Content = append(converted[last].Content, one.Content...)
			continue
		}
		converted = append(converted, one)
	}
	return converted, nil
}

// oneFromGuard is one message. What the guard changed has no Raw any more.
func oneFromGuard(message guard.Message) (*ai.Message, error) {
	if message.Raw != nil {
		original := new(ai.Message)
		return original, json.Unmarshal(message.Raw, original)
	}
	switch message.Role {
	case guard.RoleSystem:
		return ai.NewSystemTextMessage(message.Text), nil
	case guard.RoleUser:
		return ai.NewUserTextMessage(message.Text), nil
	case guard.RoleTool:
		result := &ai.ToolResponse{Name: message.Tool, Ref: message.CallID, Output: message.Text}
		return ai.NewMessage(ai.RoleTool, nil, ai.NewToolResponsePart(result)), nil
	}
	converted := ai.NewModelTextMessage(message.Text)
	if message.Text == "" {
		converted.Content = nil
	}
	for _, call := range message.Calls {
		var input any
		if err := json.Unmarshal(call.Args, &input); err != nil {
			return nil, fmt.Errorf("the arguments of %s: %w", call.Tool, err)
		}
		part := ai.NewToolRequestPart(&ai.ToolRequest{Name: call.Tool, Ref: call.ID, Input: input})
		converted.Content = append(converted.Content, part)
	}
	return converted, nil
}

// defineRecordedTool is genkit.DefineTool for a tool that runs under the ledger. A call that was denied,
// or that failed, is told to the model; without it, a failed tool ends the run.
//
// Genkit hands a tool its arguments, but not the id of the call, so the call is known by them.
func defineRecordedTool[In, Out any](g *genkit.Genkit, name, description string, fn ai.ToolFunc[In, Out]) ai.Tool {
	run := func(tool *ai.ToolContext, input any) (any, error) {
		turn, err := turnOf(tool)
		if err != nil {
			return nil, err
		}
		args, err := json.Marshal(input)
		if err != nil {
			return nil, err
		}
		executor := guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
			var in In
			if err := json.Unmarshal(call.Args, &in); err != nil {
				return nil, err
			}
			inner := *tool
			inner.Context = ctx
			out, err := fn(&inner, in)
			if text, ok := any(out).(string); ok || err != nil {
				return []byte(text), err
			}
			return json.Marshal(out)
		})
		result, err := turn.Executor(executor).Execute(tool, tooltrack.Call{Tool: name, Args: args})
		if err != nil {
			return nil, err
		}
		if json.Valid(result) {
			return json.RawMessage(result), nil
		}
		return string(result), nil
	}
	var in In
	return genkit.DefineTool(g, name, description, run, ai.WithInputSchema(core.InferSchemaMap(in)))
}
