package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// messagesFormat is Anthropic's Messages, with the rules of its API.
type messagesFormat struct{}

type messagesRequest struct {
	Model     string
	MaxTokens int `json:"max_tokens"`
	Messages  []struct {
		Role    string
		Content json.RawMessage
	}
	Tools []struct {
		Type, Name string
		Schema     struct{ Type string } `json:"input_schema"`
	}
	ToolChoice *struct{ Type, Name string } `json:"tool_choice"`
	Thinking   struct {
		Type   string
		Budget int `json:"budget_tokens"`
	}
}

func (r *messagesRequest) thinks() bool {
	return r.Thinking.Type != "" && r.Thinking.Type != "disabled"
}

// messagesBlock is a block of a message, as far as rules look at it.
type messagesBlock struct {
	Type, Text, ID, Name string
	Input                json.RawMessage
	Signature, Data      string
	For                  string `json:"tool_use_id"`
	Content              json.RawMessage
	IsError              *bool `json:"is_error"`

	raw json.RawMessage
}

var toolNamePattern = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

func (messagesFormat) check(p *Provider, body []byte) error {
	var request messagesRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return fmt.Errorf("the request body is not valid JSON: %w", err)
	}
	switch {
	case request.Model == "":
		return errors.New("model: Field required")
	case request.MaxTokens < 1:
		return errors.New("max_tokens: Field required")
	case len(request.Messages) == 0:
		return errors.New("messages: at least one message is required")
	case request.Thinking.Type == "enabled" && (request.Thinking.Budget < 1024 ||
		request.Thinking.Budget >= request.MaxTokens):
		return errors.New("`max_tokens` must be greater than `thinking.budget_tokens`, which is at least 1024")
	case bytes.Count(body, []byte(`"cache_control"`)) > 4:
		return errors.New("a maximum of 4 blocks with cache_control may be provided")
	}
	return cmp.Or(request.checkTools(), request.checkMessages(p))
}

func (r *messagesRequest) checkTools() error {
	var names []string
	for i, tool := range r.Tools {
		custom := tool.Type == "" || tool.Type == "custom"
		switch {
		case !toolNamePattern.MatchString(tool.Name):
			return fmt.Errorf("tools.%d.name: string should match pattern '%s'", i, toolNamePattern)
		case slices.Contains(names, tool.Name):
			return errors.New("tools: Tool names must be unique")
		case custom && tool.Schema.Type != "object":
			return fmt.Errorf("tools.%d.input_schema.type: Field required", i)
		}
		names = append(names, tool.Name)
	}
	choice := r.ToolChoice
	if choice == nil {
		return nil
	}
	switch {
	case len(names) == 0:
		return errors.New("tool_choice may only be specified while providing tools")
	case choice.Type == "tool" || choice.Type == "any":
		if r.thinks() {
			return errors.New("thinking may not be enabled when tool_choice forces tool use")
		}
		if choice.Type == "tool" {
			return offered(names, choice.Name)
		}
	case choice.Type != "auto" && choice.Type != "none":
		return fmt.Errorf("tool_choice: unexpected type %q", choice.Type)
	}
	return nil
}

func (r *messagesRequest) checkMessages(p *Provider) error {
	var open []string // calls that the next message has to answer
	for i, message := range r.Messages {
		if message.Role != "user" && message.Role != "assistant" || i == 0 && message.Role != "user" {
			return fmt.Errorf("messages.%d: unexpected role %q", i, message.Role)
		}
		blocks, err := readMessagesBlocks(message.Content)
		if err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
		if open, err = r.checkBlocks(p, message.Role, blocks, open); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
	}
	if len(open) > 0 {
		return unanswered(open)
	}
	if r.Messages[len(r.Messages)-1].Role == "assistant" && !p.paused {
		return errors.New("this model does not support assistant message prefill")
	}
	return nil
}

func unanswered(calls []string) error {
	return fmt.Errorf("`tool_use` ids were found without `tool_result` blocks immediately after: %v", calls)
}

