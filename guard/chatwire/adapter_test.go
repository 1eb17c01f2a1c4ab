package chatwire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/promisetable"
)

// dialectClient is a client of one format that knows nothing of a guard.
type dialectClient struct {
	name, path string
	pauses     bool
	format     chatwire.Format
	more       string
}

func dialectClients() []dialectClient {
	return []dialectClient{
		{"chat completions", "/v1/chat/completions", false, chatwire.ChatCompletions, ""},
		{"Messages", "/v1/messages", true, chatwire.Messages, ""},
		{"Messages, thinking", "/v1/messages", true, chatwire.Messages, `{"thinking":{"type":"enabled","budget_tokens":1024}}`},
		{"Responses", "/v1/responses", false, chatwire.Responses, ""},
		{"Gemini", "/v1beta/models/m", false, chatwire.Gemini, ""},
		{"Gemini on Vertex, as a list", "/v1/projects/p/locations/l/publishers/google/models/m", false, chatwire.Gemini, ""},
		{"Ollama", "/api/chat", false, chatwire.Ollama, ""},
	}
}

// asEvents makes events of the elements of a list.
func asEvents(reader io.Reader) io.Reader {
	var list []json.RawMessage
	if err := json.NewDecoder(reader).Decode(&list); err != nil {
		return iotest.ErrReader(err)
	}
	var events bytes.Buffer
	for _, element := range list {
		fmt.Fprintf(&events, "data: %s\n\n", element)
	}
	return &events
}

// at is where a client asks: Gemini says in the path what it wants.
func (c *dialectClient) at(stream bool) string {
	switch {
	case !strings.Contains(c.path, "/models/"):
		return c.path
	case !stream:
		return c.path + ":generateContent"
	case strings.Contains(c.name, "list"):
		return c.path + ":streamGenerateContent"
	}
	return c.path + ":streamGenerateContent?alt=sse"
}

// send posts a body as SDKs do: it tries again when the server fails, unless the
// server says that it should not.
func send(ctx context.Context, transport http.RoundTripper, address string, body []byte) (*http.Response, error) {
	for attempt := 0; ; attempt++ {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", "application/json")
		answer, err := transport.RoundTrip(request)
		if err != nil {
			return nil, err
		}
		again := answer.StatusCode >= http.StatusInternalServerError || answer.StatusCode == http.StatusTooManyRequests
		if !again || attempt == 2 || answer.Header.Get("X-Should-Retry") == "false" {
			return answer, nil
		}
		_ = answer.Body.Close()
	}
}

// plainModel is a model at an address, asked for whole answers.
type plainModel struct {
	dialectClient
	transport http.RoundTripper
	address   string
}

func (m *plainModel) ask(ctx context.Context, request guard.Request, stream bool) (*http.Response, error) {
	more := json.RawMessage(m.more)
	body, err := m.format.EncodeRequest(request, chatwire.EncodeOptions{Model: "m", Stream: stream, More: more})
	if err != nil {
		return nil, err
	}
	answer, err := send(ctx, m.transport, m.address+m.at(stream), body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		defer answer.Body.Close()
		if err := refusedBy(answer); err != nil {
			return nil, err
		}
		said, _ := io.ReadAll(answer.Body)
		return nil, fmt.Errorf("status %d: %s", answer.StatusCode, said)
	}
	return answer, nil
}

func (m *plainModel) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	answer, err := m.ask(ctx, request, false)
	if err != nil {
		return guard.Response{}, err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		return guard.Response{}, err
	}
	return m.format.ParseResponse(said)
}

// streamModel is the same, asked for answers in pieces.
type streamModel struct{ plainModel }

func (m *streamModel) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return m.format.Stream(func() (io.ReadCloser, error) {
		answer, err := m.ask(ctx, request, true)
		if err != nil {
			return nil, err
		}
		if strings.Contains(m.name, "list") {
			return io.NopCloser(asEvents(answer.Body)), nil
		}
		return answer.Body, nil
	})
}

// middlewareTransport puts a middleware where an SDK has it.
func middlewareTransport(g *guard.Guard) http.RoundTripper {
	middleware := chatwire.Middleware(g, nil)
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		answer, err := middleware(r, http.DefaultTransport.RoundTrip)
		if err != nil {
			return nil, err
		}
		return answer, nil
	})
}

func wireAdapters() []guardtest.Adapter {
	ways := []struct {
		name   string
		guard  func(g *guard.Guard) http.RoundTripper
		except map[string]string
	}{
		{"chatwire.Middleware", middlewareTransport, map[string]string{}},
		{
			"chatwire.Transport", func(g *guard.Guard) http.RoundTripper { return chatwire.Transport(g, nil, nil) },
			map[string]string{"error": "status 400 with code and account"},
		},
	}
	var adapters []guardtest.Adapter
	for _, way := range ways {
		way.except["written"], way.except["once"] = "no: it does not run it", "no: it does not run it"
		for _, client := range dialectClients() {
			for variant, streamed := range map[string]bool{client.name: false, client.name + ", streamed": true} {
				adapters = append(adapters, guardtest.Adapter{
					Name: way.name, Variant: variant, Wire: true, Streams: streamed, Pauses: client.pauses, Except: way.except,
					Open: func(s *guardtest.Setting) guardtest.Talk {
						model := plainModel{client, way.guard(s.Guard), s.Address}
						if streamed {
							return guardtest.Loop(&streamModel{model}, s.Executor, s.Tools)
						}
						return guardtest.Loop(&model, s.Executor, s.Tools)
					},
				})
			}
		}
	}
	return adapters
}

func TestAdapters(t *testing.T) {
	promisetable.Check(t, guardtest.Promises(), guardtest.TestAdapters(t, wireAdapters()...))
}
