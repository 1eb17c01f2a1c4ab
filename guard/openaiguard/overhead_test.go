package openaiguard_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/overhead"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
)

const (
	itemsCall = `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
		`"output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"delete_task","arguments":"{\"title\":\"Read book\"}","status":"completed"}],` +
		`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`
	itemsText = `{"id":"resp_2","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
		`"output":[{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"` + overhead.Text + `","annotations":[]}]}],` +
		`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`
)

// over is a client without a network.
func over(answers http.RoundTripper, options ...option.RequestOption) openai.Client {
	return clientOf("http://127.0.0.1", append(options, option.WithHTTPClient(&http.Client{Transport: answers}))...)
}

// clientTurn is the turn by a loop of the client's own.
func clientTurn(name string, answers http.RoundTripper, open func(openai.Client, *guardtest.Setting) guardtest.Talk) overhead.Turn {
	clock := &overhead.Clock{}
	client := over(answers, option.WithMiddleware(clock.Outside, openaiguard.Middleware(overhead.Guard(), nil), clock.Inside))
	return overhead.Turn{Name: name, Clock: clock, Run: func() error {
		_, err := open(client, &guardtest.Setting{Executor: overhead.Executor, Tools: overhead.Tools()})(context.Background(), overhead.User)
		return err
	}}
}

// BenchmarkOverhead: through this client the guard costs what it costs on chat
// completions without one, give or take half.
func BenchmarkOverhead(b *testing.B) {
	items := func() http.RoundTripper { return overhead.Answers(itemsCall, itemsText) }
	b.Run("Middleware", func(b *testing.B) {
		overhead.Compare(b, 1.6, overhead.ChatTransport(),
			clientTurn("openaiguard, chat completions", overhead.ChatAnswers(), func(client openai.Client, s *guardtest.Setting) guardtest.Talk {
				return chatLoop(client, s, false)
			}),
			clientTurn("openaiguard, Responses", items(), func(client openai.Client, s *guardtest.Setting) guardtest.Talk {
				return itemsLoop(func() openai.Client { return client }, s, byClient, false)
			}))
	})
	b.Run("Model", func(b *testing.B) {
		overhead.Compare(b, 1.6, overhead.ModelTurn("chat completions", overhead.ChatModel()),
			overhead.ModelTurn("openaiguard, chat completions", openaiguard.NewModel(over(overhead.ChatAnswers()), "m", nil)),
			overhead.ModelTurn("openaiguard, Responses", openaiguard.NewModel(over(items()), "m", &openaiguard.Options{Responses: true})))
	})
}
