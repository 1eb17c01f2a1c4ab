package openaiguard

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
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
type Model = chatwire.Model

// NewModel returns the model of that name behind the client.
func NewModel(client openai.Client, model string, options *Options) *Model {
	options = cmp.Or(options, &Options{})
	format, path := chatwire.ChatCompletions, "chat/completions"
	if options.Responses {
		format, path = chatwire.Responses, "responses"
	}
	with := options.Request
	send := func(ctx context.Context, body []byte) (io.ReadCloser, error) {
		var answer *http.Response
		if err := client.Post(ctx, path, json.RawMessage(body), &answer, with...); err != nil {
			return nil, err
		}
		return answer.Body, nil
	}
	return &Model{Format: format, Name: model, Limits: options.Capabilities, Send: send}
}

// Middleware guards an existing client's loop; see [chatwire.Middleware].
func Middleware(g *guard.Guard, options *chatwire.Options) option.Middleware {
	return chatwire.Middleware(g, options)
}
