package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A conversation is written down as it is read, so that all formats end in the same messages.

// say adds what a role says. An empty text adds nothing: reasoning, pictures and the like are no words to the user.
func (t *Conversation) say(role guard.Role, said string) {
	if said != "" || role == guard.RoleUser {
		t.Messages = append(t.Messages, guard.Message{Role: role, Text: said})
	}
}

// read writes down what the guard's own reader finds in a message. Calls that the provider ran are calls like any.
func (t *Conversation) read(format chatwire.Format, begin string, message json.RawMessage) error {
	request, err := format.ParseRequest(slices.Concat([]byte(begin), message, []byte("]}")))
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), "[0]: ") // which one it is, the caller knows
		return errors.New(cmp.Or(why, err.Error()))
	}
	for i := range request.Messages {
		m := &request.Messages[i]
		if m.Role == guard.RoleTool {
			if m.Failed && m.CallID != "" { // its fate says so
				m.Text = strings.TrimPrefix(m.Text, "Error: ")
			}
			t.result(m.CallID, m.Tool, m.Text, fateOf(m.Failed))
			continue
		}
		for _, seen := range m.Seen {
			t.call(seen.ID, seen.Tool, seen.Args)
			t.result(seen.ID, seen.Tool, seen.Result.Text(), seen.Result.Status)
		}
		t.say(m.Role, m.Text)
		for _, call := range m.Calls {
			if m.Role == guard.RoleAssistant { // no other role calls tools
				t.call(call.ID, call.Tool, call.Args)
			}
		}
	}
	return nil
}

// call adds a call of the assistant. Calls that follow one another, or a text,
// without a result between are of one message.
func (t *Conversation) call(id, tool string, args json.RawMessage) {
	made := tooltrack.Call{ID: id, Tool: tool, Args: arguments(args)}
	if n := len(t.Messages); n > 0 && t.Messages[n-1].Role == guard.RoleAssistant {
		t.Messages[n-1].Calls = append(t.Messages[n-1].Calls, made)
		return
	}
	t.Messages = append(t.Messages, guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{made}})
}

// arguments are those of a call: an object, or the text of one.
func arguments(raw json.RawMessage) json.RawMessage {
	if isNull(raw) {
		return json.RawMessage("{}")
	}
	if said := text(raw); said != "" || string(raw) == `""` {
		if said = strings.TrimSpace(said); said == "" {
			return json.RawMessage("{}")
		}
		if json.Valid([]byte(said)) {
			return json.RawMessage(said)
		}
	}
	return raw
}

// result adds what came of a call. A fate other than Unknown is what the log says beside the text.
func (t *Conversation) result(id, tool, said string, fate tooltrack.Status) {
	t.Messages = append(t.Messages, guard.Message{Role: guard.RoleTool, CallID: id, Tool: tool, Text: said})
	if fate != tooltrack.Unknown && id != "" {
		t.fate(id, fate)
	}
}

func (t *Conversation) fate(id string, fate tooltrack.Status) {
	if t.Fates == nil {
		t.Fates = map[string]tooltrack.Status{}
	}
	t.Fates[id] = fate
}

// hide says that the calls of the turn so far cannot all be seen.
func (t *Conversation) hide(why string) {
	if len(t.Messages) == 0 {
		return
	}
	if t.Unseen == nil {
		t.Unseen = map[int]string{}
	}
	t.Unseen[len(t.Messages)-1] = why
}

// Why calls cannot be seen.
const (
	unseenCalls   = "the log says that calls were made, but not which"
	unseenContent = "the log holds no content of messages"
)

// done is the only conversation of an entry, with names for the calls that have none.
func (t *Conversation) done(format Format, line int) ([]*Conversation, error) {
	if len(t.Messages) == 0 {
		return nil, errEmpty
	}
	nameCalls(t.Messages)
	t.Format = format.Name()
	t.Line = line
	return []*Conversation{t}, nil
}

// begin reads the messages of an entry, each by a function: parts that lie in the file one by one, or a member
// of the request. It takes down names and tools. The exchange of loose parts is empty.
func begin(
	parts []Part, member string, write func(*Conversation, json.RawMessage) error,
) (t *Conversation, e exchange, err error) {
	t = &Conversation{}
	var messages []json.RawMessage
	if parts[0].Key == Loose {
		for _, part := range parts {
			messages = append(messages, part.Data)
		}
	} else {
		e = exchangeOf(object(parts[0].Data))
		messages = list(unquoted(e.member(member)))
		t.ID, t.Model = e.names()
		t.Tools = tools(e.member("tools"), e.member("functions"), object(e.member("config"))["tools"])
	}
	for i, raw := range messages {
		if err := write(t, raw); err != nil {
			return t, e, fmt.Errorf("%s[%d]: %w", member, i, err)
		}
	}
	return t, e, nil
}

