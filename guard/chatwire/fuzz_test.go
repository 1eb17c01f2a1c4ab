package chatwire_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// checkResponse holds what must be true of every answer, however hostile.
func checkResponse(t *testing.T, response guard.Response, err error) {
	t.Helper()
	if err != nil {
		return
	}
	refused := map[int]bool{}
	for _, fault := range response.Faults {
		if fault.Call < 0 || fault.Call >= len(response.Message.Calls) || fault.Reason == "" {
			t.Fatalf("fault %+v of %d calls", fault, len(response.Message.Calls))
		}
		refused[fault.Call] = true
	}
	seen := map[string]bool{}
	for i, call := range response.Message.Calls {
		if refused[i] {
			continue
		}
		if call.ID == "" || call.Tool == "" || seen[call.ID] || !utf8.Valid(call.Args) {
			t.Fatalf("call %+v may run", call)
		}
		seen[call.ID] = true
	}
	if len(seen) > chatwire.MaxCalls {
		t.Fatalf("%d calls may run", len(seen))
	}
}

func FuzzParseResponse(f *testing.F) {
	f.Add([]byte(message(`"content":"Hi","tool_calls":[` + callJSON("a", "del", `{"id":"1"}`) + `]`)))
	f.Add([]byte(message(`"function_call":{"name":"x","arguments":{"a":[1,{}]}}`)))
	f.Add([]byte(message(`"content":[{"type":"text","text":"\ud83d\ude00"}],"tool_calls":[null,{},[],7]`)))
	f.Add([]byte(`{"error":{"message":7},"choices":[{}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		response, err := chatwire.ChatCompletions.ParseResponse(body)
		checkResponse(t, response, err)
	})
}

// FuzzParseRequest: what a request is rebuilt from is what it was read from.
func FuzzParseRequest(f *testing.F) {
	f.Add([]byte(requestBody("delete it", offer)))
	f.Add([]byte(`{"messages":[{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"x"}]}],"tool_choice":{"type":"function","function":{"name":"x"}},"n":2}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		request, err := chatwire.ChatCompletions.ParseRequest(body)
		if err != nil || len(request.Messages) == 0 {
			return
		}
		forced := guard.Choice{Mode: guard.ChooseNamed, Tool: "delete_task"}
		rebuilt, err := request.With(guard.Request{Messages: append(request.Messages, guard.Message{Role: guard.RoleUser, Text: "again"}), Choice: forced})
		if err != nil {
			t.Fatal(err)
		}
		again, err := chatwire.ChatCompletions.ParseRequest(rebuilt)
		if err != nil {
			t.Fatalf("the rebuilt request cannot be read: %v\n%s", err, rebuilt)
		}
		if len(again.Messages) != len(request.Messages)+1 || again.Choice != forced || len(again.Tools) != len(request.Tools) || again.Stream != request.Stream {
			t.Fatalf("%s\nbecame %s", body, rebuilt)
		}
	})
}

func FuzzReadStream(f *testing.F) {
	f.Add([]byte("data: {\"choices\":["+fragment(`"index":0,"id":"a","function":{"name":"x","arguments":"{}"}`)+"]}\n\ndata: [DONE]\n\n"), uint8(3))
	f.Add([]byte("data: {\"choices\":["+finished+"]}\r\n\r\n: x\rdata\n\n"), uint8(1))
	f.Fuzz(func(t *testing.T, stream []byte, size uint8) {
		response, err := chatwire.ChatCompletions.ReadStream(bytes.NewReader(stream), nil)
		checkResponse(t, response, err)
		if a, b := summary(response, err), summary(chatwire.ChatCompletions.ReadStream(&slowReader{stream, int(size%16) + 1}, nil)); a != b {
			t.Fatalf("how the bytes arrive changes the answer:\n%s\n%s", a, b)
		}
	})
}

type slowReader struct {
	rest []byte
	size int
}

