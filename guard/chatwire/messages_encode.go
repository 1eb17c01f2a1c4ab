package chatwire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

type messagesMessage struct {
	Role    string            `json:"role"`
	Content []json.RawMessage `json:"content"`
}

type textBlock struct {
	Type      string            `json:"type"`
	Text      string            `json:"text"`
	Citations []json.RawMessage `json:"citations,omitempty"`
}

type callBlock struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type resultBlock struct {
	Type    string `json:"type"`
	ID      string `json:"tool_use_id"`
	Content any    `json:"content"` // a text, or blocks
	IsError bool   `json:"is_error,omitempty"`
}

func resultOf(message guard.Message) json.RawMessage {
	result := resultBlock{"tool_result", message.CallID, message.Text, toldFailed(message)}
	if len(message.Parts) > 0 {
		result.Content = contentOf(message, textOf, partBlock)
	}
	return rawBlock(result)
}

// toldFailed reports a result that says that its call did not work.
func toldFailed(message guard.Message) bool {
	read := tooltrack.ParseResult(message.Text, nil).Status
	return message.Failed || read != tooltrack.Succeeded && read != tooltrack.Pending
}

// rawBlock writes a block from its parts.
func rawBlock(value any) json.RawMessage {
	raw, err := marshal(value)
	if err != nil { // cannot happen: strings and valid JSON always marshal
		return json.RawMessage(`{"type":"text","text":"-"}`)
	}
	return raw
}

func textOf(text string) json.RawMessage { return rawBlock(textBlock{Type: "text", Text: text}) }

func callOf(call tooltrack.Call) json.RawMessage {
	input := json.RawMessage(call.Args)
	if !isObject(input) { // a call that is being refused has to be replayed all the same
		input = json.RawMessage(`{}`)
	}
	return rawBlock(callBlock{"tool_use", call.ID, call.Tool, input})
}

func isObject(data []byte) bool {
	value, err := whole(data)
	return err == nil && value.kind() == '{'
}

// encodeTurns writes messages in the order that the format asks for: results
// stand together in one message of the user's, before what the guard adds there,
// and nothing is empty. What the user says is a message of its own, since it
// begins a turn. The system prompt has its own place.
func encodeTurns(messages []guard.Message) []json.RawMessage {
	var turns []json.RawMessage
	var blocks []json.RawMessage // of a message of the user's that is still open
	end := func() {
		if len(blocks) > 0 {
			turns = append(turns, rawBlock(messagesMessage{"user", blocks}))
			blocks = nil
		}
	}
	for i, message := range messages {
		switch {
		case message.Role == guard.RoleSystem && i == 0 && !message.Internal:
		case message.Role == guard.RoleTool:
			blocks = append(blocks, resultOf(message))
		case message.Role == guard.RoleAssistant:
			end()
			if raw := encodeAnthropic(message); raw != nil {
				turns = append(turns, raw)
			}
		case len(message.Raw) > 0:
			end()
			turns = append(turns, message.Raw)
		case strings.TrimSpace(message.Text) != "":
			if message.Role == guard.RoleUser && !message.Internal {
				end()
			}
			blocks = append(blocks, textOf(message.Text))
		}
	}
	end()
	return turns
}

// encodeAnthropic writes a message of the assistant's, or nil for one that says
// nothing: the format has no empty ones.
func encodeAnthropic(message guard.Message) json.RawMessage {
	if len(message.Raw) > 0 {
		if own, err := whole(message.Raw); err == nil && hasBlocks(own) {
			return message.Raw
		}
	}
	raw := assistantOf(message)
	if string(raw) == `{"role":"assistant","content":[]}` {
		return nil
	}
	return raw
}

// hasBlocks reports a message in the form of this format: a conversation may
// have begun with another provider.
func hasBlocks(message span) bool {
	if message.kind() != '{' || message.has("tool_calls") {
		return false
	}
	found, err := message.members("the message", "content")
	return err == nil && found[0].kind() == '[' && !emptyList(found[0])
}

