package guard

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Role is who speaks in a [Message].
type Role string

// The four roles that every provider knows, by the names most of them use.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one message of a conversation, whatever the provider calls its parts.
type Message struct {
	// Role is who speaks.
	Role Role
	// Text is what the message says; for a tool message the result.
	Text string
	// Calls are the tool calls that an assistant message proposes, in order.
	Calls []tooltrack.Call
	// CallID and Tool say which call a tool message answers.
	CallID string
	Tool   string
	// Failed marks a tool message whose call did not succeed, for formats that have a flag for it. Its text says
	// so, too.
	Failed bool
	// Parts are what a tool message holds besides its text; see [Attach]. Formats that know no such parts leave
	// them out.
	Parts []Part
	// Seen are calls that the provider ran by itself while it wrote an assistant message, such as web searches,
	// with what came of them. They are evidence like calls of the turn, graded [tooltrack.Seen].
	Seen []*tooltrack.Record
	// Shows is what an assistant message without a text holds instead, such as "image"; empty if it holds nothing
	// else. Such a message claims nothing.
	Shows string
	// Raw is the provider's own message. It is replayed untouched where it is given: some providers refuse a
	// message that was taken apart and rebuilt.
	Raw json.RawMessage
	// Internal marks what the guard said to the model. People do not see it.
	Internal bool
	// Beside marks a user's text that shares one message with results, in formats that allow it. Frameworks write
	// most of these, so it begins a turn only if it asks for something.
	Beside bool
}

// lastText is what the assistant said last.
func lastText(messages []Message) string {
	for _, message := range slices.Backward(messages) {
		if message.Role == RoleAssistant && message.Text != "" {
			return message.Text
		}
	}
	return ""
}

// Request is what a [Model] is asked. It always carries the tools: a model that was never offered a tool cannot be
// blamed for not calling it.
type Request struct {
	// Messages are the conversation, oldest first.
	Messages []Message
	// Tools are those that may be called.
	Tools []tooltrack.Tool
	// Choice says how free the model is in calling them.
	Choice Choice
	// Report is true when the answer is a report for the guard, not for people. A response format that the client
	// asked for does not apply to it.
	Report bool
}

// Choice says how free the model is in calling tools. The zero value leaves it to the model.
type Choice struct {
	// Mode is the degree of freedom.
	Mode ChoiceMode
	// Tool is the tool that [ChooseNamed] names.
	Tool string
}

// String is the choice as it is logged: "auto", "required", "none" or the name of the tool.
func (c Choice) String() string {
	switch c.Mode {
	case ChooseRequired:
		return "required"
	case ChooseNamed:
		return c.Tool
	case ChooseNone:
		return "none"
	default:
		return "auto"
	}
}

// narrowed is the choice of a request that a loop makes, where a guard would have its own instead. A loop that
// leaves it to the model, or to a call of whichever tool, leaves it to the guard, too.
func (c Choice) narrowed(own Choice) Choice {
	if c.Mode == ChooseAuto || c.Mode == ChooseRequired && own.Mode == ChooseNamed {
		return own
	}
	return c
}

// ChoiceMode is one of four degrees of freedom.
type ChoiceMode uint8

const (
	// ChooseAuto leaves it to the model whether to call a tool.
	ChooseAuto ChoiceMode = iota
	// ChooseRequired asks for a call of any tool.
	ChooseRequired
	// ChooseNamed asks for a call of one tool.
	ChooseNamed
	// ChooseNone forbids calls.
	ChooseNone
)

// Response is what a [Model] answered.
type Response struct {
	// Message is the assistant's message: text, calls, or both.
	Message Message
	// Stop says why the model stopped. It never proves that work was done, but a message that was cut off proves
	// that it is not whole.
	Stop Stop
	// Refusal is the provider's own field for a refusal, where it has one.
	Refusal string
	// Faults are calls of the message that could not be read. They never run, and the model is told why.
	Faults []CallFault
	// Usage is what the provider counted.
	Usage Usage
	// Raw is the provider's whole answer, for those who hand it on.
	Raw json.RawMessage
}

// CallFault says why a call of a response cannot run, whatever its tool.
type CallFault struct {
	// Call is the index in the message's calls.
	Call int
	// Reason is written for the model.
	Reason string
}

// Usage counts tokens.
type Usage struct {
	Input, Output int     // tokens of the request and of the answer
	Money         float64 // what they cost by [Budgets].Prices; the guard sets it
}

// Stop is why a model stopped. The zero value is a message that is whole.
type Stop uint8

const (
	// StopEnd is a message that is whole, with or without calls.
	StopEnd Stop = iota
	// StopCut is a message that a limit or a broken stream cut off.
	StopCut
	// StopFiltered is a message that a content filter withheld or cut.
	StopFiltered
	// StopRefused is a refusal by the provider, not one worded by the model.
	StopRefused
	// StopPaused is a message that the provider wants to continue later.
	StopPaused
)

var stopNames = [...]string{"end", "cut", "filtered", "refused", "paused"}

// String is the name used in logs and errors.
func (s Stop) String() string {
	if int(s) < len(stopNames) {
		return stopNames[s]
	}
	return fmt.Sprintf("stop(%d)", uint8(s))
}

// Whole reports whether the message is all that the model meant to say. Nothing that may change the world runs from
// one that is not.
func (s Stop) Whole() bool { return s == StopEnd }

// MaxCalls is the most calls that a message may hold, whichever way it comes. A message with more is broken or
// hostile: none of its calls runs, the first of them is on record and tells the model why.
const MaxCalls = 64

// Part is a piece of a tool's result that is not text: an image, a recording, a document.
type Part struct {
	// MediaType says what it is, such as "image/png".
	MediaType string
	// Data are its bytes. Without them URI says where it lies.
	Data []byte
	URI  string
	// Name is that of a file, if it has one.
	Name string
}

const (
	// maxParts and maxPartBytes bound what a call may attach.
	maxParts     = 16
	maxPartBytes = 16 << 20
)

// Attach adds parts to the result of the call that runs in this context, for the model to see besides its text.
// They are not evidence, and the ledger does not keep them. It reports whether they were taken: a context without a
// call has no place for them, and a call has room for 16 parts of 16 MiB in all.
func Attach(ctx context.Context, parts ...Part) bool {
	if ctx == nil {
		return false
	}
	a, running := ctx.Value(attachmentsKey{}).(*attachments)
	return running && a.add(parts)
}

type attachmentsKey struct{}

// attachments are the parts of one call. The tool may outlive its call.
type attachments struct {
	mu    sync.Mutex
	parts []Part
	size  int
}

func (a *attachments) add(parts []Part) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	size := a.size
	for _, part := range parts {
		size += len(part.Data)
	}
	if len(a.parts)+len(parts) > maxParts || size > maxPartBytes {
		return false
	}
	a.parts, a.size = append(a.parts, parts...), size
	return true
}

// taken are the parts so far. What comes later has no message to stand in.
func (a *attachments) taken() []Part {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.parts)
}

// What a model may answer. More is broken or hostile, and would only be held, read and stored at the host's
// expense.
const (
	// maxText is the longest text of an answer, in bytes.
	maxText = 1 << 20
	// maxArguments bounds the arguments of all calls of an answer, in bytes.
	maxArguments = 8 << 20
	// maxTold is how many calls are answered; a message with even more is a fault of the provider.
	maxTold = 1024
)
