package chatwire_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What replaying recorded exchanges of other hosts has found.

// TestRightRequestsAreRead: choices among some tools, tools in groups, and tools that the
// provider runs, known and unknown ones.
func TestRightRequestsAreRead(t *testing.T) {
	two := `{"type":"function","name":"delete_task"},{"type":"function","name":"list_tasks"}`
	responses := func(tools, more string) string { return `{"input":"hi","tools":[` + tools + `]` + more + `}` }
	parse := map[string]func([]byte) (*chatwire.Request, error){
		"/v1/responses": chatwire.Responses.ParseRequest, "/v1/messages": chatwire.Messages.ParseRequest, "/v1/chat/completions": chatwire.ChatCompletions.ParseRequest,
	}
	for _, c := range []struct{ name, path, body, want string }{
		{"allowed tools", "/v1/responses", responses(two, `,"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"list_tasks"}]}`), "list_tasks auto"},
		{"one of the allowed tools", "/v1/responses", responses(two, `,"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"list_tasks"}]}`), "list_tasks required"},
		{"allowed tools in chat completions", "/v1/chat/completions", requestBody("hi", offer+`,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"function","function":{"name":"delete_task"}}]}}`), "delete_task required"},
		{"a search for tools", "/v1/responses", responses(`{"type":"tool_search"},`+two, ""), "delete_task list_tasks auto tool_search"},
		{"a namespace", "/v1/responses", responses(`{"type":"namespace","name":"tasks","tools":[`+two+`]},{"type":"tool_search"}`, ""), "delete_task list_tasks auto tool_search"},
		{"an advisor", "/v1/messages", messagesBody("hi", strings.Replace(inputOffer, "[", `[{"type":"advisor_20260301","name":"advisor","model":"m"},`, 1)), "delete_task list_tasks auto advisor_20260301"},
		{"a kind of tomorrow", "/v1/responses", responses(two+`,{"type":"oracle","name":"o","effort":"high"}`, ""), "delete_task list_tasks auto oracle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parsed, err := parse[c.path]([]byte(c.body))
			require.NoError(t, err)
			var names []string
			for _, tool := range parsed.Tools {
				names = append(names, tool.Name)
			}
			require.Equal(t, c.want, strings.TrimSpace(strings.Join(names, " ")+" "+parsed.Choice.String()+" "+strings.Join(parsed.Server, " ")))
			require.Empty(t, parsed.Foreign)
			u := newUpstream(t, "{}")
			_, _, _ = post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+c.path, c.body)
			require.Equal(t, []string{c.body}, u.got, "it is sent as it is")
		})
	}
}

