package formats

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/bonafide-go/bonafide/guard"
)

// langchainRoles are the types of messages.
var langchainRoles = map[string]guard.Role{
	"human": guard.RoleUser, "HumanMessage": guard.RoleUser, "HumanMessageChunk": guard.RoleUser,
	"ai": guard.RoleAssistant, "AIMessage": guard.RoleAssistant, "AIMessageChunk": guard.RoleAssistant,
	"system": guard.RoleSystem, "SystemMessage": guard.RoleSystem,
	"tool": guard.RoleTool, "ToolMessage": guard.RoleTool, "ToolMessageChunk": guard.RoleTool,
}

// langchainMessage finds the role and the fields of a message in LangChain's three ways to write it:
// dumpd ({"lc":1,"type":"constructor","id":[…,"AIMessage"],"kwargs":{…}}),
// messages_to_dict ({"type":"ai","data":{…}}) and model_dump ({"type":"ai","content":…}).
func langchainMessage(m members) (role guard.Role, fields members, is bool) {
	kind, fields := text(m["type"]), object(m["data"])
	if path := list(m["id"]); kind == "constructor" && len(path) > 0 {
		kind, fields = text(path[len(path)-1]), object(m["kwargs"])
	}
	if fields == nil && !isNull(m["content"]) {
		fields = m
	}
	role, is = langchainRoles[kind]
	return role, fields, is && fields != nil
}

// langchainWrite writes one message down. A message of plain chat completions is read as that.
func langchainWrite(t *Conversation, raw json.RawMessage) error {
	fields := object(raw)
	role, fields, is := langchainMessage(fields)
	switch {
	case !is && text(object(raw)["role"]) != "":
		return chatWrite(t, raw)
	case !is:
		return fmt.Errorf("a message of the type %.40q is not known", cmp.Or(text(object(raw)["type"]), "?"))
	case role == guard.RoleTool:
		failed := text(fields["status"]) == "error"
		t.result(text(fields["tool_call_id"]), text(fields["name"]), body(fields["content"]), fateOf(failed))
		return nil
	}
	t.say(role, plain(fields["content"]))
	if role == guard.RoleAssistant {
		for _, raw := range append(list(fields["tool_calls"]), list(fields["invalid_tool_calls"])...) {
			call := object(raw)
			t.call(text(call["id"]), cmp.Or(text(call["name"]), "?"), call["args"])
		}
	}
	return nil
}
