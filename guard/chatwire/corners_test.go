package chatwire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestStructuredRequests(t *testing.T) {
	for body, want := range map[string]bool{
		`{"response_format":{"type":"json_object"}}`: true, `{"response_format":{"type":"text"}}`: false, `{"response_format":{}}`: false,
		`{"response_format":"json"}`: false, `{"response_format":null}`: false, `{}`: false, `{"response_format":{"type":"x","type":"y"}}`: false,
	} {
		if parsed, err := chatwire.ChatCompletions.ParseRequest([]byte(body)); err != nil || parsed.Structured != want {
			t.Errorf("%s: %+v, %v", body, parsed, err)
		}
	}
	for body, want := range map[string]bool{
		`{"output_format":{}}`: true, `{"output_config":{"format":{}}}`: true, `{"output_config":{"effort":"low"}}`: false, `{"output_config":7}`: false, `{}`: false,
	} {
		if parsed, err := chatwire.Messages.ParseRequest([]byte(body)); err != nil || parsed.Structured != want {
			t.Errorf("%s: %+v, %v", body, parsed, err)
		}
	}
}

// listing is a guard that surely expects list_tasks, so that it may be forced.
func listing(t *testing.T) *guard.Guard {
	return newGuard(t, func(o *guard.Options) {
		o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
			return intent.Intent{Kind: intent.Question, Expect: []intent.Expectation{{Tool: "list_tasks", Confidence: 0.99, Words: "list"}}}, nil
		})
	})
}

// TestForcedChoices: each format forces in its own words, and a model that thinks
// is not forced.
func TestForcedChoices(t *testing.T) {
	chatLie, messagesLie := message(`"content":"Here is your list: nothing."`), said("end_turn", textJSON("Here is your list: nothing."))
	chatCall := message(`"content":null,"tool_calls":[` + callJSON("a", "list_tasks", "{}") + `]`)
	messagesCall := said("tool_use", useJSON("a", "list_tasks", "{}"))
	cases := []struct{ name, path, body, lie, call, forced string }{
		{"chat", "/v1/chat/completions", requestBody("list my tasks", offer), chatLie, chatCall, `"tool_choice":{"type":"function","function":{"name":"list_tasks"}}`},
		{"functions", "/v1/chat/completions", requestBody("list my tasks", `"functions":[{"name":"list_tasks"}],"tools":[]`), chatLie, chatCall, `"function_call":{"name":"list_tasks"}`},
		{"tools beside no functions", "/v1/chat/completions", requestBody("list my tasks", offer+`,"functions":[]`), chatLie, chatCall, `"tool_choice":{`},
		{"Messages", "/v1/messages", messagesBody("list my tasks", inputOffer), messagesLie, messagesCall, `"tool_choice":{"type":"tool","name":"list_tasks"}`},
		{"Messages, thinking off", "/v1/messages", messagesBody("list my tasks", inputOffer+`,"thinking":{"type":"disabled"}`), messagesLie, messagesCall, `"tool_choice":{"type":"tool","name":"list_tasks"}`},
		{"Messages, thinking", "/v1/messages", messagesBody("list my tasks", inputOffer+`,"thinking":{"type":"enabled","budget_tokens":1024}`), messagesLie, messagesCall, ""},
		{"Messages, thinking when it helps", "/v1/messages", messagesBody("list my tasks", inputOffer+`,"thinking":{"type":"adaptive"}`), messagesLie, messagesCall, ""},
	}
	for _, c := range cases {
		u := newUpstream(t, c.lie, c.call)
		status, got, _ := post(t, context.Background(), chatwire.Transport(listing(t), nil, nil), u.URL+c.path, c.body)
		if status != http.StatusOK || got != c.call || len(u.got) != 2 {
			t.Errorf("%s: %d %s after %d", c.name, status, got, len(u.got))
			continue
		}
		if c.forced == "" && (strings.Contains(u.got[1], "tool_choice") || !strings.Contains(u.got[1], "was not called")) || !strings.Contains(u.got[1], c.forced) {
			t.Errorf("%s: asked again by %s", c.name, u.got[1])
		}
	}
}