func (r *slowReader) Read(p []byte) (int, error) {
	n := copy(p[:min(len(p), r.size)], r.rest)
	r.rest = r.rest[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// FuzzChunking cuts the arguments of two calls into pieces at other places and
// sends them in another order: the calls stay the same.
func FuzzChunking(f *testing.F) {
	f.Add(`{"id":"t1"}`, `{"title":"😀 \"x\""}`, []byte{3, 1, 4, 1, 5})
	f.Fuzz(func(t *testing.T, first, second string, cuts []byte) {
		if !utf8.ValidString(first) || !utf8.ValidString(second) {
			t.Skip()
		}
		a := chatwire.ChatCompletions.Assemble()
		rest := [2]string{first, second}
		for i, tool := range []string{"one", "two"} {
			mustAdd(t, a, map[string]any{"index": i, "id": tool, "function": map[string]any{"name": tool}})
		}
		for step := 0; rest[0] != "" || rest[1] != ""; step++ {
			which, size := step%2, 7
			if step < len(cuts) {
				which, size = int(cuts[step])%2, int(cuts[step])/2%9+1
			}
			if rest[which] == "" {
				which = 1 - which
			}
			cut := cutAt(rest[which], size)
			mustAdd(t, a, map[string]any{"index": which, "function": map[string]any{"arguments": rest[which][:cut]}})
			rest[which] = rest[which][cut:]
		}
		_, _ = a.Add([]byte(`{"choices":[` + finished + `]}`))
		if got, want := summary(a.Response()), "one"+first+" two"+second; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func cutAt(s string, size int) int {
	cut := min(size, len(s))
	for cut < len(s) && !utf8.RuneStart(s[cut]) {
		cut++
	}
	return cut
}

func mustAdd(t *testing.T, a *chatwire.Assembler, call map[string]any) {
	t.Helper()
	if _, err := a.Add([]byte(`{"choices":[{"delta":{"tool_calls":[` + strings.TrimSpace(jsonText(t, call)) + `]}}]}`)); err != nil {
		t.Fatal(err)
	}
}

func FuzzParseMessagesResponse(f *testing.F) {
	f.Add([]byte(said("tool_use", thought+","+textJSON("Hi")+","+useJSON("a", "del", `{"id":"1"}`)+","+useJSON("a", "del", `{"id":"1"}`))))
	f.Add([]byte(`{"type":"error","error":{"type":"overloaded_error","message":7}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		response, err := chatwire.Messages.ParseResponse(body)
		checkResponse(t, response, err)
		if err == nil && len(response.Message.Raw) > 0 && !json.Valid(response.Message.Raw) {
			t.Fatalf("%q would be replayed", response.Message.Raw)
		}
	})
}

// FuzzParseMessagesRequest: what a request is rebuilt from is what it was read
// from, and what is added can be read again.
func FuzzParseMessagesRequest(f *testing.F) {
	f.Add([]byte(messagesBody("delete it", inputOffer)))
	f.Add([]byte(`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"}],"is_error":true},{"type":"text","text":"y"}]}],"tool_choice":{"type":"any"},"thinking":{"type":"enabled"}}`))
	f.Add([]byte(`{"system":"x"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		request, err := chatwire.Messages.ParseRequest(body)
		if err != nil || len(request.Messages) == 0 {
			return
		}
		forced := guard.Choice{Mode: guard.ChooseNamed, Tool: "delete_task"}
		rebuilt, err := request.With(guard.Request{Messages: append(request.Messages, guard.Message{Role: guard.RoleUser, Text: "again"}), Choice: forced})
		if err != nil {
			if !strings.Contains(err.Error(), "no list of messages") {
				t.Fatal(err)
			}
			return
		}
		again, err := chatwire.Messages.ParseRequest(rebuilt)
		if err != nil {
			t.Fatalf("the rebuilt request cannot be read: %v\n%s", err, rebuilt)
		}
		if len(again.Messages) != len(request.Messages)+1 || again.Choice != forced || len(again.Tools) != len(request.Tools) || again.Stream != request.Stream {
			t.Fatalf("%s\nbecame %s", body, rebuilt)
		}
	})
}

// FuzzReadMessagesStream: how the bytes arrive changes nothing, and what is
// handed out after a change can be read again.
func FuzzReadMessagesStream(f *testing.F) {
	f.Add([]byte(eventStream(startEvent, begins(0, emptyText), piece(0, textPiece("Hi")), stops(0), begins(1, useJSON("a", "list_tasks", "{}")), piece(1, jsonPiece("{}")), ends("tool_use"), stopEvent)), uint8(3))
	f.Add([]byte(eventStream(startEvent, begins(3, thought), stops(3), event("error", `,"error":{}`))), uint8(1))
	f.Fuzz(func(t *testing.T, stream []byte, size uint8) {
		response, err := chatwire.Messages.ReadStream(bytes.NewReader(stream), nil)
		checkResponse(t, response, err)
		if a, b := summary(response, err), summary(chatwire.Messages.ReadStream(&slowReader{stream, int(size%16) + 1}, nil)); a != b {
			t.Fatalf("how the bytes arrive changes the answer:\n%s\n%s", a, b)
		}
		if err == nil && len(response.Message.Raw) > 0 && !json.Valid(response.Message.Raw) {
			t.Fatalf("%q would be replayed", response.Message.Raw)
		}
	})
}

func FuzzParseResponsesResponse(f *testing.F) {
	f.Add([]byte(answered("r", hiddenThought, messageJSON("Hi"), functionJSON("a", "del", `{"id":"1"}`), functionJSON("a", "del", `{"id":"1"}`))))
	f.Add([]byte(cutShort("content_filter", `{"type":"custom_tool_call","call_id":"a"}`)))
	f.Fuzz(func(t *testing.T, body []byte) {
		response, err := chatwire.Responses.ParseResponse(body)
		checkResponse(t, response, err)
		if err == nil && len(response.Message.Raw) > 0 && !json.Valid(response.Message.Raw) {
			t.Fatalf("%q would be replayed", response.Message.Raw)
		}
	})
}

// FuzzParseResponsesRequest: what is added can be read again, and nothing before
// it has changed.
func FuzzParseResponsesRequest(f *testing.F) {
	f.Add([]byte(responsesBody("delete it", listOffer)))
	f.Add([]byte(`{"input":[{"role":"user","content":"x"},` + functionJSON("a", "x", "{}") + `,{"type":"function_call_output","call_id":"a","output":"y"}],"store":false,"text":{"format":{"type":"json_object"}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		request, err := chatwire.Responses.ParseRequest(body)
		if err != nil {
			return
		}
		forced := guard.Choice{Mode: guard.ChooseNamed, Tool: "delete_task"}
		rebuilt, err := request.With(guard.Request{Messages: append(request.Messages, guard.Message{Role: guard.RoleUser, Text: "again"}), Choice: forced, Report: true})
		if err != nil {
			return
		}
		again, err := chatwire.Responses.ParseRequest(rebuilt)
		if err != nil {
			t.Fatalf("the rebuilt request cannot be read: %v\n%s", err, rebuilt)
		}
		last := again.Messages[len(again.Messages)-1]
		if last.Text != "again" || again.Choice != forced || len(again.Tools) != len(request.Tools) || again.Stream != request.Stream || again.Structured {
			t.Fatalf("%s\nbecame %s", body, rebuilt)
		}
	})
}

func FuzzReadResponsesStream(f *testing.F) {
	f.Add([]byte(eventStream(ofResponse("Hi", nil)...)), uint8(3))
	f.Add([]byte(eventStream(event("response.created", ""), event("response.output_item.done", `,"output_index":0,"item":`+functionJSON("a", "x", "{}")))), uint8(1))
	f.Fuzz(func(t *testing.T, stream []byte, size uint8) {
		response, err := chatwire.Responses.ReadStream(bytes.NewReader(stream), nil)
		checkResponse(t, response, err)
		if a, b := summary(response, err), summary(chatwire.Responses.ReadStream(&slowReader{stream, int(size%16) + 1}, nil)); a != b {
			t.Fatalf("how the bytes arrive changes the answer:\n%s\n%s", a, b)
		}
	})
}

// FuzzShape: whatever a body holds, it is judged, passed or refused, and what a
// stranger's server would read as an offer of tools never passes unjudged.
func FuzzShape(f *testing.F) {
	for _, c := range unguarded {
		f.Add([]byte(c.body))
	}
	f.Add([]byte(requestBody("hi", offer)))
	f.Add([]byte(messagesBody("hi", inputOffer)))
	f.Add([]byte(responsesBody("hi", listOffer)))
	g, err := guard.New(tools(), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		request, err := http.NewRequest(http.MethodPost, "http://example.com/x", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var passed []byte
		_, _ = chatwire.Middleware(g, nil)(request, func(r *http.Request) (*http.Response, error) {
			passed, _ = io.ReadAll(r.Body)
			return nil, io.ErrUnexpectedEOF
		})
		if passed != nil && !bytes.Equal(passed, body) {
			t.Fatalf("%q became %q", body, passed)
		}
		var lenient struct {
			Messages []any
			Tools    []struct{ Function struct{ Name string } }
		}
		if passed == nil || json.Unmarshal(body, &lenient) != nil || lenient.Messages == nil {
			return
		}
		for _, tool := range lenient.Tools {
			if name := tool.Function.Name; name != "" && name != "delete_task" && name != "list_tasks" {
				t.Fatalf("%q passes with the tool %q", body, name)
			}
		}
	})
}
