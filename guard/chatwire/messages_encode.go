package chatwire

import (
	"encoding/json"
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
	Content string `json:"content"`
	IsError bool   `json:"is_error,omitempty"`
}

func resultOf(message guard.Message) json.RawMessage {
	read := tooltrack.ParseResult(message.Text, nil).Status
	failed := read == tooltrack.Failed || read == tooltrack.Denied
	return rawBlock(resultBlock{"tool_result", message.CallID, message.Text, failed})
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
// stand together in one message of the user's, before everything else that is
// said there, and nothing is empty. The system prompt has its own place.
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

// MessagesOptions are what a request in the Messages format holds beside the
// conversation.
type MessagesOptions struct {
	// Model is the model's name.
	Model string
	// MaxTokens bounds the answer; the format insists on a number. Default: 4096.
	MaxTokens int
	// Stream asks for the answer in pieces.
	Stream bool
}

type messagesTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type messagesRequest struct {
	Model      string            `json:"model"`
	MaxTokens  int               `json:"max_tokens"`
	System     string            `json:"system,omitempty"`
	Messages   []json.RawMessage `json:"messages"`
	Tools      []messagesTool    `json:"tools,omitempty"`
	ToolChoice any               `json:"tool_choice,omitempty"`
	Stream     bool              `json:"stream,omitempty"`
}

// EncodeMessagesRequest writes a request in the Messages format. Messages that
// carry the provider's own form are replayed as they are.
func EncodeMessagesRequest(request guard.Request, options MessagesOptions) ([]byte, error) {
	wire := messagesRequest{Model: options.Model, MaxTokens: options.MaxTokens, Stream: options.Stream}
	if wire.MaxTokens == 0 {
		wire.MaxTokens = 4096
	}
	messages := request.Messages
	for len(messages) > 0 && messages[0].Role == guard.RoleSystem {
		wire.System = strings.TrimSpace(wire.System + "\n\n" + messages[0].Text)
		messages = messages[1:]
	}
	if wire.Messages = encodeTurns(messages); wire.Messages == nil {
		wire.Messages = []json.RawMessage{}
	}
	for _, tool := range request.Tools {
		schema := tool.Parameters
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		wire.Tools = append(wire.Tools, messagesTool{tool.Name, tool.Description, schema})
	}
	if len(wire.Tools) > 0 {
		wire.ToolChoice = (&Request{}).encodeMessagesChoice(request.Choice)
	}
	return marshal(wire)
}
