package genaiguard

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"

	"google.golang.org/genai"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/internal/contain"
)

// Options tune a [Model]. Nil is the default.
type Options struct {
	// Config is what each request holds beside the conversation: Temperature,
	// ThinkingConfig, SafetySettings and so on. Its SystemInstruction stands before the
	// guard's own prompt, and Tools may name tools that Google runs by itself. Its
	// ToolConfig is not used. Default: none.
	Config *genai.GenerateContentConfig
	// Capabilities are what the model cannot do. Default: it can do everything that the
	// format leaves room for.
	Capabilities guard.Capabilities
}

// Model is a model behind a genai client.
type Model struct {
	client  *genai.Client
	name    string
	options Options
}

var (
	_ guard.Streamer = (*Model)(nil)
	_ guard.Capable  = (*Model)(nil)
)

// NewModel returns the model of that name behind the client. The error is that of the
// client's configuration.
func NewModel(client *genai.Client, model string, options *Options) (*Model, error) {
	m := &Model{name: model}
	if options != nil {
		m.options = *options
	}
	config := client.ClientConfig()
	watched := *config.HTTPClient
	watched.Transport = capturing{watched.Transport}
	config.HTTPClient = &watched
	var err error
	if m.client, err = genai.NewClient(context.Background(), &config); err != nil {
		return nil, fmt.Errorf("the client's configuration: %w", err)
	}
	return m, nil
}

// Capabilities are those given in the options. The system prompt stands before the
// conversation, and beside a cached prefix nothing can be chosen. Where the options give no
// name, the model goes by its own.
func (m *Model) Capabilities() guard.Capabilities {
	can := m.options.Capabilities
	can.Name = cmp.Or(can.Name, m.name)
	can.NoLateSystem = true
	if m.options.Config != nil && m.options.Config.CachedContent != "" {
		can.NoNamedChoice, can.NoRequiredChoice = true, true
	}
	return can
}

// Generate asks for a whole answer.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	asked := &exchange{request: request}
	_, err := m.client.Models.GenerateContent(context.WithValue(ctx, exchangeKey{}, asked), m.name, nil, m.config(asked))
	if asked.raw == nil {
		return guard.Response{}, cmp.Or(asked.err, err)
	}
	return chatwire.Gemini.ParseResponse(asked.raw)
}

// Stream asks for the answer in pieces.
func (m *Model) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return chatwire.Gemini.Stream(func() (io.ReadCloser, error) {
		ctx, cancel := context.WithCancel(ctx)
		reader, writer := io.Pipe()
		asked := &exchange{request: request, pieces: writer}
		done := make(chan struct{})
		contain.Go("genaiguard.Model.Stream", func() { m.drain(context.WithValue(ctx, exchangeKey{}, asked), asked) },
			func(fault *contain.Panic) {
				if fault != nil {
					writer.CloseWithError(fault)
				}
				close(done)
			})
		return &drained{reader, cancel, done}, nil
	})
}

// drained is an answer while the client reads it. Whoever closes it early ends the request.
type drained struct {
	*io.PipeReader
	cancel context.CancelFunc
	done   <-chan struct{}
}

// Close ends the request.
func (d *drained) Close() error {
	d.cancel()
	_ = d.PipeReader.Close()
	<-d.done
	return nil
}

// drain lets the client read a stream to its end. What it reads is read here, too.
func (m *Model) drain(ctx context.Context, asked *exchange) {
	var err error
	for _, failed := range m.client.Models.GenerateContentStream(ctx, m.name, nil, m.config(asked)) {
		if failed != nil && !asked.begun {
			err = failed
		}
	}
	asked.pieces.CloseWithError(cmp.Or(asked.err, err)) // nil is the end of the stream
}

// exchange is one request, and the answer as it arrived.
type exchange struct {
	request guard.Request
	raw     []byte         // of a whole answer
	pieces  *io.PipeWriter // of a streamed one
	begun   bool           // its first byte came
	err     error          // why the request could not be written
}

type exchangeKey struct{}

// config is the host's, with a hook that puts the conversation into the client's body.
func (m *Model) config(asked *exchange) *genai.GenerateContentConfig {
	config := genai.GenerateContentConfig{}
	if m.options.Config != nil {
		config = *m.options.Config
	}
	http := genai.HTTPOptions{}
	if config.HTTPOptions != nil {
		http = *config.HTTPOptions
	}
	then := http.ExtrasRequestProvider
	http.ExtrasRequestProvider = func(body map[string]any) map[string]any {
		var written map[string]any
		if written, asked.err = encode(asked.request, body); asked.err == nil && then != nil {
			written = then(written)
		}
		return written
	}
	config.HTTPOptions = &http
	return &config
}

// encode writes the conversation into a body that the client made of the configuration.
func encode(request guard.Request, body map[string]any) (map[string]any, error) {
	more, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	written, err := chatwire.Gemini.EncodeRequest(request, chatwire.EncodeOptions{More: more})
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(written, &members); err != nil {
		return nil, err
	}
	values := make(map[string]any, len(members))
	for name, value := range members {
		values[name] = value
	}
	return values, nil
}

// capturing hands the bytes of an answer to whoever asked for it, before the client reads
// them.
type capturing struct{ base http.RoundTripper }

// RoundTrip answers one request.
func (c capturing) RoundTrip(request *http.Request) (*http.Response, error) {
	asked, ours := request.Context().Value(exchangeKey{}).(*exchange)
	if ours && asked.err != nil {
		return nil, asked.err
	}
	base := c.base
	if base == nil {
		base = http.DefaultTransport
	}
	response, err := base.RoundTrip(request)
	if err != nil || !ours || response.StatusCode < 200 || response.StatusCode > 299 {
		return response, err
	}
	asked.begun = true
	if asked.pieces != nil {
		response.Body = teeBody{io.TeeReader(response.Body, asked.pieces), response.Body}
		return response, nil
	}
	asked.raw, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	_ = response.Body.Close()
	response.Body = io.NopCloser(http.NoBody)
	return response, err
}

// maxAnswer bounds what is read into memory of one answer.
const maxAnswer = 32 << 20

type teeBody struct {
	io.Reader
	io.Closer
}

// HTTPClient guards the loop of a client that exists: it is the HTTPClient of a
// [genai.ClientConfig]. The base is the client to send with, for Vertex AI one that
// authenticates; nil is a plain one. See [chatwire.Transport].
func HTTPClient(g *guard.Guard, base *http.Client, options *chatwire.Options) *http.Client {
	guarded := http.Client{}
	if base != nil {
		guarded = *base
	}
	guarded.Transport = chatwire.Transport(g, guarded.Transport, options)
	return &guarded
}
