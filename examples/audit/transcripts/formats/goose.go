package formats

import (
	"cmp"
	"encoding/json"
	"fmt"

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
	t, e, err := begin(parts, "conversation", gooseMessage)
	if err != nil {
		return nil, err
	}
	t.ID = name(e.entry["id"], e.entry["session_id"])
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
	var wire struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := decode(raw, &wire); err != nil {
		return err
	}
	m := &message{role: guard.Role(wire.Role)}
	m.said.WriteString(text(wire.Content))
	for i, element := range list(wire.Content) {
		var b gooseBlock
		if err := decode(element, &b); err != nil {
			return fmt.Errorf("content[%d]: %w", i, err)
		}
		switch b.Type {
		case "text":
			m.said.WriteString(b.Text)
		case "toolRequest", "frontendToolRequest":
			call := object(b.Call.Value)
			m.call(b.ID, cmp.Or(text(call["name"]), "?"), call["arguments"])
		case "toolResponse":
			m.results++
			said, fate := b.Result.body()
			t.result(b.ID, "", said, fate)
		}
	}
	t.write(m)
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
