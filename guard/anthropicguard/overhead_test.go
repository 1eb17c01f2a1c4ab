package anthropicguard_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/bonafide-go/bonafide/guard/anthropicguard"
	"github.com/bonafide-go/bonafide/guard/internal/overhead"
)

const (
	messagesCall = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"call_1","name":"delete_task",` +
		`"input":{"title":"Read book"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`
	messagesText = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"` + overhead.Text + `"}],` +
		`"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`
)

// BenchmarkOverhead: through this client the guard costs what it costs on chat
// completions without one, give or take half.
func BenchmarkOverhead(b *testing.B) {
	offline := option.WithHTTPClient(&http.Client{Transport: overhead.Answers(messagesCall, messagesText)})
	b.Run("Middleware", func(b *testing.B) {
		clock := &overhead.Clock{}
		guarded := option.WithMiddleware(clock.Outside, anthropicguard.Middleware(overhead.Guard(), nil), clock.Inside)
		client := clientOf("http://127.0.0.1", offline, guarded)
		run := func() error {
			l := &loop{client: client, params: params(false), executor: overhead.Executor}
			l.params.Tools = toolParams(overhead.Tools())
			_, err := l.say(context.Background(), overhead.User)
			return err
		}
		overhead.Compare(b, 1.6, overhead.ChatTransport(), overhead.Turn{Name: "anthropicguard", Clock: clock, Run: run})
	})
	b.Run("Model", func(b *testing.B) {
		overhead.Compare(b, 1.6, overhead.ModelTurn("chat completions", overhead.ChatModel()),
			overhead.ModelTurn("anthropicguard", anthropicguard.NewModel(clientOf("http://127.0.0.1", offline), "m", nil)))
	})
}
