package provider_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
)

func post(address, body string) (int, string) {
	answer, err := http.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(said)
}

func ExampleNew() {
	server := provider.New(&testing.T{}, guardtest.Say("Hello!"))
	status, said := post(server.URL+"/v1/messages", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hello"}]}`)
	var message struct{ Content []struct{ Text string } }
	_ = json.Unmarshal([]byte(said), &message)
	fmt.Println(status, message.Content[0].Text)
	// What the real server would refuse is refused here.
	status, _ = post(server.URL+"/v1/messages", `{"model":"m","max_tokens":9,"messages":[{"role":"assistant","content":"Hi"}]}`)
	fmt.Println(status, server.Refused())
	// Output:
	// 200 Hello!
	// 400 [messages.0: unexpected role "assistant"]
}

// TestProviderRefuses what the real servers refuse, and nothing else.
func TestProviderRefuses(t *testing.T) {
	const (
		messages  = `{"model":"m","max_tokens":2000,%s}`
		chat      = `{"model":"m",%s}`
		responses = `{"model":"m",%s}`
		use       = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{}},{"type":"tool_use","id":"b","name":"x","input":{}}]}`
		hello     = `{"role":"user","content":"hello"}`
		tool      = `"tools":[{"name":"x","input_schema":{"type":"object"}}]`
		flat      = `"tools":[{"type":"function","name":"x"}]`
		nested    = `"tools":[{"type":"function","function":{"name":"x"}}]`
	)
	result := func(id string) string { return `{"type":"tool_result","tool_use_id":"` + id + `","content":"ok"}` }
	user := func(blocks ...string) string { return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}` }
	said := func(list ...string) string { return `"messages":[` + strings.Join(list, ",") + `]` }
	calls := `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"{}"}}]}`
	cases := []struct {
		name, path, form, body, refused string
	}{
		{"a message", "/messages", messages, said(hello), ""},
		{"results in order", "/messages", messages, said(hello, use, user(result("a"), result("b"), `{"type":"text","text":"go on"}`)), ""},
		{"results out of order", "/messages", messages, said(hello, use, user(result("b"), result("a"))), "unexpected `tool_use_id`"},
		{"a result missing", "/messages", messages, said(hello, use, user(result("a"))), "without `tool_result`"},
		{"all results missing", "/messages", messages, said(hello, use), "without `tool_result`"},
		{"text before results", "/messages", messages, said(hello, use, user(`{"type":"text","text":"go"}`, result("a"), result("b"))), "without `tool_result`"},
		{"a result of no call", "/messages", messages, said(user(result("a"))), "unexpected `tool_use_id`"},
		{"an empty text", "/messages", messages, said(user(`{"type":"text","text":" "}`)), "non-empty"},
		{"no content", "/messages", messages, said(`{"role":"user","content":[]}`), "non-empty"},
		{"a system role", "/messages", messages, said(`{"role":"system","content":"x"}`), "unexpected role"},
		{"a thought that was never thought", "/messages", messages, said(hello, `{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"y"},{"type":"text","text":"x"}]}`, hello), "cannot be modified"},
		{"a prefill", "/messages", messages, said(hello, `{"role":"assistant","content":"Hi"}`), "prefill"},
		{"forced", "/messages", messages, said(hello) + `,"tool_choice":{"type":"tool","name":"x"},` + tool, ""},
		{"forced to another tool", "/messages", messages, said(hello) + `,"tool_choice":{"type":"tool","name":"y"},` + tool, "not found in tools"},
		{"forced while thinking", "/messages", messages, said(hello) + `,"thinking":{"type":"enabled","budget_tokens":1024},"tool_choice":{"type":"any"},` + tool, "forces tool use"},
		{"a choice without tools", "/messages", messages, said(hello) + `,"tool_choice":{"type":"any"}`, "while providing tools"},
		{"a choice of no kind", "/messages", messages, said(hello) + `,"tool_choice":{"type":"required"},` + tool, "unexpected type"},
		{"a choice as a word", "/messages", messages, said(hello) + `,"tool_choice":"any",` + tool, "unexpected type"},
		{"results in two messages", "/messages", messages, said(hello, use, user(result("a")), user(result("b"))), "without `tool_result`"},
		{"a tool twice", "/messages", messages, said(hello) + `,"tools":[{"name":"x","input_schema":{"type":"object"}},{"name":"x","input_schema":{"type":"object"}}]`, "unique"},
		{"a tool's name", "/messages", messages, said(hello) + `,"tools":[{"name":"x.y","input_schema":{"type":"object"}}]`, "pattern"},
		{"a tool without a schema", "/messages", messages, said(hello) + `,"tools":[{"name":"x"}]`, "input_schema"},
		{"a small budget", "/messages", messages, said(hello) + `,"thinking":{"type":"enabled","budget_tokens":9}`, "budget_tokens"},
		{"no room", "/messages", `{"model":"m",%s}`, said(hello), "max_tokens"},

		{"chat", "/chat/completions", chat, said(hello), ""},
		{"its results", "/chat/completions", chat, said(hello, calls, `{"role":"tool","tool_call_id":"a","content":"ok"}`), ""},
		{"a result missing in chat", "/chat/completions", chat, said(hello, calls, hello), "must be followed"},
		{"missing at the end", "/chat/completions", chat, said(hello, calls), "must be followed"},
		{"a result of no call in chat", "/chat/completions", chat, said(hello, `{"role":"tool","tool_call_id":"a","content":"ok"}`), "preceding message"},
		{"nothing said", "/chat/completions", chat, said(`{"role":"assistant","content":null}`), "got null"},
		{"a choice without tools in chat", "/chat/completions", chat, said(hello) + `,"tool_choice":"required"`, "only allowed"},
		{"a choice as an object in chat", "/chat/completions", chat, said(hello) + `,"tool_choice":{"type":"auto"},` + nested, "unexpected type"},
		{"another tool in chat", "/chat/completions", chat, said(hello) + `,"tool_choice":{"type":"function","function":{"name":"y"}},` + nested, "not found"},

		{"items", "/responses", responses, `"input":"hello"`, ""},
		{"a result of no call in items", "/responses", responses, `"input":[{"type":"function_call_output","call_id":"a","output":"x"}]`, "no tool call found"},
		{"a result missing in items", "/responses", responses, `"input":[{"type":"function_call","call_id":"a"}]`, "no tool output found"},
		{"a thought without what follows", "/responses", responses, `"input":[{"type":"reasoning","id":"rs_x"}]`, "not found"},
		{"no such response", "/responses", responses, `"previous_response_id":"resp_x","input":"hello"`, "not found"},
		{"another tool in items", "/responses", responses, `"input":"hello","tool_choice":{"type":"function","name":"y"},` + flat, "not found"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := provider.New(t, guardtest.Say("Hello!"))
			status, said := post(p.URL+"/v1"+c.path, fmt.Sprintf(c.form, c.body))
			refused := strings.Join(p.Refused(), "")
			if (c.refused == "") != (refused == "") || !strings.Contains(refused, c.refused) || (status == http.StatusOK) != (c.refused == "") {
				t.Errorf("%d %s\nrefused for %q, want %q", status, said, refused, c.refused)
			}
		})
	}
}

