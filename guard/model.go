package guard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Model is a language model behind any client. Generate must be safe for concurrent use if turns run concurrently,
// and must return when its context ends: a turn waits for it.
//
// An error means that no answer was received or that it could not be read. A refusal, a cut answer or an empty one
// is a [Response], not an error: the guard decides what they are worth.
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

// Streamer is a Model that can also answer piece by piece. The guard uses it when a turn is streamed.
type Streamer interface {
	Model
	// Stream yields pieces of text as they arrive and, as its last value, a Delta whose Response is the whole
	// answer. A stream that ends without one was cut off.
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

// Capable is a Model that says what it can do. A model without this method is taken to do everything that
// Capabilities lists.
type Capable interface {
	Capabilities() Capabilities
}

// Capabilities are what some models or servers cannot do. The zero value can do everything.
type Capabilities struct {
	// Name tells models apart, where several are asked through one guard: one that does not understand requests for
	// proof is not asked any more.
	Name string
	// NoNamedChoice: the server rejects a tool choice that names a tool.
	NoNamedChoice bool
	// NoRequiredChoice: the server rejects the tool choice "required".
	NoRequiredChoice bool
	// NoTools: the model knows nothing of tool calls. Where the guard asks it (Run, Stream, Turn.Model, Wrap) it is
	// told the tools in words, and answers in a format that is read strictly.
	NoTools bool
	// NoLateSystem: system messages are allowed at the beginning only, so corrections speak as the user.
	NoLateSystem bool
}

// cautious are what is expected of a model that could not say: it is asked for nothing special.
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

// Models that know nothing of tool calls get the tools as text and answer in a format of their own. It is read
// strictly: a message is nothing but such blocks, or it is a text like any other. Calls are never guessed from
// prose.
const (
	callOpens  = "TOOL_CALL"
	callCloses = "END_TOOL_CALL"
)

// asText is the request for a model that only reads text.
func asText(request Request) Request {
	manifest := Message{Role: RoleSystem, Text: manifestOf(request.Tools), Internal: true}
	plain := make([]Message, 0, len(request.Messages)+1)
	for _, message := range request.Messages {
		plain = append(plain, messageAsText(message))
	}
	at := 0
	for at < len(plain) && plain[at].Role == RoleSystem {
		at++
	}
	plain = append(plain[:at], append([]Message{manifest}, plain[at:]...)...)
	return Request{Messages: plain}
}

// manifestOf describes tools and the format of a call.
func manifestOf(tools []tooltrack.Tool) string {
	var text strings.Builder
	text.WriteString("You can call tools. To call one, answer with nothing but a block of this form, " +
		"and with several blocks for several calls:\n\n")
	text.WriteString(callOpens + "\n{\"name\": \"the tool\", \"arguments\": {}}\n" + callCloses + "\n\n")
	text.WriteString("The results come with the next message. Without such a block nothing is called. The tools are:\n")
	for _, tool := range tools {
		fmt.Fprintf(&text, "\n- %s: %s\n", tool.Name, tool.Description)
		if len(tool.Parameters) > 0 {
			fmt.Fprintf(&text, "  arguments: %s\n", tool.Parameters)
		}
	}
	return text.String()
}

// messageAsText writes calls and results as the model wrote and reads them. The provider's own form of a message
// with calls is of no use to it.
func messageAsText(message Message) Message {
	switch {
	case message.Role == RoleTool:
		result := fmt.Sprintf("RESULT of %s:\n%s", message.Tool, message.Text)
		return Message{Role: RoleUser, Text: result, Internal: message.Internal}
	case len(message.Calls) > 0:
		var text strings.Builder
		for _, call := range message.Calls {
			name, _ := json.Marshal(call.Tool) // a string always marshals
			fmt.Fprintf(&text, "%s\n{\"name\": %s, \"arguments\": %s}\n%s\n", callOpens, name, call.Args, callCloses)
		}
		return Message{Role: RoleAssistant, Text: text.String(), Internal: message.Internal}
	}
	return message
}

// unreadCall is the tool of a call that names none, for what is told of it.
const unreadCall = "call_tool"

// fromText finds the calls in an answer. A message that begins with a block but does not keep to the format, or has
// one somewhere in it, is a call that the model is told to send again.
func fromText(response Response) Response {
	rest := onlyBlocks(response.Message.Text)
	start := callStart().FindStringIndex(rest)
	if len(response.Message.Calls) > 0 || start == nil {
		return response
	}
	var fault error
	if !strings.HasPrefix(rest, callOpens) { // what stands before it may take it back
		fault = errNotBlocks
		rest = rest[start[0]:]
		rest = rest[strings.Index(rest, callOpens):]
	}
	response.Message.Text, response.Message.Raw = "", nil
	for rest != "" {
		call, behind, err := nextBlock(rest)
		if call.Tool == "" {
			call.Tool = unreadCall
		}
		call.ID = fmt.Sprintf("text_%d", len(response.Message.Calls)+1)
		response.Message.Calls = append(response.Message.Calls, call)
		if !errors.Is(fault, err) { // what is told once is enough
			fault = errors.Join(fault, err)
		}
		rest = strings.TrimSpace(behind)
	}
	if fault == nil {
		return response
	}
	for i := range response.Message.Calls { // one bad block, and the whole message is in doubt
		response.Faults = append(response.Faults, CallFault{i, fault.Error()})
	}
	return response
}

// onlyBlocks is an answer without what is no part of it: line ends of another system, the thoughts that open models
// write first, and a fence around all of it.
func onlyBlocks(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	text = strings.TrimSpace(text[len(thoughts().FindString(text)):])
	if inner := fencedCalls().FindStringSubmatch(text); inner != nil {
		return inner[1]
	}
	return text
}

// form is a pattern that is compiled when a text is first held against it: programs start faster.
func form(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var (
	callStart   = form(`^` + callOpens + `|(?:^|[^_])` + callOpens + `\n`) // not END_TOOL_CALL
	thoughts    = form(`(?s)^<think>.*?</think>`)
	fencedCalls = form("(?s)^```[^\n]*\n\\s*(" + callOpens + ".*" + callCloses + ")\\s*```$")
)

var errNotBlocks = fmt.Errorf("the message is not a sequence of whole %s … %s blocks; send nothing beside them",
	callOpens, callCloses)

// nextBlock reads the first block of a text. Behind a fault nothing is read any more: it would be a guess where the
// next block begins.
func nextBlock(text string) (call tooltrack.Call, behind string, err error) {
	inner, opened := strings.CutPrefix(text, callOpens+"\n")
	inner, behind, closed := strings.Cut(inner, "\n"+callCloses)
	if !opened || !closed || behind != "" && behind[0] != '\n' && behind[0] != '\r' {
		return call, "", errNotBlocks
	}
	args, err := policy.Decode([]byte(inner))
	if err != nil {
		return call, "", fmt.Errorf("the block holds no JSON object with name and arguments: %w", err)
	}
	name, arguments := args.Value("name"), args.Value("arguments")
	if name.Kind() != policy.String || arguments.Kind() != policy.Object || args.Len() != 2 {
		return call, "", fmt.Errorf("the block must hold exactly a name (a string) and arguments (an object)")
	}
	return tooltrack.Call{Tool: name.Text(), Args: arguments.Raw()}, behind, nil
}
