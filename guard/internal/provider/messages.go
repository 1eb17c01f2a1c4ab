package provider

import (
	"bytes"
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
	ToolChoice json.RawMessage `json:"tool_choice"`
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

func readMessages(p *Provider, body []byte) (d dialogue, err error) {
	var request messagesRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return d, fmt.Errorf("the request body is not valid JSON: %w", err)
	}
	switch {
	case request.Model == "":
		return d, errors.New("model: Field required")
	case request.MaxTokens < 1:
		return d, errors.New("max_tokens: Field required")
	case len(request.Messages) == 0:
		return d, errors.New("messages: at least one message is required")
	case request.Thinking.Type == "enabled" && (request.Thinking.Budget < 1024 ||
		request.Thinking.Budget >= request.MaxTokens):
		return d, errors.New("`max_tokens` must be greater than `thinking.budget_tokens`, which is at least 1024")
	case bytes.Count(body, []byte(`"cache_control"`)) > 4:
		return d, errors.New("a maximum of 4 blocks with cache_control may be provided")
	}
	if err = request.readTools(&d); err != nil {
		return d, err
	}
	for i, message := range request.Messages {
		if message.Role != "user" && message.Role != "assistant" || i == 0 && message.Role != "user" {
			return d, fmt.Errorf("messages.%d: unexpected role %q", i, message.Role)
		}
		blocks, err := readMessagesBlocks(message.Content)
		if err == nil {
			err = request.readBlocks(p, &d, message.Role, blocks)
		}
		if err != nil {
			return d, fmt.Errorf("messages.%d: %w", i, err)
		}
		d.begun = message.Role == "assistant" && !p.paused
	}
	return d, nil
}

func (r *messagesRequest) readTools(d *dialogue) error {
	for i, tool := range r.Tools {
		custom := tool.Type == "" || tool.Type == "custom"
		switch {
		case !toolNamePattern.MatchString(tool.Name):
			return fmt.Errorf("tools.%d.name: string should match pattern '%s'", i, toolNamePattern)
		case slices.Contains(d.tools, tool.Name):
			return errors.New("tools: Tool names must be unique")
		case custom && tool.Schema.Type != "object":
			return fmt.Errorf("tools.%d.input_schema.type: Field required", i)
		}
		d.tools = append(d.tools, tool.Name)
	}
	err := d.choose(r.ToolChoice, "tool", true, "auto", "any", "none")
	if err == nil && r.thinks() && (d.choice == "tool" || d.choice == "any") {
		err = errors.New("thinking may not be enabled when tool_choice forces tool use")
	}
	return err
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

// readBlocks reads the blocks of one message, in which results come before all else. A call comes
// back with the thoughts that led to it.
func (r *messagesRequest) readBlocks(p *Provider, d *dialogue, role string, blocks []messagesBlock) error {
	var called, thoughts []string
	spoken := false
	for i := range blocks {
		b := &blocks[i]
		if err := b.check(p, role); err != nil {
			return err
		}
		if b.Type != "tool_result" && !spoken {
			d.steps, spoken = append(d.steps, step{}), true
		}
		switch b.Type {
		case "tool_result":
			d.steps = append(d.steps, step{answers, b.For})
		case "tool_use":
			called = append(called, b.ID)
			d.steps = append(d.steps, step{calls, b.ID})
		case "thinking", "redacted_thinking":
			thoughts = append(thoughts, b.Signature+b.Data)
		}
	}
	if !spoken { // all results stand in one message
		d.steps = append(d.steps, step{})
	}
	first, last := blocks[0].Type, blocks[len(blocks)-1].Type
	for _, call := range called {
		if r.thinks() && strings.Join(thoughts, " ") != p.issued["thoughts of "+call] {
			return errThoughtChanged
		}
	}
	switch {
	case role == "assistant" && isThought(last):
		return errors.New("the final block in an assistant message cannot be `thinking`")
	case r.thinks() && len(called) > 0 && !isThought(first):
		return fmt.Errorf("expected `thinking` or `redacted_thinking`, but found `%s`", first)
	}
	return nil
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
		if issued := p.issued["thought "+b.Signature+b.Data]; !sameValue(issued, b.raw) {
			return errThoughtChanged
		}
	}
	return nil
}

// sameValue compares two objects, whatever the order of their members: a stream does not tell it.
func sameValue(a string, b json.RawMessage) bool {
	var first, second map[string]any
	err := errors.Join(json.Unmarshal([]byte(a), &first), json.Unmarshal(b, &second))
	return err == nil && reflect.DeepEqual(first, second)
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
		p.issued["thought "+known.Signature+known.Data] = thought
	}
	for _, call := range a.Calls {
		p.issued["thoughts of "+call.ID] = strings.Join(led, " ")
	}
}
