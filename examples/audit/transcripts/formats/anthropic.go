package formats

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// anthropic reads the Messages interface of Anthropic: requests, requests with
// their responses, conversations, or messages one by one.
//
// Shape: https://docs.anthropic.com/en/api/messages (messages with content of
// text, tool_use and tool_result blocks; tools with input_schema; a response of
// the type "message" with stop_reason).
type anthropic struct{}

func (anthropic) Name() string { return "Anthropic messages" }

// anthropicSigns are block types and members that no other format has. Inside
// strings quotes are escaped, so what is found is a whole string or a key.
var anthropicSigns = [][]byte{
	[]byte(`"tool_use"`), []byte(`"tool_result"`), []byte(`"input_schema"`), []byte(`"stop_reason"`),
	[]byte(`"anthropic_version"`), []byte(`"server_tool_use"`),
}

func (f anthropic) Take(v *Value) ([]Part, bool) {
	e := exchangeOf(v.Members())
	if isArray(unquoted(e.request["messages"])) {
		return alone(v), anthropicEntry(e)
	}
	if v.text("role") != "" && anthropicBlocks(v.Members()["content"]) {
		return loose(v), true
	}
	if v.text("type") == "message" && v.text("role") == "assistant" && v.Has("stop_reason") { // a response alone
		return loose(v), true
	}
	return nil, false
}

// anthropicEntry tells an entry by its tools, its response or the blocks of its
// messages. An entry with nothing but texts is read alike by both formats.
func anthropicEntry(e exchange) bool {
	if text(e.response["type"]) == "message" || text(e.entry["type"]) == "message" {
		return true
	}
	if signs(e.member("tools"), anthropicSigns[2:3]) || !isNull(e.request["anthropic_version"]) {
		return true
	}
	messages := unquoted(e.request["messages"])
	if !signs(messages, anthropicSigns) {
		return false
	}
	for _, raw := range list(messages) {
		if anthropicBlocks(object(raw)["content"]) {
			return true
		}
	}
	return false
}

func signs(data []byte, of [][]byte) bool {
	for _, sign := range of {
		if bytes.Contains(data, sign) {
			return true
		}
	}
	return false
}

// anthropicBlocks reports whether content holds calls or results as blocks.
func anthropicBlocks(content json.RawMessage) bool {
	for _, raw := range list(content) {
		switch kind := text(object(raw)["type"]); kind {
		case "tool_use", "tool_result", "server_tool_use", "thinking", "redacted_thinking":
			return true
		default:
			if strings.HasSuffix(kind, "_tool_result") {
				return true
			}
		}
	}
	return false
}

func (f anthropic) Read(parts []Part) ([]*Conversation, error) {
	t, e, err := begin(parts, "messages", anthropicMessage)
	if err == nil && text(e.response["type"]) == "message" && isArray(e.response["content"]) {
		err, e.answered = anthropicMessage(t, marshal(e.response)), true
	}
	if err != nil {
		return nil, err
	}
	t.LastTurn = e.answered
	return one(t.done(f, parts[0].Line))
}

// anthropicMessage writes one message down. Results of tools stand in messages of
// the user, who said nothing then.
func anthropicMessage(t *transcript, raw json.RawMessage) error {
	before := len(t.Messages)
	if err := t.read(chatwire.Messages, `{"messages":[`, raw); err != nil {
		return err
	}
	called := func(message guard.Message) bool { return len(message.Calls) > 0 }
	if text(object(raw)["stop_reason"]) == "tool_use" && !slices.ContainsFunc(t.Messages[before:], called) {
		t.hide(unseenCalls)
	}
	return nil
}

// fateOf is Failed if the log says so, and otherwise left to the text.
func fateOf(failed bool) tooltrack.Status {
	if failed {
		return tooltrack.Failed
	}
	return tooltrack.Unknown
}