// TestToolsOfUnknownKindsAreNoted: they pass, and somebody hears of it. What the client
// would run in a way that nobody here knows is refused.
func TestToolsOfUnknownKindsAreNoted(t *testing.T) {
	for tool, passes := range map[string]bool{
		`{"type":"oracle","name":"o"}`: true, `{"type":"oracle","parameters":{}}`: false, `{"type":"custom","name":"x"}`: false,
		`{"type":"local_shell"}`: false, `{"oracleSearch":{}}`: true, `{"computerUse":{}}`: false, `{"name":"x"}`: false,
		`{"type":"oracle","functions":[{"name":"x"}]}`: false, `{"type":"computer_use_preview"}`: false,
	} {
		var log bytes.Buffer
		g := newGuard(t, func(o *guard.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		u := newUpstream(t, "{}")
		status, got, _ := post(t, context.Background(), chatwire.Transport(g, nil, nil), u.URL+"/v1/responses", `{"input":"hi","tools":[`+tool+`]}`)
		require.Equal(t, passes, status == http.StatusOK && len(u.got) == 1, "%s: %d %s", tool, status, got)
		require.Equal(t, passes, strings.Contains(log.String(), "unknown kinds"), "%s: %s", tool, log.String())
	}
}

// TestWhatCannotBeReadIsRefusedBeforeItIsSent: an answer that nobody can read is paid for.
func TestWhatCannotBeReadIsRefusedBeforeItIsSent(t *testing.T) {
	for path, body := range map[string]string{
		"/model/anthropic.claude/invoke-with-response-stream": `{"anthropic_version":"bedrock-2023-05-31","messages":[{"role":"user","content":"hi"}],` + inputOffer + `}`,
		"/v1/threads/t1/runs": `{"assistant_id":"asst_1"}`,
	} {
		u := newUpstream(t, "{}")
		status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+path, body)
		require.Equal(t, http.StatusBadRequest, status)
		require.Contains(t, got, "unguarded")
		require.Empty(t, u.got)
	}
}

// TestToolsThatTheProviderKeeps may be any that the guard knows: what the model claims is
// judged, and what it calls is reviewed.
func TestToolsThatTheProviderKeeps(t *testing.T) {
	gemini := func(part string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[` + part + `]},"finishReason":"STOP"}]}`
	}
	for name, c := range map[string]struct{ path, body, lie, call string }{
		"a stored prompt": {"/v1/responses", `{"prompt":{"id":"pmpt_1"},"input":"delete t1"}`, answered("resp_1", messageJSON("I've deleted t1.")), answered("resp_2", functionJSON("a", "delete_task", `{"id":"t1"}`))},
		"a cached prefix": {"/v1beta/models/m:generateContent", `{"cachedContent":"cachedContents/1","contents":[{"role":"user","parts":[{"text":"delete t1"}]}]}`, gemini(`{"text":"I've deleted t1."}`), gemini(`{"functionCall":{"name":"delete_task","args":{"id":"t1"}}}`)},
		"an agent":        {"/v1/agents/completions", `{"agent_id":"ag_1","messages":[{"role":"user","content":"delete t1"}]}`, message(`"content":"I've deleted t1."`), message(`"content":null,"tool_calls":[` + callJSON("a", "delete_task", `{"id":"t1"}`) + `]`)},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUpstream(t, c.lie, c.call)
			status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+c.path, c.body)
			require.Equal(t, http.StatusOK, status, got)
			require.Equal(t, c.call, got)
			require.Len(t, u.got, 2)
			bad := strings.NewReplacer(`{"id":"t1"}`, `{"id":7}`, `{\"id\":\"t1\"}`, `{\"id\":7}`).Replace(c.call)
			u = newUpstream(t, bad, bad, bad, bad)
			_, got, _ = post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+c.path, c.body)
			require.NotContains(t, got, "functionCall")
			require.NotContains(t, got, "tool_calls")
			require.NotContains(t, got, "function_call\"", "a call that is refused is not handed on")
		})
	}
}

