package chatwire

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
)

// anthropic is the Messages format. A message is a list of blocks: text,
// thoughts with their signatures, calls, results. Blocks are never taken apart
// where they can be kept: the provider refuses a thought that has changed by a
// byte.
type anthropic struct{}

func (anthropic) fits(_ string, top span, o *offer) bool {
	return !o.wrapped && !o.legacy && (o.forms[inputTool] || o.forms[builtinTool]) && top.has("messages")
}

func (anthropic) parse(body []byte) (*Request, error) { return ParseMessagesRequest(body) }

// capabilities: the system prompt stands before the conversation, and a model
// that thinks first refuses to be forced.
func (anthropic) capabilities(r *Request) guard.Capabilities {
	return guard.Capabilities{NoLateSystem: true, NoNamedChoice: r.thinking, NoRequiredChoice: r.thinking}
}

func (anthropic) read(body []byte) (reading, error) { return readMessagesBody(body) }

func (anthropic) stream() streaming { return &MessagesAssembler{} }

func (anthropic) frame(chunks [][]byte) []byte { return frameNamed(chunks) }

// frameNamed writes events under their names, as clients of the newer formats
// expect. The last event ends the stream.
func frameNamed(chunks [][]byte) []byte {
	var out bytes.Buffer
	for _, chunk := range chunks {
		if top, err := whole(chunk); err == nil && top.kind() == '{' {
			if found, err := top.members("the event", "type"); err == nil {
				if kind, err := found[0].text("type"); err == nil && kind != "" {
					out.WriteString("event: " + kind + "\n")
				}
			}
		}
		writeData(&out, chunk)
	}
	return out.Bytes()
}

func (anthropic) fault(err *BodyError) []byte {
	raw := err.Raw
	if len(raw) == 0 || raw[0] != '{' {
		raw, _ = marshal(messagesFault{Type: "api_error", Message: err.Provider})
	}
	return append(append([]byte(`{"type":"error","error":`), raw...), '}')
}

// messagesFault is an error in the form of the format.
type messagesFault struct {
	Type     string   `json:"type"`
	Message  string   `json:"message"`
	Code     string   `json:"code,omitempty"`
	Expected []string `json:"expected_tools,omitempty"`
	Account  string   `json:"account,omitempty"`
}

func (anthropic) refusal(told refusalError) ([]byte, error) {
	return marshal(struct {
		Type  string        `json:"type"`
		Error messagesFault `json:"error"`
	}{"error", messagesFault{"invalid_request_error", told.Message, told.Code, told.Expected, told.Account}})
}

// ParseMessagesResponse reads a whole answer in the Messages format. The error is
// a [*BodyError].
func ParseMessagesResponse(body []byte) (guard.Response, error) {
	read, err := readMessagesBody(body)
	return read.response, err
}

// block is one block of an answer.
type block struct {
	kind string
	raw  json.RawMessage // the whole of it
	call int             // which draft it is, for a call; noIndex for a copy
	// In a stream: what it began with, its index, the chunks that carry its
	// pieces, and where the index stands in each.
	at     span
	index  int
	chunks []int
	places map[int]place
}

func (b *block) isCall() bool { return slices.Contains(callKinds, b.kind) }

// callKinds are the kinds of blocks and items by which a client is asked to run
// something.
var callKinds = []string{
	"tool_use", "function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call",
	"computer_call", "functionCall", callBegun,
}

// A call of Gemini's whose arguments come in pieces, and one of these pieces.
const callBegun, callPiece = "functionBegun", "functionPiece"

// isText reports a block that people read.
func (b *block) isText() bool { return b.kind == "text" || b.kind == "message" }
