package formats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// How messages stand in a span has changed with the conventions. These are read:
//
//   - attributes gen_ai.input.messages and gen_ai.output.messages, structured or as
//     JSON text, on the span or on the event gen_ai.client.inference.operation.details
//     (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/);
//   - events gen_ai.user.message, gen_ai.assistant.message, gen_ai.tool.message and
//     gen_ai.choice, on the span or as log records (conventions v1.28 to v1.36);
//   - numbered attributes gen_ai.prompt.0.content and gen_ai.completion.0.content
//     (OpenLLMetry), llm.input_messages.0.message.content (OpenInference).

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

func (s *span) runsTool() bool {
	a := s.attributes
	return text(a["gen_ai.operation.name"]) == "execute_tool" || text(a["openinference.span.kind"]) == "TOOL" ||
		text(a["traceloop.span.kind"]) == "tool"
}

// conversation is the exchange of a span; none if its messages were not captured.
func (s *span) conversation(f Format, fates map[string]tooltrack.Status) []*Conversation {
	in, out := s.messages()
	if len(in) == 0 {
		return nil
	}
	t := &Conversation{}
	s.describe(t)
	t.LastTurn, t.Fates = true, fates
	if genaiWrite(t, in) != nil || genaiWrite(t, out) != nil {
		return nil
	}
	if s.finishes("tool_call") && len(t.Messages) > 0 && len(t.Messages[len(t.Messages)-1].Calls) == 0 {
		t.hide(unseenCalls)
	}
	found, _ := t.done(f, s.line) // without messages there is none
	return found
}

// finishes reports whether the model is said to have stopped for this reason.
func (s *span) finishes(reason string) bool {
	return slices.ContainsFunc(list(s.attributes["gen_ai.response.finish_reasons"]), func(raw json.RawMessage) bool {
		return strings.HasPrefix(text(raw), reason)
	})
}

func (s *span) describe(t *Conversation) {
	a := s.attributes
	t.ID = cmp.Or(text(a["gen_ai.conversation.id"]), text(a["session.id"]), s.trace)
	t.Model = cmp.Or(text(a["gen_ai.response.model"]), text(a["gen_ai.request.model"]), text(a["llm.model_name"]))
	lists := []json.RawMessage{a["gen_ai.tool.definitions"]}
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
	ways := []func() (in, out []json.RawMessage){
		func() (in, out []json.RawMessage) { return inputAndOutput(s.attributes) },
		s.eventMessages,
		func() (in, out []json.RawMessage) {
			return numbered(s.attributes, "gen_ai.prompt."), numbered(s.attributes, "gen_ai.completion.")
		},
		func() (in, out []json.RawMessage) {
			return numbered(s.attributes, "llm.input_messages."), numbered(s.attributes, "llm.output_messages.")
		},
	}
	for _, way := range ways {
		if in, out = way(); len(in)+len(out) > 0 {
			return in, out[:min(1, len(out))] // other choices were not said
		}
	}
	return nil, nil
}

// inputAndOutput are the messages as the conventions want them.
func inputAndOutput(a members) (in, out []json.RawMessage) {
	return list(unquoted(a["gen_ai.input.messages"])), list(unquoted(a["gen_ai.output.messages"]))
}

func (s *span) eventMessages() (in, out []json.RawMessage) {
	for _, event := range s.events {
		a := event.attributes
		switch event.name {
		case "gen_ai.client.inference.operation.details":
			asked, answered := inputAndOutput(a)
			in, out = append(in, asked...), append(out, answered...)
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
func eventMessage(role string, fields members) json.RawMessage {
	made := members{"role": marshal(role)}
	for from, to := range eventMembers {
		if value := fields[from]; !isNull(value) {
			made[to] = unquoted(value)
		}
	}
	return marshal(made)
}

// numbered makes one object for each number of attributes such as gen_ai.prompt.0.tool_calls.1.name.
func numbered(attributes members, prefix string) []json.RawMessage {
	own := members{}
	for key, value := range attributes {
		if rest, ours := strings.CutPrefix(key, prefix); ours && strings.Count(rest, ".") < maxDepth {
			own[rest] = value
		}
	}
	return list(nested(own))
}

// nested is an object of values by their paths, or a list where the paths begin with numbers. A name
// with more below it has no value of its own.
func nested(paths members) json.RawMessage {
	made, below := members{}, map[string]members{}
	for path, value := range paths {
		if name, rest, deeper := strings.Cut(path, "."); !deeper {
			made[name] = value
		} else if below[name] == nil {
			below[name] = members{rest: value}
		} else {
			below[name][rest] = value
		}
	}
	for name, inner := range below {
		made[name] = nested(inner)
	}
	number := func(name string) int {
		if n, err := strconv.Atoi(name); err == nil {
			return n
		}
		return -1
	}
	names := slices.SortedFunc(maps.Keys(made), func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	if len(names) == 0 || number(names[0]) < 0 {
		return marshal(made)
	}
	elements := make([]json.RawMessage, len(names))
	for i, name := range names {
		elements[i] = made[name]
	}
	return marshal(elements)
}

// genaiWrite writes messages down: with parts, as the conventions want them, or as the chat messages of older ways.
func genaiWrite(t *Conversation, messages []json.RawMessage) error {
	for i, raw := range messages {
		fields := object(raw)
		if inner := object(fields["message"]); inner != nil { // OpenInference
			fields = inner
		}
		switch {
		case fields == nil:
			return fmt.Errorf("message %d is not a JSON object", i)
		case isArray(fields["parts"]):
			genaiParts(t, text(fields["role"]), list(fields["parts"]))
		default:
			if err := genaiChat(t, fields); err != nil {
				return err
			}
		}
	}
	return nil
}

// genaiChat writes a message of chat completions down. Its calls may lie flat, and its blocks may be text.
func genaiChat(t *Conversation, fields members) error {
	var calls []any
	for _, raw := range list(unquoted(fields["tool_calls"])) {
		call := object(raw)
		if inner := object(call["tool_call"]); inner != nil {
			call = inner
		}
		if isNull(call["function"]) {
			call["function"] = marshal(members{"name": call["name"], "arguments": call["arguments"]})
		}
		calls = append(calls, call)
	}
	if calls != nil {
		fields["tool_calls"] = marshal(calls)
	}
	typed := func(raw json.RawMessage) bool { return text(object(raw)["type"]) == "" }
	if blocks := list(unquoted(fields["content"])); len(blocks) > 0 && !slices.ContainsFunc(blocks, typed) {
		fields["content"] = marshal(blocks)
	} else if !isNull(fields["content"]) {
		fields["content"] = marshal(body(fields["content"]))
	}
	if isNull(fields["role"]) {
		fields["role"] = marshal("assistant")
	}
	return chatWrite(t, marshal(fields))
}

// genaiParts writes the parts of one message down. A user whose message holds but results said nothing.
func genaiParts(t *Conversation, role string, parts []json.RawMessage) {
	said, results, calls := "", 0, []members{}
	for _, raw := range parts {
		part := object(raw)
		switch text(part["type"]) {
		case "text":
			said += text(part["content"])
		case "tool_call", "server_tool_call":
			calls = append(calls, part)
		case "tool_call_response", "server_tool_call_response":
			results++
			told := body(present(part["response"], part["result"]))
			t.result(text(part["id"]), text(part["name"]), told, tooltrack.Unknown)
		}
	}
	if said != "" || results == 0 {
		t.say(itemRole(role), said)
	}
	for _, call := range calls {
		t.call(text(call["id"]), text(call["name"]), call["arguments"])
	}
}
