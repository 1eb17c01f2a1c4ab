package chatwire

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// chat is the chat-completions format.
type chat struct{}

func (chat) capabilities(r *Request) guard.Capabilities {
	return guard.Capabilities{NoRequiredChoice: r.legacy} // function_call knows auto, none and a name
}

// events turns a message into the delta that says all of it. Calls of a stream
// are numbered, so a message that holds some is written anew.
func (chat) events(body []byte) [][]byte {
	read, err := readWhole(chat{}, body)
	if err != nil {
		return [][]byte{body}
	}
	message := read.response.Message
	said, finish := message.Raw, "stop"
	if len(message.Calls) > 0 {
		said = object("role", "assistant", "content", message.Text, "tool_calls", numberedCalls(message.Calls))
		finish = "tool_calls"
	}
	choice := object("index", 0, "delta", said, "finish_reason", finish)
	return [][]byte{object("object", "chat.completion.chunk", "choices", []json.RawMessage{choice})}
}

func (chat) fault(err *BodyError) []byte { return object("error", err.Raw) }

func (chat) refusal(told refusalError) []byte {
	return object("error", object("message", told.Message, "type", told.Type, "code", told.Code,
		"param", null, "expected_tools", told.expected(), "account", given(told.Account)))
}

func (chat) encode(request guard.Request, options EncodeOptions, more span) []any {
	tools := offered(request.Tools, encodeTool, more)
	return []any{
		"model", options.Model, "messages", madeOf(request.Messages, rawMessage),
		"tools", listOrNone(tools), "tool_choice", when(len(tools) > 0, chat{}.choice(request.Choice)),
		"stream", when(options.Stream, true),
		"stream_options", when(options.Stream, json.RawMessage(`{"include_usage":true}`)),
	}
}

// offered are the guard's tools and those that the provider runs by itself.
func offered(tools []tooltrack.Tool, encode func(tooltrack.Tool) json.RawMessage, more span) []json.RawMessage {
	return append(madeOf(tools, encode), providersTools(more.at("tools"))...)
}

// madeOf is what is made of each value; nothing of none.
func madeOf[T, U any](values []T, of func(T) U) []U {
	var list []U
	for _, value := range values {
		list = append(list, of(value))
	}
	return list
}

func rawMessage(message guard.Message) json.RawMessage {
	return asItCame(message, encodeMessage, func(own span) bool {
		return len(message.Calls) == 0 || own.has("tool_calls") || own.has("function_call")
	})
}

// asItCame is a message in its own form if that is one of the format, and else made of its
// parts: a conversation may have begun with another provider.
func asItCame(
	message guard.Message, made func(guard.Message) json.RawMessage, isOwn func(span) bool,
) json.RawMessage {
	if own, err := whole(message.Raw); err == nil && own.kind() == '{' && isOwn(own) {
		return message.Raw
	}
	return made(message)
}

// encodeMessage writes a message from its parts.
func encodeMessage(message guard.Message) json.RawMessage {
	return object("role", string(message.Role), "content", contentOrNull(message),
		"tool_calls", listOrNone(madeOf(message.Calls, encodeCall)), "tool_call_id", given(message.CallID))
}

// contentOrNull is the text of a message; null beside calls, where there is none.
func contentOrNull(message guard.Message) any {
	if message.Text == "" && len(message.Calls) > 0 {
		return null
	}
	return message.Text
}

func encodeCall(call tooltrack.Call) json.RawMessage {
	return object("id", call.ID, "type", "function", "function", encodeFunction(call))
}

func encodeFunction(call tooltrack.Call) json.RawMessage {
	return object("name", call.Tool, "arguments", string(call.Args))
}

// numberedCalls are calls with their index, which streams need and others ignore.
func numberedCalls(calls []tooltrack.Call) []json.RawMessage {
	list := make([]json.RawMessage, len(calls))
	for i, call := range calls {
		list[i] = object("index", i, "id", call.ID, "type", "function", "function", encodeFunction(call))
	}
	return list
}

// encodeLegacy writes a message in the older form: one call without an id, and
// a result that is known by the name of its tool.
func encodeLegacy(message guard.Message) json.RawMessage {
	if message.Role == guard.RoleTool {
		return object("role", "function", "name", given(message.Tool), "content", message.Text)
	}
	var call any
	if len(message.Calls) > 0 {
		call = encodeFunction(message.Calls[0])
	}
	return object("role", string(message.Role), "content", contentOrNull(message), "function_call", call)
}

func encodeTool(tool tooltrack.Tool) json.RawMessage {
	return object("type", "function", "function",
		object("name", tool.Name, "description", given(tool.Description), "parameters", schemaOf(tool)))
}

// schemaOf is the schema of a tool's arguments: some servers insist on one.
func schemaOf(tool tooltrack.Tool) json.RawMessage {
	if len(tool.Parameters) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return tool.Parameters
}

// encodeChoice writes a choice; a named one has the members that the format gives it.
func encodeChoice(choice guard.Choice, named ...any) json.RawMessage {
	if choice.Mode == guard.ChooseNamed {
		return object(named...)
	}
	return rawBlock(choice.String())
}

func (chat) choice(choice guard.Choice) json.RawMessage {
	return encodeChoice(choice, "type", "function", "function", object("name", choice.Tool))
}
