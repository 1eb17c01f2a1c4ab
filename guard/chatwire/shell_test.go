package chatwire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// upstream is a server that sends recorded bodies and remembers what it got.
type upstream struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	status int
	got    []string
}

func newUpstream(t *testing.T, bodies ...string) *upstream {
	t.Helper()
	u := &upstream{bodies: bodies, status: http.StatusOK}
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		u.mu.Lock()
		defer u.mu.Unlock()
		u.got = append(u.got, string(body))
		if len(u.bodies) == 0 {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "upstream")
		w.WriteHeader(u.status)
		_, _ = io.WriteString(w, u.bodies[0])
		u.bodies = u.bodies[1:]
	}))
	t.Cleanup(u.Close)
	return u
}

func tools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "id", Kind: "task"},
			Parameters: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)},
		{Name: "list_tasks", Description: "List the tasks.", Effect: tooltrack.Reads},
	}
}

func newGuard(t *testing.T, change func(*guard.Options)) *guard.Guard {
	t.Helper()
	options := &guard.Options{Classifier: intent.Func(func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
		if !strings.HasPrefix(request.User, "delete") {
			return intent.Intent{}, nil
		}
		return intent.Intent{Kind: intent.Action, Expect: []intent.Expectation{{Tool: "delete_task", Confidence: 0.99, Words: "delete"}}}, nil
	})}
	if change != nil {
		change(options)
	}
	g, err := guard.New(tools(), options)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const offer = `"tools":[{"type":"function","function":{"name":"delete_task"}},{"type":"function","function":{"name":"list_tasks"}}]`

func requestBody(user, more string) string {
	return `{ "model":"m",  "messages":[{"role":"system","content":"Be brief."},{"role":"user","content":` + quoted(user) + `}],` + more + `,"x_vendor":{"a":1.0} }`
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// post sends a body through the transport.
func post(t *testing.T, ctx context.Context, transport http.RoundTripper, url, body string) (int, string, http.Header) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(got), response.Header
}

func TestWhatPassesIsHandedOnByteForByte(t *testing.T) {
	said := "{ \"id\":\"1\",\n \"choices\":[{\"index\":0,\"finish_reason\":\"stop\", \"message\":{\"role\":\"assistant\",\"content\":\"Good morning, Ann.\",\"x\":[1.50]}}],\"usage\":{\"prompt_tokens\":1} }"
	asked := requestBody("Good morning", offer)
	u := newUpstream(t, said)
	status, got, header := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", asked)
	if status != http.StatusOK || got != said || header.Get("X-Request-Id") != "upstream" {
		t.Errorf("%d %s", status, got)
	}
	if len(u.got) != 1 || u.got[0] != asked {
		t.Errorf("the server got %q", u.got)
	}
}

func TestWhatIsNotGuardedPassesUntouched(t *testing.T) {
	cases := []struct{ name, path, body string }{
		{"no tools", "/v1/chat/completions", `{"messages":[{"role":"user","content":"delete it"}]}`},
		{"an empty list of tools", "/v1/chat/completions", `{"messages":[{"role":"user","content":"delete it"}],"tools":[],"functions":null}`},
		{"embeddings", "/v1/embeddings", `{"input":"delete it"}`},
		{"embeddings about tools", "/v1/embeddings", `{"input":["\"tools\""],"metadata":{"tools":[{"name":"hammer"}]}}`},
		{"a list of words", "/v1/search", `{"tools":["hammer","saw"]}`},
		{"Responses without tools", "/v1/responses", `{"input":"delete it"}`},
		{"Responses with a tool of the server's", "/v1/responses", `{"input":"news","tools":[{"type":"web_search"},{"type":"file_search","server_url":"https://example.com"}]}`},
		{"chat with a tool of the server's alone", "/v1/chat/completions", `{"messages":[],"tools":[{"type":"openrouter:web_search"}]}`},
		{"Gemini with a tool of the server's", "/v1beta/models/x:generateContent", `{"contents":[],"tools":[{"googleSearch":{}},{"codeExecution":{}}]}`},
		{"Gemini without tools", "/v1beta/models/x:generateContent", `{"contents":[],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`},
		{"Ollama without tools", "/api/chat", `{"messages":[{"role":"user","content":"delete it"}]}`},
		{"a form", "/token", `grant_type=client_credentials`},
		{"a number", "/metrics", `7`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u := newUpstream(t, "anything at all")
			status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+c.path, c.body)
			if status != http.StatusOK || got != "anything at all" || len(u.got) != 1 || u.got[0] != c.body {
				t.Errorf("%d %s; the server got %q", status, got, u.got)
			}
		})
	}
}

const flatOffer = `"tools":[{"type":"function","name":"delete_task","parameters":{}}]`

