package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// langchain reads messages as LangChain writes them down, in its three ways:
// dumpd ({"lc":1,"type":"constructor","id":[…,"AIMessage"],"kwargs":{…}}),
// messages_to_dict ({"type":"ai","data":{…}}) and model_dump ({"type":"ai",
// "content":…}); as a list, under "messages", or one by one.
//
// Shape: https://reference.langchain.com/python/langchain_core/messages (human,
// ai with tool_calls of name, args and id, tool with tool_call_id and status).
type langchain struct{}

func (langchain) Name() string { return "LangChain messages" }

func (langchain) Take(v *Value) ([]Part, bool) {
	members := v.Members()
	if _, _, ok := langchainMessage(members); ok {
		return loose(v), true
	}
	for _, raw := range list(exchangeOf(members).request["messages"]) {
		if _, _, ok := langchainMessage(object(raw)); ok {
			return alone(v), true
		}
	}
	return nil, false
}

// langchainRoles are the types of messages.
var langchainRoles = map[string]guard.Role{
	"human": guard.RoleUser, "HumanMessage": guard.RoleUser, "HumanMessageChunk": guard.RoleUser,
	"ai": guard.RoleAssistant, "AIMessage": guard.RoleAssistant, "AIMessageChunk": guard.RoleAssistant,
	"system": guard.RoleSystem, "SystemMessage": guard.RoleSystem,
	"tool": guard.RoleTool, "ToolMessage": guard.RoleTool, "ToolMessageChunk": guard.RoleTool,
	"function": guard.RoleTool, "FunctionMessage": guard.RoleTool,
}

// langchainMessage finds the role and the fields of a message, whichever way it was written.
func langchainMessage(members map[string]json.RawMessage) (guard.Role, map[string]json.RawMessage, bool) {
	kind := text(members["type"])
	if kind == "constructor" {
		path := list(members["id"])
		if len(path) == 0 {
			return "", nil, false
		}
		role, ok := langchainRoles[text(path[len(path)-1])]
		fields := object(members["kwargs"])
		return role, fields, ok && fields != nil
	}
	role, ok := langchainRoles[kind]
	if !ok {
		return "", nil, false
	}
	if fields := object(members["data"]); fields != nil {
		return role, fields, true
	}
	_, said := members["content"]
	return role, members, said
}

func (f langchain) Read(parts []Part) ([]*Conversation, error) {
	t, _, err := begin(parts, "messages", langchainWrite)
	if err != nil {
		return nil, err
	}
	return one(t.done(f, parts[0].Line))
}

// langchainWrite writes one message down. A message of plain chat completions is
// read as that: LangChain's own tracer mixes both.
func langchainWrite(t *transcript, raw json.RawMessage) error {
	members := object(raw)
	role, fields, ok := langchainMessage(members)
	if !ok {
		if text(members["role"]) == "" {
			return fmt.Errorf("a message of the type %.40q is not known", cmp.Or(text(members["type"]), "?"))
		}
		return chatWrite(t, raw)
	}
	switch role {
	case guard.RoleTool:
		failed := text(fields["status"]) == "error"
		t.result(text(fields["tool_call_id"]), text(fields["name"]), body(fields["content"]), fateOf(failed))
	case guard.RoleAssistant:
		t.say(role, plain(fields["content"]))
		langchainCalls(t, fields)
	default:
		t.say(role, plain(fields["content"]))
	}
	return nil
}

// langchainCalls writes the calls down: in LangChain's own form, or, where an
// older version left them there, in the provider's.
func langchainCalls(t *transcript, fields map[string]json.RawMessage) {
	calls := list(fields["tool_calls"])
	for _, raw := range calls {
		call := object(raw)
		t.call(text(call["id"]), text(call["name"]), call["args"])
	}
	for _, raw := range list(fields["invalid_tool_calls"]) { // not run
		call := object(raw)
		t.call(text(call["id"]), cmp.Or(text(call["name"]), "?"), call["args"])
	}
	if len(calls) > 0 {
		return
	}
	extra := object(fields["additional_kwargs"])
	for _, raw := range list(extra["tool_calls"]) {
		call := object(raw)
		function := object(call["function"])
		t.call(text(call["id"]), text(function["name"]), function["arguments"])
	}
	if function := object(extra["function_call"]); function != nil {
		t.call("", text(function["name"]), function["arguments"])
	}
}

// chatWrite writes one message of chat completions down, whatever provider's blocks are in it.
func chatWrite(t *transcript, raw json.RawMessage) error {
	members := object(raw)
	role := text(members["role"])
	switch {
	case role == "tool" || role == "function":
		failed := text(members["status"]) == "error"
		t.result(text(members["tool_call_id"]), text(members["name"]), body(members["content"]), fateOf(failed))
		return nil
	case anthropicBlocks(members["content"]) && isNull(members["tool_calls"]):
		return anthropicMessage(t, raw)
	}
	t.say(itemRole(strings.ToLower(role)), plain(members["content"]))
	if role != "assistant" {
		return nil
	}
	for _, element := range list(members["tool_calls"]) {
		call := object(element)
		if function := object(call["function"]); function != nil {
			t.call(text(call["id"]), text(function["name"]), function["arguments"])
			continue
		}
		t.call(text(call["id"]), text(call["name"]), present(call["args"], call["arguments"]))
	}
	return nil
}
