package guard

import (
	"context"
	"iter"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Model is a language model behind any client. Generate must be safe for
// concurrent use if turns run concurrently, and must return when its context
// ends: a turn waits for it.
//
// An error means that no answer was received or that it could not be read. A
// refusal, a cut answer or an empty one is a [Response], not an error: the
// guard decides what they are worth.
type Model interface {
	Generate(ctx context.Context, request Request) (Response, error)
}

// ModelFunc makes a Model of a function.
type ModelFunc func(ctx context.Context, request Request) (Response, error)

// Generate calls the function; where that is nil, the error is [ErrNoModel].
func (f ModelFunc) Generate(ctx context.Context, request Request) (Response, error) {
	if f == nil {
		return Response{}, ErrNoModel
	}
	return f(ctx, request)
}

// Streamer is a Model that can also answer piece by piece. The guard uses it
// when a turn is streamed.
type Streamer interface {
	Model
	// Stream yields pieces of text as they arrive and, as its last value, a
	// Delta whose Response is the whole answer. A stream that ends without one
	// was cut off.
	Stream(ctx context.Context, request Request) iter.Seq2[Delta, error]
}

// Delta is a piece of a streamed answer.
type Delta struct {
	// Text is what was added to the text of the message.
	Text string
	// Call is a call as far as it has arrived, where a piece of it was added.
	Call tooltrack.Call
	// Response is the whole answer; it ends the stream.
	Response *Response
}

// Capable is a Model that says what it can do. A model without this method is
// taken to do everything that Capabilities lists.
type Capable interface {
	Capabilities() Capabilities
}

// Capabilities are what some models or servers cannot do. The zero value can do
// everything.
type Capabilities struct {
	// Name tells models apart, where several are asked through one guard: one that
	// does not understand requests for proof is not asked any more.
	Name string
	// NoNamedChoice: the server rejects a tool choice that names a tool.
	NoNamedChoice bool
	// NoRequiredChoice: the server rejects the tool choice "required".
	NoRequiredChoice bool
	// NoTools: the model knows nothing of tool calls. Where the guard asks it
	// (Run, Stream, Turn.Model, Wrap) it is told the tools in words, and answers
	// in a format that is read strictly.
	NoTools bool
	// NoLateSystem: system messages are allowed at the beginning only, so
	// corrections speak as the user.
	NoLateSystem bool
}

// cautious are what is expected of a model that could not say: it is asked for
// nothing special.
var cautious = Capabilities{NoNamedChoice: true, NoRequiredChoice: true, NoLateSystem: true}

// capabilitiesOf survives a model that panics.
func capabilitiesOf(model Model) (can Capabilities, err error) {
	capable, says := model.(Capable)
	if !says {
		return can, nil
	}
	can, err = callHost("Model.Capabilities", func() (Capabilities, error) { return capable.Capabilities(), nil })
	if err != nil {
		can = cautious
	}
	return can, err
}

// generate survives a model that panics.
func generate(ctx context.Context, model Model, request Request) (response Response, err error) {
	defer survive("Model.Generate", &err)
	return model.Generate(ctx, request)
}
