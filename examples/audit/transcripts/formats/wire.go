package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

type members = map[string]json.RawMessage

// wire is the format of a provider's messages: conversations, requests with responses, or single messages. The
// guard's own reader of the format reads what they say, as strictly as in production.
type wire struct {
	name string
	list string // the member that lists the messages
	// owns tells a message of this format from those of the others.
	owns func(message members) bool
	// isEntry tells an entry whose messages do not give it away. It may be nil.
	isEntry func(e exchange) bool
	write   func(t *Conversation, message json.RawMessage) error
	// answer is what a response says.
	answer func(response members) []json.RawMessage
}

// wires are the formats of messages, the most particular first. Shapes:
//
//   - https://ai.google.dev/api/caching#Content (the Python client writes underscores)
//   - https://platform.openai.com/docs/api-reference/responses
//   - https://reference.langchain.com/python/langchain_core/messages
//   - https://docs.anthropic.com/en/api/messages
//   - https://platform.openai.com/docs/api-reference/chat, which most model servers and frameworks speak
var (
	gemini = &wire{
		name: "Gemini contents", list: "contents",
		owns: func(m members) bool {
			return isArray(m["parts"]) && slices.Contains([]string{"user", "model", "function"}, text(m["role"]))
		},
		isEntry: func(exchange) bool { return true },
		write: func(t *Conversation, raw json.RawMessage) error {
			return t.read(chatwire.Gemini, `{"contents":[`, raw)
		},
		answer: func(response members) []json.RawMessage {
			if candidates := list(response["candidates"]); len(candidates) > 0 {
				return given(object(candidates[0])["content"])
			}
			return nil
		},
	}
	responses = &wire{
		name: "OpenAI Responses", list: "input", owns: isItem, write: item,
		isEntry: func(e exchange) bool {
			said := func(raw json.RawMessage) bool { return text(object(raw)["role"]) != "" }
			return isArray(e.response["output"]) || slices.ContainsFunc(list(unquoted(e.request["input"])), said)
		},
		answer: func(response members) []json.RawMessage { return list(response["output"]) },
	}
	langchain = &wire{
		name: "LangChain messages", list: "messages", write: langchainWrite,
		owns:   func(m members) bool { _, _, is := langchainMessage(m); return is },
		answer: func(members) []json.RawMessage { return nil },
	}
	anthropic = &wire{
		name: "Anthropic messages", list: "messages", write: anthropicWrite,
		owns: func(m members) bool {
			return text(m["role"]) != "" && anthropicBlocks(m["content"]) || isAnthropicAnswer(m)
		},
		isEntry: func(e exchange) bool {
			return isAnthropicAnswer(e.response) || !isNull(e.request["anthropic_version"]) ||
				bytes.Contains(e.member("tools"), []byte(`"input_schema"`))
		},
		answer: func(response members) []json.RawMessage {
			if !isAnthropicAnswer(response) {
				return nil
			}
			return given(marshal(response))
		},
	}
	chat = &wire{
		name: "OpenAI chat messages", list: "messages", write: chatWrite,
		owns:    func(m members) bool { return text(m["role"]) != "" && isNull(m["parts"]) },
		isEntry: func(exchange) bool { return true },
		answer:  choice,
	}
)

func (w *wire) Name() string { return w.name }

func (w *wire) Take(v *Value) ([]Part, bool) {
	e := exchangeOf(v.Members())
	listed := unquoted(e.request[w.list])
	isOwn := func(raw json.RawMessage) bool { return w.owns(object(raw)) }
	if isArray(listed) || text(listed) != "" && len(w.answer(e.response)) > 0 || w == responses && isItems(e.response) {
		if w.isEntry != nil && w.isEntry(e) || slices.ContainsFunc(list(listed), isOwn) {
			return alone(v), true
		}
	}
	return loose(v), w.owns(v.Members())
}

func (w *wire) Read(parts []Part) ([]*Conversation, error) {
	t, e, err := begin(parts, w.list, w.write)
	listed := e.member(w.list)
	if said := text(listed); said != "" && !isArray(unquoted(listed)) { // clients take a text for a list
		t.say(guard.RoleUser, said)
	}
	answer := w.answer(e.response)
	for _, raw := range answer {
		if err == nil {
			if err = w.write(t, raw); err != nil {
				err = fmt.Errorf("the response: %w", err)
			}
		}
	}
	var beside struct {
		Model   string              `json:"model"`
		Records []*tooltrack.Record `json:"records"`
	}
	if err == nil && parts[0].Key != Loose {
		err = decode(parts[0].Data, &beside)
	}
	if err != nil {
		return nil, err
	}
	t.ID = cmp.Or(name(e.entry["conversation"], object(e.response["conversation"])["id"]), t.ID)
	t.Model = cmp.Or(t.Model, text(e.response["modelVersion"]), text(e.response["model_version"]))
	t.Records, t.LastTurn = beside.Records, e.answered || len(answer) > 0
	if len(t.Messages) > 0 && t.Messages[0].Role != guard.RoleUser && !isNull(e.member("previous_response_id")) {
		t.Unseen = map[int]string{0: unseenBefore}
	}
	if n := len(t.Messages); n > 0 && stoppedForCalls(e.response) && len(t.Messages[n-1].Calls) == 0 {
		t.hide(unseenCalls)
	}
	return t.done(w, parts[0].Line)
}

// Why turns are not judged.
const (
	unseenBefore  = "the turn began in an earlier response, which the entry only names"
	unseenForeign = "its calls are in a form that is not read here"
)

