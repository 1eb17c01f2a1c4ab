package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// How messages stand in a span has changed with the conventions, and tracers emit all of these:
//
//   - attributes gen_ai.input.messages and gen_ai.output.messages, structured or as
//     JSON text, on the span or on the event gen_ai.client.inference.operation.details
//     (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/);
//   - events gen_ai.user.message, gen_ai.assistant.message, gen_ai.tool.message and
//     gen_ai.choice, on the span or as log records (conventions v1.28 to v1.36);
//   - events gen_ai.content.prompt and gen_ai.content.completion (v1.27 and before);
//   - numbered attributes gen_ai.prompt.0.content and gen_ai.completion.0.content
//     (OpenLLMetry), llm.input_messages.0.message.content (OpenInference);
//   - attributes ai.prompt.messages, ai.response.text and ai.response.toolCalls
//     (https://ai-sdk.dev/docs/ai-sdk-core/telemetry).

// callsModel reports whether a span is a call of a model.
func (s *span) callsModel() bool {
	switch text(s.attributes["gen_ai.operation.name"]) {
	case "chat", "text_completion", "generate_content":
		return true
	case "":
		kind := cmp.Or(text(s.attributes["openinference.span.kind"]), text(s.attributes["llm.request.type"]))
		return kind == "LLM" || kind == "chat" || kind == "" && !s.runsTool()
	}
	return false
}

// runsTool reports whether a span is the execution of a tool.
func (s *span) runsTool() bool {
	a := s.attributes
	return text(a["gen_ai.operation.name"]) == "execute_tool" || text(a["openinference.span.kind"]) == "TOOL" ||
		text(a["traceloop.span.kind"]) == "tool"
}

// conversation is the exchange of a span; nil if its messages were not captured.
func (s *span) conversation(f Format, fates map[string]tooltrack.Status) *Conversation {
	in, out := s.messages()
	if len(in) == 0 {
		return nil
	}
	t := &transcript{}
	s.describe(t)
	t.LastTurn, t.Fates = true, fates
	if genaiWrite(t, in) != nil || genaiWrite(t, out) != nil {
		return nil
	}
	if s.finishes("tool_call") && len(t.Messages) > 0 && len(t.Messages[len(t.Messages)-1].Calls) == 0 {
		t.hide(unseenCalls)
	}
	c, err := t.done(f, s.line)
	if err != nil {
		return nil
	}
	return c
}

// finishes reports whether the model is said to have stopped for this reason.
func (s *span) finishes(reason string) bool {
	return slices.ContainsFunc(list(s.attributes["gen_ai.response.finish_reasons"]), func(raw json.RawMessage) bool {
		return strings.HasPrefix(text(raw), reason)
	})
}

// describe names the conversation, the model and the tools.
func (s *span) describe(t *transcript) {
	a := s.attributes
	t.ID = cmp.Or(text(a["gen_ai.conversation.id"]), text(a["session.id"]), s.trace)
	t.Model = cmp.Or(text(a["gen_ai.response.model"]), text(a["gen_ai.request.model"]), text(a["llm.model_name"]))
	lists := []json.RawMessage{a["gen_ai.tool.definitions"], a["ai.prompt.tools"]}
	for _, event := range s.events {
		lists = append(lists, event.attributes["gen_ai.tool.definitions"])
	}
	for _, prefix := range []string{"llm.request.functions.", "llm.tools."} {
		if numbered := numbered(a, prefix); len(numbered) > 0 {
			lists = append(lists, marshal(bare(numbered)))
		}
	}
	t.Tools = tools(lists...)
}

// bare takes the envelope off OpenInference's tools: {"tool":{"json_schema":"…"}}.
func bare(elements []json.RawMessage) []json.RawMessage {
	for i, raw := range elements {
		if schema := object(object(raw)["tool"])["json_schema"]; !isNull(schema) {
			elements[i] = unquoted(schema)
		}
	}
	return elements
}