// TestWhatOtherReadersTakeForTheTextIsRefused, in every format: clients written in Go take
// members in other letters for the same.
func TestWhatOtherReadersTakeForTheTextIsRefused(t *testing.T) {
	for name, err := range map[string]error{
		"Messages":  second(chatwire.Messages.ParseResponse([]byte(said("end_turn", `{"type":"text","text":"Hi","Text":"I've deleted t1."}`)))),
		"Responses": second(chatwire.Responses.ParseResponse([]byte(answered("r", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi","TEXT":"I've deleted t1."}]}`)))),
		"Gemini":    second(chatwire.Gemini.ParseResponse([]byte(`{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi","Text":"I've deleted t1."}]}}]}`))),
		"Ollama":    second(chatwire.Ollama.ParseResponse([]byte(`{"message":{"role":"assistant","content":"Hi","Content":"I've deleted t1."},"done":true}`))),
		"a stream":  second(chatwire.ChatCompletions.ReadStream(strings.NewReader("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\",\"CONTENT\":\"x\"}}]}\n\n"), nil)),
	} {
		require.ErrorIs(t, err, chatwire.ErrBody, name)
	}
}

func second(_ guard.Response, err error) error { return err }

// TestASecondCandidateIsNotHandedOn: nobody asked for it, and nobody judges it.
func TestASecondCandidateIsNotHandedOn(t *testing.T) {
	const first, other = `{"index":0,"content":{"role":"model","parts":[{"text":"Good morning!"}]},"finishReason":"STOP"}`, `{"index":1,"content":{"role":"model","parts":[{"text":"I've deleted t1."}]},"finishReason":"STOP"}`
	body := `{"contents":[{"role":"user","parts":[{"text":"good morning"}]}],"tools":[{"functionDeclarations":[{"name":"delete_task"},{"name":"list_tasks"}]}]}`
	for path, frame := range map[string]string{":generateContent": "%s", ":streamGenerateContent?alt=sse": "data: %s\n\n"} {
		u := newUpstream(t, fmt.Sprintf(frame, `{"candidates":[`+other+`,`+first+`]}`))
		status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1beta/models/m"+path, body)
		require.Equal(t, http.StatusOK, status, got)
		require.NotContains(t, got, "deleted")
		require.Contains(t, got, "Good morning!")
	}
}

// TestServersThatTheProviderAsksAreJudged: what servers of the MCP do by themselves backs a
// text, and a text that nothing backs is not shown, though the client offers no tools.
// Nothing is insisted on: the client could not call it.
func TestServersThatTheProviderAsksAreJudged(t *testing.T) {
	servers := `"mcp_servers":[{"type":"url","name":"tasks","url":"https://example.com/mcp"}]`
	use := `{"type":"mcp_tool_use","id":"m","name":"delete_task","server_name":"tasks","input":{"id":"t1"}},` +
		`{"type":"mcp_tool_result","tool_use_id":"m","is_error":false,"content":[{"type":"text","text":"deleted t1"}]},`
	called := `{"type":"mcp_call","id":"m","name":"delete_task","server_label":"tasks","arguments":"{\"id\":\"t1\"}","output":"deleted t1","error":null}`
	part := `{"toolCall":{"id":"m","toolType":"MCP","args":{"id":"t1"}}},{"toolResponse":{"id":"m","response":{"output":"deleted t1"}}},`
	gemini := func(parts string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[` + parts + `]},"finishReason":"STOP"}]}`
	}
	const lie = "I've deleted t1."
	for name, c := range map[string]struct{ path, body, honest, lie string }{
		"Messages":         {"/v1/messages", messagesBody("delete t1", servers), said("end_turn", use+textJSON(lie)), said("end_turn", textJSON(lie))},
		"a toolset":        {"/v1/messages", messagesBody("delete t1", servers+`,"tools":[{"type":"mcp_toolset","mcp_server_name":"tasks"}]`), said("end_turn", use+textJSON(lie)), said("end_turn", textJSON(lie))},
		"Responses":        {"/v1/responses", `{"input":"delete t1","tools":[{"type":"mcp","server_label":"tasks","server_url":"https://example.com/mcp"}]}`, answered("r", called, messageJSON(lie)), answered("r", messageJSON(lie))},
		"chat completions": {"/v1/chat/completions", requestBody("delete t1", `"tools":[{"type":"mcp","server_label":"tasks"}]`), message(`"content":"` + lie + `","executed_tools":[{"type":"delete_task","arguments":"{\"id\":\"t1\"}","output":"deleted t1"}]`), message(`"content":"` + lie + `"`)},
		"Gemini":           {"/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"delete t1"}]}],"tools":[{"mcpServers":[{"name":"tasks"}]}]}`, gemini(strings.Replace(part, "MCP", "delete_task", 1) + `{"text":"` + lie + `"}`), gemini(`{"text":"` + lie + `"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUpstream(t, c.honest)
			status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+c.path, c.body)
			require.Equal(t, http.StatusOK, status, got)
			require.Equal(t, c.honest, got)
			u = newUpstream(t, c.lie, c.lie, c.lie, c.lie)
			status, got, _ = post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+c.path, c.body)
			require.NotContains(t, got, lie, "%d", status)
			for _, asked := range u.got {
				require.NotContains(t, asked, "tool_choice")
				require.NotContains(t, asked, "toolConfig")
			}
		})
	}
}

// TestResultsFindTheirCalls where ids are optional: with ids on both sides, on one, or on
// none.
func TestResultsFindTheirCalls(t *testing.T) {
	const text = "I've deleted t1 and t2."
	ollama := func(calls, results string) (path, body, answer string) {
		return "/api/chat", `{"model":"m","stream":false,"messages":[{"role":"user","content":"delete t1 and t2"},{"role":"assistant","content":"","tool_calls":[` + calls + `]},` + results + `],` + offer + `}`,
			`{"model":"m","message":{"role":"assistant","content":"` + text + `"},"done":true,"done_reason":"stop"}`
	}
	gemini := func(calls, results string) (path, body, answer string) {
		return "/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"delete t1 and t2"}]},{"role":"model","parts":[` + calls + `]},{"role":"user","parts":[` + results + `]}],"tools":[{"functionDeclarations":[{"name":"delete_task"},{"name":"list_tasks"}]}]}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"` + text + `"}]},"finishReason":"STOP"}]}`
	}
	for name, c := range map[string]struct {
		write                          func(calls, results string) (path, body, answer string)
		call, callID, result, resultID string
	}{
		"Ollama":           {ollama, `{%s"function":{"name":"delete_task","arguments":{"id":"%s"}}}`, `"id":"%s",`, `{"role":"tool",%s"tool_name":"delete_task","content":"deleted %s"}`, `"tool_call_id":"%s",`},
		"Ollama, by place": {ollama, `{%s"function":{"name":"delete_task","arguments":{"id":"%s"}}}`, `"id":"%s",`, `{"role":"tool",%s"content":"deleted %s"}`, `"tool_call_id":"%s",`},
		"Gemini":           {gemini, `{"functionCall":{%s"name":"delete_task","args":{"id":"%s"}}}`, `"id":"%s",`, `{"functionResponse":{%s"name":"delete_task","response":{"output":"deleted %s"}}}`, `"id":"%s",`},
	} {
		for _, ids := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			var calls, results []string
			for _, task := range []string{"t1", "t2"} {
				own := func(has bool, id string) string {
					if !has {
						return ""
					}
					return fmt.Sprintf(id, "call_"+task)
				}
				calls = append(calls, fmt.Sprintf(c.call, own(ids[0], c.callID), task))
				results = append(results, fmt.Sprintf(c.result, own(ids[1], c.resultID), task))
			}
			path, body, answer := c.write(strings.Join(calls, ","), strings.Join(results, ","))
			u := newUpstream(t, answer, answer, answer)
			_, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+path, body)
			require.Equal(t, answer, got, "%s, ids %v", name, ids)
			require.Len(t, u.got, 1)
		}
	}
}

