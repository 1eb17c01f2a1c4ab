package chatwire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
)

// Format is a wire format: how requests are written, and how answers are read, whole and in pieces.
type Format struct{ dialect dialect }

// The formats that are guarded.
var (
	// ChatCompletions is OpenAI's format that most servers know.
	ChatCompletions = Format{chat{}}
	// Responses is OpenAI's newer format. Nothing is stored with the provider: the whole
	// conversation is sent each time, and thoughts come along in their encrypted form.
	Responses = Format{responses{}}
	// Messages is Anthropic's.
	Messages = Format{anthropic{}}
	// Gemini is Google's generateContent, on the plain and on the Vertex paths.
	Gemini = Format{gemini{}}
	// Ollama is Ollama's own /api/chat.
	Ollama = Format{ollama{}}
)

// EncodeOptions are what a request holds besides the conversation.
type EncodeOptions struct {
	// Model is the model's name. Gemini has it in the path.
	Model string
	// Stream asks for the answer in pieces. Gemini has it in the path.
	Stream bool
	// More is an object with further members of the format, such as thinking or
	// generationConfig. Members that follow from the conversation are not taken from it,
	// but for tools that the provider runs by itself, which stand after the others, and, in
	// Messages and Gemini, a system prompt, which stands before the conversation's own.
	// Messages asks for at most 4096 tokens where max_tokens is missing or 0. Default: none.
	More json.RawMessage
}

// ParseRequest reads the body of a request.
func (f Format) ParseRequest(body []byte) (*Request, error) {
	r := &Request{dialect: f.dialect, Choices: 1}
	top, err := whole(body)
	if err == nil {
		r.body, r.model = top, top.member("model")
		f.dialect.parse(r, top)
		err = top.fault.err
	}
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	return r, nil
}

// EncodeRequest writes a request. Messages that carry the provider's own form are replayed
// as they are, byte for byte.
func (f Format) EncodeRequest(request guard.Request, options EncodeOptions) ([]byte, error) {
	if len(options.More) == 0 {
		options.More = json.RawMessage("{}")
	}
	more, err := whole(options.More)
	if err != nil {
		return nil, fmt.Errorf("more: %w", err)
	}
	pairs := f.dialect.encode(request, options, more)
	var own []string
	for i := 0; i < len(pairs); i += 2 {
		own = append(own, pairs[i].(string))
	}
	if more.members("the object", own...); more.fault.err != nil {
		return nil, fmt.Errorf("more: %w", more.fault.err)
	}
	body := writer(object(pairs...))
	body = body[:len(body)-1]
	more.eachMember(func(name string, value span) {
		if !slices.Contains(own, name) {
			body.add(name, value.bytes())
		}
	})
	return append(body, '}'), nil
}

// ParseResponse reads a whole answer. Of several choices the one with the index 0 is read.
// The error is a [*BodyError].
func (f Format) ParseResponse(body []byte) (guard.Response, error) {
	read, err := readWhole(f.dialect, body)
	return read.response, err
}

// EncodeStream writes a whole answer as the events that say the same, with their media type.
func (f Format) EncodeStream(answer []byte) (mediaType string, events []byte) {
	framing := framingOf(f.dialect)
	return framing.contentType, framing.write(f.dialect, f.dialect.events(answer))
}

// ReadStream puts a streamed answer together and tells each piece of text as it arrives;
// say may be nil. A stream that ends too early is an answer that was cut off.
func (f Format) ReadStream(reader io.Reader, say func(text string) bool) (guard.Response, error) {
	read, err := assemble(f.dialect, framingOf(f.dialect).split(reader), func(_ []byte, d guard.Delta) bool {
		return d.Text == "" || say == nil || say(d.Text)
	})
	return read.response, err
}

// assemble reads a stream up to its end marker, or to its end, and tells each piece of it
// together with what it adds.
func assemble(
	d dialect, pieces iter.Seq2[[]byte, error], tell func(piece []byte, adds guard.Delta) bool,
) (reading, error) {
	a := Format{d}.Assemble()
	for data, err := range pieces {
		if err != nil {
			return reading{}, err
		}
		data = bytes.Clone(data)
		text, err := a.Add(data)
		if err != nil {
			return reading{}, err
		}
		trimmed := bytes.TrimSpace(data)
		adds := guard.Delta{Text: text, Call: a.stream.base().growing}
		if string(trimmed) == endMarker || len(trimmed) > 0 && !tell(data, adds) {
			break
		}
	}
	return a.stream.finish()
}

// Stream makes a stream, as [guard.Streamer] wants it, of an answer that open begins. Where
// nobody listens any more, the answer is closed.
func (f Format) Stream(open func() (io.ReadCloser, error)) iter.Seq2[guard.Delta, error] {
	return func(yield func(guard.Delta, error) bool) {
		body, err := open()
		if err != nil {
			yield(guard.Delta{}, err)
			return
		}
		defer body.Close()
		left := false
		read, err := assemble(f.dialect, framingOf(f.dialect).split(body), func(_ []byte, d guard.Delta) bool {
			left = d.Text+d.Call.Tool != "" && !yield(d, nil)
			return !left
		})
		if !left {
			yield(guard.Delta{Response: &read.response}, err)
		}
	}
}

// Assemble begins to put a streamed answer together, for those who have its events.
func (f Format) Assemble() *Assembler { return &Assembler{f.dialect.stream()} }

// Assembler puts a streamed answer together. How the bytes were cut into pieces on their
// way never changes the result. A piece of a call that could belong to several calls
// refuses them all: joined to the wrong one it would change what runs.
type Assembler struct{ stream streaming }

// Add takes the data of the next event, or the end marker. Its text, if any, is returned. An
// error ends the stream; Response then returns it, too.
func (a *Assembler) Add(event []byte) (text string, err error) {
	switch trimmed := bytes.TrimSpace(event); {
	case len(trimmed) == 0:
		return "", nil
	case string(trimmed) == endMarker:
		a.stream.base().finished = true
		return "", nil
	}
	return a.stream.base().add(event, a.stream.take)
}

// Response is the answer so far. Before the end of the stream it is cut.
func (a *Assembler) Response() (guard.Response, error) {
	read, err := a.stream.finish()
	return read.response, err
}