// messages are what went into a model and what came out of it, whichever way they stand in the span.
func (s *span) messages() (in, out []json.RawMessage) {
	a := s.attributes
	if in, out = inputAndOutput(a); len(in)+len(out) > 0 {
		return in, head(out)
	}
	if in, out = s.eventMessages(); len(in)+len(out) > 0 {
		return in, head(out)
	}
	if in = list(unquoted(a["ai.prompt.messages"])); len(in) > 0 {
		return in, []json.RawMessage{s.aisdkAnswer()}
	}
	for _, prefix := range numberedPrefixes {
		if in, out = numbered(a, prefix.in), numbered(a, prefix.out); len(in)+len(out) > 0 {
			return in, head(out)
		}
	}
	if in = list(unquoted(a["gen_ai.prompt"])); len(in) > 0 {
		return in, head(list(unquoted(a["gen_ai.completion"])))
	}
	return nil, nil
}

// inputAndOutput are the messages as the conventions want them.
func inputAndOutput(a map[string]json.RawMessage) (in, out []json.RawMessage) {
	return list(unquoted(a["gen_ai.input.messages"])), list(unquoted(a["gen_ai.output.messages"]))
}

// aisdkAnswer is what the AI SDK's own spans say the model answered.
func (s *span) aisdkAnswer() json.RawMessage {
	parts := []json.RawMessage{marshal(map[string]any{"type": "text", "text": text(s.attributes["ai.response.text"])})}
	for _, raw := range list(unquoted(s.attributes["ai.response.toolCalls"])) {
		if call := object(raw); call != nil {
			call["type"] = marshal("tool-call")
			parts = append(parts, marshal(call))
		}
	}
	return marshal(map[string]any{"role": "assistant", "content": parts})
}

// head is the first choice: the others were not said.
func head(choices []json.RawMessage) []json.RawMessage { return choices[:min(1, len(choices))] }

// eventMessages reads the events of a span.
func (s *span) eventMessages() (in, out []json.RawMessage) {
	for _, event := range s.events {
		a := event.attributes
		switch event.name {
		case "gen_ai.client.inference.operation.details":
			asked, answered := inputAndOutput(a)
			in, out = append(in, asked...), append(out, answered...)
		case "gen_ai.content.prompt":
			in = append(in, list(unquoted(a["gen_ai.prompt"]))...)
		case "gen_ai.content.completion":
			out = append(out, list(unquoted(a["gen_ai.completion"]))...)
		case "gen_ai.choice":
			message := object(unquoted(a["message"]))
			if message == nil {
				message = a
			}
			out = append(out, eventMessage("assistant", message))
		case "gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message":
			role := strings.TrimSuffix(strings.TrimPrefix(event.name, "gen_ai."), ".message")
			in = append(in, eventMessage(role, a))
		}
	}
	return in, out
}

// eventMembers are the members of an event, and those of a message that they are.
var eventMembers = map[string]string{
	"content": "content", "tool_calls": "tool_calls", "id": "tool_call_id", "name": "name",
}

// eventMessage is an event as a message of chat completions, whose members it has.
func eventMessage(role string, members map[string]json.RawMessage) json.RawMessage {
	made := map[string]json.RawMessage{"role": marshal(role)}
	for from, to := range eventMembers {
		if value := members[from]; !isNull(value) {
			made[to] = unquoted(value)
		}
	}
	return marshal(made)
}

// numberedPrefixes begin the names of numbered attributes: OpenLLMetry's, then OpenInference's.
var numberedPrefixes = []struct{ in, out string }{
	{"gen_ai.prompt.", "gen_ai.completion."}, {"llm.input_messages.", "llm.output_messages."},
}

// maxNumbered bounds the messages of one span.
const maxNumbered = 10_000

// numbered puts attributes such as gen_ai.prompt.0.tool_calls.1.name together:
// one object for each number, with what follows it as members.
func numbered(attributes map[string]json.RawMessage, prefix string) []json.RawMessage {
	trees := map[int]*tree{}
	for key, value := range attributes {
		rest, ok := strings.CutPrefix(key, prefix)
		if !ok {
			continue
		}
		number, path, _ := strings.Cut(rest, ".")
		at, err := strconv.Atoi(number)
		if err != nil || at < 0 || at >= maxNumbered {
			continue
		}
		if trees[at] == nil {
			trees[at] = &tree{}
		}
		trees[at].put(path, value, 0)
	}
	var found []json.RawMessage
	for at := 0; len(found) < len(trees) && at < maxNumbered; at++ {
		if trees[at] != nil {
			found = append(found, trees[at].json())
		}
	}
	return found
}

