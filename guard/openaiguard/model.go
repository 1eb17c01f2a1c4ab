package openaiguard

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// Options tune a [Model]. Nil is the default.
type Options struct {
	// Capabilities are what the model or its server cannot do. Default: it can do
	// everything.
	Capabilities guard.Capabilities
	// Responses asks by the Responses API instead of chat completions. Nothing is
	// stored there: the conversation is sent each time.
	Responses bool
	// Request are options for every request, such as a temperature by
	// option.WithJSONSet("temperature", 0). Default: none.
	Request []option.RequestOption
}

// Model is a model behind an openai-go client.
type Model struct {
	client  openai.Client
	name    string
	options Options
}

var (
	_ guard.Streamer = (*Model)(nil)
	_ guard.Capable  = (*Model)(nil)
)

// NewModel returns the model of that name behind the client.
func NewModel(client openai.Client, model string, options *Options) *Model {
	m := &Model{client: client, name: model}
	if options != nil {
		m.options = *options
	}
	return m
}

// Capabilities are those given in the options. Where these give no name, the model
// goes by its own.
func (m *Model) Capabilities() guard.Capabilities {
	can := m.options.Capabilities
	can.Name = cmp.Or(can.Name, m.name)
	return can
}

// format is the wire format, and where its requests go.
func (m *Model) format() (format chatwire.Format, path string) {
	if m.options.Responses {
		return chatwire.Responses, "responses"
	}
	return chatwire.ChatCompletions, "chat/completions"
}

// post sends a request, and has the answer read into a variable of openai-go's kinds.
func (m *Model) post(ctx context.Context, request guard.Request, stream bool, answer any) error {
	format, path := m.format()
	body, err := format.EncodeRequest(request, chatwire.EncodeOptions{Model: m.name, Stream: stream})
	if err != nil {
		return err
	}
	return m.client.Post(ctx, path, json.RawMessage(body), answer, m.options.Request...)
}

// Generate asks for a whole answer.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	var answer []byte
	if err := m.post(ctx, request, false, &answer); err != nil {
		return guard.Response{}, err
	}
	format, _ := m.format()
	return format.ParseResponse(answer)
}

// Stream asks for the answer in pieces.
func (m *Model) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	format, _ := m.format()
	return format.Stream(func() (io.ReadCloser, error) {
		var answer *http.Response
		if err := m.post(ctx, request, true, &answer); err != nil {
			return nil, err
		}
		return answer.Body, nil
	})
}

// Middleware guards an existing client's loop; see [chatwire.Middleware].
func Middleware(g *guard.Guard, options *chatwire.Options) option.Middleware {
	return chatwire.Middleware(g, options)
}
