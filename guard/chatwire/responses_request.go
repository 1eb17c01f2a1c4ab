package chatwire

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// parse reads a request. Calls that stand together become one message.
func (responses) parse(r *Request, top span) {
	found := top.members("the request", "input", "tools", "tool_choice", "stream", "instructions",
		"previous_response_id", "conversation", "background", "store", "text")
	r.messages, r.choice, r.config = found[0], found[2], found[9]
	r.Stream = found[3].is("true")
	r.Structured = structured(found[9].at("format"))
	r.unstored = found[8].is("false")
	r.stateful = &stateful{previous: found[5].text("previous_response_id")}
	if conversation := found[6]; conversation.kind() == '{' { // its id may stand in an object
		r.stateful.conversation = conversation.at("id").text("conversation.id")
	} else {
		r.stateful.conversation = conversation.text("conversation")
	}
	if found[7].is("true") {
		r.trouble = "it asks for an answer in the background, which nobody would judge; ask without background"
	}
	if instructions := found[4].said(); instructions != "" {
		r.Messages = append(r.Messages, guard.Message{Role: guard.RoleSystem, Text: instructions})
	}
	if input := found[0]; input.kind() == '[' {
		input.each("input", r.readItem)
	} else if text := input.text("input"); text != "" {
		r.Messages = append(r.Messages, guard.Message{Role: guard.RoleUser, Text: text})
	}
	r.readTools(found[1], func(tool span) { r.addTool(tool, "parameters") }, flatTool)
	r.chooses(found[2])
}

func (r *Request) readItem(item span) {
	kind, found := item.typed("the item", "role", "content", "call_id", "name", "arguments", "output")
	var message guard.Message
	switch kind {
	case "message", "":
		message.Role, message.Text = roleOf(found[1].text("role")), readContent(found[2]).text.String()
	case "function_call_output":
		message.Role, message.CallID = guard.RoleTool, found[3].text("call_id")
		message.Text = readContent(found[6]).text.String()
	case "function_call":
		var d draft
		d.addArguments(found[5], 0)
		r.addCall(tooltrack.Call{ID: found[3].text("call_id"), Tool: found[4].text("name"), Args: d.args})
		return
	default:
		var seen seenCalls
		if !seen.seeItem(kind, item) {
			return // thoughts, references
		}
		message.Role, message.Seen = guard.RoleAssistant, seen
	}
	r.Messages = append(r.Messages, message)
}

// addCall adds a call to the message of the calls before it.
func (r *Request) addCall(call tooltrack.Call) {
	if last := len(r.Messages) - 1; last >= 0 && len(r.Messages[last].Calls) > 0 {
		r.Messages[last].Calls = append(r.Messages[last].Calls, call)
		return
	}
	r.Messages = append(r.Messages, guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}})
}

func (responses) choice(choice guard.Choice) json.RawMessage {
	return encodeChoice(choice, "type", "function", "name", choice.Tool)
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
			items = append(items, madeOf(message.Calls, itemOf)...)
		}
	}
	return items
}

func (r *Request) replayed(list json.RawMessage) []json.RawMessage {
	top, _ := whole(list) // it was written here
	var items []json.RawMessage
	lost := false
	for _, item := range top.elements() {
		if r.unstored && item.member("type") == "reasoning" && item.only("encrypted_content").absent() {
			lost = true
			continue
		}
		var ids []edit
		if lost {
			ids = without(item, "id")
		}
		items = append(items, item.edited(ids...))
	}
	return items
}

func (responses) encode(request guard.Request, options EncodeOptions, more span) []any {
	tools := offered(request.Tools, func(tool tooltrack.Tool) json.RawMessage {
		return object("type", "function", "name", tool.Name, "description", given(tool.Description),
			"parameters", schemaOf(tool), "strict", false)
	}, more)
	return []any{
		"model", options.Model, "input", (&Request{unstored: true}).encodeItems(request.Messages),
		"tools", listOrNone(tools), "tool_choice", when(len(tools) > 0, responses{}.choice(request.Choice)),
		"store", false, "include", []string{"reasoning.encrypted_content"}, "stream", when(options.Stream, true),
	}
}
