package chatwire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

type wireMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// wireChunk is one event of a stream.
type wireChunk struct {
	Object  string      `json:"object"`
	Choices []wireDelta `json:"choices"`
}

type wireDelta struct {
	Index  int             `json:"index"`
	Delta  json.RawMessage `json:"delta"`
	Finish string          `json:"finish_reason"`
}

type wireCall struct {
	Index    *int         `json:"index,omitempty"` // in streams only
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type wireTool struct {
	Type     string         `json:"type"`
	Function wireDefinition `json:"function"`
}

type wireDefinition struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// EncodeRequest writes a request for a model. Messages that carry the
// provider's own form are replayed as they are.
func EncodeRequest(request guard.Request, model string, stream bool) ([]byte, error) {
	return chat{}.encode(request, EncodeOptions{Model: model, Stream: stream})
}

var chatMembers = []string{"model", "messages", "tools", "tool_choice", "stream", "stream_options"}

func (chat) encode(request guard.Request, options EncodeOptions) ([]byte, error) {
	more, err := readMembers(options.More, chatMembers...)
	if err != nil {
		return nil, fmt.Errorf("more: %w", err)
	}
	body := writer{'{'}
	body.add("model", rawBlock(options.Model))
	messages := make([]json.RawMessage, len(request.Messages))
	for i, message := range request.Messages {
		messages[i] = rawMessage(message)
	}
	body.add("messages", marshalList(messages))
	if len(request.Tools) > 0 {
		body.add("tools", marshalList(encodeTools(request.Tools)))
		body.add("tool_choice", rawBlock(encodeChoice(request.Choice)))
	}
	if options.Stream {
		body.add("stream", []byte("true"))
		body.add("stream_options", []byte(`{"include_usage":true}`))
	}
	for _, member := range more.others {
		body.add(member.name, member.value)
	}
	return append(body, '}'), nil
}

func encodeTools(tools []tooltrack.Tool) []json.RawMessage {
	list := make([]json.RawMessage, len(tools))
	for i, tool := range tools {
		list[i] = rawBlock(encodeTool(tool))
	}
	return list
}

func rawMessage(message guard.Message) json.RawMessage {
	if len(message.Raw) > 0 && isChatMessage(message) {
		return message.Raw
	}
	return encodeMessage(message)
}

// isChatMessage reports a message whose own form is one of this format: a
// conversation may have begun with another provider.
func isChatMessage(message guard.Message) bool {
	own, err := whole(message.Raw)
	if err != nil || own.kind() != '{' {
		return false
	}
	return len(message.Calls) == 0 || own.has("tool_calls") || own.has("function_call")
}

// encodeMessage writes a message from its parts.
func encodeMessage(message guard.Message) json.RawMessage {
	wire := wireMessage{Role: string(message.Role), Content: &message.Text, ToolCallID: message.CallID}
	if len(message.Calls) > 0 && message.Text == "" {
		wire.Content = nil
	}
	for _, call := range message.Calls {
		wire.ToolCalls = append(wire.ToolCalls, wireCall{
			ID: call.ID, Type: "function", Function: wireFunction{Name: call.Tool, Arguments: string(call.Args)},
		})
	}
	raw, err := marshal(wire)
	if err != nil { // cannot happen: strings always marshal
		return nil
	}
	return raw
}

type legacyMessage struct {
	Role    string        `json:"role"`
	Name    string        `json:"name,omitempty"`
	Content *string       `json:"content"`
	Call    *wireFunction `json:"function_call,omitempty"`
}

// encodeLegacy writes a message in the older form: one call without an id, and
// a result that is known by the name of its tool.
func encodeLegacy(message guard.Message) json.RawMessage {
	wire := legacyMessage{Role: string(message.Role), Content: &message.Text}
	if message.Role == guard.RoleTool {
		wire.Role, wire.Name = "function", message.Tool
	}
	if len(message.Calls) > 0 {
		call := message.Calls[0]
		wire.Call = &wireFunction{Name: call.Tool, Arguments: string(call.Args)}
		if message.Text == "" {
			wire.Content = nil
		}
	}
	raw, err := marshal(wire)
	if err != nil { // cannot happen: strings always marshal
		return nil
	}
	return raw
}

func encodeLegacyChoice(choice guard.Choice) any {
	if choice.Mode == guard.ChooseNamed {
		return map[string]string{"name": choice.Tool}
	}
	if choice.Mode == guard.ChooseNone {
		return "none"
	}
	return "auto"
}

// wireCalls are calls with their index, which streams need and others ignore.
func wireCalls(calls []tooltrack.Call) []wireCall {
	list := make([]wireCall, len(calls))
	for i, call := range calls {
		function := wireFunction{Name: call.Tool, Arguments: string(call.Args)}
		list[i] = wireCall{Index: &i, ID: call.ID, Type: "function", Function: function}
	}
	return list
}

func encodeTool(tool tooltrack.Tool) wireTool {
	parameters := tool.Parameters
	if len(parameters) == 0 { // some servers insist on a schema
		parameters = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return wireTool{"function", wireDefinition{tool.Name, tool.Description, parameters}}
}

func encodeChoice(choice guard.Choice) any {
	switch choice.Mode {
	case guard.ChooseNamed:
		return map[string]any{"type": "function", "function": map[string]string{"name": choice.Tool}}
	default:
		return choice.String()
	}
}

// marshal writes JSON without turning <, > and & into escapes: models read it.
func marshal(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buffer.Bytes(), "\n"), nil
}
