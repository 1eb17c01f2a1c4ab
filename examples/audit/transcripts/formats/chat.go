package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// chat reads the messages of OpenAI's chat completions, which most model servers and frameworks
// speak: whole conversations, requests with their responses, or messages one by one.
//
// Shape: https://platform.openai.com/docs/api-reference/chat (messages with
// role, content, tool_calls and tool_call_id; choices of a completion; the older
// functions and function_call).
type chat struct{}

func (chat) Name() string { return "OpenAI chat messages" }

func (chat) Take(v *Value) ([]Part, bool) {
	e := exchangeOf(v.Members())
	if list(unquoted(e.request["messages"])) != nil || isArray(e.request["messages"]) {
		return alone(v), true
	}
	if text(v.Members()["role"]) != "" && !v.Has("parts") {
		return loose(v), true
	}
	return nil, false
}

// isArray tells an array by its first byte: one that cannot be read is damage of this format, not another one.
func isArray(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '['
}

func (f chat) Read(parts []Part) ([]*Conversation, error) {
	if parts[0].Key == Loose {
		return one(f.messages(joined(parts), parts[0].Line))
	}
	return one(f.entry(parts[0]))
}

// joined are loose parts as one list.
func joined(parts []Part) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('[')
	for i, part := range parts {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(part.Data)
	}
	out.WriteByte(']')
	return out.Bytes()
}

func (f chat) entry(part Part) (*Conversation, error) {
	var whole struct {
		Records []*tooltrack.Record `json:"records"`
		Model   string              `json:"model"`
	}
	if err := decode(part.Data, &whole); err != nil {
		return nil, err
	}
	e := exchangeOf(object(part.Data))
	messages, cut := unquoted(e.request["messages"]), false
	if answer, finish := choice(e.response); len(answer) > 0 {
		messages, e.answered = appended(messages, answer), true
		cut = finish == "tool_calls" || finish == "function_call"
	}
	c, err := f.messages(messages, part.Line)
	if err != nil {
		return nil, err
	}
	c.ID, c.Model = e.names()
	c.Tools, c.Records, c.LastTurn = tools(e.member("tools"), e.member("functions")), whole.Records, e.answered
	if n := len(c.Messages); cut && n > 0 && len(c.Messages[n-1].Calls) == 0 {
		c.Unseen[n-1] = unseenCalls
	}
	return c, nil
}

// choice is the message of a completion, and why it ended. Ollama's answers hold it alone.
func choice(response map[string]json.RawMessage) (message json.RawMessage, finish string) {
	if message = response["message"]; text(object(message)["role"]) == "assistant" {
		return message, text(response["done_reason"])
	}
	for _, raw := range list(response["choices"]) {
		var first struct {
			Message json.RawMessage `json:"message"`
			Finish  string          `json:"finish_reason"`
		}
		if json.Unmarshal(raw, &first) == nil && !isNull(first.Message) {
			return first.Message, first.Finish
		}
	}
	return nil, ""
}

// appended is a list with one element more.
func appended(elements, element json.RawMessage) json.RawMessage {
	made := append([]byte(nil), bytes.TrimSuffix(bytes.TrimSpace(elements), []byte("]"))...)
	if len(bytes.TrimSpace(made)) > 1 {
		made = append(made, ',')
	}
	return append(append(made, element...), ']')
}

// messages reads messages as strictly as the guard does in production.
func (f chat) messages(elements json.RawMessage, line int) (*Conversation, error) {
	wrapped := make([]byte, 0, len(elements)+16)
	wrapped = append(append(append(wrapped, `{"messages":`...), elements...), '}')
	request, err := chatwire.ChatCompletions.ParseRequest(wrapped)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "reading the request: "))
	}
	for i := range request.Messages {
		message := &request.Messages[i]
		if message.Role != guard.RoleAssistant {
			message.Calls = nil // no other role calls tools
		}
		if message.Role == guard.RoleAssistant && message.Text == "" && len(message.Calls) == 0 {
			message.Text = refusal(message.Raw)
		}
	}
	nameCalls(request.Messages)
	c := &Conversation{Format: f.Name(), Line: line, Messages: request.Messages, Unseen: map[int]string{}}
	for i := range request.Messages {
		if foreignCalls(request.Messages[i].Raw) {
			c.Unseen[i] = unseenForeign
		}
	}
	return c, nil
}

// unseenForeign is a call or a result in a form that no reader knows.
const unseenForeign = "its calls are in a form that is not read here"

// foreignCalls reports whether a message holds parts that speak of tools: this
// format has none, so they are calls or results of another one.
func foreignCalls(raw json.RawMessage) bool {
	if !bytes.Contains(raw, []byte("tool")) && !bytes.Contains(raw, []byte("Tool")) {
		return false
	}
	for _, element := range list(object(raw)["content"]) {
		part := object(element)
		if strings.Contains(strings.ToLower(text(part["type"])), "tool") {
			return true
		}
		for key := range part {
			if strings.HasPrefix(strings.ToLower(key), "tool") {
				return true
			}
		}
	}
	return false
}

// refusal is the provider's own field for one; it is said to the user as any text is.
func refusal(raw json.RawMessage) string {
	var said struct {
		Refusal string `json:"refusal"`
	}
	_ = json.Unmarshal(raw, &said) // what cannot be read says nothing
	return said.Refusal
}
