package formats

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

func isItems(response members) bool {
	is := func(raw json.RawMessage) bool { return isItem(object(raw)) }
	return isArray(response["output"]) &&
		(text(response["object"]) == "response" || slices.ContainsFunc(list(response["output"]), is))
}

func isItem(m members) bool {
	switch kind := text(m["type"]); kind {
	case "message":
		return text(m["role"]) != "" && isItemContent(m["content"])
	case "":
		return text(m["role"]) != "" && isItemContent(m["content"]) && text(m["content"]) == ""
	case "function_call", "custom_tool_call":
		return !isNull(m["call_id"])
	case "reasoning", "item_reference":
		return !isNull(m["id"]) || !isNull(m["summary"])
	default:
		return strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_call_output")
	}
}

// isItemContent tells the content of an item from that of other messages: its
// blocks say whether they go in or out.
func isItemContent(content json.RawMessage) bool {
	for _, raw := range list(content) {
		switch text(object(raw)["type"]) {
		case "input_text", "output_text", "refusal", "input_image", "input_file":
			return true
		}
	}
	return text(content) != ""
}

// ownCalls are kinds of calls that are no functions and that the client runs. Those of all
// other kinds are run by the provider, and say what came of them.
var ownCalls = []string{"computer_call", "local_shell_call", "shell_call", "apply_patch_call"}

func item(t *Conversation, raw json.RawMessage) error {
	i := object(raw)
	if i == nil {
		return decode(raw, &struct{}{})
	}
	id, kind := text(i["call_id"]), text(i["type"])
	switch {
	case kind == "" || kind == "message":
		t.say(itemRole(text(i["role"])), plain(i["content"]))
	case kind == "function_call":
		t.call(id, text(i["name"]), i["arguments"])
	case kind == "custom_tool_call":
		t.call(id, text(i["name"]), marshal(members{"input": i["input"]}))
	case strings.HasSuffix(kind, "_output"):
		t.result(id, "", outputBody(i["output"]), fateOf(text(i["status"]) == "failed"))
	case slices.Contains(ownCalls, kind):
		tool := cmp.Or(text(i["name"]), strings.TrimSuffix(kind, "_call"))
		t.call(cmp.Or(id, text(i["id"])), tool, present(i["arguments"], present(i["action"], i["input"])))
	case strings.HasSuffix(kind, "_call"):
		return t.read(chatwire.Responses, `{"input":[`, raw)
	}
	return nil
}

// itemRole maps the developer's messages onto those of the system.
func itemRole(role string) guard.Role {
	if role == "developer" {
		return guard.RoleSystem
	}
	return guard.Role(role)
}

// outputBody is the text of a result. Coding agents put a JSON object into the
// text: {"output": …, "metadata": {"exit_code": 0}}.
func outputBody(output json.RawMessage) string {
	said := body(output)
	wrapped := object([]byte(said))
	code := object(wrapped["metadata"])["exit_code"]
	if isNull(code) || isNull(wrapped["output"]) {
		return said
	}
	return string(marshal(members{"exit_code": code, "output": wrapped["output"]}))
}