// TestWhatCassettesOfOthersHaveShown: shapes that recorded exchanges of public test suites
// have, and that were read wrongly.
func TestWhatCassettesOfOthersHaveShown(t *testing.T) {
	t.Run("Gemini in numbers", func(t *testing.T) {
		parsed, err := chatwire.Gemini.ParseRequest([]byte(`{"contents":[{"role":"user","parts":{"text":"hi"}}],"tools":{"functionDeclarations":[{"name":"f","parameters":{"type":6,"properties":{"type":{"type":1}}}}]},"toolConfig":{"functionCallingConfig":{"mode":2}}}`))
		require.NoError(t, err)
		require.JSONEq(t, `{"type":"object","properties":{"type":{"type":"string"}}}`, string(parsed.Tools[0].Parameters))
		require.Equal(t, guard.ChooseRequired, parsed.Choice.Mode)
		for number, stop := range map[string]guard.Stop{"1": guard.StopEnd, "2": guard.StopCut, "3": guard.StopFiltered, "10": guard.StopFiltered, `"MODEL_ARMOR"`: guard.StopFiltered} {
			response, err := chatwire.Gemini.ParseResponse([]byte(`{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"finishReason":` + number + `}]}`))
			require.NoError(t, err)
			require.Equal(t, stop, response.Stop, number)
		}
	})
	t.Run("a call in the beginning of a stream", func(t *testing.T) {
		use := `{"type":"tool_use","id":"a","name":"delete_task","input":{"id":7},"caller":{"type":"code_execution_20250825"}}`
		stream := eventStream(`{"type":"message_start","message":{"type":"message","role":"assistant","content":[`+use+`],"stop_reason":"tool_use","usage":{"input_tokens":1}}}`, stopEvent)
		response, err := chatwire.Messages.ReadStream(strings.NewReader(stream), nil)
		require.NoError(t, err)
		require.Len(t, response.Message.Calls, 1)
		require.Contains(t, string(response.Message.Raw), use)
		u := newUpstream(t, stream, stream, stream, stream)
		deliver := newGuard(t, func(o *guard.Options) { o.DeliverAccount = true })
		status, got, _ := post(t, context.Background(), chatwire.Transport(deliver, nil, nil), u.URL+"/v1/messages", messagesBody("delete t1", inputOffer+`,"stream":true`))
		require.Equal(t, http.StatusOK, status)
		require.NotContains(t, got, "tool_use", "a call that is refused is not handed on")
		checkEvents(t, got)
	})
	t.Run("a shell of the provider's", func(t *testing.T) {
		call := `{"type":"shell_call","id":"sh","call_id":"c","status":"completed","action":{"commands":["ls"]},"environment":{"type":"container_reference","container_id":"x"}}`
		output := func(code int) string {
			return fmt.Sprintf(`{"type":"shell_call_output","id":"sho","call_id":"c","output":[{"stdout":"a.txt","stderr":"","outcome":{"type":"exit","exit_code":%d}}]}`, code)
		}
		for code, status := range map[int]tooltrack.Status{0: tooltrack.Succeeded, 2: tooltrack.Failed} {
			response := must(chatwire.Responses.ParseResponse([]byte(answered("r", call, output(code), messageJSON("There is a.txt.")))))
			require.Empty(t, response.Message.Calls)
			require.Len(t, response.Message.Seen, 1)
			require.Equal(t, "shell", response.Message.Seen[0].Tool)
			require.Equal(t, status, response.Message.Seen[0].Result.Status)
		}
		own := must(chatwire.Responses.ParseResponse([]byte(answered("r", strings.Replace(call, "container_reference", "local", 1)))))
		require.Len(t, own.Faults, 1, "one that the client runs cannot be judged")
		parsed, err := chatwire.Responses.ParseRequest([]byte(`{"input":"hi","tools":[{"type":"shell","environment":{"type":"container_auto"}},{"type":"shell","environment":{"type":"local"}}]}`))
		require.NoError(t, err)
		require.Equal(t, []string{"shell"}, parsed.Server)
		require.Equal(t, []string{"shell"}, parsed.Foreign)
	})
	t.Run("a search for tools that the client runs", func(t *testing.T) {
		body := `{"input":[{"role":"user","content":"hi"},{"type":"tool_search_call","call_id":"s","execution":"client","arguments":{"queries":["rates"]}},{"type":"function_call_output","call_id":"s","output":"one"}],` + listOffer + `}`
		u := newUpstream(t, answered("r", messageJSON("Good morning!")))
		status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/responses", body)
		require.Equal(t, http.StatusOK, status, got)
	})
	t.Run("an error inside of an event", func(t *testing.T) {
		_, err := chatwire.Responses.ReadStream(strings.NewReader(eventStream(`{"type":"error","sequence_number":2,"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"no more"}}`)), nil)
		var fault *chatwire.BodyError
		require.ErrorAs(t, err, &fault)
		require.Equal(t, "no more", fault.Provider)
		require.Equal(t, "insufficient_quota", fault.Code)
	})
	t.Run("Groq's usage", func(t *testing.T) {
		response, err := chatwire.ChatCompletions.ReadStream(strings.NewReader("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],\"x_groq\":{\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}}\n\ndata: [DONE]\n\n"), nil)
		require.NoError(t, err)
		require.Equal(t, guard.Usage{Input: 3, Output: 4}, response.Usage)
	})
}

