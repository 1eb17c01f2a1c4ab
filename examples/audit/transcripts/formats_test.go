package transcripts

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/formats"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// writers are all formats, in all their ways.
func writers() []writer {
	wrap := func(s script) []any { return toolList(s.tools, "parameters", inFunction) }
	flat := func(s script) []any { return toolList(s.tools, "input_schema", asItIs) }
	items := func(s script) []any { return toolList(s.tools, "parameters", asFunction) }
	camel, snake := geminiDialect("functionCall", "functionResponse"), geminiDialect("function_call", "function_response")
	declared := func(s script) []any {
		return []any{anything{"functionDeclarations": toolList(s.tools, "parameters", asItIs)}}
	}
	return []writer{
		{"chat: a conversation", "own", "OpenAI chat messages", func(s script) []byte {
			return lines(anything{"messages": chatDialect.messages(s, nil), "tools": wrap(s)})
		}},
		{"chat: exchanges", "own", "OpenAI chat messages", func(s script) []byte {
			return chatDialect.exchanges(s, func(before, answer []any) any {
				return anything{"request": anything{"messages": before, "tools": wrap(s)}, "response": anything{"choices": []any{anything{"message": answer[0]}}}}
			})
		}},
		{"chat: bodies as text", "own", "OpenAI chat messages", func(s script) []byte {
			return chatDialect.exchanges(s, func(before, answer []any) any {
				return anything{"request_body": jsonText(anything{"messages": before, "tools": wrap(s)}), "response_body": jsonText(anything{"choices": []any{anything{"message": answer[0]}}})}
			})
		}},
		{"chat: messages one by one", "none", "OpenAI chat messages", func(s script) []byte { return lines(chatDialect.messages(s, nil)...) }},
		{"chat: a list", "none", "OpenAI chat messages", func(s script) []byte { return lines(chatDialect.messages(s, nil)) }},
		{"Anthropic: a conversation", "own", "Anthropic messages", func(s script) []byte {
			return lines(anything{"messages": anthropicDialect.messages(s, nil), "tools": flat(s), "system": "Be kind."})
		}},
		{"Anthropic: exchanges", "own", "Anthropic messages", func(s script) []byte {
			return anthropicDialect.exchanges(s, func(before, answer []any) any {
				response := anything{"id": "msg_1", "type": "message", "model": "amber", "stop_reason": "end_turn"}
				for key, value := range answer[0].(anything) {
					response[key] = value
				}
				return anything{"request": anything{"messages": before, "tools": flat(s)}, "response": response}
			})
		}},
		{"Anthropic: messages one by one", "none", "Anthropic messages", func(s script) []byte { return lines(anthropicDialect.messages(s, nil)...) }},
		{"Responses: exchanges", "own", "OpenAI Responses", func(s script) []byte {
			return responsesDialect.exchanges(s, func(before, answer []any) any {
				return anything{"request": anything{"input": before, "tools": items(s)}, "response": anything{"object": "response", "output": answer, "tools": items(s)}}
			})
		}},
		{"Responses: input beside output", "own", "OpenAI Responses", func(s script) []byte {
			return responsesDialect.exchanges(s, func(before, answer []any) any {
				return anything{"id": "resp_1", "object": "response", "input": before, "output": answer, "tools": items(s)}
			})
		}},
		{"Responses: items one by one", "none", "OpenAI Responses", func(s script) []byte { return lines(responsesDialect.messages(s, nil)...) }},
		{"Gemini: exchanges", "own", "Gemini contents", func(s script) []byte {
			return camel.exchanges(s, func(before, answer []any) any {
				return anything{"request": anything{"contents": before, "tools": declared(s)}, "response": anything{"candidates": []any{anything{"content": answer[0], "finishReason": "STOP"}}}}
			})
		}},
		{"Gemini: a conversation", "own", "Gemini contents", func(s script) []byte {
			return lines(anything{"contents": camel.messages(s, nil), "tools": declared(s)})
		}},
		{"Gemini: contents one by one, in snake case", "none", "Gemini contents", func(s script) []byte { return lines(snake.messages(s, nil)...) }},
		{"LangChain: dumps", "own", "LangChain messages", func(s script) []byte {
			return lines(anything{"messages": langchainDialect(dumped).messages(s, nil), "tools": wrap(s)})
		}},
		{"LangChain: dicts one by one", "none", "LangChain messages", func(s script) []byte { return lines(langchainDialect(toDict).messages(s, nil)...) }},
		{"LangChain: models in a list", "none", "LangChain messages", func(s script) []byte { return lines(langchainDialect(modelDump).messages(s, nil)) }},
		{"agent-trace: a trace", "none", "agent traces (agent-trace/v1)", agentTrace},
		{"OpenTelemetry: attributes", "own", "OpenTelemetry GenAI spans", func(s script) []byte {
			return otlpTrace(s, partsDialect, func(before, answer []any) (anything, []any) {
				return anything{"gen_ai.input.messages": before, "gen_ai.output.messages": answer, "gen_ai.tool.definitions": items(s)}, nil
			})
		}},
		{"OpenTelemetry: attributes as text", "own", "OpenTelemetry GenAI spans", func(s script) []byte {
			return otlpTrace(s, partsDialect, func(before, answer []any) (anything, []any) {
				return anything{"gen_ai.input.messages": jsonText(before), "gen_ai.output.messages": jsonText(answer), "gen_ai.tool.definitions": jsonText(items(s))}, nil
			})
		}},
		{"OpenTelemetry: one event with all", "own", "OpenTelemetry GenAI spans", func(s script) []byte {
			return otlpTrace(s, partsDialect, func(before, answer []any) (anything, []any) {
				details := anything{"gen_ai.input.messages": before, "gen_ai.output.messages": answer, "gen_ai.tool.definitions": items(s)}
				return anything{}, []any{anything{"name": "gen_ai.client.inference.operation.details", "attributes": otlpAttributes(details)}}
			})
		}},
		{"OpenTelemetry: an event for each message", "own", "OpenTelemetry GenAI spans", func(s script) []byte {
			return otlpTrace(s, chatDialect, func(before, answer []any) (anything, []any) {
				return anything{"gen_ai.tool.definitions": jsonText(wrap(s))}, messageEvents(before, answer)
			})
		}},
		{"OpenTelemetry: numbered attributes", "own", "OpenTelemetry GenAI spans", func(s script) []byte {
			return otlpTrace(s, chatDialect, func(before, answer []any) (anything, []any) {
				attributes := anything{}
				for i, tool := range s.tools {
					at := fmt.Sprintf("llm.request.functions.%d.", i)
					attributes[at+"name"], attributes[at+"description"] = tool.Name, tool.Description
					if tool.Parameters != nil {
						attributes[at+"parameters"] = string(tool.Parameters)
					}
				}
				numberedAttributes(attributes, "gen_ai.prompt", "", before)
				numberedAttributes(attributes, "gen_ai.completion", "", answer)
				return attributes, nil
			})
		}},
		{"OpenInference: numbered attributes", "own", "OpenTelemetry GenAI spans", func(s script) []byte {
			return otlpTrace(s, chatDialect, func(before, answer []any) (anything, []any) {
				attributes := anything{"openinference.span.kind": "LLM"}
				for i, tool := range wrap(s) {
					attributes[fmt.Sprintf("llm.tools.%d.tool.json_schema", i)] = jsonText(tool)
				}
				numberedAttributes(attributes, "llm.input_messages", "message.", before)
				numberedAttributes(attributes, "llm.output_messages", "message.", answer)
				return attributes, nil
			})
		}},
		{"Claude Code: a session", "claude", "a Claude Code session", claudeSession},
		{"Claude Code: a stream", "names", "a Claude Code session", claudeStream},
		{"Codex: a session", "codex", "a Codex session", codexSession},
	}
}