// unguarded are requests that offer tools in ways that cannot be judged, with a
// piece of what their sender is told.
var unguarded = []struct{ name, path, body, hint string }{
	{"Responses in the background", "/v1/responses", `{"input":"delete it","background":true,` + flatOffer + `}`, "ask without background"},
	{"a result of an unknown call", "/v1/responses", `{"previous_response_id":"resp_0","input":[{"type":"function_call_output","call_id":"c9","output":"ok"}],` + flatOffer + `}`, "send the call with its result"},
	{"a custom tool of Responses", "/v1/responses", `{"input":"delete it","tools":[{"type":"function","name":"list_tasks","parameters":{}},{"type":"custom","name":"x"}]}`, "(custom)"},
	{"Gemini, other spelling", "/v1beta/models/gemini-3:streamGenerateContent", `{"contents":{},"tools":{"function_declarations":[{"name":"delete_task"}]}}`, "JSON array"},
	{"Cohere", "/v2/chat", requestBody("delete it", offer), "Cohere"},
	{"Cohere, the older one", "/v1/chat", `{"message":"delete it","tools":[{"name":"delete_task","parameter_definitions":{}}]}`, "Cohere"},
	{"Bedrock", "/model/x/converse", `{"messages":[],"toolConfig":{"tools":[{"toolSpec":{"name":"delete_task"}}]}}`, "Converse"},
	{"an envelope", "/v1internal:generate", `{"model":"x","request":{"messages":[],` + offer + `}}`, "not known"},
	{"a session", "/v1/realtime/client_secrets", `{"session":{"type":"realtime",` + flatOffer + `}}`, "use chat completions"},
	{"a list of requests", "/batch", `[{"messages":[],` + offer + `}]`, "not known"},
	{"an assistant", "/v1/assistants", `{"model":"x",` + offer + `}`, "not known"},
	{"names in another case", "/v1/chat/completions", `{"messages":[],"Tools":[{"type":"function","function":{"name":"delete_task"}}]}`, "to all readers"},
	{"a strange kind of tool alone", "/x", `{"messages":[],"tools":[{"type":"computer"}]}`, "not known"},
	{"several choices", "/v1/chat/completions", requestBody("delete it", offer+`,"n":2`), "2 choices"},
	{"a tool that is no function", "/v1/chat/completions", requestBody("delete it", `"tools":[{"type":"function","function":{"name":"list_tasks"}},{"type":"custom","custom":{"name":"x"}}]`), "(custom)"},
	{"functions beside tools", "/v1/chat/completions", requestBody("delete it", offer+`,"functions":[{"name":"delete_task"}]`), "functions beside tools"},
	{"a function that is none", "/v1/chat/completions", requestBody("delete it", `"functions":[{"name":"list_tasks"},7]`), "functions[1]"},
	{"tools twice", "/v1/chat/completions", `{"messages":[],` + offer + `,"tools":[]}`, "twice"},
	{"no JSON", "/v1/chat/completions", `tools=delete_task`, "not one valid JSON value"},
	{"nearly JSON", "/x", `{"messages":[],` + offer + `,}`, "not one valid JSON value"},
}

func TestWhatCannotBeGuardedIsRefused(t *testing.T) {
	for _, c := range unguarded {
		t.Run(c.name, func(t *testing.T) {
			u := newUpstream(t, "never sent")
			status, got, header := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+c.path, c.body)
			if status != http.StatusBadRequest || len(u.got) != 0 || header.Get("X-Should-Retry") != "false" || !strings.Contains(got, c.hint) || !strings.Contains(got, `"code":"unguarded"`) {
				t.Errorf("%d %s after %d upstream calls", status, got, len(u.got))
			}
		})
		t.Run(c.name+", allowed", func(t *testing.T) {
			u := newUpstream(t, "anything")
			status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, &chatwire.Options{AllowUnguarded: true}), u.URL+c.path, c.body)
			if status != http.StatusOK || got != "anything" || len(u.got) != 1 || u.got[0] != c.body {
				t.Errorf("%d %s; the server got %q", status, got, u.got)
			}
		})
	}
}

func TestAToolThatNobodyDescribedIsRefused(t *testing.T) {
	u := newUpstream(t, "never sent")
	for _, offered := range []string{`"tools":[{"type":"function","function":{"name":"format_disk"}}]`, `"functions":[{"name":"list_tasks"},{"name":"format_disk"}]`} {
		status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("hi", offered))
		if status != http.StatusBadRequest || len(u.got) != 0 || !strings.Contains(got, "format_disk") {
			t.Errorf("%d %s after %d upstream calls", status, got, len(u.got))
		}
	}
}

