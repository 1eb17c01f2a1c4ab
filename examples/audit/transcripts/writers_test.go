package transcripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// script is a conversation before anybody has given it a shape.
type script struct {
	tools []tooltrack.Tool
	turns []scriptTurn
}

// scriptTurn is a request, what was called in one or more rounds, and the answer.
type scriptTurn struct {
	user   string
	rounds []round
	text   string
}

// round is one message of the assistant with calls, and their results.
type round struct {
	beside string // what is said beside the calls
	calls  []scriptCall
}

type scriptCall struct {
	id, tool, args, result string
	failed                 bool
}

// A writer writes a script down in one format.
type writer struct {
	name  string
	lists string // whose list of tools its reader uses: "own", "none", "claude" or "codex"
	as    string // what it should be taken for
	write func(script) []byte
}

// lines are values, one a line.
func lines(values ...any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, value := range values {
		if err := encoder.Encode(value); err != nil {
			panic(err)
		}
	}
	return out.Bytes()
}

func jsonText(value any) string { return strings.TrimSpace(string(lines(value))) }

func raw(text string) json.RawMessage { return json.RawMessage(text) }

// dialect writes messages in the way of one provider. It is all that differs
// between most writers.
type dialect struct {
	user   func(text string) []any
	agent  func(text string, calls []scriptCall) []any
	result func(calls []scriptCall) []any
}

// messages are a script in a dialect. With each, what it says so far is handed to
// said after every message of the assistant: that is what one exchange holds.
func (d dialect) messages(s script, said func(before, answer []any, turn int)) []any {
	var all []any
	for n, t := range s.turns {
		all = append(all, d.user(t.user)...)
		answer := func(made []any) {
			if said != nil {
				said(append([]any{}, all...), made, n)
			}
			all = append(all, made...)
		}
		for _, r := range t.rounds {
			answer(d.agent(r.beside, r.calls))
			all = append(all, d.result(r.calls)...)
		}
		answer(d.agent(t.text, nil))
	}
	return all
}

// exchanges are a script as requests and responses, one a line.
func (d dialect) exchanges(s script, entry func(before, answer []any) any) []byte {
	var all []any
	d.messages(s, func(before, answer []any, _ int) { all = append(all, entry(before, answer)) })
	return lines(all...)
}

var chatDialect = dialect{
	user: func(text string) []any { return []any{anything{"role": "user", "content": text}} },
	agent: func(text string, calls []scriptCall) []any {
		message := anything{"role": "assistant", "content": nil}
		if text != "" {
			message["content"] = text
		}
		var made []any
		for _, c := range calls {
			made = append(made, anything{"id": c.id, "type": "function", "function": anything{"name": c.tool, "arguments": c.args}})
		}
		if made != nil {
			message["tool_calls"] = made
		}
		return []any{message}
	},
	result: func(calls []scriptCall) []any {
		var made []any
		for _, c := range calls {
			made = append(made, anything{"role": "tool", "tool_call_id": c.id, "content": c.result})
		}
		return made
	},
}

var anthropicDialect = dialect{
	user: func(text string) []any {
		return []any{anything{"role": "user", "content": []any{anything{"type": "text", "text": text}}}}
	},
	agent: func(text string, calls []scriptCall) []any {
		var content []any
		if text != "" {
			content = append(content, anything{"type": "text", "text": text})
		}
		for _, c := range calls {
			content = append(content, anything{"type": "tool_use", "id": c.id, "name": c.tool, "input": raw(c.args)})
		}
		return []any{anything{"role": "assistant", "content": content}}
	},
	result: func(calls []scriptCall) []any {
		var content []any
		for _, c := range calls {
			made := anything{"type": "tool_result", "tool_use_id": c.id, "content": c.result}
			if c.failed {
				made["is_error"] = true
			}
			content = append(content, made)
		}
		return []any{anything{"role": "user", "content": content}}
	},
}

var responsesDialect = dialect{
	user: func(text string) []any {
		return []any{anything{"type": "message", "role": "user", "content": []any{anything{"type": "input_text", "text": text}}}}
	},
	agent: func(text string, calls []scriptCall) []any {
		var items []any
		if text != "" {
			items = append(items, anything{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
				"content": []any{anything{"type": "output_text", "text": text, "annotations": []any{}}}})
		}
		for _, c := range calls {
			items = append(items, anything{"type": "function_call", "id": "fc_" + c.id, "call_id": c.id, "name": c.tool, "arguments": c.args, "status": "completed"})
		}
		return items
	},
	result: func(calls []scriptCall) []any {
		var items []any
		for _, c := range calls {
			items = append(items, anything{"type": "function_call_output", "call_id": c.id, "output": c.result})
		}
		return items
	},
}

