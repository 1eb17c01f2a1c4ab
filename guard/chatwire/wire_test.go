package chatwire_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestTheOlderFunctionsAreAskedForInTheirOwnWords: a request that offers
// functions is asked again in the same form.
func TestTheOlderFunctionsAreAskedForInTheirOwnWords(t *testing.T) {
	bad := `{"choices":[{"index":0,"finish_reason":"function_call","message":{"role":"assistant","content":null,"function_call":{"name":"delete_task","arguments":"{\"id\":7}"}}}]}`
	good := strings.Replace(bad, `{\"id\":7}`, `{\"id\":\"t1\"}`, 1)
	lie := message(`"content":"I've deleted it."`)
	cases := []struct {
		name    string
		answers []string
		holds   []string
	}{
		{"a missing call", []string{lie, good}, []string{`{"role":"assistant","content":"I've deleted it."}`, `the tool delete_task does, and it was not called`}},
		{"a denied call", []string{bad, good}, []string{
			`{"role":"assistant","content":null,"function_call":{"name":"delete_task","arguments":"{\"id\":7}"}},{"role":"function","name":"delete_task","content":"`,
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u := newUpstream(t, c.answers...)
			status, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions",
				requestBody("delete t1", `"functions":[{"name":"delete_task"},{"name":"list_tasks"}]`))
			if status != http.StatusOK || got != good || len(u.got) != 2 {
				t.Fatalf("%d %s after %d", status, got, len(u.got))
			}
			for _, piece := range c.holds {
				if !strings.Contains(u.got[1], piece) {
					t.Errorf("%s does not hold %s", u.got[1], piece)
				}
			}
			if strings.Contains(u.got[1], "tool_") {
				t.Errorf("%s speaks of tools", u.got[1])
			}
		})
	}
}

func TestChoicesOfTheOlderForm(t *testing.T) {
	for body, want := range map[string]guard.Choice{
		`{"messages":[],"functions":[{"name":"x"}],"function_call":{"name":"x"}}`: {Mode: guard.ChooseNamed, Tool: "x"},
		`{"messages":[],"functions":[{"name":"x"}],"function_call":"none"}`:       {Mode: guard.ChooseNone},
		`{"messages":[],"functions":[{"name":"x"}],"function_call":"auto"}`:       {},
		`{"messages":[],"functions":[{"name":"x"}],"tool_choice":"required"}`:     {},
		`{"messages":[],"function_call":{"name":"x"},"tool_choice":"any"}`:        {Mode: guard.ChooseRequired},
	} {
		parsed, err := chatwire.ChatCompletions.ParseRequest([]byte(body))
		if err != nil || parsed.Choice != want {
			t.Errorf("%s: %+v, %v", body, parsed, err)
			continue
		}
		for _, other := range []guard.Choice{{Mode: guard.ChooseNone}, {Mode: guard.ChooseNamed, Tool: "y"}, {}} {
			rebuilt, err := parsed.With(guard.Request{Messages: nil, Choice: other})
			if err != nil {
				t.Fatal(err)
			}
			if again, err := chatwire.ChatCompletions.ParseRequest(rebuilt); err != nil || again.Choice != other {
				t.Errorf("%s became %s: %v", body, rebuilt, err)
			}
		}
	}
}

func TestServerToolsAreNamed(t *testing.T) {
	body := requestBody("hi", `"tools":[{"type":"web_search"},{"type":"openrouter:datetime"},{"type":"function","function":{"name":"list_tasks"}},{"type":"web_searching"},7]`)
	parsed, err := chatwire.ChatCompletions.ParseRequest([]byte(body))
	if err == nil {
		t.Fatalf("a number among the tools is read as %+v", parsed)
	}
	parsed, err = chatwire.ChatCompletions.ParseRequest([]byte(strings.Replace(body, ",7]", "]", 1)))
	if err != nil || fmt.Sprint(parsed.Server, parsed.Foreign, len(parsed.Tools)) != "[web_search openrouter:datetime web_searching] [] 1" {
		t.Errorf("%+v, %v", parsed, err)
	}
}