// TestProviderRemembersResponses: a call that lies with the provider has to be
// answered before anything else.
func TestProviderRemembersResponses(t *testing.T) {
	p := provider.New(t, guardtest.Call(guardtest.Tool("x", `{}`)), guardtest.Say("Done."), provider.Status(529))
	_, said := post(p.URL+"/v1/responses", `{"input":"hello"}`)
	var answer struct {
		ID     string
		Output []struct {
			Type   string
			CallID string `json:"call_id"`
		}
	}
	if err := json.Unmarshal([]byte(said), &answer); err != nil || len(answer.Output) != 2 {
		t.Fatal(said, err)
	}
	if status, said := post(p.URL+"/v1/responses", `{"previous_response_id":"`+answer.ID+`","input":"go on"}`); status != http.StatusBadRequest {
		t.Error(status, said)
	}
	if status, said := post(p.URL+"/v1/responses", `{"previous_response_id":"`+answer.ID+`","input":[{"type":"function_call_output","call_id":"`+answer.Output[1].CallID+`","output":"ok"}]}`); status != http.StatusOK {
		t.Error(status, said)
	}
	if status, said := post(p.URL+"/v1/responses", `{"input":"hello"}`); status != 529 || !strings.Contains(said, "status 529") {
		t.Error(status, said)
	}
	if status, said := post(p.URL+"/v1/responses", `{"input":"hello"}`); status != http.StatusTeapot || !strings.Contains(said, guardtest.ErrScriptEnded.Error()) {
		t.Error(status, said)
	}
	if got := len(guardtest.Promises()); got < 15 {
		t.Errorf("%d promises", got)
	}
}
