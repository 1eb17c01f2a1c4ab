package chatwire

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// parse reads a request. Calls that stand together become one message.
func (responses) parse(r *Request, top span) error {
	r.stateful = &stateful{}
	found, err := top.members("the request", "input", "tools", "tool_choice", "stream", "instructions",
		"previous_response_id", "conversation", "background", "store", "text")
	if err != nil {
		return err
	}
	r.messages, r.choice, r.config = found[0], found[2], found[9]
	r.Stream = string(found[3].bytes()) == "true"
	r.Structured = structured(found[9].at("format"))
	r.unstored = string(found[8].bytes()) == "false"
	if r.stateful.previous, err = found[5].text("previous_response_id"); err != nil {
		return err
	}
	if r.stateful.conversation, err = conversationOf(found[6]); err != nil {
		return err
	}
	if string(found[7].bytes()) == "true" {
		r.trouble = "it asks for an answer in the background, which nobody would judge; ask without background"
	}
	if instructions, err := found[4].text("instructions"); err == nil && instructions != "" {
		r.Messages = append(r.Messages, guard.Message{Role: guard.RoleSystem, Text: instructions})
	}
	if err := r.readInput(found[0]); err != nil {
		return err
	}
	err = r.readTools(found[1], func(tool span) error { return r.addTool(tool, "parameters") }, flatTool)
	r.chooses(found[2])
	return err
}

func (r *Request) readInput(input span) error {
	if input.kind() != '[' {
		text, err := input.text("input")
		if text != "" {
			r.Messages = append(r.Messages, guard.Message{Role: guard.RoleUser, Text: text})
		}
		return err
	}
	return input.eachIn("input", r.readItem)
}

func (r *Request) readItem(item span) error {
	kind, found, err := item.typed("the item", "role", "content", "call_id", "name", "arguments", "output")
	if err != nil {
		return err
	}
	switch kind {
	case "message", "":
		role, err := found[1].text("role")
		if err != nil {
			return err
		}
		said, err := readContent(found[2])
		r.Messages = append(r.Messages, guard.Message{Role: roleOf(role), Text: said.text})
		return err
	case "function_call":
		return r.addCall(found[3], found[4], found[5])
	case "function_call_output":
		result := guard.Message{Role: guard.RoleTool}
		if result.CallID, err = found[3].text("call_id"); err != nil {
			return err
		}
		said, err := readContent(found[6])
		result.Text = said.text
		r.Messages = append(r.Messages, result)
		return err
	}
	var seen seenCalls
	if seen.seeItem(kind, item) {
		r.Messages = append(r.Messages, guard.Message{Role: guard.RoleAssistant, Seen: seen})
	}
	return nil // thoughts, references
}

// addCall adds a call to the message of the calls before it.
func (r *Request) addCall(id, name, arguments span) error {
	var d draft
	var w words
	d.addArguments(arguments, 0)
	call := tooltrack.Call{ID: w.of(id, "call_id"), Tool: w.of(name, "name"), Args: d.args}
	if w.err != nil {
		return w.err
	}
	if last := len(r.Messages) - 1; last >= 0 && len(r.Messages[last].Calls) > 0 {
		r.Messages[last].Calls = append(r.Messages[last].Calls, call)
		return nil
	}
	r.Messages = append(r.Messages, guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}})
	return nil
}

func encodeFlatChoice(choice guard.Choice) json.RawMessage {
	if choice.Mode == guard.ChooseNamed {
		return object("type", "function", "name", choice.Tool)
	}
	return rawBlock(choice.String())
}

func itemOf(call tooltrack.Call) json.RawMessage {
	return object("type", "function_call", "call_id", call.ID, "name", call.Tool, "arguments", string(call.Args))
}

// encodeItems writes messages as items. An answer of the provider's is replayed
// as it came; of one that was not stored, thoughts that cannot be read again are
// left out, together with the ids that would refer to them.
func (r *Request) encodeItems(messages []guard.Message) []json.RawMessage {
	var items []json.RawMessage
	for _, message := range messages {
		switch {
		case message.Role == guard.RoleTool:
			output := contentOf(message, inputText, partItem)
			items = append(items, object("type", "function_call_output", "call_id", message.CallID, "output", output))
		case len(message.Raw) > 0 && message.Raw[0] == '[':
			items = append(items, r.replayed(message.Raw)...)
		case message.Text != "":
			items = append(items, object("content", message.Text, "role", string(message.Role)))
			fallthrough
		default:
			for _, call := range message.Calls {
				items = append(items, itemOf(call))
			}
		}
	}
	return items
}

func (r *Request) replayed(list json.RawMessage) []json.RawMessage {
	top, err := whole(list)
	if err != nil { // cannot happen: it was written here
		return nil
	}
	elements, _ := top.elements("the items")
	items := make([]json.RawMessage, 0, len(elements))
	lost := false
	for _, item := range elements {
		found, err := item.members("the item", "type", "encrypted_content")
		if r.unstored && err == nil && string(found[0].bytes()) == `"reasoning"` && found[1].absent() {
			lost = true
			continue
		}
		raw := json.RawMessage(item.bytes())
		if lost {
			raw = withoutID(raw)
		}
		items = append(items, raw)
	}
	return items
}

func withoutID(item json.RawMessage) json.RawMessage {
	value, err := whole(item)
	if err != nil { // cannot happen: it is part of valid JSON
		return item
	}
	return splice(item, without(value, "id"))
}

func (responses) members() []string {
	return []string{"model", "input", "tools", "tool_choice", "store", "include", "stream"}
}

func (responses) encode(w *writer, request guard.Request, options EncodeOptions, more []span) error {
	w.add("model", rawBlock(options.Model))
	w.add("input", marshalList((&Request{unstored: true}).encodeItems(request.Messages)))
	tools, err := offered(request.Tools, func(tool tooltrack.Tool) json.RawMessage {
		return object("type", "function", "name", tool.Name, "description", given(tool.Description),
			"parameters", schemaOf(tool), "strict", false)
	}, more[2])
	if err != nil {
		return err
	}
	if len(tools) > 0 {
		w.add("tools", marshalList(tools))
		w.add("tool_choice", encodeFlatChoice(request.Choice))
	}
	w.add("store", []byte("false"))
	w.add("include", []byte(`["reasoning.encrypted_content"]`))
	if options.Stream {
		w.add("stream", []byte("true"))
	}
	return nil
}