func readMessagesBlocks(content json.RawMessage) ([]messagesBlock, error) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []messagesBlock{{Type: "text", Text: text}}, nil
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(content, &raw); err != nil || len(raw) == 0 {
		return nil, errors.New("content must be non-empty")
	}
	blocks := make([]messagesBlock, len(raw))
	for i := range raw {
		if err := json.Unmarshal(raw[i], &blocks[i]); err != nil {
			return nil, fmt.Errorf("content.%d: %w", i, err)
		}
		blocks[i].raw = raw[i]
	}
	return blocks, nil
}

// checkBlocks checks the blocks of one message. It takes the calls that the
// message has to answer, and returns those that it makes.
func (r *messagesRequest) checkBlocks(
	p *Provider, role string, blocks []messagesBlock, open []string,
) ([]string, error) {
	var calls, thoughts []string
	answered, others := 0, false
	for i := range blocks {
		b := &blocks[i]
		if err := b.check(p, role); err != nil {
			return nil, err
		}
		switch b.Type {
		case "tool_result":
			if others || answered >= len(open) || open[answered] != b.For {
				return nil, fmt.Errorf("unexpected `tool_use_id` found in `tool_result` blocks: %s", b.For)
			}
			answered++
			continue
		case "tool_use":
			if slices.Contains(calls, b.ID) {
				return nil, errors.New("`tool_use` ids must be unique")
			}
			calls = append(calls, b.ID)
		case "thinking", "redacted_thinking":
			thoughts = append(thoughts, b.Signature+b.Data)
		}
		others = true
	}
	if answered != len(open) {
		return nil, unanswered(open[answered:])
	}
	if role != "assistant" {
		return calls, nil
	}
	first, last := blocks[0].Type, blocks[len(blocks)-1].Type
	for _, call := range calls {
		if r.thinks() && !slices.Equal(thoughts, p.led[call]) {
			return nil, errThoughtChanged
		}
	}
	switch {
	case isThought(last):
		return nil, errors.New("the final block in an assistant message cannot be `thinking`")
	case r.thinks() && len(calls) > 0 && !isThought(first):
		return nil, fmt.Errorf("expected `thinking` or `redacted_thinking`, but found `%s`", first)
	}
	return calls, nil
}

var errThoughtChanged = errors.New(
	"`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified")

func isThought(kind string) bool { return kind == "thinking" || kind == "redacted_thinking" }

// check looks at one block by itself.
func (b *messagesBlock) check(p *Provider, role string) error {
	switch b.Type {
	case "text":
		if strings.TrimSpace(b.Text) == "" {
			return errors.New("text content blocks must be non-empty")
		}
	case "tool_use":
		isObject := len(b.Input) > 0 && b.Input[0] == '{'
		if role != "assistant" || b.ID == "" || !toolNamePattern.MatchString(b.Name) || !isObject {
			return errors.New("tool_use: input should be an object, with an id and a name")
		}
	case "tool_result":
		if role != "user" || b.For == "" {
			return errors.New("`tool_result` blocks can only be in `user` messages")
		}
	case "thinking", "redacted_thinking":
		if issued := p.thoughts[b.Signature+b.Data]; issued == nil || !sameValue(issued, b.raw) {
			return errThoughtChanged
		}
	}
	return nil
}

// sameValue compares two objects, whatever the order of their members: a stream
// does not tell it.
func sameValue(a, b json.RawMessage) bool {
	var first, second object
	return json.Unmarshal(a, &first) == nil && json.Unmarshal(b, &second) == nil && reflect.DeepEqual(first, second)
}

func (messagesFormat) fault(status int, message string) any {
	kind := map[int]string{529: "overloaded_error", 429: "rate_limit_error"}[status]
	if kind == "" && status >= 500 {
		kind = "api_error"
	}
	kind = cmp.Or(kind, "invalid_request_error")
	return object{"type": "error", "error": object{"type": kind, "message": message}, "request_id": "req_1"}
}

var messagesStops = map[guard.Stop]string{
	guard.StopEnd: "end_turn", guard.StopCut: "max_tokens", guard.StopFiltered: "refusal", guard.StopRefused: "refusal",
	guard.StopPaused: "pause_turn",
}