// providerRan are answers in which the provider did the work by itself.
func providerRan(text string) map[string]struct{ path, request, answer string } {
	items := `{"input":[{"role":"user","content":"what is new?"}],` + listOffer + `}`
	blocks := messagesBody("what is new?", inputOffer)
	chats := requestBody("what is new?", offer)
	return map[string]struct{ path, request, answer string }{
		"web_search":       {"/v1/responses", items, answered("r", `{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"rain"}}`, messageJSON(text))},
		"file_search":      {"/v1/responses", items, answered("r", `{"type":"file_search_call","id":"fs_1","status":"completed","queries":["rain"],"results":[{"text":"12 mm of rain"}]}`, messageJSON(text))},
		"code_interpreter": {"/v1/responses", items, answered("r", `{"type":"code_interpreter_call","id":"ci_1","status":"completed","code":"print(12)","outputs":[{"type":"logs","logs":"12"}]}`, messageJSON(text))},
		"read_wiki":        {"/v1/responses", items, answered("r", `{"type":"mcp_call","id":"mcp_1","name":"read_wiki","server_label":"w","arguments":"{\"page\":\"rain\"}","output":"12 mm","error":null}`, messageJSON(text))},
		"x_keyword_search": {"/v1/responses", items, answered("r", `{"type":"custom_tool_call","id":"ctc_1","call_id":"xs_1","name":"x_keyword_search","input":"{\"query\":\"rain\"}","status":"completed"}`, messageJSON(text))},
		"code_execution":   {"/v1/messages", blocks, said("end_turn", `{"type":"server_tool_use","id":"srv_1","name":"code_execution","input":{"code":"print(12)"}},{"type":"code_execution_tool_result","tool_use_id":"srv_1","content":{"type":"code_execution_result","stdout":"12","stderr":"","return_code":0}},`+textJSON(text))},
		"search_docs":      {"/v1/messages", blocks, said("end_turn", `{"type":"mcp_tool_use","id":"m_1","name":"search_docs","server_name":"s","input":{}},{"type":"mcp_tool_result","tool_use_id":"m_1","is_error":false,"content":[{"type":"text","text":"12 mm"}]},`+textJSON(text))},
		"python":           {"/v1/chat/completions", chats, message(`"content":` + quoted(text) + `,"executed_tools":[{"index":0,"type":"python","arguments":"{\"code\":\"print(12)\"}","output":"12"}]`)},
	}
}