func TestEncodeRequest(t *testing.T) {
	request := guard.Request{
		Messages: []guard.Message{
			{Role: guard.RoleUser, Text: "<hi>"}, {Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "a", Tool: "x", Args: []byte(`{}`)}}},
			{Role: guard.RoleAssistant, Text: "so", Calls: []tooltrack.Call{{ID: "b", Tool: "x", Args: []byte(`{}`)}}}, {Role: guard.RoleTool, CallID: "a", Text: ""},
		},
	}
	body, err := chatwire.ChatCompletions.EncodeRequest(request, chatwire.EncodeOptions{Model: "m"})
	use := `"tool_calls":[{"id":"%s","type":"function","function":{"name":"x","arguments":"{}"}}]`
	want := `{"model":"m","messages":[{"role":"user","content":"<hi>"},{"role":"assistant","content":null,` + fmt.Sprintf(use, "a") + `},{"role":"assistant","content":"so",` + fmt.Sprintf(use, "b") +
		`},{"role":"tool","content":"","tool_call_id":"a"}]}`
	if err != nil || string(body) != want {
		t.Errorf("%s, %v\nwant %s", body, err, want)
	}
	request = guard.Request{Tools: []tooltrack.Tool{{Name: "x"}, {Name: "y", Parameters: []byte(`{"type":"object"}`)}}}
	body, err = chatwire.ChatCompletions.EncodeRequest(request, chatwire.EncodeOptions{Model: "m", Stream: true})
	want = `{"model":"m","messages":[],"tools":[{"type":"function","function":{"name":"x","parameters":{"type":"object","properties":{}}}},{"type":"function","function":{"name":"y","parameters":{"type":"object"}}}],` +
		`"tool_choice":"auto","stream":true,"stream_options":{"include_usage":true}}`
	if err != nil || string(body) != want {
		t.Errorf("%s, %v\nwant %s", body, err, want)
	}
}

// TestErrorsAreShort: a provider may send a book.
func TestErrorsAreShort(t *testing.T) {
	for n, want := range map[int]string{
		200: strings.Repeat("a", 200), 201: strings.Repeat("a", 200) + "…", 5000: strings.Repeat("a", 200) + "…",
	} {
		_, err := chatwire.ChatCompletions.ParseResponse([]byte(`{"error":"` + strings.Repeat("a", n) + `"}`))
		if err == nil || err.Error() != "the provider answered with an error: "+want {
			t.Errorf("%d: %v", n, err)
		}
	}
	_, err := chatwire.ChatCompletions.ParseResponse([]byte(`{"error":"` + strings.Repeat("a", 199) + `ä!"}`))
	if err == nil || err.Error() != "the provider answered with an error: "+strings.Repeat("a", 199)+"…" {
		t.Errorf("half a character: %v", err)
	}
}

func TestFilteredChoices(t *testing.T) {
	for results, want := range map[string]string{
		`{"hate":{"filtered":true}}`: "filtered", `{"hate":{"filtered":false}}`: "error", `{"hate":{"filtered":"true"}}`: "error", `{"hate":true}`: "error",
		`[]`: "error", `null`: "error", `{"hate":{"filtered":true,"filtered":true}}`: "error", `{"a":{"filtered":true},"b":{"filtered":false}}`: "filtered",
	} {
		if got := summary(chatwire.ChatCompletions.ParseResponse([]byte(`{"choices":[{"content_filter_results":` + results + `}]}`))); got != want {
			t.Errorf("%s: %s", results, got)
		}
	}
}

// TestAHeldStreamEndsAsItShould: the delta that stands for a whole message says
// why it ended.
func TestAHeldStreamEndsAsItShould(t *testing.T) {
	for text, want := range map[string]string{
		saying("Good morning!"): `"finish_reason":"stop"`,
		message(`"content":null,"tool_calls":[` + callJSON("a", "list_tasks", "{}") + `]`): `"finish_reason":"tool_calls"`,
		message(`"content":"","images":[{"type":"image_url"}]`):                            `"delta":{"role":"assistant","content":"","images":[{"type":"image_url"}]},"finish_reason":"stop"`,
	} {
		synctest.Test(t, func(t *testing.T) {
			response, err := chatwire.Transport(newGuard(t, nil), slowly(text), &chatwire.Options{KeepAlive: time.Second}).RoundTrip(streamRequest(context.Background(), "hello"))
			if err != nil || response.ContentLength != -1 {
				t.Fatal(response, err)
			}
			body, _ := io.ReadAll(response.Body)
			if !strings.Contains(string(body), want) || !strings.HasSuffix(string(body), "data: [DONE]\n\n") {
				t.Errorf("%s becomes %s", text, body)
			}
			_ = response.Body.Close()
		})
	}
}

