package chatwire_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// timedTurn is the same turn in one of the formats, by [chatwire.Transport], which every
// middleware shares: a message, a call of delete_task and, after its result, a text that tells
// of it. The answers come without a network.
type timedTurn struct {
	name, path string
	format     chatwire.Format
	call, text string // the provider's two answers
}

const deletedText = "I've deleted Read book."

var timedTurns = []timedTurn{
	{
		"chat completions", "/v1/chat/completions", chatwire.ChatCompletions,
		`{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"delete_task","arguments":"{\"title\":\"Read book\"}"}}]}}],` +
			`"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`,
		`{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"` + deletedText + `"}}],` +
			`"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}`,
	},
	{
		"Messages", "/v1/messages", chatwire.Messages,
		`{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"call_1","name":"delete_task",` +
			`"input":{"title":"Read book"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`,
		`{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"` + deletedText + `"}],` +
			`"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`,
	},
	{
		"Responses", "/v1/responses", chatwire.Responses,
		`{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
			`"output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"delete_task","arguments":"{\"title\":\"Read book\"}","status":"completed"}],` +
			`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`,
		`{"id":"resp_2","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
			`"output":[{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"` + deletedText + `","annotations":[]}]}],` +
			`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`,
	},
	{
		"Gemini", "/v1beta/models/m:generateContent", chatwire.Gemini,
		`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"call_1","name":"delete_task","args":{"title":"Read book"}}}]},"finishReason":"STOP","index":0}],` +
			`"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}`,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"` + deletedText + `"}]},"finishReason":"STOP","index":0}],` +
			`"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}`,
	},
	{
		"Ollama", "/api/chat", chatwire.Ollama,
		`{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"delete_task","arguments":{"title":"Read book"}}}]},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":5}`,
		`{"model":"m","message":{"role":"assistant","content":"` + deletedText + `"},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":5}`,
	},
}

// bodies are the two requests of the turn.
func (turn *timedTurn) bodies(tb testing.TB, tools []tooltrack.Tool) (bodies []string) {
	messages := []guard.Message{
		{Role: guard.RoleUser, Text: "delete Read book"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "call_1", Tool: "delete_task", Args: []byte(`{"title":"Read book"}`)}}},
		{Role: guard.RoleTool, CallID: "call_1", Tool: "delete_task", Text: `{"success":true,"data":{"id":"1","title":"Read book"}}`},
	}
	for _, said := range [][]guard.Message{messages[:1], messages} {
		body, err := turn.format.EncodeRequest(guard.Request{Tools: tools, Messages: said}, chatwire.EncodeOptions{Model: "m"})
		if err != nil {
			tb.Fatal(err)
		}
		bodies = append(bodies, string(body))
	}
	return bodies
}

// open prepares the turn. Each run tells how long it spent in the guard: from where the client
// asks to where the provider answers.
func (turn *timedTurn) open(tb testing.TB) func() time.Duration {
	object := []byte(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`)
	tools := []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Parameters: object},
		{Name: "list_tasks", Description: "List the tasks.", Effect: tooltrack.Reads, Parameters: object},
	}
	g, err := guard.New(tools, nil)
	if err != nil {
		tb.Fatal(err)
	}
	answers, asked, inside := []string{turn.call, turn.text}, 0, time.Duration(0)
	guarded := chatwire.Transport(g, roundTrip(func(r *http.Request) (*http.Response, error) {
		began := time.Now()
		defer func() { inside += time.Since(began) }()
		_, err := io.Copy(io.Discard, r.Body)
		body := answers[asked%len(answers)]
		asked++
		return &http.Response{
			StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}, err
	}), nil)
	bodies := turn.bodies(tb, tools)
	return func() (added time.Duration) {
		inside = 0
		for _, body := range bodies {
			request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, "http://127.0.0.1"+turn.path, strings.NewReader(body))
			if err != nil {
				tb.Fatal(err)
			}
			began := time.Now()
			answer, err := guarded.RoundTrip(request)
			added += time.Since(began)
			if err != nil {
				tb.Fatal(err)
			}
			if said, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
				tb.Fatal(fmt.Errorf("%s: status %d: %s (%w)", turn.name, answer.StatusCode, said, err))
			}
		}
		return added - inside
	}
}

// BenchmarkOverhead: in each format the guard adds about what it adds to chat completions. The
// least of all runs counts, since whatever else runs on the machine only adds.
func BenchmarkOverhead(b *testing.B) {
	first := timedTurns[0].open(b)
	for _, turn := range timedTurns[1:] {
		b.Run(turn.name, func(b *testing.B) {
			run := turn.open(b)
			least, base := time.Hour, time.Hour
			for b.Loop() {
				base, least = min(base, first()), min(least, run())
			}
			benchbound.Report(b, float64(least)/float64(base), 1.3)
		})
	}
}
