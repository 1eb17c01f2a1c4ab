package chatwire

import (
	"encoding/json"
	"io"

	"github.com/bonafide-go/bonafide/guard"
)

// Format is a wire format: how requests are written, and how answers are read, whole
// and in pieces.
type Format struct{ dialect dialect }

// The formats that are guarded.
var (
	// ChatCompletions is OpenAI's format that most servers know.
	ChatCompletions = Format{chat{}}
	// Responses is OpenAI's newer format.
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
	// More is an object with further members of the format, such as generationConfig.
	// Members that follow from the conversation are not taken from it. Default: none.
	More json.RawMessage
}

// ParseRequest reads the body of a request.
func (f Format) ParseRequest(body []byte) (*Request, error) { return f.dialect.parse(body) }

// ParseResponse reads a whole answer. The error is a [*BodyError].
func (f Format) ParseResponse(body []byte) (guard.Response, error) {
	read, err := f.dialect.read(body)
	return read.response, err
}

// ReadStream puts a streamed answer together and tells each piece of text as it arrives;
// say may be nil. A stream that ends too early is an answer that was cut off.
func (f Format) ReadStream(reader io.Reader, say func(text string) bool) (guard.Response, error) {
	assembler := f.dialect.stream()
	if err := readStream(assembler, framingOf(f.dialect).split(reader), say); err != nil {
		return guard.Response{}, err
	}
	read, err := assembler.reading()
	return read.response, err
}

// EncodeRequest writes a request. Messages that carry the provider's own form are replayed
// as they are, byte for byte.
func (f Format) EncodeRequest(request guard.Request, options EncodeOptions) ([]byte, error) {
	return f.dialect.encode(request, options)
}
