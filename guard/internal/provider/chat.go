package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// chatFormat is chat completions, with the rules of OpenAI's own server.
type chatFormat struct{}

type chatRequest struct {
	Model    string
	Messages []struct {
		Role      string
		Content   json.RawMessage
		ToolCalls []struct {
			ID, Type string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
		ToolCallID string `json:"tool_call_id"`
	}
	Tools         []struct{ Function struct{ Name string } }
	ToolChoice    json.RawMessage `json:"tool_choice"`
	StreamOptions struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

func (chatFormat) check(_ *Provider, body []byte) error {
	var request chatRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return fmt.Errorf("we could not parse the JSON body of your request: %w", err)
	}
	if request.Model == "" || len(request.Messages) == 0 {
		return errors.New("you must provide a model and messages")
	}
	var names []string
	for _, tool := range request.Tools {
		names = append(names, tool.Function.Name)
	}
	return cmp.Or(checkFlatChoice(request.ToolChoice, names), request.checkMessages())
}

// checkMessages holds calls and results together.
func (r *chatRequest) checkMessages() error {
	open := map[string]bool{} // calls that have no result yet
	for i, message := range r.Messages {
		if message.Role == "tool" {
			if !open[message.ToolCallID] {
				return fmt.Errorf("messages.[%d]: messages with role 'tool' must be a response to a preceding message "+
					"with 'tool_calls'", i)
			}
			delete(open, message.ToolCallID)
			continue
		}
		if len(open) > 0 {
			return errors.New("an assistant message with 'tool_calls' must be followed by tool messages responding to " +
				"each 'tool_call_id'")
		}
		if len(message.ToolCalls) == 0 && (len(message.Content) == 0 || string(message.Content) == "null") {
			return fmt.Errorf("messages.[%d]: expected a string, got null", i)
		}
		for _, call := range message.ToolCalls {
			if call.ID == "" || open[call.ID] || call.Type != "function" || message.Role != "assistant" {
				return fmt.Errorf("messages.[%d].tool_calls: invalid call %q", i, call.ID)
			}
			open[call.ID] = true
		}
	}
	if len(open) > 0 {
		return errors.New("an assistant message with 'tool_calls' must be followed by tool messages")
	}
	return nil
}

// checkFlatChoice checks the choice of chat completions and of Responses.
func checkFlatChoice(choice json.RawMessage, names []string) error {
	switch string(choice) {
	case "", "null":
		return nil
	case `"auto"`, `"none"`, `"required"`:
		if len(names) == 0 {
			return errors.New("'tool_choice' is only allowed when 'tools' are specified")
		}
		return nil
	}
	var named struct {
		Type, Name string
		Function   struct{ Name string }
	}
	if err := json.Unmarshal(choice, &named); err != nil || named.Type != "function" {
		return errors.New("invalid value for 'tool_choice'")
	}
	return offered(names, named.Name+named.Function.Name)
}

func (chatFormat) fault(status int, message string) any {
	kind := "invalid_request_error"
	if status >= 500 {
		kind = "server_error"
	}
	return object{"error": object{"message": message, "type": kind, "param": nil, "code": nil}}
}

// chatStops are what chat completions and Ollama call an answer that is not whole.
var chatStops = map[guard.Stop]string{guard.StopCut: "length", guard.StopFiltered: "content_filter"}

func chatFinish(said guard.Response) string {
	finish := "stop"
	if len(said.Message.Calls) > 0 {
		finish = "tool_calls"
	}
	return cmp.Or(chatStops[said.Stop], finish)
}

func chatCall(call tooltrack.Call, args string) object {
	return object{"id": call.ID, "type": "function", "function": object{"name": call.Tool, "arguments": args}}
}

func chatUsage() object {
	return object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
}

// chatAnswer is an answer, or a piece of one.
func (p *Provider) chatAnswer(kind string, choices ...any) object {
	return object{
		"id": fmt.Sprintf("chatcmpl-%d", p.serial), "object": kind, "created": 1, "model": "sim",
		"choices": append([]any{}, choices...),
	}
}

func (chatFormat) whole(p *Provider, _ []byte, said guard.Response) any {
	message := object{"role": "assistant", "content": said.Message.Text, "refusal": nil}
	var calls []any
	for _, call := range said.Message.Calls {
		calls = append(calls, chatCall(call, string(call.Args)))
	}
	if calls != nil {
		message["tool_calls"] = calls
		if said.Message.Text == "" {
			message["content"] = nil
		}
	}
	if said.Refusal != "" {
		message["refusal"] = said.Refusal
	}
	answer := p.chatAnswer("chat.completion", object{"index": 0, "message": message, "finish_reason": chatFinish(said)})
	answer["usage"] = chatUsage()
	return answer
}

func (chatFormat) events(p *Provider, body []byte, said guard.Response) []any {
	var request chatRequest
	_ = json.Unmarshal(body, &request) // it has been checked
	var events []any
	chunk := func(delta object, finish any) {
		choice := object{"index": 0, "delta": delta, "finish_reason": finish}
		events = append(events, p.chatAnswer("chat.completion.chunk", choice))
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	for _, piece := range pieces(said.Message.Text) {
		chunk(object{"content": piece}, nil)
	}
	if said.Refusal != "" {
		chunk(object{"refusal": said.Refusal}, nil)
	}
	for i, call := range said.Message.Calls {
		begun := chatCall(call, "")
		begun["index"] = i
		chunk(object{"tool_calls": []any{begun}}, nil)
		for _, piece := range pieces(string(call.Args)) {
			chunk(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": piece}}}}, nil)
		}
	}
	chunk(object{}, chatFinish(said))
	if request.StreamOptions.Usage {
		usage := p.chatAnswer("chat.completion.chunk")
		usage["usage"] = chatUsage()
		events = append(events, usage)
	}
	return append(events, "[DONE]")
}
