package chatwire

import "github.com/bonafide-go/bonafide/guard"

// dialect is a wire format that can be guarded. Everything that the formats have
// in common (the turn, holding and observing streams, refusals, choosing which
// answer is handed out) is written once, against this interface.
type dialect interface {
	// parse reads a request.
	parse(r *Request, top span)
	// encode are the names and values of the members of a request that follow from the
	// conversation. More is what the host gives.
	encode(request guard.Request, options EncodeOptions, more span) []any
	// say puts the messages of another request into the client's own body, and choose
	// its tool choice.
	say(r *Request, request guard.Request) ([]edit, error)
	choose(r *Request, choice guard.Choice) []edit
	// capabilities are what the format, or this request, leaves no room for.
	capabilities(r *Request) guard.Capabilities
	// stream reads an answer.
	stream() streaming
	// render is an answer as it arrived, changed only where the guard's differs.
	render(read *reading, chunks [][]byte, answer guard.Response) ([][]byte, error)
	// events are the events that say the same as a whole answer or an error.
	events(body []byte) [][]byte
	// fault is an error of the provider's as a body that its clients can read.
	fault(err *BodyError) []byte
	// refusal is a refusal of ours as such a body.
	refusal(told refusalError) []byte
}

// streaming puts an answer together, from one piece or many.
type streaming interface {
	// take reads the next event, or the whole answer.
	take(event span)
	// finish is the answer so far.
	finish() (reading, error)
	base() *gathering
}

// unknown is the dialect in which requests are refused that are in none: its
// form of an error is the one that most clients can read.
var unknown dialect = chat{}