func geminiDialect(call, response string) dialect {
	return dialect{
		user: func(text string) []any {
			return []any{anything{"role": "user", "parts": []any{anything{"text": text}}}}
		},
		agent: func(text string, calls []scriptCall) []any {
			var parts []any
			if text != "" {
				parts = append(parts, anything{"text": text})
			}
			for _, c := range calls {
				parts = append(parts, anything{call: anything{"name": c.tool, "args": raw(c.args)}})
			}
			return []any{anything{"role": "model", "parts": parts}}
		},
		result: func(calls []scriptCall) []any {
			var parts []any
			for _, c := range calls {
				parts = append(parts, anything{response: anything{"name": c.tool, "response": anything{"result": c.result}}})
			}
			return []any{anything{"role": "user", "parts": parts}}
		},
	}
}

// langchainDialect writes messages in one of LangChain's three ways.
func langchainDialect(shape func(kind, class string, fields anything) any) dialect {
	return dialect{
		user: func(text string) []any { return []any{shape("human", "HumanMessage", anything{"content": text})} },
		agent: func(text string, calls []scriptCall) []any {
			made := []any{}
			for _, c := range calls {
				made = append(made, anything{"name": c.tool, "args": raw(c.args), "id": c.id, "type": "tool_call"})
			}
			return []any{shape("ai", "AIMessage", anything{"content": text, "tool_calls": made, "invalid_tool_calls": []any{}})}
		},
		result: func(calls []scriptCall) []any {
			var made []any
			for _, c := range calls {
				status := "success"
				if c.failed {
					status = "error"
				}
				made = append(made, shape("tool", "ToolMessage", anything{"content": c.result, "name": c.tool, "tool_call_id": c.id, "status": status}))
			}
			return made
		},
	}
}

func dumped(kind, class string, fields anything) any {
	return anything{"lc": 1, "type": "constructor", "id": []string{"langchain", "schema", "messages", class}, "kwargs": fields}
}

func toDict(kind, _ string, fields anything) any { return anything{"type": kind, "data": fields} }

func modelDump(kind, _ string, fields anything) any {
	fields["type"] = kind
	return fields
}

var partsDialect = dialect{
	user: func(text string) []any {
		return []any{anything{"role": "user", "parts": []any{anything{"type": "text", "content": text}}}}
	},
	agent: func(text string, calls []scriptCall) []any {
		var parts []any
		if text != "" {
			parts = append(parts, anything{"type": "text", "content": text})
		}
		for _, c := range calls {
			parts = append(parts, anything{"type": "tool_call", "id": c.id, "name": c.tool, "arguments": raw(c.args)})
		}
		return []any{anything{"role": "assistant", "parts": parts, "finish_reason": "stop"}}
	},
	result: func(calls []scriptCall) []any {
		var made []any
		for _, c := range calls {
			made = append(made, anything{"role": "tool", "parts": []any{anything{"type": "tool_call_response", "id": c.id, "response": c.result}}})
		}
		return made
	},
}

// toolList is a list of tools as a provider wants it.
func toolList(tools []tooltrack.Tool, schema string, envelope func(anything) any) []any {
	made := []any{}
	for _, tool := range tools {
		listed := anything{"name": tool.Name, "description": tool.Description}
		if tool.Parameters != nil {
			listed[schema] = tool.Parameters
		}
		made = append(made, envelope(listed))
	}
	return made
}

func inFunction(tool anything) any { return anything{"type": "function", "function": tool} }
func asItIs(tool anything) any     { return tool }
func asFunction(tool anything) any {
	tool["type"] = "function"
	return tool
}

// otlpValue is a value as OTLP writes it.
func otlpValue(value any) any {
	switch v := value.(type) {
	case string:
		return anything{"stringValue": v}
	case []any:
		var values []any
		for _, element := range v {
			values = append(values, otlpValue(element))
		}
		return anything{"arrayValue": anything{"values": values}}
	case anything:
		var values []any
		for key, element := range v {
			values = append(values, anything{"key": key, "value": otlpValue(element)})
		}
		return anything{"kvlistValue": anything{"values": values}}
	case json.RawMessage:
		var decoded any
		if err := json.Unmarshal(v, &decoded); err != nil {
			panic(err)
		}
		return otlpValue(decoded)
	case float64:
		return anything{"doubleValue": v}
	}
	panic(fmt.Sprintf("no OTLP value: %T", value))
}

func otlpAttributes(attributes anything) []any {
	made := []any{}
	for key, value := range attributes {
		made = append(made, anything{"key": key, "value": otlpValue(value)})
	}
	return made
}

