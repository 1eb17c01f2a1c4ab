package anthropicguard

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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

const path = "v1/messages"

func (m *Model) encode(request guard.Request, stream bool) (json.RawMessage, error) {
	if m.err != nil {
		return nil, m.err
	}
	return chatwire.EncodeMessagesRequest(request, chatwire.MessagesOptions{
		Model: m.name, MaxTokens: int(m.options.Params.MaxTokens), Stream: stream, More: m.more,
	})
}

// Generate asks for a whole answer.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	body, err := m.encode(request, false)
	if err != nil {
		return guard.Response{}, err
	}
	var answer []byte
	if err := m.client.Post(ctx, path, body, &answer, m.options.Request...); err != nil {
		return guard.Response{}, err
	}
	return chatwire.ParseMessagesResponse(answer)
}

// Stream asks for the answer in pieces.
func (m *Model) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return chatwire.Deltas(func(say func(text string) bool) (guard.Response, error) {
		body, err := m.encode(request, true)
		if err != nil {
			return guard.Response{}, err
		}
		var answer *http.Response
		if err := m.client.Post(ctx, path, body, &answer, m.options.Request...); err != nil {
			return guard.Response{}, err
		}
		defer answer.Body.Close()
		var answered chatwire.MessagesAssembler
		if err := answered.ReadStream(answer.Body, say); err != nil {
			return guard.Response{}, err
		}
		return answered.Response()
	})
}

// Middleware guards an existing client's loop; see [chatwire.Middleware].
func Middleware(g *guard.Guard, options *chatwire.Options) option.Middleware {
	return chatwire.Middleware(g, options)
}
