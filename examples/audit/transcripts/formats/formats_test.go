package formats

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// spelled is a conversation with all that a reader found in it.
func spelled(c *Conversation) string {
	out := c.Format + "\n" + told(c)
	for _, id := range slices.Sorted(maps.Keys(c.Fates)) {
		out += fmt.Sprintf("\n%s: %s", id, c.Fates[id])
	}
	for _, at := range slices.Sorted(maps.Keys(c.Unseen)) {
		out += fmt.Sprintf("\n%d unseen: %s", at, c.Unseen[at])
	}
	return out
}

// joinLines makes one text of several lines, for tables that are read by people.
func joinLines(lines ...string) string { return strings.Join(lines, "\n") }

// TestShapes are the corners of each format: what its documentation allows and
// the fixtures do not show.
func TestShapes(t *testing.T) {
	cases := []struct {
		name, data string
		want       []string
	}{
		{"Anthropic: results before text in one message of the user, errors, blocks in a result",
			`{"model":"m","system":"s","messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"On it."},{"type":"tool_use","id":"1","name":"f","input":{"a":1}},{"type":"tool_use","id":"2","name":"g","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"no"}],"is_error":true},{"type":"tool_result","tool_use_id":"2"},{"type":"text","text":"and?"}]}]}`,
			[]string{"Anthropic messages", "id= model=m exchange=false tools=", "user: go", `assistant: On it. <1 f {"a":1}> <2 g {}>`, "tool 1: no", "tool 2: ", "user: and?", "1: failed"}},
		{"Anthropic: tools of the provider's own",
			`{"messages":[{"role":"user","content":"go"}],"response":{"type":"message","role":"assistant","model":"m","stop_reason":"end_turn","content":[{"type":"server_tool_use","id":"1","name":"web_search","input":{"query":"x"}},{"type":"web_search_tool_result","tool_use_id":"1","content":{"type":"web_search_tool_result_error","error_code":"unavailable"}},{"type":"text","text":"The search "},{"type":"text","text":"failed."}]}}`,
			[]string{"Anthropic messages", "id= model=m exchange=true tools=", "user: go", `assistant:  <1 web_search {"query":"x"}>`, `tool 1: {"type":"web_search_tool_result_error","error_code":"unavailable"}`, "assistant: The search failed.", "1: failed"}},
		{"Anthropic: a response that was cut before its calls",
			`{"request":{"messages":[{"role":"user","content":"go"}],"tools":[{"name":"f","input_schema":{"type":"object"}}]},"response":{"type":"message","role":"assistant","stop_reason":"tool_use","content":[{"type":"text","text":"On it."}]}}`,
			[]string{"Anthropic messages", `id= model= exchange=true tools=[f||{"type":"object"}]`, "user: go", "assistant: On it.", "1 unseen: the log says that calls were made, but not which"}},
		{"Responses: a text for input, hosted tools, custom tools, reasoning",
			`{"object":"response","model":"m","input":"go","tools":[{"type":"web_search_preview"},{"type":"function","name":"f","parameters":{"type":"object"}}],"output":[{"type":"reasoning","id":"rs","summary":[]},{"type":"web_search_call","id":"ws","status":"completed","action":{"query":"x"}},{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"*** Begin"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Found."},{"type":"refusal","refusal":" No more."}]}]}`,
			[]string{"OpenAI Responses", `id= model=m exchange=true tools=[web_search||][f||{"type":"object"}]`, "user: go", `assistant:  <ws web_search {"query":"x"}>`, "tool ws: ok", `assistant:  <c apply_patch {"input":"*** Begin"}>`, "assistant: Found. No more.", "ws: succeeded"}},
		{"Responses: a turn that began elsewhere",
			`{"request":{"previous_response_id":"resp_0","input":[{"type":"function_call_output","call_id":"c","output":"ok"}]},"response":{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}]}}`,
			[]string{"OpenAI Responses", "id= model= exchange=true tools=", "tool c: ok", "assistant: Done.", "0 unseen: the turn began in an earlier response, which the entry only names"}},
		{"Gemini: thoughts are not said, errors are, texts stand for contents",
			`{"contents":"go","tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"}}]},{"googleSearch":{}}],"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"Done."}]}}],"modelVersion":"m"}`,
			[]string{"Gemini contents", `id= model=m exchange=true tools=[f||{"type":"OBJECT"}]`, "user: go", "assistant: Done."}},
		{"Gemini: results by name and place",
			joinLines(`{"role":"user","parts":[{"text":"go"}]}`, `{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1}}},{"functionCall":{"name":"g"}}]}`, `{"role":"function","parts":[{"functionResponse":{"name":"g","response":{"error":"gone"}}},{"functionResponse":{"name":"f","response":{"output":"ok"}}}]}`),
			[]string{"Gemini contents", "id= model= exchange=false tools=", "user: go", `assistant:  <unnamed 1 f {"a":1}> <unnamed 2 g {}>`, `tool unnamed 2: Error: gone`, "tool unnamed 1: ok"}},
		{"Gemini: what the provider ran by itself",
			`{"contents":[{"role":"user","parts":[{"text":"sum"}]},{"role":"model","parts":[{"executableCode":{"id":"c","code":"1+1"}},{"codeExecutionResult":{"id":"c","outcome":"OUTCOME_OK","output":"2"}},{"text":"It is 2."}]}]}`,
			[]string{"Gemini contents", "id= model= exchange=false tools=", "user: sum", `assistant:  <c code_execution {"id":"c","code":"1+1"}>`, "tool c: 2", "assistant: It is 2.", "c: succeeded"}},
		{"Ollama: arguments that are objects, results by the name of the tool, an answer without choices",
			`{"request":{"model":"m","messages":[{"role":"user","content":"go"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},{"role":"tool","tool_name":"f","content":"ok"}],"tools":[{"type":"function","function":{"name":"f"}}]},"response":{"model":"m","message":{"role":"assistant","content":"Done."},"done":true,"done_reason":"stop"}}`,
			[]string{"OpenAI chat messages", "id= model=m exchange=true tools=[f||]", "user: go", `assistant:  <unnamed 1 f {"a":1}>`, "tool unnamed 1: ok", "assistant: Done."}},
		{"OpenTelemetry: content that was not captured",
			`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"s","name":"chat m","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.request.model","value":{"stringValue":"m"}}]}]}]}]}`,
			[]string{"OpenTelemetry GenAI spans", "id=t model=m exchange=false tools=", "user: ", "0 unseen: the log holds no content of messages"}},
		{"OpenTelemetry: an agent's span and those of its tools",
			joinLines(`{"traceId":"t","spanId":"1","name":"invoke_agent a","startTimeUnixNano":"1","attributes":{"gen_ai.operation.name":"invoke_agent","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"go\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Done.\"}]}]"}}`, `{"traceId":"t","spanId":"2","name":"execute_tool f","startTimeUnixNano":"2","attributes":{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.id":"c","gen_ai.tool.call.arguments":"{\"a\":1}","gen_ai.tool.call.result":"ok"}}`),
			[]string{"OpenTelemetry GenAI spans", "id=t model= exchange=true tools=", "user: go", `assistant:  <c f {"a":1}>`, "tool c: ok", "assistant: Done."}},
		{"OpenTelemetry: messages as log records",
			`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"traceId":"t","spanId":"1","eventName":"gen_ai.user.message","body":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"go"}}]}}},{"traceId":"t","spanId":"1","eventName":"gen_ai.choice","body":{"kvlistValue":{"values":[{"key":"index","value":{"intValue":"0"}},{"key":"message","value":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"Done."}}]}}}]}}}]}]}]}`,
			[]string{"OpenTelemetry GenAI spans", "id=t model= exchange=true tools=", "user: go", "assistant: Done."}},
		{"Claude Code: what the program says, what sub-agents do, what the user refused",
			joinLines(`{"type":"user","sessionId":"s","uuid":"1","message":{"role":"user","content":"<command-name>/clear</command-name>"}}`, `{"type":"user","sessionId":"s","uuid":"2","message":{"role":"user","content":"go"}}`, `{"type":"user","sessionId":"s","uuid":"3","isSidechain":true,"message":{"role":"user","content":"help"}}`, `{"type":"assistant","sessionId":"s","uuid":"4","message":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"rm x"}}]}}`, `{"type":"user","sessionId":"s","uuid":"5","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","is_error":true,"content":"The user doesn't want to proceed with this tool use. The tool use was rejected."}]}}`, `{"type":"user","sessionId":"s","uuid":"6","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user for tool use]"}]}}`, `{"type":"user","sessionId":"s","uuid":"2","message":{"role":"user","content":"go"}}`),
			[]string{"a Claude Code session", "id=s model=m exchange=false tools=" + listed(tools(object(sessionTools)["a Claude Code session"])), "user: go", `assistant:  <1 Bash {"command":"rm x"}>`, "tool 1: The user doesn't want to proceed with this tool use. The tool use was rejected.", "1: denied", "2 unseen: the user broke the turn off"}},
		{"Codex: exit codes, and the user as the events have it",
			joinLines(`{"type":"session_meta","payload":{"id":"s"}}`, `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /x"}]}}`, `{"type":"event_msg","payload":{"type":"user_message","message":"go"}}`, `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}`, `{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"1","arguments":"{\"command\":[\"ls\"]}"}}`, `{"type":"response_item","payload":{"type":"function_call_output","call_id":"1","output":"{\"output\":\"none\",\"metadata\":{\"exit_code\":1}}"}}`, `{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"2","arguments":"{}"}}`, `{"type":"response_item","payload":{"type":"function_call_output","call_id":"2","output":"Exit code: 2\nWall time: 1s\nOutput:\nno"}}`, `{"timestamp":"x","type":"compacted","payload":{"message":""}}`),
			[]string{"a Codex session", "id=s model= exchange=false tools=" + listed(tools(object(sessionTools)["a Codex session"])), "user: go", `assistant:  <1 shell {"command":["ls"]}>`, `tool 1: {"exit_code":1,"output":"none"}`, `assistant:  <2 exec_command {}>`, "tool 2: Exit code: 2\nWall time: 1s\nOutput:\nno", "2: failed"}},
		{"chat: calls in the form of a provider that is not read here",
			`{"messages":[{"role":"user","content":[{"text":"go"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"1","name":"f","input":{}}}]},{"role":"assistant","content":"Done."}]}`,
			[]string{"OpenAI chat messages", "id= model= exchange=false tools=", "user: go", "assistant: Done.", "0 unseen: its calls are in a form that is not read here"}},
		{"chat: a line of a batch's input", `{"custom_id":"7","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"go"},{"role":"assistant","content":"Done."}]}}`,
			[]string{"OpenAI chat messages", "id=7 model=m exchange=false tools=", "user: go", "assistant: Done."}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := parse(t, c.data)
			require.NoError(t, err)
			require.Equal(t, strings.Join(c.want, "\n"), spelled(got))
		})
	}
}

