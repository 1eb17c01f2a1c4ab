package openaiguard_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/guard/chatwire/chatwiretest"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
)

const (
	itemsCall = `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
		`"output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"delete_task","arguments":"{\"title\":\"Read book\"}","status":"completed"}],` +
		`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`
	itemsText = `{"id":"resp_2","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
		`"output":[{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"` + chatwiretest.Text + `","annotations":[]}]}],` +
		`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`
)

// over is a client without a network.
func over(answers http.RoundTripper, options ...option.RequestOption) openai.Client {
	return clientOf("http://127.0.0.1", append(options, option.WithHTTPClient(&http.Client{Transport: answers}))...)
}

// clientTurn is the turn by a loop of the client's own.
func clientTurn(name string, answers http.RoundTripper, open func(openai.Client, *guardtest.Setting) guardtest.Talk) chatwiretest.Turn {
	clock := &chatwiretest.Clock{}
	client := over(answers, option.WithMiddleware(clock.Outside, openaiguard.Middleware(chatwiretest.Guard(), nil), clock.Inside))
	return chatwiretest.Turn{Name: name, Clock: clock, Run: func() error {
		_, err := open(client, &guardtest.Setting{Executor: chatwiretest.Executor, Tools: chatwiretest.Tools()})(context.Background(), chatwiretest.User)
		return err
	}}
}

// TestOverhead: through this client the guard costs what it costs on chat
// completions without one.
func TestOverhead(t *testing.T) {
	items := func() http.RoundTripper { return chatwiretest.Answers(itemsCall, itemsText) }
	t.Run("Middleware", func(t *testing.T) {
		chatwiretest.Within(t, 1.3, chatwiretest.ChatTransport(),
			clientTurn("openaiguard, chat completions", chatwiretest.ChatAnswers(), func(client openai.Client, s *guardtest.Setting) guardtest.Talk {
				return chatLoop(client, s, false)
			}),
			clientTurn("openaiguard, Responses", items(), func(client openai.Client, s *guardtest.Setting) guardtest.Talk {
				return itemsLoop(func() openai.Client { return client }, s, byClient, false)
			}))
	})
	t.Run("Model", func(t *testing.T) {
		chatwiretest.Within(t, 1.3, chatwiretest.ModelTurn("chat completions", chatwiretest.ChatModel()),
			chatwiretest.ModelTurn("openaiguard, chat completions", openaiguard.NewModel(over(chatwiretest.ChatAnswers()), "m", nil)),
			chatwiretest.ModelTurn("openaiguard, Responses", openaiguard.NewModel(over(items()), "m", &openaiguard.Options{Responses: true})))
	})
}
