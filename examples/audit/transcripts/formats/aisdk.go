package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// aisdk reads messages of Vercel's AI SDK: those that go to the model, whose content has parts of
// the types tool-call and tool-result, and those of user interfaces, whose parts hold a call and
// its result in one; as a list, under "messages", or one by one.
//
// Shape: https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message and
// https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message (input and output; args
// and result before version 5; toolInvocations before version 4.2).
type aisdk struct{}

func (aisdk) Name() string { return "AI SDK messages" }

// aisdkSigns are strings that no other format has.
var aisdkSigns = [][]byte{
	[]byte(`"tool-call"`), []byte(`"tool-result"`), []byte(`"toolCallId"`), []byte(`"toolInvocations"`),
	[]byte(`"step-start"`), []byte(`"parts"`), []byte(`"inputSchema"`),
}

func (aisdk) Take(v *Value) ([]Part, bool) {
	if !signs(v.Data, aisdkSigns) {
		return nil, false
	}
	members := v.Members()
	if aisdkMessage(members) {
		return loose(v), true
	}
	e := exchangeOf(members)
	messages := list(unquoted(e.request["messages"]))
	if len(messages) > 0 && signs(e.member("tools"), aisdkSigns[len(aisdkSigns)-1:]) {
		return alone(v), true
	}
	for _, raw := range messages {
		if aisdkMessage(object(raw)) {
			return alone(v), true
		}
	}
	return nil, false
}

// aisdkMessage tells a message by its parts.
func aisdkMessage(members map[string]json.RawMessage) bool {
	if text(members["role"]) == "" {
		return false
	}
	if !isNull(members["toolInvocations"]) {
		return true
	}
	for _, raw := range list(members["parts"]) {
		part := object(raw)
		switch kind := text(part["type"]); {
		case kind == "text" && !isNull(part["text"]), kind == "dynamic-tool", kind == "step-start",
			strings.HasPrefix(kind, "tool-"):
			return true
		}
	}
	for _, raw := range list(members["content"]) {
		if kind := text(object(raw)["type"]); kind == "tool-call" || kind == "tool-result" {
			return true
		}
	}
	return false
}

func (f aisdk) Read(parts []Part) ([]*Conversation, error) {
	t, _, err := begin(parts, "messages", aisdkWrite)
	if err != nil {
		return nil, err
	}
	return one(t.done(f, parts[0].Line))
}

// aisdkPart is a part of a message, of either kind and any version.
type aisdkPart struct {
	Type       string          `json:"type"`
	Text       string          `json:"text"`
	CallID     string          `json:"toolCallId"`
	Tool       string          `json:"toolName"`
	State      string          `json:"state"`
	Input      json.RawMessage `json:"input"`
	Args       json.RawMessage `json:"args"`
	Output     json.RawMessage `json:"output"`
	Result     json.RawMessage `json:"result"`
	IsError    bool            `json:"isError"`
	ErrorText  string          `json:"errorText"`
	Invocation *aisdkPart      `json:"toolInvocation"`
}

// aisdkWrite writes one message down. In messages of user interfaces the calls of
// several rounds stand between the texts, each with its result.
func aisdkWrite(t *transcript, raw json.RawMessage) error {
	var message struct {
		Role        string          `json:"role"`
		Content     json.RawMessage `json:"content"`
		Parts       json.RawMessage `json:"parts"`
		Invocations []aisdkPart     `json:"toolInvocations"`
	}
	if err := decode(raw, &message); err != nil {
		return err
	}
	role := itemRole(message.Role)
	elements := list(present(message.Parts, message.Content))
	parts := make([]aisdkPart, len(elements))
	for i, element := range elements {
		if err := decode(element, &parts[i]); err != nil {
			return fmt.Errorf("part %d: %w", i+1, err)
		}
	}
	said, results := "", 0
	if isNull(message.Parts) { // otherwise the parts repeat both
		for i := range message.Invocations {
			message.Invocations[i].write(t, role, "", &results)
		}
		said = text(message.Content)
	}
	for i := range parts {
		said = parts[i].write(t, role, said, &results)
	}
	if said != "" || role == guard.RoleUser && results == 0 {
		t.say(role, said)
	}
	return nil
}

// write writes a part down. Text is gathered until a call or the end.
func (p *aisdkPart) write(t *transcript, role guard.Role, said string, results *int) string {
	switch {
	case p.Type == "text":
		return said + p.Text
	case p.Invocation != nil:
		p.Invocation.Type = "dynamic-tool"
		return p.Invocation.write(t, role, said, results)
	case p.Type == "tool-result":
		*results++
		said, fate := aisdkResult(present(p.Output, p.Result))
		t.result(p.CallID, p.Tool, said, worse(fateOf(p.IsError), fate))
		return ""
	case p.CallID == "" || role != guard.RoleAssistant:
		return said
	}
	t.say(role, said)
	tool := cmp.Or(p.Tool, strings.TrimPrefix(p.Type, "tool-"))
	t.call(p.CallID, tool, present(p.Input, p.Args))
	switch {
	case p.State == "output-available" || p.State == "result":
		t.result(p.CallID, tool, body(present(p.Output, p.Result)), tooltrack.Unknown)
	case p.State == "output-error":
		t.result(p.CallID, tool, p.ErrorText, tooltrack.Failed)
	case p.State == "output-denied":
		t.result(p.CallID, tool, "denied", tooltrack.Denied)
	}
	return ""
}

// worse is the first fate that says something.
func worse(a, b tooltrack.Status) tooltrack.Status {
	if a != tooltrack.Unknown {
		return a
	}
	return b
}

// aisdkResult is the text of a result: a value with its type since version 5, the value itself before.
func aisdkResult(raw json.RawMessage) (string, tooltrack.Status) {
	members := object(raw)
	switch kind := text(members["type"]); kind {
	case "text", "json", "content":
		return body(members["value"]), tooltrack.Unknown
	case "error-text", "error-json":
		return body(members["value"]), tooltrack.Failed
	case "execution-denied":
		return cmp.Or(text(members["reason"]), "denied"), tooltrack.Denied
	}
	return body(raw), tooltrack.Unknown
}