// listed are tools as told spells them.
func listed(tools []tooltrack.Tool) string {
	c := &Conversation{Tools: tools}
	line, _, _ := strings.Cut(told(c), "\n")
	_, after, _ := strings.Cut(line, "tools=")
	return after
}

// TestOnlyTheAgentsCallsOfATraceAreJudged leaves out the calls of a model that
// writes a title: it has no tools, where the agent has.
func TestOnlyTheAgentsCallsOfATraceAreJudged(t *testing.T) {
	chat := func(id, asked, said, tools string) string {
		message := func(role, text string) string {
			return fmt.Sprintf(`[{"role":%q,"parts":[{"type":"text","content":%q}]}]`, role, text)
		}
		return fmt.Sprintf(`{"traceId":"t","spanId":%q,"attributes":{"gen_ai.operation.name":"chat","gen_ai.input.messages":%s,"gen_ai.output.messages":%s%s}}`,
			id, message("user", asked), message("assistant", said), tools)
	}
	found, err := readAll(joinLines(chat("1", "go", "Done.", `,"gen_ai.tool.definitions":[{"name":"f"}]`), chat("2", "Write a title.", "Deleted the file", "")))
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "Done.", found[0].Messages[1].Text)
}

func TestShapeAndHint(t *testing.T) {
	cases := []struct{ data, shape, hint string }{
		{`{"level":"info","msg":"started","n":3}`, `{"level": string, "msg": string, "n": number}`, "program's log"},
		{`{"resourceMetrics":[]}`, `{"resourceMetrics": array}`, "metrics"},
		{`{"data":[{"messages":[]}]}`, `{"data": array}`, "jq -c '.data[]'"},
		{`{"prompt":"secret words","completion":"x"}`, `{"completion": string, "prompt": string}`, "which tools were called"},
		{`{"id":"x","choices":[]}`, `{"choices": array, "id": string}`, "log the request beside it"},
		{`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}`, `{"a": number, "b": number, "c": number, "d": number, "e": number, "f": number, "g": number, "h": number, …}`, "README"},
		{`7`, "a number", "README"},
		{`"x"`, "a string", "README"},
		{`{"a":`, "JSON that cannot be read", "README"},
		{``, "nothing", "README"},
	}
	for _, c := range cases {
		v := &Value{Data: []byte(c.data)}
		format, _ := Recognise(v)
		require.Nil(t, format, c.data)
		require.Equal(t, c.shape, Shape(v))
		require.Contains(t, Hint(v), c.hint)
		require.NotContains(t, Shape(v), "secret", "what a log holds stays in it")
	}
}
