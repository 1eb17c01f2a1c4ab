package simmodel

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// Request is what a client asks, read from the wire.
type Request struct {
	Model    string
	Messages []Message
	// Tools are the names of the tools that are offered, in order.
	Tools []string
	// Choice is "auto", "none", "required" or the name of a tool.
	Choice string
	Stream bool
	// Faults are those asked for, by [Turn].
	Faults Faults

	schemas []json.RawMessage // of the tools

	asked string // digest of the person's message; empty if nobody said
}

// Message is one message of a conversation.
type Message struct {
	Role    string
	Content string
	Calls   []Call
	// CallID is the call that a tool message answers.
	CallID string
}

// Call is a tool call. Arguments are a text, as they are on the wire, so that they can be broken.
type Call struct {
	ID        string
	Name      string
	Arguments string
}

const (
	headerAsked  = "Sim-Asked"
	headerFaults = "Sim-Faults"
)

// Turn is the header of every model request of one turn: which message the person wrote, and the faults wanted.
func Turn(message string, faults Faults) http.Header {
	header := http.Header{}
	header.Set(headerAsked, digest(message))
	if len(faults) > 0 {
		header.Set(headerFaults, faults.String())
	}
	return header
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// For returns the request with what the person wrote marked, as [Turn] does on the wire.
func (r Request) For(message string) Request {
	r.asked = digest(message)
	return r
}

// start is the index of the message that the person wrote last.
func (r *Request) start() int {
	last := -1
	for i, message := range slices.Backward(r.Messages) {
		if message.Role != "user" {
			continue
		}
		if r.asked == "" || digest(message.Content) == r.asked {
			return i
		}
		last = max(last, i)
	}
	return last
}

// Asked is the message that the person wrote last; corrections are not it.
func (r *Request) Asked() string {
	if i := r.start(); i >= 0 {
		return r.Messages[i].Content
	}
	return ""
}

// Before are the messages before the one that is being answered.
func (r *Request) Before() []Message { return r.Messages[:max(r.start(), 0)] }

// Since are the messages of the turn, after the person's own.
func (r *Request) Since() []Message { return r.Messages[min(r.start()+1, len(r.Messages)):] }

// Corrections is how often the model was told in this turn that its answer will not do.
func (r *Request) Corrections() int {
	n := 0
	for _, message := range r.Since() {
		if message.Role == "user" || message.Role == "system" {
			n++
		}
	}
	return n
}

// System is the text of all system messages before the person's message.
func (r *Request) System() string {
	text := ""
	for _, message := range r.Before() {
		if message.Role == "system" {
			text += message.Content + "\n"
		}
	}
	return text
}

// Result is a call of this turn and what the tool answered.
type Result struct {
	Call Call
	Text string
}

// Results are the calls of this turn that were answered, in order.
func (r *Request) Results() []Result {
	var calls []Call
	var results []Result
	for _, message := range r.Since() {
		calls = append(calls, message.Calls...)
		if message.Role != "tool" {
			continue
		}
		for _, call := range slices.Backward(calls) {
			if call.ID == message.CallID {
				results = append(results, Result{Call: call, Text: message.Content})
				break
			}
		}
	}
	return results
}

// readRequest reads a body as the guard reads it: what is tried here are the clients. What a
// provider would refuse is an error here, too: a client that sends it would fail in production.
func readRequest(format chatwire.Format, body []byte) (Request, error) {
	parsed, err := format.ParseRequest(body)
	if err != nil {
		return Request{}, err
	}
	var more struct {
		Model     string `json:"model"`
		MaxTokens int    `json:"max_tokens"`
		Previous  string `json:"previous_response_id"`
	}
	if err := json.Unmarshal(body, &more); err != nil {
		return Request{}, fmt.Errorf("the body is not a request: %w", err)
	}
	switch {
	case len(parsed.Messages) == 0:
		return Request{}, errors.New("messages: at least one is needed")
	case more.Previous != "":
		return Request{}, errors.New("previous_response_id: nothing is kept here; send the whole input")
	case format == chatwire.Messages && more.MaxTokens <= 0:
		return Request{}, errors.New("max_tokens: a number is needed")
	}
	request := Request{
		Model: cmp.Or(more.Model, "sim"), Stream: parsed.Stream, Choice: parsed.Choice.String(),
	}
	for _, tool := range parsed.Tools {
		request.offer(tool.Name, tool.Parameters)
	}
	request.readMessages(parsed.Messages, format == chatwire.Gemini || format == chatwire.Ollama)
	return request, checkAnswered(request.Messages)
}

// readMessages reads the conversation. In some formats calls need no id, and are answered in their order.
func (r *Request) readMessages(messages []guard.Message, inOrder bool) {
	var last []Call
	for _, message := range messages {
		read := Message{Role: string(message.Role), Content: message.Text, CallID: message.CallID}
		for i, call := range message.Calls {
			id := cmp.Or(call.ID, fmt.Sprintf("call_%d_%d", len(r.Messages), i))
			read.Calls = append(read.Calls, Call{ID: id, Name: call.Tool, Arguments: string(call.Args)})
		}
		if len(read.Calls) > 0 {
			last = read.Calls
		}
		if message.Role == guard.RoleTool && inOrder && len(last) > 0 {
			read.CallID, last = last[0].ID, last[1:]
		}
		r.Messages = append(r.Messages, read)
	}
}

func (r *Request) offer(tool string, schema json.RawMessage) {
	r.Tools, r.schemas = append(r.Tools, tool), append(r.schemas, schema)
}

// Schema is the JSON schema of a tool's arguments; nil if it has none.
func (r *Request) Schema(tool string) json.RawMessage {
	if i := slices.Index(r.Tools, tool); i >= 0 {
		return r.schemas[i]
	}
	return nil
}

// checkAnswered refuses a conversation in which a call has no result, as providers do.
func checkAnswered(messages []Message) error {
	open := map[string]bool{}
	for i, message := range messages {
		if message.Role == "tool" {
			if !open[message.CallID] {
				return fmt.Errorf("messages[%d]: tool_call_id %q belongs to no call before it", i, message.CallID)
			}
			delete(open, message.CallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("messages[%d]: a call before it has no tool message", i)
		}
		for _, call := range message.Calls {
			open[call.ID] = true
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("messages: the last calls have no tool messages")
	}
	return nil
}