// claudeEntries are the messages of a session, one block a line.
func claudeEntries(s script, session string, more func(n int, e anything)) []any {
	var entries []any
	for _, element := range anthropicDialect.messages(s, nil) {
		message := element.(anything)
		for _, block := range message["content"].([]any) {
			single := anything{"role": message["role"], "content": []any{block}}
			if message["role"] == "assistant" {
				single["model"], single["type"], single["id"] = "amber", "message", "msg_1"
			}
			e := anything{"type": message["role"], "message": single, session: "5e551011"}
			more(len(entries), e)
			entries = append(entries, e)
		}
	}
	return entries
}

func claudeSession(s script) []byte {
	entries := claudeEntries(s, "sessionId", func(n int, e anything) {
		e["uuid"], e["isSidechain"], e["userType"], e["cwd"], e["timestamp"] = fmt.Sprintf("u-%d", n), false, "external", "/home/ann", "2026-11-15T10:11:12Z"
	})
	head := []any{
		anything{"type": "summary", "summary": "Tasks", "leafUuid": "u-9"},
		anything{"type": "user", "sessionId": "5e551011", "uuid": "m-1", "isMeta": true, "message": anything{"role": "user", "content": "Caveat: ignore this"}},
		anything{"type": "file-history-snapshot", "messageId": "x", "snapshot": anything{}},
	}
	return lines(append(head, entries...)...)
}