// otlpExport is a span, with its events, as a line of the collector's file.
func otlpExport(n int, turn int, name string, attributes anything, events []any, failed bool) any {
	span := anything{
		"traceId": fmt.Sprintf("%032x", turn+1), "spanId": fmt.Sprintf("%016x", n+1), "name": name, "kind": 3,
		"startTimeUnixNano": fmt.Sprint(1_790_000_000_000_000_000 + n), "attributes": otlpAttributes(attributes), "status": anything{},
	}
	if events != nil {
		span["events"] = events
	}
	if failed {
		span["status"] = anything{"code": 2, "message": "failed"}
	}
	return anything{"resourceSpans": []any{anything{"resource": anything{}, "scopeSpans": []any{anything{"scope": anything{"name": "test"}, "spans": []any{span}}}}}}
}

// otlpTrace writes a script as spans: one for each call of the model, written by
// chat, and one for each call of a tool.
func otlpTrace(s script, d dialect, chat func(before, answer []any) (anything, []any)) []byte {
	var all []any
	n := 0
	d.messages(s, func(before, answer []any, turn int) {
		attributes, events := chat(before, answer)
		attributes["gen_ai.operation.name"] = "chat"
		attributes["gen_ai.request.model"] = "amber"
		all = append(all, otlpExport(n, turn, "chat amber", attributes, events, false))
		n++
	})
	for turn, t := range s.turns {
		for _, r := range t.rounds {
			for _, c := range r.calls {
				all = append(all, otlpExport(n, turn, "execute_tool "+c.tool, anything{
					"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": c.tool, "gen_ai.tool.call.id": c.id,
				}, nil, c.failed))
				n++
			}
		}
	}
	return lines(all...)
}

// numberedAttributes are messages as attributes with numbers in their names.
func numberedAttributes(into anything, prefix, between string, messages []any) {
	for i, element := range messages {
		message := element.(anything)
		at := fmt.Sprintf("%s.%d.%s", prefix, i, between)
		for _, key := range []string{"role", "content", "tool_call_id"} {
			if said, ok := message[key].(string); ok {
				into[at+key] = said
			}
		}
		calls, _ := message["tool_calls"].([]any)
		for j, call := range calls {
			function := call.(anything)["function"].(anything)
			if between == "" {
				inner := fmt.Sprintf("%stool_calls.%d.", at, j)
				into[inner+"id"], into[inner+"name"], into[inner+"arguments"] = call.(anything)["id"], function["name"], function["arguments"]
			} else {
				inner := fmt.Sprintf("%stool_calls.%d.tool_call.", at, j)
				into[inner+"id"], into[inner+"function.name"], into[inner+"function.arguments"] = call.(anything)["id"], function["name"], function["arguments"]
			}
		}
	}
}

// messageEvents are messages as the events of a span.
func messageEvents(before, answer []any) []any {
	var events []any
	for _, element := range before {
		message := element.(anything)
		attributes := anything{"gen_ai.system": "amber"}
		if said, ok := message["content"].(string); ok {
			attributes["content"] = said
		}
		if id, ok := message["tool_call_id"].(string); ok {
			attributes["id"] = id
		}
		if calls, ok := message["tool_calls"].([]any); ok {
			attributes["tool_calls"] = jsonText(calls)
		}
		events = append(events, anything{"name": "gen_ai." + message["role"].(string) + ".message", "attributes": otlpAttributes(attributes)})
	}
	for _, element := range answer {
		events = append(events, anything{"name": "gen_ai.choice", "attributes": otlpAttributes(anything{"index": "0", "finish_reason": "stop", "message": jsonText(element)})})
	}
	return events
}

// agentTrace writes a script as one trace of agent-trace/v1.
func agentTrace(s script) []byte {
	var steps []any
	step := func(kind, role string, more anything) {
		more["i"], more["kind"], more["role"] = len(steps), kind, role
		steps = append(steps, more)
	}
	for _, turn := range s.turns {
		step("message", "user", anything{"content": turn.user})
		for _, round := range turn.rounds {
			if round.beside != "" {
				step("message", "agent", anything{"content": round.beside})
			}
			for _, call := range round.calls {
				step("tool_call", "agent", anything{"name": call.tool, "args": raw(call.args)})
			}
			for _, call := range round.calls {
				step("tool_result", "tool", anything{"name": call.tool, "ok": !call.failed, "output": call.result})
			}
		}
		if turn.text != "" {
			step("message", "agent", anything{"content": turn.text})
		}
	}
	return lines(anything{"schema": "agent-trace/v1", "trace_id": "t-1", "task": anything{"instruction": s.turns[0].user}, "steps": steps})
}