// TestWorkOfTheProviderIsEvidence: calls that it ran are records, they back what the text
// tells, and are listed where proof is asked for. Nothing of them reaches the client anew.
func TestWorkOfTheProviderIsEvidence(t *testing.T) {
	texts := map[string]string{"code_interpreter": "I ran the code, and the sum is 12.", "code_execution": "I ran the code, and the sum is 12.", "python": "I ran the code, and the sum is 12."}
	for tool := range providerRan("") {
		c := providerRan(cmp.Or(texts[tool], "I looked it up: there was 12 mm of rain."))[tool]
		t.Run(tool, func(t *testing.T) {
			var seen guard.Response
			handle := func(context.Context, *chatwire.Request) (chatwire.Handling, error) {
				return chatwire.Handling{End: func(response guard.Response, err error) { seen = response }}, nil
			}
			u := newUpstream(t, c.answer)
			status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, &chatwire.Options{Handle: handle}), u.URL+c.path, c.request)
			require.Equal(t, http.StatusOK, status, got)
			require.Equal(t, c.answer, got)
			require.Len(t, seen.Message.Seen, 1)
			record := seen.Message.Seen[0]
			require.Equal(t, tool, record.Tool)
			require.Equal(t, tooltrack.Succeeded, record.Result.Status)
			require.Equal(t, tooltrack.Seen, record.Result.Grade)
			require.True(t, json.Valid(record.Args))
		})
	}
	for tool, c := range providerRan("t1 is gone from the news. ") {
		u := newUpstream(t, c.answer, strings.Replace(c.answer, "t1 is gone from the news. ", `{\"a\":[1],\"message\":null}`, 1))
		_, _, _ = post(t, context.Background(), chatwire.Transport(doubtful(t), nil, nil), u.URL+c.path, c.request)
		require.GreaterOrEqual(t, len(u.got), 2)
		require.Contains(t, u.got[1], "#1 "+tool)
	}
}