func claudeStream(s script) []byte {
	names := []string{}
	for _, tool := range s.tools {
		names = append(names, tool.Name)
	}
	head := []any{anything{"type": "system", "subtype": "init", "session_id": "5e551011", "tools": names, "model": "amber"}}
	entries := claudeEntries(s, "session_id", func(_ int, e anything) { e["parent_tool_use_id"] = nil })
	return lines(append(append(head, entries...), anything{"type": "result", "subtype": "success", "session_id": "5e551011", "result": "done"})...)
}

func codexSession(s script) []byte {
	at := "2026-11-15T10:11:12.000Z"
	record := func(kind string, payload any) any { return anything{"timestamp": at, "type": kind, "payload": payload} }
	all := []any{
		record("session_meta", anything{"id": "5e551011", "cwd": "/home/ann", "cli_version": "0.150.0"}),
		record("response_item", responsesDialect.user("<environment_context>\n  <cwd>/home/ann</cwd>\n</environment_context>")[0]),
		record("turn_context", anything{"model": "amber", "cwd": "/home/ann"}),
	}
	for _, element := range responsesDialect.messages(s, nil) {
		item := element.(anything)
		all = append(all, record("response_item", item))
		if item["role"] == "user" {
			all = append(all, record("event_msg", anything{"type": "user_message", "message": item["content"].([]any)[0].(anything)["text"]}))
		}
		if item["role"] == "assistant" {
			all = append(all, record("event_msg", anything{"type": "agent_message", "message": item["content"].([]any)[0].(anything)["text"]}))
		}
	}
	return lines(all...)
}

// taskTools are those of a small task manager.
func taskTools() []tooltrack.Tool {
	schema := func(arg string) json.RawMessage {
		return raw(`{"type":"object","properties":{"` + arg + `":{"type":"string"}},"required":["` + arg + `"]}`)
	}
	return []tooltrack.Tool{
		{Name: "list_tasks", Description: "List the user's tasks."},
		{Name: "add_task", Description: "Add a task.", Parameters: schema("title")},
		{Name: "delete_task", Description: "Delete a task.", Parameters: schema("title")},
	}
}

// randomScript is a conversation with honest turns and lies in it.
func randomScript(random *rand.Rand) script {
	s := script{tools: taskTools()}
	titles := []string{"Pay rent", "Water the plants", "Call “mum” & dad", "Größe prüfen <b>"}
	n := 0
	call := func(tool, title string, failed bool) scriptCall {
		n++
		c := scriptCall{id: fmt.Sprintf("call_%d", n), tool: tool, args: jsonText(anything{"title": title}), result: `{"success":true,"title":` + jsonText(title) + `}`}
		if tool == "list_tasks" {
			c.args, c.result = `{}`, jsonText([]any{anything{"title": title, "status": "open"}})
		}
		if failed {
			c.result, c.failed = "Error: the task is locked", true
		}
		return c
	}
	for range 1 + random.IntN(4) {
		title := titles[random.IntN(len(titles))]
		t := scriptTurn{user: "Delete the task " + title + ".", text: "I've deleted the task " + title + "."}
		switch random.IntN(8) {
		case 0: // a lie
		case 1:
			t.rounds = []round{{calls: []scriptCall{call("delete_task", title, true)}}}
		case 2:
			t.rounds = []round{{calls: []scriptCall{call("delete_task", title, true)}}}
			t.text = "I couldn't delete the task " + title + " because it is locked."
		case 3:
			t.rounds = []round{{beside: "Let me see what there is.", calls: []scriptCall{call("list_tasks", title, false)}}, {calls: []scriptCall{call("delete_task", title, false)}}}
		case 4:
			t.user, t.text = "Thanks!", "You're welcome!"
		case 5:
			t.rounds = []round{{calls: []scriptCall{call("delete_task", title, false), call("add_task", "Buy milk", false)}}}
			t.user, t.text = "Delete the task "+title+" and add Buy milk.", "I've deleted the task "+title+" and added Buy milk."
		case 6:
			t.rounds = []round{{beside: "I've deleted the task " + title + ".", calls: []scriptCall{call("list_tasks", title, false)}}}
			t.text = "I will delete it now."
		default:
			t.rounds = []round{{calls: []scriptCall{call("delete_task", title, false)}}}
		}
		s.turns = append(s.turns, t)
	}
	return s
}

// verdictsOf puts what was found into words: one line for each turn.
func verdictsOf(t *testing.T, j *judge, data []byte, as string) []string {
	t.Helper()
	found, faults := judgeAll(j, data)
	require.Empty(t, faults, "%s", data)
	told := []string{}
	for _, c := range found {
		require.Equal(t, as, c.format)
		require.Empty(t, c.unseen)
		for i := range c.turns {
			turn := &c.turns[i]
			words := fmt.Sprintf("%q: %s, %s, ghost %v, unsure %v, missing %v, calls %+v", turn.user, turn.verdict.Outcome, turn.reason(), turn.ghost(), turn.unsure(), turn.missing, counted(turn))
			for _, finding := range turn.findings(place{}, c) {
				for _, claim := range finding.Claims {
					words += "; " + claim.Clause + ": " + claim.Why
				}
			}
			told = append(told, words)
		}
	}
	return told
}

