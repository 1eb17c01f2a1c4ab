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
)

// messagesRequest is a request of Anthropic's Messages. The rules are those of its API.
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

func checkMessages(p *Provider, body []byte) error {
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
	var first, second map[string]any
	return json.Unmarshal(a, &first) == nil && json.Unmarshal(b, &second) == nil && reflect.DeepEqual(first, second)
}

// prepareMessages remembers the thoughts of an answer, and the calls that they lead to.
func prepareMessages(p *Provider, body []byte, a *answer) {
	var request messagesRequest
	_ = json.Unmarshal(body, &request) // it has been checked
	a.Thinks, p.paused = request.thinks() && a.Says(), a.Paused
	var led []string
	for _, thought := range p.render("messages thoughts", a) {
		var known messagesBlock
		_ = json.Unmarshal([]byte(thought), &known) // it is a template of ours
		led = append(led, known.Signature+known.Data)
		p.thoughts[known.Signature+known.Data] = json.RawMessage(thought)
	}
	for _, call := range a.Calls {
		p.led[call.ID] = led
	}
}
