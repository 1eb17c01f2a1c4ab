package stage

import (
	"bytes"
	"context"
	"fmt"
	"io"
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
	_ guard.Model   = (*Model)(nil)
	_ guard.Capable = (*Model)(nil)
)

// Capabilities are what the model cannot do.
func (m *Model) Capabilities() guard.Capabilities { return m.capabilities }

// Generate asks for an answer. One with a status other than 2xx is an error with the server's own words.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	body, err := chatwire.ChatCompletions.EncodeRequest(request, chatwire.EncodeOptions{Model: m.name})
	if err != nil {
		return guard.Response{}, err
	}
	address := strings.TrimRight(m.address, "/") + "/chat/completions"
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return guard.Response{}, fmt.Errorf("OPENAI_BASE_URL: %w", err)
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
		return guard.Response{}, err
	}
	defer answer.Body.Close()
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		told, _ := io.ReadAll(io.LimitReader(answer.Body, 1000)) // what can be read of it will do
		return guard.Response{}, fmt.Errorf("%s answered %s: %s", address, answer.Status, bytes.TrimSpace(told))
	}
	if body, err = io.ReadAll(io.LimitReader(answer.Body, 16<<20)); err != nil {
		return guard.Response{}, err
	}
	return chatwire.ChatCompletions.ParseResponse(body)
}
