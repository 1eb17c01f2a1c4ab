package chatwire

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/bonafide-go/bonafide/guard"
)

// Model is a [guard.Model] behind any client that can send the requests of a format.
type Model struct {
	Format Format
	// Name is the model's name, and More what each request holds besides the conversation: see
	// [EncodeOptions].
	Name string
	More json.RawMessage
	// Limits are what the model or its server cannot do. Default: it can do everything. Where
	// they give no name, the model goes by its own.
	Limits guard.Capabilities
	// Send sends the body of a request, and returns that of the answer.
	Send func(ctx context.Context, body []byte) (answer io.ReadCloser, err error)
}

// Capabilities are the model's Limits.
func (m *Model) Capabilities() guard.Capabilities {
	can := m.Limits
	can.Name = cmp.Or(can.Name, m.Name)
	return can
}

func (m *Model) ask(ctx context.Context, request guard.Request, stream bool) (io.ReadCloser, error) {
	body, err := m.Format.EncodeRequest(request, EncodeOptions{Model: m.Name, Stream: stream, More: m.More})
	if err != nil {
		return nil, err
	}
	answer, err := m.Send(ctx, body)
	if err == nil && answer == nil {
		err = errNoAnswer
	}
	return answer, err
}

// Generate asks for a whole answer.
func (m *Model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	answer, err := m.ask(ctx, request, false)
	if err != nil {
		return guard.Response{}, err
	}
	body, err := readAll(answer)
	if err != nil {
		return guard.Response{}, fmt.Errorf("reading the answer: %w", err)
	}
	return m.Format.ParseResponse(body)
}

// Stream asks for the answer in pieces.
func (m *Model) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return m.Format.Stream(func() (io.ReadCloser, error) { return m.ask(ctx, request, true) })
}