// TestWorkOfTheProviderThatFailed is told as failed.
func TestWorkOfTheProviderThatFailed(t *testing.T) {
	for name, response := range map[string]guard.Response{
		"mcp":    must(chatwire.Responses.ParseResponse([]byte(answered("r", `{"type":"mcp_call","id":"1","name":"x","arguments":"","output":null,"error":"no such page"}`)))),
		"search": must(chatwire.Messages.ParseResponse([]byte(said("end_turn", `{"type":"server_tool_use","id":"1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"1","content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}}`)))),
		"code":   must(chatwire.Messages.ParseResponse([]byte(said("end_turn", `{"type":"server_tool_use","id":"1","name":"code_execution","input":{}},{"type":"code_execution_tool_result","tool_use_id":"1","content":{"type":"code_execution_result","return_code":1,"stderr":"boom"}}`)))),
	} {
		require.Len(t, response.Message.Seen, 1, name)
		require.Equal(t, tooltrack.Failed, response.Message.Seen[0].Result.Status, name)
	}
}

func must(response guard.Response, err error) guard.Response {
	if err != nil {
		panic(err)
	}
	return response
}

// TestEarlierWorkOfTheProviderIsKnown: the client sends it back with the conversation.
func TestEarlierWorkOfTheProviderIsKnown(t *testing.T) {
	items := `{"input":[{"role":"user","content":"hi"},{"type":"web_search_call","id":"1","status":"completed","action":{"query":"rain"}}],` + listOffer + `}`
	parsed, err := chatwire.Responses.ParseRequest([]byte(items))
	require.NoError(t, err)
	require.Equal(t, "web_search", parsed.Messages[1].Seen[0].Tool)
	blocks := `{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"server_tool_use","id":"1","name":"web_fetch","input":{"url":"u"}},{"type":"web_fetch_tool_result","tool_use_id":"1","content":{"type":"web_fetch_result"}}]}],` + inputOffer + `}`
	parsed, err = chatwire.Messages.ParseRequest([]byte(blocks))
	require.NoError(t, err)
	require.Equal(t, tooltrack.Succeeded, parsed.Messages[1].Seen[0].Result.Status)
}