// tree is an object that is put together member by member.
type tree struct {
	value    json.RawMessage
	children map[string]*tree
}

func (t *tree) put(path string, value json.RawMessage, depth int) {
	if path == "" || depth > maxDepth {
		t.value = value
		return
	}
	key, rest, _ := strings.Cut(path, ".")
	if t.children == nil {
		t.children = map[string]*tree{}
	}
	if t.children[key] == nil {
		t.children[key] = &tree{}
	}
	t.children[key].put(rest, value, depth+1)
}

// json is the tree as JSON. Children with numbers for names are a list.
func (t *tree) json() json.RawMessage {
	if t.children == nil {
		return t.value
	}
	members, elements := map[string]json.RawMessage{}, map[int]json.RawMessage{}
	for key, child := range t.children {
		if at, err := strconv.Atoi(key); err == nil && at >= 0 && at < maxNumbered {
			elements[at] = child.json()
		} else {
			members[key] = child.json()
		}
	}
	if len(members) > 0 {
		return marshal(members)
	}
	ordered := []json.RawMessage{}
	for at := 0; len(ordered) < len(elements) && at < maxNumbered; at++ {
		if element, there := elements[at]; there {
			ordered = append(ordered, element)
		}
	}
	return marshal(ordered)
}

// genaiWrite writes messages down: with parts, as the conventions want them, or
// as messages of chat completions, which the older ways are.
func genaiWrite(t *transcript, messages []json.RawMessage) error {
	for i, raw := range messages {
		members := object(raw)
		if inner := object(members["message"]); inner != nil { // OpenInference
			members = inner
		}
		switch {
		case members == nil:
			return fmt.Errorf("message %d is not a JSON object", i)
		case aisdkMessage(members):
			if err := aisdkWrite(t, raw); err != nil {
				return err
			}
		case isArray(members["parts"]):
			genaiParts(t, text(members["role"]), list(members["parts"]))
		default:
			if err := genaiChat(t, members); err != nil {
				return err
			}
		}
	}
	return nil
}

// genaiChat writes a message of chat completions down. Its calls may lie flat.
func genaiChat(t *transcript, members map[string]json.RawMessage) error {
	calls := list(unquoted(members["tool_calls"]))
	for i, raw := range calls {
		if inner := object(object(raw)["tool_call"]); inner != nil {
			calls[i] = marshal(inner)
		}
	}
	if calls != nil {
		members["tool_calls"] = marshal(calls)
	}
	members["content"] = unquotedBlocks(members["content"])
	if isNull(members["role"]) {
		members["role"] = marshal("assistant")
	}
	return chatWrite(t, marshal(members))
}

// unquotedBlocks is content whose blocks were written as text.
func unquotedBlocks(content json.RawMessage) json.RawMessage {
	blocks := list(unquoted(content))
	for _, raw := range blocks {
		if text(object(raw)["type"]) == "" {
			return content
		}
	}
	if len(blocks) == 0 {
		return content
	}
	return marshal(blocks)
}

// genaiParts writes the parts of one message down.
func genaiParts(t *transcript, role string, parts []json.RawMessage) {
	m := &message{role: itemRole(role)}
	for _, raw := range parts {
		part := object(raw)
		switch text(part["type"]) {
		case "text":
			m.said.WriteString(text(part["content"]))
		case "tool_call", "server_tool_call":
			m.call(text(part["id"]), text(part["name"]), part["arguments"])
		case "tool_call_response", "server_tool_call_response":
			m.results++
			said := body(present(part["response"], part["result"]))
			t.result(text(part["id"]), text(part["name"]), said, tooltrack.Unknown)
		}
	}
	if m.role != guard.RoleTool || m.results == 0 {
		t.write(m)
	}
}
