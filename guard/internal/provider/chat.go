package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// chatRequest is a request of chat completions. The rules are those of OpenAI's own server.
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

func checkChat(_ *Provider, body []byte) error {
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

func prepareChat(_ *Provider, body []byte, a *answer) {
	var request chatRequest
	_ = json.Unmarshal(body, &request) // it has been checked
	a.WantsUsage = request.StreamOptions.Usage
}