func TestOnlyTheArgumentsOfACallAreRewritten(t *testing.T) {
	directory := resolver.NewDirectory(resolver.SourceFunc(func(_ context.Context, owner string) ([]resolver.Entry, error) {
		if owner != "ann" {
			return nil, nil
		}
		return []resolver.Entry{{ID: "id-0042", Title: "Read book"}}, nil
	}), nil)
	g := newGuard(t, func(o *guard.Options) { o.Directories = map[string]guard.Directory{"task": directory} })
	whole := `{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"delete_task","arguments":"{\"id\": \"Read book\"}"},"x":1}],"reasoning":"<b>"}}]}`
	stream := "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"delete_task\",\"arguments\":\"{\\\"id\\\":\"}}]}}]}\n\n" +
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\"Read book\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"
	ann := guard.NewContext(context.Background(), guard.Input{Owner: "ann", Turn: "m1"})
	cases := []struct {
		name, said, more, want string
		ctx                    context.Context
	}{
		{"whole", whole, offer, strings.Replace(whole, `{\"id\": \"Read book\"}`, `{\"id\":\"id-0042\"}`, 1), ann},
		{"streamed", stream, offer + `,"stream":true`, strings.NewReplacer(`{\"id\":"`, `{\"id\":\"id-0042\""`, `\"Read book\"}`, `}`).Replace(stream), ann},
		{"without an owner nothing is looked up", whole, offer, whole, context.Background()},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u := newUpstream(t, c.said)
			status, got, _ := post(t, c.ctx, chatwire.Transport(g, nil, nil), u.URL+"/v1/chat/completions", requestBody("delete Read book", c.more))
			if status != http.StatusOK || got != c.want {
				t.Errorf("%d\ngot  %s\nwant %s", status, got, c.want)
			}
		})
	}
}

func TestATurnIsRebuiltFromItsMessages(t *testing.T) {
	history := `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"delete_task","arguments":"{\"id\":\"1\"}"}}]},{"role":"tool","tool_call_id":"a","content":%s}`
	claim := message(`"content":"I've deleted the task."`)
	cases := []struct {
		name, result string
		status       int
		calls        int
	}{
		{"a success backs the claim", `"{\"success\":true}"`, 200, 1},
		{"a failure does not", `"Error: no such task"`, 400, 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u := newUpstream(t, claim, claim, claim, claim)
			body := `{"model":"m","messages":[{"role":"user","content":"delete it"},` + strings.Replace(history, "%s", c.result, 1) + `],` + offer + `}`
			status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", body)
			if status != c.status || len(u.got) != c.calls {
				t.Errorf("%d after %d upstream calls: %s", status, len(u.got), got)
			}
		})
	}
}

func TestRefusalCarriesTheAccount(t *testing.T) {
	lie := message(`"content":"I've deleted it."`)
	u := newUpstream(t, lie, lie)
	status, got, header := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("delete Read book", offer))
	var told struct {
		Error struct {
			Message, Code, Account string
			Expected               []string `json:"expected_tools"`
		}
	}
	if err := json.Unmarshal([]byte(got), &told); err != nil {
		t.Fatal(err)
	}
	if status != 400 || header.Get("X-Should-Retry") != "false" || told.Error.Code != "tool_not_triggered" || strings.Join(told.Error.Expected, "") != "delete_task" ||
		!strings.Contains(told.Error.Account, "What you asked for was not done.") || strings.Contains(got, "I've deleted") {
		t.Errorf("%d %s", status, got)
	}
	if len(u.got) != 2 {
		t.Errorf("%d requests", len(u.got))
	}
	again := u.got[1]
	for _, kept := range []string{`{ "model":"m",  "messages":[{"role":"system","content":"Be brief."}`, `"x_vendor":{"a":1.0} }`, `the tool delete_task does, and it was not called`} {
		if !strings.Contains(again, kept) {
			t.Errorf("the second request lacks %s: %s", kept, again)
		}
	}
}

func TestCallsOfACutMessageAreRemoved(t *testing.T) {
	said := `{"choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":"Let me","tool_calls":[` + callJSON("a", "delete_task", `{"id":"1"}`) + `]}}]}`
	u := newUpstream(t, said)
	status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("delete Read book", offer))
	if want := strings.Replace(said, `[`+callJSON("a", "delete_task", `{"id":"1"}`)+`]`, "null", 1); status != 200 || got != want {
		t.Errorf("%d\ngot  %s\nwant %s", status, got, want)
	}
}