// TestObservedErrorsOfTheBody: an answer that breaks off is handed on as it is,
// with its error, and is the server's fault.
func TestObservedErrorsOfTheBody(t *testing.T) {
	broken := errors.New("reset")
	for _, reader := range []io.Reader{
		io.MultiReader(strings.NewReader("data: {"), iotest.ErrReader(broken)),
		iotest.DataErrReader(io.MultiReader(strings.NewReader("data: {"), iotest.ErrReader(broken))),
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newGuard(t, watching)
			next := roundTripper(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Body: io.NopCloser(reader)}, nil
			})
			response, err := chatwire.Transport(g, next, nil).RoundTrip(streamRequest(context.Background(), "delete it"))
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			synctest.Wait()
			if string(body) != "data: {" || !errors.Is(err, broken) || g.Counters().Refused["provider fault"] != 1 {
				t.Errorf("%q, %v, %+v", body, err, g.Counters())
			}
		})
	}
}

func TestBlocksAreBounded(t *testing.T) {
	a := chatwire.Messages.Assemble()
	_, _ = a.Add([]byte(startEvent))
	for i := range 16 * chatwire.MaxCalls {
		if _, err := a.Add([]byte(begins(i, emptyText))); err != nil {
			t.Fatalf("%d blocks: %v", i, err)
		}
	}
	if _, err := a.Add([]byte(begins(16*chatwire.MaxCalls, emptyText))); err == nil {
		t.Error("there is no end of blocks")
	}
	if _, err := a.Add([]byte(stopEvent)); err == nil {
		t.Error("a stream that broke goes on")
	}
}

// TestAStreamThatBreaksOffIsAnError, in both formats.
func TestAStreamThatBreaksOffIsAnError(t *testing.T) {
	broken := errors.New("reset")
	_, chatErr := chatwire.ChatCompletions.ReadStream(io.MultiReader(strings.NewReader(streamOf("Hi")[:40]), iotest.ErrReader(broken)), nil)
	_, messagesErr := chatwire.Messages.ReadStream(io.MultiReader(strings.NewReader(eventStream(startEvent)), iotest.ErrReader(broken)), nil)
	for _, err := range []error{chatErr, messagesErr} {
		if !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	}
}

func TestWrappedRequestsAreFoundToADepth(t *testing.T) {
	body := `{` + offer + `}`
	for depth := 1; depth <= 4; depth++ {
		body = `{"x":` + body + `}`
		u := newUpstream(t, "passed")
		status, _, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/x", body)
		if refused := status == http.StatusBadRequest; refused != (depth <= 3) {
			t.Errorf("at depth %d: %d", depth, status)
		}
	}
}

func TestAnEmptyToolIsNoServersTool(t *testing.T) {
	u := newUpstream(t, "passed")
	status, _, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/x", `{"messages":[],"tools":[{}]}`)
	if status != http.StatusBadRequest {
		t.Errorf("passed with %d", status)
	}
}

// TestConversationsMayChangeTheProvider: what one provider said in its own form is
// said to another in that one's form.
func TestConversationsMayChangeTheProvider(t *testing.T) {
	chat, err := chatwire.ChatCompletions.ParseResponse([]byte(message(`"content":"So.","tool_calls":[` + callJSON("a", "x", `{}`) + `]`)))
	if err != nil {
		t.Fatal(err)
	}
	messages, err := chatwire.Messages.ParseResponse([]byte(said("tool_use", textJSON("So.")+","+useJSON("a", "x", `{}`))))
	if err != nil {
		t.Fatal(err)
	}
	items, err := chatwire.Responses.ParseResponse([]byte(answered("r", messageJSON("So."), functionJSON("a", "x", `{}`))))
	if err != nil {
		t.Fatal(err)
	}
	chatCall := `"content":"So.","tool_calls":[` + callJSON("a", "x", `{}`) + `]`
	for from, message := range map[string]guard.Message{"chat": chat.Message, "Messages": messages.Message, "Responses": items.Message} {
		request := guard.Request{Messages: []guard.Message{message}}
		asChat, err1 := chatwire.ChatCompletions.EncodeRequest(request, chatwire.EncodeOptions{Model: "m"})
		asMessages, err2 := chatwire.Messages.EncodeRequest(request, chatwire.EncodeOptions{})
		asItems, err3 := chatwire.Responses.EncodeRequest(request, chatwire.EncodeOptions{})
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
		if !strings.Contains(string(asChat), chatCall) {
			t.Errorf("%s to chat: %s", from, asChat)
		}
		if !strings.Contains(string(asMessages), `"content":[`+textJSON("So.")+`,`+useJSON("a", "x", `{}`)+`]`) {
			t.Errorf("%s to Messages: %s", from, asMessages)
		}
		if !strings.Contains(string(asItems), `"call_id":"a","name":"x","arguments":"{}"}]`) || !strings.Contains(string(asItems), `So.`) || strings.Contains(string(asItems), "tool_") {
			t.Errorf("%s to Responses: %s", from, asItems)
		}
	}
}
