package openaiguard

import (
	"context"
	"encoding/json"
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

const path = "chat/completions"

// Capabilities are those given in the options.
func (m *Model) Capabilities() guard.Capabilities { return m.options.Capabilities }

// Generate asks for a whole answer.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	body, err := chatwire.EncodeRequest(request, m.name, false)
	if err != nil {
		return guard.Response{}, err
	}
	var answer []byte
	if err := m.client.Post(ctx, path, json.RawMessage(body), &answer, m.options.Request...); err != nil {
		return guard.Response{}, err
	}
	return chatwire.ParseResponse(answer)
}

// Stream asks for the answer in pieces.
func (m *Model) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return func(yield func(guard.Delta, error) bool) {
		left := false
		response, err := m.stream(ctx, request, func(text string) bool {
			left = !yield(guard.Delta{Text: text}, nil)
			return !left
		})
		switch {
		case left:
		case err != nil:
			yield(guard.Delta{}, err)
		default:
			yield(guard.Delta{Response: &response}, nil)
		}
	}
}

func (m *Model) stream(ctx context.Context, request guard.Request, say func(string) bool) (guard.Response, error) {
	body, err := chatwire.EncodeRequest(request, m.name, true)
	if err != nil {
		return guard.Response{}, err
	}
	var answer *http.Response
	if err := m.client.Post(ctx, path, json.RawMessage(body), &answer, m.options.Request...); err != nil {
		return guard.Response{}, err
	}
	defer answer.Body.Close()
	var assembler chatwire.Assembler
	if err := assembler.ReadStream(answer.Body, say); err != nil {
		return guard.Response{}, err
	}
	return assembler.Response()
}

// Middleware guards an existing client's loop; see [chatwire.Middleware].
func Middleware(g *guard.Guard, options *chatwire.Options) option.Middleware {
	return chatwire.Middleware(g, options)
}