// TestErrorsOfTheProviderKeepTheirStatus: an error inside an answer gets the
// status that it would have had before the answer began.
func TestErrorsOfTheProviderKeepTheirStatus(t *testing.T) {
	for fault, want := range map[string]int{
		`{"message":"m","code":503}`:                                    503,
		`{"message":"m","code":"429"}`:                                  429,
		`{"message":"m","code":399}`:                                    502,
		`{"message":"m","code":400}`:                                    400,
		`{"message":"m","code":599}`:                                    599,
		`{"message":"m","code":600}`:                                    502,
		`{"message":"m","code":null,"type":"Rate_Limit_Error"}`:         429,
		`{"message":"m","code":"","type":"overloaded_error"}`:           503,
		`{"message":"m","code":{},"status":"RESOURCE_EXHAUSTED"}`:       429,
		`{"message":"m","code":"insufficient_quota"}`:                   429,
		`{"message":"m","code":"invalid_api_key"}`:                      401,
		`{"message":"m","type":"authentication_error"}`:                 401,
		`{"message":"m","type":"permission_error"}`:                     403,
		`{"message":"m","type":"billing_error"}`:                        402,
		`{"message":"m","type":"not_found_error"}`:                      404,
		`{"message":"m","type":"timeout_error"}`:                        504,
		`{"message":"m","code":"context_length_exceeded"}`:              400,
		`{"message":"m","code":"content_filter"}`:                       400,
		`{"message":"m","type":"invalid_request_error"}`:                400,
		`{"message":"m","type":"server_error"}`:                         502,
		`"the model has gone"`:                                          502,
		`["odd"]`:                                                       502,
		`{"message":"m","message":"twice"}`:                             502,
		`{"message":"m","code":"service_unavailable","type":"x_error"}`: 503,
	} {
		for _, said := range []string{`{"error":` + fault + `}`, `{"choices":[{"index":0,"error":` + fault + `}]}`} {
			u := newUpstream(t, said)
			status, got, header := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("hello", offer))
			if status != want || got != `{"error":`+fault+`}` || header.Get("X-Should-Retry") != "" || header.Get("X-Request-Id") != "upstream" {
				t.Errorf("%s: %d %s %v", said, status, got, header)
			}
		}
	}
}

func TestAnErrorOfTheSecondAnswerIsNotRetried(t *testing.T) {
	u := newUpstream(t, message(`"content":"I've deleted it."`), `{"error":{"message":"gone","code":503}}`)
	status, got, header := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("delete t1", offer))
	if status != 503 || !strings.Contains(got, "gone") || header.Get("X-Should-Retry") != "false" {
		t.Errorf("%d %s %v", status, got, header)
	}
}

func TestBodyErrorsTellCodeAndText(t *testing.T) {
	_, err := chatwire.ChatCompletions.ParseResponse([]byte(`{"error":{"message":"model overloaded","code":529}}`))
	var fault *chatwire.BodyError
	if !errors.As(err, &fault) || err.Error() != "the provider answered with an error: model overloaded (529)" || string(fault.Raw) != `{"message":"model overloaded","code":529}` {
		t.Errorf("%v", err)
	}
}

// TestWhatStandsForAText: an answer that shows something else than text is not
// an empty one.
func TestWhatStandsForAText(t *testing.T) {
	cases := []struct{ inner, want string }{
		{`"content":null,"images":[{"type":"image_url"}]`, "[image]"},
		{`"content":"","images":[]`, ""},
		{`"content":"","audio":{"data":"x"}`, "[audio]"},
		{`"audio":{"data":"x","transcript":"Good morning!"}`, "Good morning!"},
		{`"audio":{"transcript":7}`, "[audio]"},
		{`"content":"Hi","audio":{"transcript":"Hello"}`, "Hi"},
		{`"reasoning":"hm","reasoning_details":[{"type":"reasoning.text"}]`, "[reasoning]"},
		{`"reasoning":"","reasoning_content":null`, ""},
		{`"content":[{"type":"thinking","thinking":"hm"}]`, "[reasoning]"},
		{`"content":[{"type":"image_url"},{"type":"text","text":""}]`, "[image]"},
		{`"content":[{"type":"output_audio"}]`, "[audio]"},
		{`"content":[{"type":"document"}]`, "[document]"},
		{`"content":[{"type":"text","text":"a"},{"type":"image"}]`, "a"},
		{`"reasoning":"hm","tool_calls":[` + callJSON("a", "del", "{}") + `]`, ""},
		{`"reasoning":"hm","refusal":"No."`, ""},
	}
	for _, c := range cases {
		response, err := chatwire.ChatCompletions.ParseResponse([]byte(message(c.inner)))
		if err != nil || shownBy(response) != c.want {
			t.Errorf("%s is %q, %v", c.inner, shownBy(response), err)
		}
		a := chatwire.ChatCompletions.Assemble()
		_, _ = a.Add([]byte(`{"choices":[{"index":0,"delta":{` + c.inner + `},"finish_reason":"stop"}]}`))
		if response, err := a.Response(); err != nil || shownBy(response) != c.want {
			t.Errorf("streamed, %s is %q, %v", c.inner, shownBy(response), err)
		}
	}
}

