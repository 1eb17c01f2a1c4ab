package anthropicguard_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/bonafide-go/bonafide/guard/anthropicguard"
	"github.com/bonafide-go/bonafide/guard/chatwire/chatwiretest"
)

const (
	messagesCall = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"call_1","name":"delete_task",` +
		`"input":{"title":"Read book"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`
	messagesText = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"` + chatwiretest.Text + `"}],` +
		`"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`
)

// TestOverhead: through this client the guard costs what it costs on chat
// completions without one.
func TestOverhead(t *testing.T) {
	offline := option.WithHTTPClient(&http.Client{Transport: chatwiretest.Answers(messagesCall, messagesText)})
	t.Run("Middleware", func(t *testing.T) {
		clock := &chatwiretest.Clock{}
		guarded := option.WithMiddleware(clock.Outside, anthropicguard.Middleware(chatwiretest.Guard(), nil), clock.Inside)
		client := clientOf("http://127.0.0.1", offline, guarded)
		run := func() error {
			l := &loop{client: client, params: params(false), executor: chatwiretest.Executor}
			l.params.Tools = toolParams(chatwiretest.Tools())
			_, err := l.say(context.Background(), chatwiretest.User)
			return err
		}
		chatwiretest.Within(t, 1.3, chatwiretest.ChatTransport(), chatwiretest.Turn{Name: "anthropicguard", Clock: clock, Run: run})
	})
	t.Run("Model", func(t *testing.T) {
		chatwiretest.Within(t, 1.3, chatwiretest.ModelTurn("chat completions", chatwiretest.ChatModel()),
			chatwiretest.ModelTurn("anthropicguard", anthropicguard.NewModel(clientOf("http://127.0.0.1", offline), "m", nil)))
	})
}
