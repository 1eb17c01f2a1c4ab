package chatwire

import "github.com/bonafide-go/bonafide/guard"

// dialect is a wire format that can be guarded. Everything that the formats have
// in common (the turn, holding and observing streams, refusals, choosing which
// answer is handed out) is written once, against this interface.
type dialect interface {
	// fits reports whether a body that offers tools is in the format.
	fits(path string, top span, o *offer) bool
	// parse reads a request.
	parse(body []byte) (*Request, error)
	// encode writes a request.
	encode(request guard.Request, options EncodeOptions) ([]byte, error)
	// rewrite is the client's own body with another request in it.
	rewrite(r *Request, request guard.Request) ([]byte, error)
	// capabilities are what the format, or this request, leaves no room for.
	capabilities(r *Request) guard.Capabilities
	// read reads an answer that arrived whole.
	read(body []byte) (reading, error)
	// stream reads an answer that arrives in events.
	stream() streaming
	// render is an answer as it arrived, changed only where the guard's differs.
	render(read *reading, chunks [][]byte, answer guard.Response) ([][]byte, error)
	// frame writes events, and the end of the stream.
	frame(chunks [][]byte) []byte
	// events are the events that say the same as a whole answer or an error.
	events(body []byte) [][]byte
	// fault is an error of the provider's as a body that its clients can read.
	fault(err *BodyError) []byte
	// refusal is a refusal of ours as such a body.
	refusal(told refusalError) ([]byte, error)
}

// streaming puts the events of a stream together.
type streaming interface {
	// Add takes the data of the next event and returns the text that it adds.
	Add(data []byte) (text string, err error)
	// End takes note of the stream's end marker.
	End()
	reading() (reading, error)
}

// dialects are the formats that are guarded.
var dialects = []dialect{ollama{}, chat{}, anthropic{}, responses{}, gemini{}}

// unknown is the dialect in which requests are refused that are in none: its
// form of an error is the one that most clients can read.
var unknown dialect = chat{}

// chat is the chat-completions format.
type chat struct{}

func (chat) fits(_ string, top span, o *offer) bool {
	return !o.wrapped && (o.forms[nestedTool] || o.legacy) && top.has("messages")
}

func (chat) parse(body []byte) (*Request, error) { return ParseRequest(body) }

func (chat) capabilities(r *Request) guard.Capabilities {
	return guard.Capabilities{NoRequiredChoice: r.legacy} // function_call knows auto, none and a name
}

func (chat) read(body []byte) (reading, error) { return readBody(body) }

func (chat) stream() streaming { return &Assembler{} }

func (chat) frame(chunks [][]byte) []byte { return joinEvents(chunks) }

// events turns a message into the delta that says all of it. Calls of a stream
// are numbered, so a message that holds some is written anew.
func (chat) events(body []byte) [][]byte {
	read, err := readBody(body)
	if err != nil {
		return [][]byte{body}
	}
	message := read.response.Message
	said, finish := message.Raw, "stop"
	if len(message.Calls) > 0 {
		wire := wireMessage{Role: string(guard.RoleAssistant), Content: &message.Text, ToolCalls: wireCalls(message.Calls)}
		said, finish = rawBlock(wire), "tool_calls"
	}
	return [][]byte{rawBlock(wireChunk{"chat.completion.chunk", []wireDelta{{0, said, finish}}})}
}

func (chat) fault(err *BodyError) []byte {
	return append(append([]byte(`{"error":`), err.Raw...), '}')
}

func (chat) refusal(told refusalError) ([]byte, error) { return marshal(refusalBody{told}) }