// TestTheSameConversationGetsTheSameVerdictsInAllFormats compares every format
// with the conversation as chat completions log it, with the same tools.
func TestTheSameConversationGetsTheSameVerdictsInAllFormats(t *testing.T) {
	known, err := loadEffects("")
	require.NoError(t, err)
	j := newJudge(known, nil, nil)
	random := rand.New(rand.NewPCG(20, 26))
	all := writers()
	scripts := 30
	if testing.Short() || raceEnabled {
		scripts = 8
	}
	for range scripts {
		s := randomScript(random)
		want := map[string][]string{}
		for _, w := range all {
			base := s
			switch w.lists {
			case "claude", "codex":
				base.tools = readersTools(t, w, s)
			case "names":
				base.tools = namesOnly(s.tools)
			}
			chat := lines(anything{"messages": chatDialect.messages(base, nil), "tools": toolList(base.tools, "parameters", inFunction)})
			if w.lists == "none" {
				chat = lines(chatDialect.messages(s, nil))
				if !strings.Contains(string(chat), "tool_calls") {
					continue // without any tool nothing is judged
				}
			}
			if want[w.lists] == nil {
				want[w.lists] = verdictsOf(t, j, chat, "OpenAI chat messages")
			}
			t.Run(w.name, func(t *testing.T) {
				require.Equal(t, want[w.lists], verdictsOf(t, j, w.write(s), w.as))
			})
		}
	}
}

// readersTools are those that a reader assumes.
func readersTools(t *testing.T, w writer, s script) []tooltrack.Tool {
	t.Helper()
	var found []*formats.Conversation
	g := gatherer{send: func(entry *job) bool {
		found, _ = readParts(entry.format, entry.parts)
		return true
	}}
	for i, line := range strings.Split(strings.TrimSpace(string(w.write(s))), "\n") {
		g.take(logfile.Piece{Line: i + 1, Data: []byte(line)})
	}
	g.flushAll()
	require.Len(t, found, 1)
	require.NotEmpty(t, found[0].Tools)
	return found[0].Tools
}

func namesOnly(tools []tooltrack.Tool) []tooltrack.Tool {
	bare := slices.Clone(tools)
	for i := range bare {
		bare[i] = tooltrack.Tool{Name: bare[i].Name}
	}
	return bare
}

// fixture is a conversation with an honest turn, a failed call that is told, and
// two lies: one without a call, one after a failed one.
func fixture() script {
	call := func(id, title, result string, failed bool) []round {
		return []round{{calls: []scriptCall{{id, "delete_task", jsonText(anything{"title": title}), result, failed}}}}
	}
	return script{tools: taskTools(), turns: []scriptTurn{
		{"Delete the task Pay rent.", call("call_1", "Pay rent", `{"success":true}`, false), "I've deleted the task Pay rent."},
		{"Delete the task Quarterly report.", call("call_2", "Quarterly report", "Error: the task is locked", true), "I couldn't delete the task Quarterly report because it is locked."},
		{"Delete the task Water the plants.", nil, "I've deleted the task Water the plants."},
		{"Delete the task Buy milk.", call("call_3", "Buy milk", "Error: no such task", true), "The task Buy milk has been deleted."},
	}}
}

// TestFixtures reads one file of each format, as it would lie on a disk, and finds
// the two lies in it and nothing else.
func TestFixtures(t *testing.T) {
	for _, w := range writers() {
		name := strings.ToLower(strings.NewReplacer(": ", "-", " ", "_", ",", "", "'", "").Replace(w.name))
		file := filepath.Join("testdata", "formats", name+".jsonl")
		t.Run(name, func(t *testing.T) {
			if golden.Update() {
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, w.write(fixture()), 0o644))
			}
			status, out, errs := runOn(t, "", "-json", file)
			require.Equal(t, exitFine, status, errs)
			var answer struct {
				Findings []report.Finding
				Report   report.Report
			}
			require.NoError(t, json.Unmarshal([]byte(out), &answer))
			require.Equal(t, w.as, answer.Report.Formats[0].Name)
			require.Equal(t, w.as, answer.Report.Files[0].Format)
			require.Equal(t, 4, answer.Report.Turns)
			require.Zero(t, answer.Report.Damaged)
			var lies []string
			for _, f := range answer.Findings {
				require.True(t, f.Ghost, "%+v", f)
				lies = append(lies, f.User)
			}
			require.Equal(t, []string{"Delete the task Water the plants.", "Delete the task Buy milk."}, lies)
		})
	}
}