// shownBy is the text of an answer, or a mark for what it shows in its place.
func shownBy(response guard.Response) string {
	if response.Message.Shows != "" {
		return response.Message.Text + "[" + response.Message.Shows + "]"
	}
	return response.Message.Text
}

// TestWhatIsWithheldIsNotHeard: where the account takes the place of a text,
// images and sound go with the text, and nothing announces calls.
func TestWhatIsWithheldIsNotHeard(t *testing.T) {
	g := newGuard(t, func(o *guard.Options) { o.DeliverAccount = true })
	bad := callJSON("a", "delete_task", `{"id":7}`)
	account := func(tail string) string { return quoted("What you asked for was not " + tail) }
	missing := account("done.\nNothing was changed in this turn.")
	cases := []struct{ name, said, want string }{
		{"sound", message(`"content":null,"audio":{"transcript":"I've deleted it."}`), `"content":` + missing + `,"audio":null`},
		{"no place for a text", message(`"audio":{"transcript":"I've deleted it."}`), `"audio":null`},
		{"calls", `{"choices":[{"index":0,"message":{"role":"assistant","tool_calls":[` + bad + `]},"finish_reason":"tool_calls"}]}`, `"tool_calls":null},"finish_reason":"stop"`},
		{"the older call", `{"choices":[{"index":0,"message":{"role":"assistant","function_call":{"name":"delete_task","arguments":"{}"}},"finish_reason":"function_call"}]}`, `"function_call":null},"finish_reason":"stop"`},
		{"streamed", `data: {"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[` + bad + `]}}]}` + "\n\n" +
			`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n", `"tool_calls":null}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u := newUpstream(t, c.said, c.said, c.said, c.said)
			status, got, _ := post(t, context.Background(), chatwire.Transport(g, nil, nil), u.URL+"/v1/chat/completions", requestBody("delete it", offer))
			if status != http.StatusOK || !strings.Contains(got, c.want) || !strings.Contains(got, `"content":"`) {
				t.Errorf("%d %s\nwant %s", status, got, c.want)
			}
			whole, err := chatwire.ChatCompletions.ParseResponse([]byte(got))
			if strings.HasPrefix(got, "data:") {
				whole, err = chatwire.ChatCompletions.ReadStream(strings.NewReader(got), nil)
			}
			if err != nil || strings.Contains(whole.Message.Text, "deleted it") || len(whole.Message.Calls) != 0 {
				t.Errorf("the client reads %+v, %v", whole, err)
			}
		})
	}
}

// TestTheAccountIsTheMessage: many clients show nothing but error.message.
func TestTheAccountIsTheMessage(t *testing.T) {
	lie := message(`"content":"I've deleted it."`)
	u := newUpstream(t, lie, lie)
	_, got, _ := post(t, context.Background(), chatwire.Transport(newGuard(t, nil), nil, nil), u.URL+"/v1/chat/completions", requestBody("delete it", offer))
	var told struct {
		Error struct{ Message, Account string }
	}
	if err := json.Unmarshal([]byte(got), &told); err != nil || told.Error.Message != told.Error.Account || !strings.HasSuffix(told.Error.Message, "\nNothing was changed in this turn.") {
		t.Errorf("%s: %v", got, err)
	}
}

