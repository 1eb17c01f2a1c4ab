package chatwire

import (
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Request is a chat-completions request as a client sent it, with what the
// guard needs to know of it. Everything else in the body stays as it is.
type Request struct {
	// Request holds the messages, tools and tool choice. Each message keeps the
	// client's own bytes.
	guard.Request
	// Stream is true when the client wants the answer in pieces.
	Stream bool
	// Structured is true when the client asks for an answer in a schema of its
	// own: such a text is data, not a report.
	Structured bool
	// Choices is how many answers are asked for.
	Choices int
	// Foreign names tools that are not functions; their calls cannot be judged.
	Foreign []string

	body     span
	messages span
	choice   span
}

// ParseRequest reads the body of a request.
func ParseRequest(body []byte) (*Request, error) {
	top, err := whole(body)
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	found, err := top.members("the request", "messages", "tools", "tool_choice", "stream", "response_format", "n", "functions")
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	r := &Request{
		body: top, messages: found[0], choice: found[2], Stream: string(found[3].bytes()) == "true",
		Structured: structured(found[4]), Choices: 1,
	}
	if !found[5].absent() && json.Unmarshal(found[5].bytes(), &r.Choices) != nil {
		return nil, fmt.Errorf("reading the request: n is not a number")
	}
	if err := r.readMessages(found[0]); err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	if err := r.readTools(found[1]); err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	if !found[6].absent() {
		r.Foreign = append(r.Foreign, "functions")
	}
	r.Choice = readToolChoice(found[2])
	return r, nil
}

// structured reports a response_format other than text.
func structured(format span) bool {
	if format.kind() != '{' {
		return false
	}
	found, err := format.members("response_format", "type")
	return err == nil && !found[0].absent() && string(found[0].bytes()) != `"text"`
}

func (r *Request) readMessages(list span) error {
	if list.absent() {
		return nil
	}
	elements, err := list.elements("messages")
	if err != nil {
		return err
	}
	for i, element := range elements {
		message, err := readRequestMessage(element)
		if err != nil {
			return fmt.Errorf("messages[%d]: %w", i, err)
		}
		r.Messages = append(r.Messages, message)
	}
	return nil
}

func readRequestMessage(element span) (guard.Message, error) {
	found, err := element.members("the message", "role", "content", "tool_calls", "function_call", "tool_call_id", "name")
	if err != nil {
		return guard.Message{}, err
	}
	message := guard.Message{Raw: json.RawMessage(element.bytes())}
	role, err := found[0].text("role")
	if err != nil {
		return message, err
	}
	message.Role = roleOf(role)
	if message.Text, _, err = readContent(found[1]); err != nil {
		return message, err
	}
	if message.CallID, err = found[4].text("tool_call_id"); err != nil {
		return message, err
	}
	if message.Role == guard.RoleTool {
		message.Tool, err = found[5].text("name")
		return message, err
	}
	drafts, err := readCalls(found[2], found[3])
	if err != nil {
		return message, err
	}
	for _, d := range drafts {
		message.Calls = append(message.Calls, tooltrack.Call{ID: d.id, Tool: d.name, Args: d.args})
	}
	return message, nil
}

func roleOf(role string) guard.Role {
	switch role {
	case "developer":
		return guard.RoleSystem
	case "function":
		return guard.RoleTool
	}
	return guard.Role(role)
}

func (r *Request) readTools(list span) error {
	if list.absent() {
		return nil
	}
	elements, err := list.elements("tools")
	if err != nil {
		return err
	}
	for i, element := range elements {
		found, err := element.members("the tool", "type", "function")
		if err != nil {
			return fmt.Errorf("tools[%d]: %w", i, err)
		}
		if kind, _ := found[0].text("type"); kind != "function" && kind != "" || found[1].absent() {
			r.Foreign = append(r.Foreign, kind)
			continue
		}
		var definition wireDefinition
		if err := json.Unmarshal(found[1].bytes(), &definition); err != nil {
			return fmt.Errorf("tools[%d]: %w", i, err)
		}
		r.Tools = append(r.Tools, tooltrack.Tool{Name: definition.Name, Description: definition.Description, Parameters: definition.Parameters})
	}
	return nil
}

func readToolChoice(choice span) guard.Choice {
	switch string(choice.bytes()) {
	case `"required"`:
		return guard.Choice{Mode: guard.ChooseRequired}
	case `"none"`:
		return guard.Choice{Mode: guard.ChooseNone}
	}
	var named struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if choice.kind() == '{' && json.Unmarshal(choice.bytes(), &named) == nil && named.Function.Name != "" {
		return guard.Choice{Mode: guard.ChooseNamed, Tool: named.Function.Name}
	}
	return guard.Choice{}
}

// With is the client's own body with other messages and another tool choice.
// Nothing else in it changes. Messages with bytes of their own are copied.
func (r *Request) With(messages []guard.Message, choice guard.Choice) ([]byte, error) {
	raw := make([]json.RawMessage, len(messages))
	for i, message := range messages {
		raw[i] = rawMessage(message)
	}
	list, err := marshalList(raw)
	if err != nil {
		return nil, err
	}
	if r.messages.from == r.messages.to {
		return nil, fmt.Errorf("the request has no messages, so there is no place for others")
	}
	edits := []edit{{r.messages.from, r.messages.to, list}}
	if choice == r.Choice {
		return splice(r.body.body, edits), nil
	}
	wanted, err := marshal(encodeChoice(choice))
	if err != nil {
		return nil, err
	}
	if r.choice.from == r.choice.to { // the client sent none: add the member at the front
		at := r.body.from + 1
		edits = append(edits, edit{at, at, append([]byte(`"tool_choice":`), append(wanted, ',')...)})
	} else {
		edits = append(edits, edit{r.choice.from, r.choice.to, wanted})
	}
	return splice(r.body.body, edits), nil
}

// marshalList writes an array of values that are JSON already, byte for byte.
func marshalList(values []json.RawMessage) ([]byte, error) {
	list := []byte{'['}
	for i, value := range values {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, value...)
	}
	return append(list, ']'), nil
}
