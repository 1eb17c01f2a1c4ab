package chatwire_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// client is a model behind a server that streams.
type client struct {
	format chatwire.Format
	url    string
}

func (c client) post(ctx context.Context, request guard.Request) (io.ReadCloser, error) {
	body, err := c.format.EncodeRequest(request, chatwire.EncodeOptions{Model: "m", Stream: true})
	if err != nil {
		return nil, err
	}
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(sent)
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

func (c client) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return c.format.Stream(func() (io.ReadCloser, error) { return c.post(ctx, request) })
}

func (c client) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	body, err := c.post(ctx, request)
	if err != nil {
		return guard.Response{}, err
	}
	defer body.Close()
	return c.format.ReadStream(body, nil)
}

// eventsOf are those of a call whose arguments come in some pieces, the beginning and the end.
func eventsOf(format chatwire.Format, tool string, pieces ...string) (events []string) {
	if format == chatwire.Messages {
		events = append(events, `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"`+tool+`","input":{}}}`)
		for _, piece := range pieces {
			events = append(events, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":`+quoted(piece)+`}}`)
		}
		return append(events, `{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}`, `{"type":"message_stop"}`)
	}
	chunk := func(delta, finish string) string {
		return `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
	}
	events = append(events, chunk(`{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"`+tool+`","arguments":""}}]}`, "null"))
	for _, piece := range pieces {
		events = append(events, chunk(`{"tool_calls":[{"index":0,"function":{"arguments":`+quoted(piece)+`}}]}`, "null"))
	}
	return append(events, chunk(`{}`, `"tool_calls"`), "[DONE]")
}

// TestPartsOfAReportAreReleasedOneByOne: each after its check, before the next has been sent. One
// that fails is not shown, nor what follows it, and nothing that was shown is taken back.
func TestPartsOfAReportAreReleasedOneByOne(t *testing.T) {
	const lie = "Call mom is deleted as well."
	for name, format := range map[string]chatwire.Format{"chat": chatwire.ChatCompletions, "messages": chatwire.Messages} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // where a part is held, the server would wait for ever
			defer cancel()
			seen, requests := make(chan struct{}), atomic.Int32{}
			answers := [][]string{
				eventsOf(format, "delete_task", `{"title":"Read`, ` book"}`),
				eventsOf(format, "report", `{"parts":[{"calls":["delete_ta`, `sk"],"text":"I've deleted \"Read book\"."`, `}`,
					`,{"calls":["delete_task"],"text":"`+lie+`"},{"calls":"no call","text":"Bye!"}]}`),
				eventsOf(format, "report", `{"parts":[{"calls":["delete_task"],"text":"I've deleted \"Read book\"."},`,
					`{"calls":"not done","text":"I have not deleted Call mom."}]}`),
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n := requests.Add(1)
				w.Header().Set("Content-Type", "text/event-stream")
				for _, event := range answers[n-1] {
					if strings.Contains(event, "Call mom") && n == 2 {
						select {
						case <-seen:
						case <-ctx.Done():
						}
					}
					fmt.Fprintf(w, "data: %s\n\n", event)
					w.(http.Flusher).Flush()
				}
			}))
			defer server.Close()
			g, err := guard.New([]tooltrack.Tool{{Name: "delete_task", Effect: tooltrack.Changes, Parameters: []byte(`{"type":"object"}`)}},
				&guard.Options{Proof: guard.Always})
			require.NoError(t, err)
			executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"ok":true}`), nil })
			var shown []string
			var reply *guard.Reply
			for event, err := range g.Stream(ctx, client{format, server.URL}, executor, guard.Input{User: "delete Read book and Call mom", Owner: "ann"}) {
				require.NoError(t, err)
				switch {
				case event.Text != "":
					if shown = append(shown, event.Text); len(shown) == 1 {
						require.EqualValues(t, 2, requests.Load(), "shown before the report was over")
						close(seen)
					}
				case event.Reply != nil:
					reply = event.Reply
				}
			}
			require.Equal(t, `I've deleted "Read book".`, shown[0])
			require.Equal(t, reply.Text, strings.Join(shown, ""))
			require.NotContains(t, reply.Text, lie)
			require.NotContains(t, reply.Text, "Bye")
			require.Contains(t, reply.Text, "I have not deleted Call mom.")
		})
	}
}
