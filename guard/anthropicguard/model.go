package anthropicguard

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// Options tune a [Model]. Nil is the default.
type Options struct {
	// Params is what each request holds beside the conversation: MaxTokens (default
	// 4096), Thinking, CacheControl, Temperature and so on. Blocks of System stand
	// before the guard's own prompt; Tools may name tools that Anthropic runs by
	// itself, which are offered after the guard's. Of ToolChoice the word on calls
	// in parallel is kept. Messages and Model are not used.
	Params anthropic.MessageNewParams
	// Capabilities are what the model cannot do beside what follows from Params: a
	// model that thinks first is never forced. Default: it can do everything.
	Capabilities guard.Capabilities
	// Request are options for every request, such as a header. Default: none.
	Request []option.RequestOption
}

// Model is a model behind an anthropic-sdk-go client.
type Model struct {
	client  anthropic.Client
	name    string
	options Options
	more    json.RawMessage // the params as the API reads them
	err     error           // why they could not be written
}

var (
	_ guard.Streamer = (*Model)(nil)
	_ guard.Capable  = (*Model)(nil)
)

// NewModel returns the model of that name behind the client.
func NewModel(client anthropic.Client, model anthropic.Model, options *Options) *Model {
	m := &Model{client: client, name: string(model)}
	if options != nil {
		m.options = *options
	}
	if m.more, m.err = json.Marshal(m.options.Params); m.err != nil {
		m.err = fmt.Errorf("params: %w", m.err)
	}
	return m
}

// Capabilities are what the API leaves no room for. The system prompt stands
// before the conversation, and a model that thinks first refuses to be forced.
// Where the options give no name, the model goes by its own.
func (m *Model) Capabilities() guard.Capabilities {
	can := m.options.Capabilities
	can.Name = cmp.Or(can.Name, m.name)
	can.NoLateSystem = true
	if kind := m.options.Params.Thinking.GetType(); kind != nil && *kind != "disabled" {
		can.NoNamedChoice, can.NoRequiredChoice = true, true
	}
	return can
}

// post sends a request, and has the answer read into a variable of the SDK's kinds.
func (m *Model) post(ctx context.Context, request guard.Request, stream bool, answer any) error {
	if m.err != nil {
		return m.err
	}
	body, err := chatwire.Messages.EncodeRequest(request,
		chatwire.EncodeOptions{Model: m.name, Stream: stream, More: m.more})
	if err != nil {
		return err
	}
	return m.client.Post(ctx, "v1/messages", json.RawMessage(body), answer, m.options.Request...)
}

// Generate asks for a whole answer.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	var answer []byte
	if err := m.post(ctx, request, false, &answer); err != nil {
		return guard.Response{}, err
	}
	return chatwire.Messages.ParseResponse(answer)
}

// Stream asks for the answer in pieces.
func (m *Model) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return chatwire.Messages.Stream(func() (io.ReadCloser, error) {
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