// TestRequestsThatAreNotRead: uploads pass without being read, long requests and
// packed ones are refused, or allowed.
func TestRequestsThatAreNotRead(t *testing.T) {
	long := func() io.Reader {
		return io.MultiReader(strings.NewReader(requestBody("delete it", offer)), io.LimitReader(spaces{}, 33<<20))
	}
	cases := []struct {
		name, kind, packing string
		body                func() io.Reader
		passes              bool
	}{
		{"an upload", "Multipart/Form-Data; boundary=x", "", func() io.Reader { return strings.NewReader(`"tools"`) }, true},
		{"a long upload", "application/octet-stream", "", long, true},
		{"a long request", "application/json", "", long, false},
		{"a long file", "text/csv", "", func() io.Reader { return io.MultiReader(strings.NewReader("a,b\n"), io.LimitReader(spaces{}, 33<<20)) }, true},
		{"a long file of spaces", "text/plain", "", func() io.Reader { return io.LimitReader(spaces{}, 33<<20) }, false},
		{"a packed request", "application/json", "gzip", func() io.Reader { return zipped(requestBody("delete it", offer)) }, false},
		{"a packed report", "application/json", "gzip", func() io.Reader { return zipped(`{"spans":[]}`) }, true},
		{"a request that is packed wrongly", "application/json", "gzip", func() io.Reader { return strings.NewReader("xyz") }, false},
		{"a request that is packed in an unknown way", "application/json", "br", func() io.Reader { return strings.NewReader("xyz") }, false},
		{"a message of another kind", "application/x-protobuf", "br", func() io.Reader { return strings.NewReader("xyz") }, true},
		{"a request of no type", "", "identity", func() io.Reader { return strings.NewReader(`{"messages":[],"tools":[{"type":"custom"}]}`) }, false},
	}
	for _, c := range cases {
		for _, allow := range []bool{false, true} {
			var got int64
			next := func(r *http.Request) (*http.Response, error) {
				n, err := io.Copy(io.Discard, r.Body)
				got = n
				return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("ok"))}, err
			}
			size, _ := io.Copy(io.Discard, c.body())
			request, _ := http.NewRequest(http.MethodPost, "http://example.com/x", c.body())
			request.Header.Set("Content-Type", c.kind)
			request.Header.Set("Content-Encoding", c.packing)
			_, err := chatwire.Middleware(newGuard(t, nil), &chatwire.Options{AllowUnguarded: allow})(request, next)
			if passed := err == nil && got == size; passed != (c.passes || allow) || !passed && !errors.Is(err, chatwire.ErrUnguarded) {
				t.Errorf("%s, allowed %v: %d of %d bytes, %v", c.name, allow, got, size, err)
			}
		}
	}
}

func zipped(text string) io.Reader {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, _ = io.WriteString(zip, text)
	_ = zip.Close()
	return &packed
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte(" "), len(p))), nil }

func TestRequestsWithoutABodyPass(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		request, _ := http.NewRequest(method, "http://example.com/v1/chat/completions", nil)
		asked := 0
		_, err := chatwire.Middleware(newGuard(t, nil), nil)(request, func(got *http.Request) (*http.Response, error) {
			asked++
			return nil, nil
		})
		if asked != 1 || err != nil {
			t.Errorf("%s: asked %d, %v", method, asked, err)
		}
	}
}

// TestAWholeAnswerForAHeldStream: a response that has begun as a stream stays
// one, though the server answers with an object.
func TestAWholeAnswerForAHeldStream(t *testing.T) {
	cases := []struct {
		said, want string
	}{
		{saying("Good morning!"), `"Good morning!"`},
		{message(`"content":null,"tool_calls":[` + callJSON("a", "list_tasks", "{}") + `,` + callJSON("b", "list_tasks", "{}") + `]`), `list_tasks{} list_tasks{}`},
		{`{"error":{"message":"gone"}}`, "error"},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			response, err := chatwire.Transport(newGuard(t, nil), slowly(c.said), &chatwire.Options{KeepAlive: time.Second}).RoundTrip(streamRequest(context.Background(), "hello"))
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(chatwire.ChatCompletions.ReadStream(response.Body, nil)); got != c.want {
				t.Errorf("the client reads %s, want %s", got, c.want)
			}
			_ = response.Body.Close()
		})
	}
}

// TestHostsReadTheirOwnResults: the options that say how a result is to be read
// reach the turns that are rebuilt from messages.
func TestHostsReadTheirOwnResults(t *testing.T) {
	rule := func(content string) (tooltrack.Status, bool) { return tooltrack.Failed, content == "ZERO ROWS" }
	claim := message(`"content":"I've deleted t1."`)
	body := `{"messages":[{"role":"user","content":"delete t1"},{"role":"assistant","content":null,"tool_calls":[` + callJSON("a", "delete_task", `{"id":"t1"}`) +
		`]},{"role":"tool","tool_call_id":"a","content":"ZERO ROWS"}],` + offer + `}`
	for _, own := range []bool{false, true} {
		g := newGuard(t, func(o *guard.Options) {
			if own {
				o.Results = &tooltrack.ParseOptions{Rule: rule}
			}
		})
		u := newUpstream(t, claim, claim, claim, claim)
		status, got, _ := post(t, context.Background(), chatwire.Transport(g, nil, nil), u.URL+"/v1/chat/completions", body)
		if (status == http.StatusOK) == own {
			t.Errorf("own rule %v: %d %s", own, status, got)
		}
	}
}
