package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
)

// ollamaFormat is Ollama's own /api/chat. Its server is patient: what it cannot read is
// refused, and calls and results are not held together.
type ollamaFormat struct{}

func (ollamaFormat) check(_ *Provider, body []byte) error {
	var request struct {
		Model    string
		Messages []struct {
			Role, Content string
			ToolCalls     []struct {
				Function struct {
					Name      string
					Arguments map[string]any
				}
			} `json:"tool_calls"`
		}
		Tools []struct{ Function struct{ Name string } }
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return err
	}
	if request.Model == "" {
		return errors.New("model is required")
	}
	for _, message := range request.Messages {
		if !slices.Contains([]string{"system", "user", "assistant", "tool"}, message.Role) {
			return fmt.Errorf("invalid role: %s", message.Role)
		}
	}
	return nil
}

func (ollamaFormat) fault(_ int, message string) any { return object{"error": message} }

func (ollamaFormat) line(message object, reason string) object {
	message["role"] = "assistant"
	line := object{"model": "sim", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": reason != ""}
	if reason != "" {
		line["done_reason"], line["prompt_eval_count"], line["eval_count"] = reason, 10, 5
	}
	return line
}

func (ollamaFormat) calls(said guard.Response) []any {
	var calls []any
	for i, call := range said.Message.Calls {
		function := object{"index": i, "name": call.Tool, "arguments": json.RawMessage(call.Args)}
		calls = append(calls, object{"id": call.ID, "function": function})
	}
	return calls
}

func (f ollamaFormat) whole(_ *Provider, _ []byte, said guard.Response) any {
	message := object{"content": said.Message.Text, "thinking": ollamaThought(said)}
	if calls := f.calls(said); calls != nil {
		message["tool_calls"] = calls
	}
	return f.line(message, cmp.Or(chatStops[said.Stop], "stop"))
}

// ollamaThought is what a model thinks before it says something.
func ollamaThought(said guard.Response) string {
	if said.Message.Text == "" && len(said.Message.Calls) == 0 {
		return ""
	}
	return "What to do?"
}

func (f ollamaFormat) events(_ *Provider, _ []byte, said guard.Response) []any {
	events := []any{f.line(object{"content": "", "thinking": ollamaThought(said)}, "")}
	for _, piece := range pieces(said.Message.Text) {
		events = append(events, f.line(object{"content": piece}, ""))
	}
	for _, call := range f.calls(said) {
		events = append(events, f.line(object{"content": "", "tool_calls": []any{call}}, ""))
	}
	return append(events, f.line(object{"content": ""}, cmp.Or(chatStops[said.Stop], "stop")))
}
