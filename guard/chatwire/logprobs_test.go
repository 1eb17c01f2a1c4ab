package chatwire_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// TestWhatIsLeftOutStandsNowhere: the probabilities of the words and the marks in the
// text go with a text that was changed, and stay with one that was not.
func TestWhatIsLeftOutStandsNowhere(t *testing.T) {
	const kept, gone = "Good evening.", " Both copies were archived."
	probable := `"logprobs":{"content":[{"token":"Good evening.","logprob":-0.1},{"token":"` + gone + `","logprob":-0.2}],"refusal":null}`
	marked := `"annotations":[{"type":"url_citation","url_citation":{"title":"Shelves","start_index":14,"end_index":40}}]`
	whole := `{"choices":[{"index":0,"message":{"role":"assistant","content":"` + kept + gone + `",` + marked + `},` + probable + `,"finish_reason":"stop"}]}`
	streamed := `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"` + kept + `"},"logprobs":null}]}` + "\n\n" +
		`data: {"choices":[{"index":0,"delta":{"content":"` + gone + `",` + marked + `},` + probable + `}]}` + "\n\n" +
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" + "data: [DONE]\n\n"
	doubts := func(o *guard.Options) {
		o.Evaluator = guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
			verdict := completion.Verdict{Outcome: completion.CompletedWithWork}
			if strings.Contains(turn.Text, "archived") {
				verdict.Claims = []completion.Claim{{Text: strings.TrimSpace(gone), Tier: completion.Unsure, Doubt: 0.9, Fault: "no call"}}
			}
			return verdict
		})
	}
	trusts := func(o *guard.Options) {
		o.Evaluator = guard.EvaluatorFunc(func(completion.Case) completion.Verdict {
			return completion.Verdict{Outcome: completion.CompletedWithWork}
		})
	}
	for name, body := range map[string]string{"whole": whole, "streamed": streamed} {
		answers := []string{body, saying("As I said."), saying("As I said.")}
		u := newUpstream(t, answers...)
		transport := chatwire.Transport(newGuard(t, doubts), nil, nil)
		more := offer
		if name == "streamed" {
			more += `,"stream":true`
		}
		status, got, _ := post(t, context.Background(), transport, u.URL+"/v1/chat/completions", requestBody("hello", more))
		require.Equal(t, http.StatusOK, status, got)
		require.Contains(t, got, "Good evening.", name)
		require.NotContains(t, got, "archived", name)
		require.NotContains(t, got, "start_index", name)
		require.NotContains(t, got, `"token"`, name)

		u = newUpstream(t, body)
		transport = chatwire.Transport(newGuard(t, trusts), nil, nil)
		_, got, _ = post(t, context.Background(), transport, u.URL+"/v1/chat/completions", requestBody("hello", more))
		require.Equal(t, body, got, name)
	}
}
