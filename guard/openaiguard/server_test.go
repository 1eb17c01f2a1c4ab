package openaiguard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// server is a model server on loopback that answers from a script, plain or
// streamed as it is asked.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	script   []answer
	requests []map[string]any
	headers  []http.Header
}

// answer is one answer of the script: a status, or a message.
type answer struct {
	status int
	text   string
	calls  []tooltrack.Call
	finish string
}

func newServer(t *testing.T, script ...answer) *server {
	t.Helper()
	s := &server{script: script}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// client is an openai-go client with its default retries.
func (s *server) client(options ...option.RequestOption) openai.Client {
	return openai.NewClient(append([]option.RequestOption{option.WithBaseURL(s.URL + "/v1/"), option.WithAPIKey("test-key")}, options...)...)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var request map[string]any
	if err := json.Unmarshal(body, &request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	next, ok := s.next(request, r.Header)
	switch {
	case !ok:
		http.Error(w, `{"error":{"message":"the script has no more answers"}}`, http.StatusTeapot)
	case next.status != 0:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(next.status)
		fmt.Fprintf(w, `{"error":{"message":"status %d on request"}}`, next.status)
	case strings.HasSuffix(r.URL.Path, "/responses"):
		next.respond(w, s.count(), request["stream"] == true)
	case request["stream"] == true:
		next.stream(w)
	default:
		next.whole(w)
	}
}

func (s *server) next(request map[string]any, header http.Header) (answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	s.headers = append(s.headers, header.Clone())
	if len(s.script) == 0 {
		return answer{}, false
	}
	next := s.script[0]
	s.script = s.script[1:]
	return next, true
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func (a answer) finishReason() string {
	switch {
	case a.finish != "":
		return a.finish
	case len(a.calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (a answer) whole(w http.ResponseWriter) {
	message := map[string]any{"role": "assistant", "content": a.text}
	var calls []any
	for _, call := range a.calls {
		calls = append(calls, map[string]any{"id": call.ID, "type": "function", "function": map[string]any{"name": call.Tool, "arguments": string(call.Args)}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "x", "object": "chat.completion", "model": "test",
		"choices": []any{map[string]any{"index": 0, "finish_reason": a.finishReason(), "message": message}},
		"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
	})
}

func (a answer) stream(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(choices ...any) {
		if choices == nil {
			choices = []any{}
		}
		chunk, _ := json.Marshal(map[string]any{"id": "x", "object": "chat.completion.chunk", "model": "test", "choices": choices})
		fmt.Fprintf(w, "data: %s\n\n", chunk)
		w.(http.Flusher).Flush()
	}
	delta := func(delta map[string]any, finish any) any {
		return map[string]any{"index": 0, "delta": delta, "finish_reason": finish}
	}
	send(delta(map[string]any{"role": "assistant", "content": ""}, nil))
	for _, word := range strings.SplitAfter(a.text, " ") {
		send(delta(map[string]any{"content": word}, nil))
	}
	for i, call := range a.calls {
		send(delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": call.ID, "type": "function", "function": map[string]any{"name": call.Tool, "arguments": ""}}}}, nil))
		for _, piece := range strings.SplitAfter(string(call.Args), ":") {
			send(delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": piece}}}}, nil))
		}
	}
	send(delta(map[string]any{}, a.finishReason()))
	send()
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func tools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes,
			Parameters: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)},
		{Name: "list_tasks", Description: "List the tasks.", Effect: tooltrack.Reads},
	}
}

func deletes(id string) tooltrack.Call {
	return tooltrack.Call{ID: "call_" + id, Tool: "delete_task", Args: []byte(`{"id":"` + id + `"}`)}
}

// newGuard expects delete_task wherever "delete" is said.
func newGuard(t *testing.T, options *guard.Options) *guard.Guard {
	t.Helper()
	if options == nil {
		options = &guard.Options{}
	}
	options.Classifier = intent.Func(func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
		if !strings.Contains(request.User, "delete") {
			return intent.Intent{}, nil
		}
		return intent.Intent{Kind: intent.Action, Due: 1, Expect: []intent.Expectation{{Tool: "delete_task", Confidence: 0.99, Words: "delete"}}}, nil
	})
	g, err := guard.New(tools(), options)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