// nameCalls gives ids to calls that have none, and to the results after them in order, as older clients match them.
func nameCalls(messages []guard.Message) {
	var waiting []*tooltrack.Call
	named := 0
	for i := range messages {
		message := &messages[i]
		for j := range message.Calls {
			if call := &message.Calls[j]; call.ID == "" {
				named++
				call.ID = fmt.Sprintf("unnamed %d", named)
				waiting = append(waiting, call)
			}
		}
		if message.Role != guard.RoleTool || message.CallID != "" {
			continue
		}
		for at, call := range waiting {
			if message.Tool == "" || message.Tool == call.Tool {
				message.CallID = call.ID
				waiting = append(waiting[:at:at], waiting[at+1:]...)
				break
			}
		}
	}
}

// plain is the text of content that is a string, or a list of blocks of which some are text.
func plain(content json.RawMessage) string {
	if said := text(content); said != "" {
		return said
	}
	var out strings.Builder
	for _, raw := range list(content) {
		if said := text(raw); said != "" {
			out.WriteString(said)
			continue
		}
		var block struct {
			Type, Text, Refusal string
		}
		if json.Unmarshal(raw, &block) != nil {
			continue
		}
		switch block.Type {
		case "", "text", "input_text", "output_text":
			out.WriteString(block.Text)
		case "refusal":
			out.WriteString(block.Refusal)
		}
	}
	return out.String()
}

// present is the first of two members that is there.
func present(a, b json.RawMessage) json.RawMessage {
	if !isNull(a) {
		return a
	}
	return b
}

// body is the text of a tool's result: a string as it is, blocks by their text, and any other value as JSON.
func body(content json.RawMessage) string {
	if isNull(content) {
		return ""
	}
	if said := text(content); said != "" || string(content) == `""` {
		return said
	}
	if blocks := list(content); blocks != nil {
		if said := plain(content); said != "" {
			return said
		}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, content) != nil {
		return string(content)
	}
	return compact.String()
}

// definition is a tool as providers list it, in an envelope or not, under one of three names for its schema.
type definition struct {
	Name                 string          `json:"name"`
	Type                 string          `json:"type"`
	Description          string          `json:"description"`
	Parameters           json.RawMessage `json:"parameters"`
	InputSchema          json.RawMessage `json:"input_schema"`
	InputSchemaCamel     json.RawMessage `json:"inputSchema"`
	ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema"`
	Function             json.RawMessage `json:"function"`
}

// tools reads lists of tools. A name that no model could call and one that is there already are left out: the
// rest of the log is worth judging all the same. It is nil where there is no list at all.
func tools(lists ...json.RawMessage) []tooltrack.Tool {
	var found []tooltrack.Tool
	for _, raw := range lists {
		elements := list(unquoted(raw))
		if elements != nil && found == nil {
			found = []tooltrack.Tool{}
		}
		for _, element := range elements {
			fields := object(element)
			more := tools(fields["functionDeclarations"], fields["function_declarations"]) // Gemini's
			if tool, is := toolOf(element); is {
				more = append(more, tool)
			}
			for _, tool := range more {
				if !slices.ContainsFunc(found, func(t tooltrack.Tool) bool { return t.Name == tool.Name }) {
					found = append(found, tool)
				}
			}
		}
	}
	return found
}

func toolOf(element json.RawMessage) (tooltrack.Tool, bool) {
	var d definition
	element = unquoted(element)
	if said := text(element); said != "" { // a list of names
		d.Name = said
	} else if json.Unmarshal(element, &d) != nil {
		return tooltrack.Tool{}, false
	}
	if len(d.Function) > 0 && json.Unmarshal(d.Function, &d) != nil {
		return tooltrack.Tool{}, false
	}
	if d.Name == "" && d.Type != "function" { // one of the provider's own has a type alone
		d.Name = strings.TrimSuffix(d.Type, "_preview")
	}
	tool := tooltrack.Tool{Name: d.Name, Description: d.Description}
	for _, schema := range []json.RawMessage{d.Parameters, d.InputSchema, d.InputSchemaCamel, d.ParametersJSONSchema} {
		if schema = unquoted(schema); object(schema) != nil { // some tracers keep it as text
			tool.Parameters = schema
			break
		}
	}
	return tool, tool.Validate() == nil
}

// withCalled are tools that every session has, and those that this one called: it must have had them, too.
func withCalled(tools []tooltrack.Tool, messages []guard.Message) []tooltrack.Tool {
	seen := map[string]bool{}
	for i := range tools {
		seen[tools[i].Name] = true
	}
	for i := range messages {
		for _, call := range messages[i].Calls {
			tool := tooltrack.Tool{Name: call.Tool}
			if !seen[call.Tool] && tool.Validate() == nil {
				tools = append(tools, tool)
			}
			seen[call.Tool] = true
		}
	}
	return tools
}
