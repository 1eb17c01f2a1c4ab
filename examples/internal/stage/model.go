package stage

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// Model is a model behind a server that speaks chat completions. A program that
// has openai-go takes the one of package openaiguard.
type Model struct {
	address      string // such as https://api.openai.com/v1
	key, name    string
	header       http.Header // of every request; may be nil
	capabilities guard.Capabilities
}

var (
	_ guard.Streamer = (*Model)(nil)
	_ guard.Capable  = (*Model)(nil)
)

// Capabilities are what the model cannot do.
func (m *Model) Capabilities() guard.Capabilities { return m.capabilities }

// Generate asks for a whole answer.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	answer, err := m.post(ctx, request, false)
	if err != nil {
		return guard.Response{}, err
	}
	defer answer.Close()
	body, err := io.ReadAll(io.LimitReader(answer, 16<<20))
	if err != nil {
		return guard.Response{}, err
	}
	return chatwire.ChatCompletions.ParseResponse(body)
}

// Stream asks for the answer in pieces.
func (m *Model) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return chatwire.ChatCompletions.Stream(func() (io.ReadCloser, error) { return m.post(ctx, request, true) })
}

// post sends a request. An answer other than 2xx is an error with the server's own words.
func (m *Model) post(ctx context.Context, request guard.Request, stream bool) (io.ReadCloser, error) {
	body, err := chatwire.ChatCompletions.EncodeRequest(request, chatwire.EncodeOptions{Model: m.name, Stream: stream})
	if err != nil {
		return nil, err
	}
	address := strings.TrimRight(m.address, "/") + "/chat/completions"
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("OPENAI_BASE_URL: %w", err)
	}
	if m.header != nil {
		sent.Header = m.header.Clone()
	}
	sent.Header.Set("Content-Type", "application/json")
	if m.key != "" {
		sent.Header.Set("Authorization", "Bearer "+m.key)
	}
	answer, err := http.DefaultClient.Do(sent)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		defer answer.Body.Close()
		told, _ := io.ReadAll(io.LimitReader(answer.Body, 1000)) // what can be read of it will do
		return nil, fmt.Errorf("%s answered %s: %s", address, answer.Status, bytes.TrimSpace(told))
	}
	return answer.Body, nil
}