func TestTheServersOwnRefusalIsHandedOn(t *testing.T) {
	for _, more := range []string{offer, offer + `,"stream":true`} {
		u := newUpstream(t, `{"error":{"message":"wrong key"}}`)
		u.status = http.StatusUnauthorized
		status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("delete Read book", more))
		if status != http.StatusUnauthorized || !strings.Contains(got, "wrong key") {
			t.Errorf("%d %s", status, got)
		}
	}
}

func TestMiddlewareErrors(t *testing.T) {
	g := newGuard(t, nil)
	broken := errors.New("connection refused")
	request := func() *http.Request {
		r, _ := http.NewRequest(http.MethodPost, "http://127.0.0.1/v1/chat/completions", bytes.NewReader([]byte(requestBody("delete Read book", offer))))
		return r
	}
	response, err := chatwire.Middleware(g, nil)(request(), func(*http.Request) (*http.Response, error) { return nil, broken })
	if response != nil || !errors.Is(err, broken) {
		t.Errorf("a broken connection: %v, %v", response, err)
	}
	asked := 0
	response, err = chatwire.Middleware(g, nil)(request(), func(r *http.Request) (*http.Response, error) {
		if asked++; asked > 1 {
			return nil, broken
		}
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(message(`"content":"I've deleted it."`)))}, nil
	})
	if response == nil || response.Header.Get("X-Should-Retry") != "false" || !errors.Is(err, broken) {
		t.Errorf("a connection that breaks on the second ask: %v, %v", response, err)
	}
	response, err = chatwire.Middleware(g, nil)(request(), func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("<html>"))}, nil
	})
	var body *chatwire.BodyError
	if response == nil || !errors.As(err, &body) {
		t.Errorf("a page instead of an answer: %v, %v", response, err)
	}
}

func TestACallWithoutArgumentsPasses(t *testing.T) {
	said := message(`"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"list_tasks","arguments":null}}]`)
	u := newUpstream(t, said)
	status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("hello", offer))
	if status != http.StatusOK || got != said {
		t.Errorf("%d %s", status, got)
	}
}

func TestTheAccountCanBeDeliveredAsText(t *testing.T) {
	lie := message(`"content":"I've deleted it."`)
	bad := message(`"content":null,"tool_calls":[` + callJSON("a", "delete_task", `{"id":7}`) + `]`)
	g := newGuard(t, func(o *guard.Options) { o.DeliverAccount = true })
	begins := map[string]string{"a lie": "What you asked for was not done.", "a denied call": "This was not allowed:"}
	for name, said := range map[string]string{"a lie": lie, "a denied call": bad} {
		u := newUpstream(t, said, said, said, said)
		status, got, _ := post(t, context.Background(), chatwire.Transport(g, nil, nil), u.URL+"/v1/chat/completions", requestBody("delete it", offer))
		response, err := chatwire.ChatCompletions.ParseResponse([]byte(got))
		if err != nil || status != http.StatusOK || len(response.Message.Calls) != 0 || !strings.HasPrefix(response.Message.Text, begins[name]) {
			t.Errorf("%s: %d %s", name, status, got)
		}
	}
}

func TestObservingHandsOnEverything(t *testing.T) {
	g := newGuard(t, func(o *guard.Options) { o.Observe = true })
	cases := []struct{ name, path, body, said string }{
		{"a lie", "/v1/chat/completions", requestBody("delete it", offer), message(`"content":"I've deleted it."`)},
		{"a call that would be denied", "/v1/chat/completions", requestBody("delete it", offer), message(`"tool_calls":[` + callJSON("a", "delete_task", `{"id":7}`) + `]`)},
		{"a cut message", "/v1/chat/completions", requestBody("delete it", offer), `{"choices":[{"finish_reason":"length","message":{"tool_calls":[` + callJSON("a", "delete_task", `{"id":"1"}`) + `]}}]}`},
		{"a page", "/v1/chat/completions", requestBody("delete it", offer), "<html>"},
		{"a broken stream", "/v1/chat/completions", requestBody("delete it", offer+`,"stream":true`), "data: {\n\n"},
		{"a request that cannot be read", "/v1/chat/completions", `{"tools":[],"tools":[]}`, "anything"},
		{"another format", "/v1/x:generateContent", `{"contents":[],"tools":[{"functionDeclarations":[{"name":"x"}]}]}`, "anything"},
		{"a tool that nobody described", "/v1/chat/completions", requestBody("hi", `"tools":[{"type":"function","function":{"name":"format_disk"}}]`), message(`"content":"Hi!"`)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u := newUpstream(t, c.said)
			status, got, _ := post(t, context.Background(), chatwire.Transport(g, nil, nil), u.URL+c.path, c.body)
			if status != http.StatusOK || got != c.said || len(u.got) != 1 || u.got[0] != c.body {
				t.Errorf("%d %s; the server got %q", status, got, u.got)
			}
		})
	}
}
