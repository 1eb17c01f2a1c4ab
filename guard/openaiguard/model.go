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

// encode writes a request, and says where it goes.
func (m *Model) encode(request guard.Request, stream bool) (path string, body json.RawMessage, err error) {
	if m.options.Responses {
		body, err = chatwire.EncodeResponsesRequest(request, chatwire.ResponsesOptions{Model: m.name, Stream: stream})
		return "responses", body, err
	}
	body, err = chatwire.EncodeRequest(request, m.name, stream)
	return "chat/completions", body, err
}

// Generate asks for a whole answer.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	path, body, err := m.encode(request, false)
	if err != nil {
		return guard.Response{}, err
	}
	var answer []byte
	if err := m.client.Post(ctx, path, body, &answer, m.options.Request...); err != nil {
		return guard.Response{}, err
	}
	if m.options.Responses {
		return chatwire.ParseResponsesResponse(answer)
	}
	return chatwire.ParseResponse(answer)
}

// Stream asks for the answer in pieces.
func (m *Model) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return chatwire.Deltas(func(say func(text string) bool) (guard.Response, error) {
		return m.stream(ctx, request, say)
	})
}

func (m *Model) stream(ctx context.Context, request guard.Request, say func(string) bool) (guard.Response, error) {
	path, body, err := m.encode(request, true)
	if err != nil {
		return guard.Response{}, err
	}
	var answer *http.Response
	if err := m.client.Post(ctx, path, body, &answer, m.options.Request...); err != nil {
		return guard.Response{}, err
	}
	defer answer.Body.Close()
	var answered assembler = &chatwire.Assembler{}
	if m.options.Responses {
		answered = &chatwire.ResponsesAssembler{}
	}
	if err := answered.ReadStream(answer.Body, say); err != nil {
		return guard.Response{}, err
	}
	return answered.Response()
}

// assembler puts a stream together, in either format.
type assembler interface {
	ReadStream(reader io.Reader, say func(text string) bool) error
	Response() (guard.Response, error)
}

// Middleware guards an existing client's loop; see [chatwire.Middleware].
func Middleware(g *guard.Guard, options *chatwire.Options) option.Middleware {
	return chatwire.Middleware(g, options)
}
