package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// chatRequest is a request of chat completions, or of Ollama's own format. The rules are those of
// OpenAI's own server.
type chatRequest struct {
	Model    string
	Messages []struct {
		Role      string
		Content   json.RawMessage
		ToolCalls []struct {
			ID, Type string
			Function struct {
				Name      string
				Arguments json.RawMessage
			}
		} `json:"tool_calls"`
		ToolCallID string `json:"tool_call_id"`
	}
	Tools         []struct{ Function struct{ Name string } }
	ToolChoice    json.RawMessage `json:"tool_choice"`
	StreamOptions struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

func readChat(_ *Provider, body []byte) (d dialogue, err error) {
	var request chatRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return d, fmt.Errorf("we could not parse the JSON body of your request: %w", err)
	}
	if request.Model == "" || len(request.Messages) == 0 {
		return d, errors.New("you must provide a model and messages")
	}
	for _, tool := range request.Tools {
		d.tools = append(d.tools, tool.Function.Name)
	}
	for i, message := range request.Messages {
		if message.Role == "tool" {
			d.steps = append(d.steps, step{answers, message.ToolCallID})
			continue
		}
		if len(message.ToolCalls) == 0 && (len(message.Content) == 0 || string(message.Content) == "null") {
			return d, fmt.Errorf("messages.[%d]: expected a string, got null", i)
		}
		d.steps = append(d.steps, step{})
		for _, call := range message.ToolCalls {
			var arguments string
			unread := json.Unmarshal(call.Function.Arguments, &arguments)
			if unread != nil || call.Type != "function" || message.Role != "assistant" {
				return d, fmt.Errorf("messages.[%d].tool_calls: invalid call %q", i, call.ID)
			}
			d.steps = append(d.steps, step{calls, call.ID})
		}
	}
	return d, d.choose(request.ToolChoice, "function", false, "auto", "none", "required")
}

func prepareChat(_ *Provider, body []byte, a *answer) {
	var request chatRequest
	_ = json.Unmarshal(body, &request) // it has been checked
	a.WantsUsage = request.StreamOptions.Usage
}

// readOllama reads a request of Ollama's own /api/chat. Its server is patient: what it cannot read
// is refused, and calls and results are not held together.
func readOllama(_ *Provider, body []byte) (d dialogue, err error) {
	var request chatRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return d, err
	}
	if request.Model == "" {
		return d, errors.New("model is required")
	}
	for _, message := range request.Messages {
		var text string
		if len(message.Content) > 0 && json.Unmarshal(message.Content, &text) != nil {
			return d, errors.New("json: cannot unmarshal content into a string")
		}
		if !slices.Contains([]string{"system", "user", "assistant", "tool"}, message.Role) {
			return d, fmt.Errorf("invalid role: %s", message.Role)
		}
		for _, call := range message.ToolCalls {
			var arguments map[string]any
			if err := json.Unmarshal(call.Function.Arguments, &arguments); err != nil {
				return d, err
			}
		}
	}
	return d, nil
}
