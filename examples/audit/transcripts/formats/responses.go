package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// responses reads OpenAI's Responses interface: requests with their responses,
// response objects, lists of items, or items one by one.
//
// Shape: https://platform.openai.com/docs/api-reference/responses (input and
// output items: message, function_call, function_call_output, custom_tool_call,
// the calls of hosted tools, reasoning; previous_response_id).
type responses struct{}

func (responses) Name() string { return "OpenAI Responses" }

func (responses) Take(v *Value) ([]Part, bool) {
	e := exchangeOf(v.Members())
	if text(e.response["object"]) == "response" && isArray(e.response["output"]) {
		return alone(v), true
	}
	if itemsIn(e.response["output"]) || itemsIn(e.request["input"]) {
		return alone(v), true
	}
	if itemKind(v.Members()) {
		return loose(v), true
	}
	return nil, false
}

// itemsIn reports whether a list holds items: something with a type of theirs, or messages.
func itemsIn(raw json.RawMessage) bool {
	for _, element := range list(raw) {
		members := object(element)
		if itemKind(members) || text(members["role"]) != "" && !isNull(members["content"]) && isNull(members["tool_calls"]) {
			return true
		}
	}
	return false
}

// itemKind reports whether an object has the type of an item.
func itemKind(members map[string]json.RawMessage) bool {
	switch kind := text(members["type"]); kind {
	case "message":
		return text(members["role"]) != "" && itemContent(members["content"])
	case "function_call", "custom_tool_call":
		return !isNull(members["call_id"])
	case "reasoning", "item_reference":
		return !isNull(members["id"]) || !isNull(members["summary"])
	default:
		return strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_call_output")
	}
}

// itemContent tells the content of an item from that of other messages: its
// blocks say whether they go in or out.
func itemContent(content json.RawMessage) bool {
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

func (f responses) Read(parts []Part) ([]*Conversation, error) {
	t, e, err := begin(parts, "input", item)
	if input := e.member("input"); text(input) != "" && !isArray(unquoted(input)) {
		t.say(guard.RoleUser, text(input))
	}
	for i, raw := range list(e.response["output"]) {
		if err == nil {
			if err = item(t, raw); err != nil {
				err = fmt.Errorf("output[%d]: %w", i, err)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	t.ID = cmp.Or(name(e.entry["conversation"], object(e.response["conversation"])["id"]), t.ID)
	t.Tools = responsesTools(e.member("tools"))
	t.LastTurn = e.answered || isArray(e.response["output"])
	if len(t.Messages) > 0 && t.Messages[0].Role != guard.RoleUser && !isNull(e.member("previous_response_id")) {
		t.Unseen = map[int]string{0: unseenBefore}
	}
	return one(t.done(f, parts[0].Line))
}

// unseenBefore is a stateful request: what came before lies with the provider.
const unseenBefore = "the turn began in an earlier response, which the entry only names"

// responsesTools are the tools of a request. A hosted one has a type and no name.
func responsesTools(raw json.RawMessage) []tooltrack.Tool {
	found := tools(raw)
	for _, element := range list(raw) {
		members := object(element)
		kind := text(members["type"])
		if kind != "" && kind != "function" && kind != "custom" && isNull(members["name"]) {
			tool := tooltrack.Tool{Name: strings.TrimSuffix(kind, "_preview")}
			same := func(t tooltrack.Tool) bool { return t.Name == tool.Name }
			if tool.Validate() == nil && !slices.ContainsFunc(found, same) {
				found = append(found, tool)
			}
		}
	}
	return found
}

// item writes one item down.
func item(t *transcript, raw json.RawMessage) error {
	var i struct {
		Type      string          `json:"type"`
		ID        string          `json:"id"`
		Role      string          `json:"role"`
		Content   json.RawMessage `json:"content"`
		CallID    string          `json:"call_id"`
		Name      string          `json:"name"`
		Namespace string          `json:"namespace"`
		Arguments json.RawMessage `json:"arguments"`
		Input     json.RawMessage `json:"input"`
		Action    json.RawMessage `json:"action"`
		Output    json.RawMessage `json:"output"`
		Status    string          `json:"status"`
	}
	if err := decode(raw, &i); err != nil {
		return err
	}
	switch kind := i.Type; {
	case kind == "" || kind == "message":
		t.say(itemRole(i.Role), plain(i.Content))
	case kind == "function_call":
		t.call(i.CallID, i.Name, i.Arguments)
	case kind == "custom_tool_call":
		t.call(i.CallID, i.Name, marshal(map[string]json.RawMessage{"input": i.Input}))
	case strings.HasSuffix(kind, "_output"):
		t.result(i.CallID, "", outputBody(i.Output), fateOf(i.Status == "failed"))
	case slices.Contains(ownCalls, kind):
		tool := cmp.Or(i.Name, strings.TrimSuffix(kind, "_call"))
		t.call(cmp.Or(i.CallID, i.ID), tool, present(i.Arguments, present(i.Action, i.Input)))
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
	var wrapped struct {
		Output   *string `json:"output"`
		Metadata *struct {
			ExitCode *int `json:"exit_code"`
		} `json:"metadata"`
	}
	if !strings.HasPrefix(said, "{") || json.Unmarshal([]byte(said), &wrapped) != nil {
		return said
	}
	if wrapped.Output == nil || wrapped.Metadata == nil || wrapped.Metadata.ExitCode == nil {
		return said
	}
	return string(marshal(map[string]any{"exit_code": *wrapped.Metadata.ExitCode, "output": *wrapped.Output}))
}
