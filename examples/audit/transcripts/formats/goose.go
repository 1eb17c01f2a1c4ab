package formats

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// goose reads sessions of goose: the file of a session, whose first line
// describes it and whose others are messages, and what goose session export
// --format json prints.
//
// Shape: https://github.com/aaif-goose/goose, crates/goose/src/conversation/message.rs
// (content of text, toolRequest{id, toolCall{status, value{name, arguments}}} and
// toolResponse{id, toolResult{status, value | error}}).
type goose struct{}

func (goose) Name() string { return "a goose session" }

func (goose) Take(v *Value) ([]Part, bool) {
	if v.Has("working_dir") && isArray(v.Members()["conversation"]) {
		return alone(v), true
	}
	if v.Has("working_dir") && (v.Has("message_count") || v.Has("description")) {
		return nil, true // what the session is about
	}
	if v.text("role") != "" && v.Has("created") && isArray(v.Members()["content"]) {
		return loose(v), true
	}
	return nil, false
}

func (f goose) Read(parts []Part) ([]*Conversation, error) {
	t := &transcript{}
	messages := make([]json.RawMessage, 0, len(parts))
	for _, part := range parts {
		messages = append(messages, part.Data)
	}
	if parts[0].Key != Loose {
		members := object(parts[0].Data)
		messages = list(members["conversation"])
		t.ID = name(members["id"], members["session_id"])
	}
	for i, raw := range messages {
		if err := gooseMessage(t, raw); err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	return one(t.done(f, parts[0].Line))
}

// gooseBlock is a part of a message's content.
type gooseBlock struct {
	Type   string      `json:"type"`
	Text   string      `json:"text"`
	ID     string      `json:"id"`
	Call   gooseResult `json:"toolCall"`
	Result gooseResult `json:"toolResult"`
}

// gooseResult is a value or an error.
type gooseResult struct {
	Status string          `json:"status"`
	Value  json.RawMessage `json:"value"`
	Error  string          `json:"error"`
}

func gooseMessage(t *transcript, raw json.RawMessage) error {
	var message struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := decode(raw, &message); err != nil {
		return err
	}
	role := guard.Role(message.Role)
	blocks := list(message.Content)
	if blocks == nil {
		t.say(role, text(message.Content))
		return nil
	}
	var words strings.Builder
	var calls []gooseBlock
	results := 0
	for i, element := range blocks {
		var b gooseBlock
		if err := decode(element, &b); err != nil {
			return fmt.Errorf("content[%d]: %w", i, err)
		}
		switch b.Type {
		case "text":
			words.WriteString(b.Text)
		case "toolRequest", "frontendToolRequest":
			calls = append(calls, b)
		case "toolResponse":
			results++
			said, fate := b.Result.body()
			t.result(b.ID, "", said, fate)
		}
	}
	if words.Len() > 0 || role == guard.RoleUser && results == 0 {
		t.say(role, words.String())
	}
	for _, b := range calls {
		call := object(b.Call.Value)
		t.call(b.ID, first(text(call["name"]), "?"), call["arguments"])
	}
	return nil
}

// body is the text of a result: blocks of content, or an object that holds them.
func (r gooseResult) body() (string, tooltrack.Status) {
	if r.Status == "error" {
		return r.Error, tooltrack.Failed
	}
	if members := object(r.Value); isArray(members["content"]) {
		return body(members["content"]), fateOf(string(members["isError"]) == "true")
	}
	return body(r.Value), tooltrack.Unknown
}