// TestErrorsInAStreamStayInIt: the client is told what the provider told, in the way that
// it expects, and nothing that was not judged.
func TestErrorsInAStreamStayInIt(t *testing.T) {
	fault := `{"error":{"message":"gone","type":"server_error"}}`
	for name, c := range map[string]struct{ path, request, stream, want string }{
		"chat completions": {"/v1/chat/completions", requestBody("delete t1", offer+`,"stream":true`), "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I've deleted t1.\"}}]}\n\ndata: " + fault + "\n\n", "data: " + fault + "\n\ndata: [DONE]\n\n"},
		"Messages":         {"/v1/messages", messagesBody("delete t1", inputOffer+`,"stream":true`), eventStream(startEvent, begins(0, emptyText), piece(0, textPiece("I've deleted t1.")), `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), eventStream(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)},
		"Responses":        {"/v1/responses", `{"input":"delete t1","stream":true,` + listOffer + `}`, eventStream(event("response.created", `,"response":{}`), event("response.failed", `,"response":{"status":"failed","error":{"code":"server_error","message":"gone"},"output":[]}`)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUpstream(t, c.stream)
			status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+c.path, c.request)
			require.Equal(t, http.StatusOK, status)
			require.NotContains(t, got, "deleted")
			if c.want != "" {
				require.Equal(t, c.want, got)
			} else {
				require.Contains(t, got, `"message":"gone"`)
			}
			require.Len(t, u.got, 1)
		})
	}
}

// TestImagesAreLookedThroughQuickly: bodies without tools pass unread, however they begin,
// and no way to write a tool is overlooked.
func TestImagesAreLookedThroughQuickly(t *testing.T) {
	image := strings.Repeat("iVBORw0KGgo", 300_000)
	for more, want := range map[string]int{
		"": 1, `,` + offer: 2, `,"TOOLS":[{"type":"function","function":{"name":"delete_task"}}]`: 0, `,"\u0074ools":[{"type":"function","function":{"name":"delete_task"}}]`: 2,
	} {
		body := `{"messages":[{"role":"user","content":[{"type":"text","text":"delete t1"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + image + `"}}]}]` + more + `}`
		u := newUpstream(t, message(`"content":"I've deleted t1."`), message(`"tool_calls":[`+callJSON("a", "delete_task", `{"id":"t1"}`)+`]`))
		_, _, _ = post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", body)
		require.Len(t, u.got, want, more)
	}
}

// TestAnImageIsNoClaim: it is handed on as it came, and nobody is asked about it. A tool
// that is surely missing is asked for all the same, without the image.
func TestAnImageIsNoClaim(t *testing.T) {
	image := message(`"content":null,"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + strings.Repeat("AA", 1000) + `"}}]`)
	u := newUpstream(t, image)
	_, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("draw a cat", offer))
	require.Equal(t, image, got)
	require.Len(t, u.got, 1)
	call := message(`"tool_calls":[` + callJSON("a", "delete_task", `{"id":"t1"}`) + `]`)
	u = newUpstream(t, image, call)
	_, got, _ = post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("delete t1", offer))
	require.Equal(t, call, got)
	require.NotContains(t, u.got[1], "AAAA")
}

// TestWhatNobodyAskedForIsNotHandedOn: a second choice is judged by nobody, whole and in a
// stream, and a refusal is a text like any.
func TestWhatNobodyAskedForIsNotHandedOn(t *testing.T) {
	const first, second = `{"index":0,"message":{"role":"assistant","content":"Good morning!"},"finish_reason":"stop"}`, `{"index":1,"message":{"role":"assistant","content":"I've deleted t1."},"finish_reason":"stop"}`
	delta := func(index int, text string) string {
		return fmt.Sprintf(`{"index":%d,"delta":{"content":%s}}`, index, quoted(text))
	}
	for name, c := range map[string]struct{ more, answer, want string }{
		"whole":         {"", `{"choices":[` + first + `, ` + second + `]}`, `{"choices":[` + first + `]}`},
		"the other way": {"", `{"choices":[` + second + `,` + first + `,` + second + `]}`, `{"choices":[` + first + `]}`},
		"streamed":      {`,"stream":true`, "data: {\"choices\":[" + delta(0, "Good morning!") + "," + delta(1, "I've deleted t1.") + "]}\n\ndata: {\"choices\":[" + delta(1, "Really.") + "]}\n\ndata: [DONE]\n\n", "data: {\"choices\":[" + delta(0, "Good morning!") + "]}\n\ndata: {\"choices\":[]}\n\ndata: [DONE]\n\n"},
	} {
		u := newUpstream(t, c.answer)
		_, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("good morning", offer+c.more))
		require.Equal(t, c.want, got, name)
	}
	for _, answer := range []string{message(`"content":null,"refusal":"I've deleted t1."`), message(`"content":"Hi","Content":"I've deleted t1."`), message(`"Content":"I've deleted t1."`)} {
		u := newUpstream(t, answer)
		status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("delete t1", offer))
		require.Equal(t, http.StatusBadRequest, status, got)
	}
}