// blocks are what an answer holds. A model that thinks says its thoughts first,
// one in the open and one that only the provider can read.
func (messagesFormat) blocks(p *Provider, body []byte, said guard.Response) (blocks []any, stop string) {
	var request messagesRequest
	_ = json.Unmarshal(body, &request) // it has been checked
	stop = messagesStops[said.Stop]
	var led []string
	if request.thinks() && (said.Message.Text != "" || len(said.Message.Calls) > 0) {
		thought := fmt.Sprintf("What to do? <%d> & \u00fc", p.serial)
		led = []string{fmt.Sprintf("Eq%d+/==", p.serial), fmt.Sprintf("Em%d/+=", p.serial)}
		blocks = append(blocks, object{"type": "thinking", "thinking": thought, "signature": led[0]},
			object{"type": "redacted_thinking", "data": led[1]})
		for i, key := range led {
			p.thoughts[key] = marshalled(blocks[i])
		}
	}
	if said.Message.Text != "" {
		blocks = append(blocks, object{"type": "text", "text": said.Message.Text})
	}
	if p.paused = said.Stop == guard.StopPaused; p.paused {
		id := fmt.Sprintf("srvtoolu_%d", p.serial)
		input := object{"query": "rain"}
		blocks = append(blocks, object{"type": "server_tool_use", "id": id, "name": "web_search", "input": input})
	}
	for _, call := range said.Message.Calls {
		p.led[call.ID] = led
		blocks = append(blocks, object{
			"type": "tool_use", "id": call.ID, "name": call.Tool, "input": json.RawMessage(call.Args),
		})
		if said.Stop == guard.StopEnd {
			stop = "tool_use"
		}
	}
	return blocks, stop
}

// marshalled writes a value as a server does: with <, > and & as they are.
func marshalled(value any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // maps and strings always marshal
	return bytes.TrimSpace(out.Bytes())
}

func (f messagesFormat) whole(p *Provider, body []byte, said guard.Response) any {
	blocks, stop := f.blocks(p, body, said)
	return p.message(blocks, stop)
}

func (p *Provider) message(blocks []any, stop any) object {
	return object{
		"id": fmt.Sprintf("msg_%d", p.serial), "type": "message", "role": "assistant", "model": "sim",
		"content": append([]any{}, blocks...), "stop_reason": stop, "stop_sequence": nil,
		"usage": object{
			"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0,
		},
	}
}

func (f messagesFormat) events(p *Provider, body []byte, said guard.Response) []any {
	blocks, stop := f.blocks(p, body, said)
	events := []any{object{"type": "message_start", "message": p.message(nil, nil)}, object{"type": "ping"}}
	for i, value := range blocks {
		block := value.(object)
		begin, deltas := messagesPieces(block)
		events = append(events, object{"type": "content_block_start", "index": i, "content_block": begin})
		for _, delta := range deltas {
			events = append(events, object{"type": "content_block_delta", "index": i, "delta": delta})
		}
		events = append(events, object{"type": "content_block_stop", "index": i})
	}
	return append(events,
		object{
			"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil},
			"usage": object{"output_tokens": 5},
		},
		object{"type": "message_stop"})
}

// messagesPieces is how a block begins, and what follows.
func messagesPieces(block object) (begin object, deltas []object) {
	switch block["type"] {
	case "text":
		for _, piece := range pieces(block["text"].(string)) {
			deltas = append(deltas, object{"type": "text_delta", "text": piece})
		}
		return object{"type": "text", "text": ""}, deltas
	case "thinking":
		for _, piece := range pieces(block["thinking"].(string)) {
			deltas = append(deltas, object{"type": "thinking_delta", "thinking": piece})
		}
		deltas = append(deltas, object{"type": "signature_delta", "signature": block["signature"]})
		return object{"type": "thinking", "thinking": "", "signature": ""}, deltas
	case "tool_use", "server_tool_use":
		for _, piece := range pieces(string(marshalled(block["input"]))) {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": piece})
		}
		return object{"type": block["type"], "id": block["id"], "name": block["name"], "input": object{}}, deltas
	}
	return block, nil
}