// assistantOf writes a message of the assistant's from its parts.
func assistantOf(message guard.Message) json.RawMessage {
	blocks := []json.RawMessage{}
	if strings.TrimSpace(message.Text) != "" {
		blocks = append(blocks, textOf(message.Text))
	}
	for _, call := range message.Calls {
		blocks = append(blocks, callOf(call))
	}
	return rawBlock(messagesMessage{"assistant", blocks})
}

// MessagesOptions are what a request in the Messages format holds besides the
// conversation.
type MessagesOptions struct {
	// Model is the model's name.
	Model string
	// MaxTokens bounds the answer; the format insists on a number. Default: 4096.
	MaxTokens int
	// Stream asks for the answer in pieces.
	Stream bool
	// More is an object with further members, such as thinking or cache_control.
	// Its blocks of system stand before the conversation's own, its tools after
	// the others, and of its tool_choice the word on calls in parallel is kept.
	// Its tools must be ones that the provider runs by itself. Default: none.
	More json.RawMessage
}

type messagesTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

// messagesMembers are the members of a request that are never copied from
// [MessagesOptions.More].
var messagesMembers = []string{
	"model", "max_tokens", "stream", "messages", "system", "tools", "tool_choice",
}

func (anthropic) encode(request guard.Request, options EncodeOptions) ([]byte, error) {
	own := MessagesOptions{Model: options.Model, Stream: options.Stream, More: options.More}
	return EncodeMessagesRequest(request, own)
}

// EncodeMessagesRequest writes a request in the Messages format. Messages that
// carry the provider's own form are replayed as they are, byte for byte.
func EncodeMessagesRequest(request guard.Request, options MessagesOptions) ([]byte, error) {
	more, err := readMembers(options.More, messagesMembers...)
	if err != nil {
		return nil, fmt.Errorf("more: %w", err)
	}
	body := writer{'{'}
	body.add("model", rawBlock(options.Model))
	if options.MaxTokens == 0 {
		options.MaxTokens = 4096
	}
	body.add("max_tokens", strconv.AppendInt(nil, int64(options.MaxTokens), 10))
	if options.Stream {
		body.add("stream", []byte("true"))
	}
	for _, member := range more.others {
		body.add(member.name, member.value)
	}
	system, err := readMoreSystem(more.named[4])
	if err != nil {
		return nil, fmt.Errorf("more: %w", err)
	}
	own, err := providersTools(more.named[5])
	if err != nil {
		return nil, fmt.Errorf("more: %w", err)
	}
	messages := request.Messages
	var prompts []string
	for len(messages) > 0 && messages[0].Role == guard.RoleSystem {
		prompts = append(prompts, strings.TrimSpace(messages[0].Text))
		messages = messages[1:]
	}
	if said := strings.TrimSpace(strings.Join(prompts, "\n\n")); said != "" {
		system = append(system, textOf(said))
	}
	if len(system) > 0 {
		body.add("system", marshalList(system))
	}
	if len(request.Tools)+len(own) > 0 {
		body.add("tools", marshalList(append(encodeInputTools(request.Tools), own...)))
	}
	if len(request.Tools) > 0 {
		body.add("tool_choice", rawBlock((&Request{choice: more.named[6]}).encodeMessagesChoice(request.Choice)))
	}
	body.add("messages", marshalList(encodeTurns(messages)))
	return append(body, '}'), nil
}

func encodeInputTools(tools []tooltrack.Tool) []json.RawMessage {
	var list []json.RawMessage
	for _, tool := range tools {
		schema := tool.Parameters
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		list = append(list, rawBlock(messagesTool{tool.Name, tool.Description, schema}))
	}
	return list
}

// readMoreSystem reads a system prompt as blocks.
func readMoreSystem(system span) ([]json.RawMessage, error) {
	if system.absent() {
		return nil, nil
	}
	if system.kind() != '[' {
		text, err := system.text("system")
		if err != nil || strings.TrimSpace(text) == "" {
			return nil, err
		}
		return []json.RawMessage{textOf(text)}, nil
	}
	elements, err := system.elements("system")
	blocks := make([]json.RawMessage, len(elements))
	for i, element := range elements {
		blocks[i] = element.bytes()
	}
	return blocks, err
}