// given is a list of what is there.
func given(raw json.RawMessage) []json.RawMessage {
	if isNull(raw) {
		return nil
	}
	return []json.RawMessage{raw}
}

// stoppedForCalls reports whether a response says that the model stopped to call tools.
func stoppedForCalls(response members) bool {
	reason := text(response["stop_reason"])
	if choices := list(response["choices"]); len(choices) > 0 {
		reason = text(object(choices[0])["finish_reason"])
	}
	return slices.Contains([]string{"tool_calls", "function_call", "tool_use"}, reason)
}

// choice is the message of a completion. Ollama's answers hold it alone.
func choice(response members) []json.RawMessage {
	if message := response["message"]; text(object(message)["role"]) == "assistant" {
		return given(message)
	}
	if choices := list(response["choices"]); len(choices) > 0 {
		return given(object(choices[0])["message"])
	}
	return nil
}

// chatWrite writes down a message of chat completions, whichever provider's blocks are in it.
func chatWrite(t *Conversation, raw json.RawMessage) error {
	fields := object(raw)
	if anthropicBlocks(fields["content"]) && isNull(fields["tool_calls"]) {
		return anthropicWrite(t, raw)
	}
	before := len(t.Messages)
	if err := t.read(chatwire.ChatCompletions, `{"messages":[`, raw); err != nil {
		return err
	}
	if said := text(fields["refusal"]); len(t.Messages) == before && text(fields["role"]) == "assistant" {
		t.say(guard.RoleAssistant, said)
	}
	if foreignCalls(fields["content"]) {
		t.hide(unseenForeign)
	}
	return nil
}

// foreignCalls reports whether parts of a message speak of tools; here they are calls or results of another format.
func foreignCalls(content json.RawMessage) bool {
	for _, element := range list(content) {
		for key, value := range object(element) {
			if key == "type" {
				key = text(value)
			}
			if strings.Contains(strings.ToLower(key), "tool") {
				return true
			}
		}
	}
	return false
}

// isAnthropicAnswer tells a response of the Messages interface.
func isAnthropicAnswer(m members) bool {
	return text(m["type"]) == "message" && text(m["role"]) == "assistant" && isArray(m["content"]) &&
		!isNull(m["stop_reason"])
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

// anthropicWrite writes one message down. Results of tools stand in messages of the user, who said nothing then.
func anthropicWrite(t *Conversation, raw json.RawMessage) error {
	return t.read(chatwire.Messages, `{"messages":[`, raw)
}

// fateOf is Failed if the log says so, and otherwise left to the text.
func fateOf(failed bool) tooltrack.Status {
	if failed {
		return tooltrack.Failed
	}
	return tooltrack.Unknown
}

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

// exchange is one request to a model and its answer, as gateways, clients and
// batch interfaces log them. An entry that is a request alone has no answer.
//
// Four shapes are common:
//
//	{"request": {…}, "response": {…}}            a gateway's log
//	{"request_body": {…}, "response_body": {…}}  the same with bodies, often as text
//	{"custom_id": …, "body": {…}}                a line of a batch's input
//	{"messages": […], "choices": […]}            both in one object
type exchange struct {
	request, response map[string]json.RawMessage
	entry             map[string]json.RawMessage
	answered          bool // there is a response, or a place for one
}

func exchangeOf(members map[string]json.RawMessage) exchange {
	e := exchange{entry: members, request: members, response: members}
	if members == nil {
		return e
	}
	for _, key := range []string{"request", "request_body", "body"} {
		if found := bodyOf(members[key]); found != nil {
			e.request, e.answered = found, key != "body"
			break
		}
	}
	for _, key := range []string{"response", "response_body"} {
		if found := bodyOf(members[key]); found != nil {
			e.response, e.answered = found, true
			if inner := bodyOf(found["body"]); inner != nil { // a line of a batch's output
				e.response = inner
			}
			break
		}
	}
	return e
}

// bodyOf is the object of a request or a response, with the body inside it where there is one.
func bodyOf(raw json.RawMessage) map[string]json.RawMessage {
	found := object(unquoted(raw))
	if inner := object(unquoted(found["body"])); inner != nil {
		return inner
	}
	return found
}

// member looks for a member in the request, then in the entry around it, then in the response.
func (e exchange) member(key string) json.RawMessage {
	for _, members := range []map[string]json.RawMessage{e.request, e.entry, e.response} {
		if found := members[key]; !isNull(found) {
			return found
		}
	}
	return nil
}

func (e exchange) names() (id, model string) {
	own := e.entry
	id = name(own["conversation_id"], own["thread_id"], own["session_id"], e.request["conversation_id"], own["custom_id"],
		own["id"])
	return id, cmp.Or(text(e.entry["model"]), text(e.request["model"]), text(e.response["model"]))
}

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

// isItemContent tells the content of an item from that of other messages: its blocks say whether they go in or out.
func isItemContent(content json.RawMessage) bool {
	for _, raw := range list(content) {
		switch text(object(raw)["type"]) {
		case "input_text", "output_text", "refusal", "input_image", "input_file":
			return true
		}
	}
	return text(content) != ""
}

// ownCalls are kinds of calls that the client runs though they are no functions; others are run by the provider.
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

// outputBody is the text of a result. Coding agents wrap it: {"output": …, "metadata": {"exit_code": 0}}.
func outputBody(output json.RawMessage) string {
	said := body(output)
	wrapped := object([]byte(said))
	code := object(wrapped["metadata"])["exit_code"]
	if isNull(code) || isNull(wrapped["output"]) {
		return said
	}
	return string(marshal(members{"exit_code": code, "output": wrapped["output"]}))
}
