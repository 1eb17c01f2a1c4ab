package anthropicguard

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
type Model = chatwire.Model

// NewModel returns the model of that name behind the client. The system prompt stands before
// the conversation, and a model that thinks first refuses to be forced.
func NewModel(client anthropic.Client, model anthropic.Model, options *Options) *Model {
	options = cmp.Or(options, &Options{})
	can, with := options.Capabilities, options.Request
	can.NoLateSystem = true
	if kind := options.Params.Thinking.GetType(); kind != nil && *kind != "disabled" {
		can.NoNamedChoice, can.NoRequiredChoice = true, true
	}
	more, fault := json.Marshal(options.Params)
	send := func(ctx context.Context, body []byte) (io.ReadCloser, error) {
		if fault != nil {
			return nil, fmt.Errorf("params: %w", fault)
		}
		var answer *http.Response
		if err := client.Post(ctx, "v1/messages", json.RawMessage(body), &answer, with...); err != nil {
			return nil, err
		}
		return answer.Body, nil
	}
	return &Model{Format: chatwire.Messages, Name: string(model), More: more, Limits: can, Send: send}
}

// Middleware guards an existing client's loop; see [chatwire.Middleware].
func Middleware(g *guard.Guard, options *chatwire.Options) option.Middleware {
	return chatwire.Middleware(g, options)
}
