package simmodel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/openai/openai-go/v3/option"
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
	// Faults are those asked for, by [Turn] or by [Options.Faults].
	Faults Faults

	schemas []json.RawMessage // of the tools

	asked string // digest of the person's message; empty if nobody said
	usage bool   // the client wants token counts at the end of a stream
}

// Message is one message of a conversation.
type Message struct {
	Role    string
	Content string
	Calls   []Call
	// CallID is the call that a tool message answers.
	CallID string
}

// Call is a tool call. Arguments are a text, as they are on the wire, so that
// they can be broken.
type Call struct {
	ID        string
	Name      string
	Arguments string
}

const (
	headerAsked  = "Sim-Asked"
	headerFaults = "Sim-Faults"
)

// Turn are options for every model request of one turn: which message the
// person wrote, and which faults are wanted.
func Turn(message string, faults Faults) []option.RequestOption {
	options := []option.RequestOption{option.WithHeader(headerAsked, digest(message))}
	if len(faults) > 0 {
		options = append(options, option.WithHeader(headerFaults, faults.String()))
	}
	return options
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// For returns the request with what the person wrote marked, as [Turn] does on
// the wire.
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

// Corrections is how often the model was told in this turn that its answer will
// not do.
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

// wireRequest is the part of the format that is read.
type wireRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role       string          `json:"role"`
		Content    json.RawMessage `json:"content"`
		ToolCallID string          `json:"tool_call_id"`
		ToolCalls  []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string `json:"name"`
				Arguments string `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name       string          `json:"name"`
			Parameters json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice    json.RawMessage `json:"tool_choice"`
	Stream        bool            `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// readRequest reads a body. What a provider would refuse is an error here, too:
// a client that sends it would fail in production.
func readRequest(body []byte) (Request, error) {
	var wire wireRequest
	if err := json.Unmarshal(body, &wire); err != nil {
		return Request{}, fmt.Errorf("the body is not a request: %w", err)
	}
	if len(wire.Messages) == 0 {
		return Request{}, fmt.Errorf("messages: at least one is needed")
	}
	request := Request{Model: wire.Model, Stream: wire.Stream, usage: wire.StreamOptions.IncludeUsage}
	for i, m := range wire.Messages {
		text, err := readContent(m.Content)
		if err != nil {
			return Request{}, fmt.Errorf("messages[%d].content: %w", i, err)
		}
		message := Message{Role: m.Role, Content: text, CallID: m.ToolCallID}
		for _, call := range m.ToolCalls {
			message.Calls = append(message.Calls,
				Call{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
		}
		request.Messages = append(request.Messages, message)
	}
	for _, tool := range wire.Tools {
		request.offer(tool.Function.Name, tool.Function.Parameters)
	}
	var err error
	if request.Choice, err = readChoice(wire.ToolChoice, request.Tools); err != nil {
		return Request{}, err
	}
	return request, checkAnswered(request.Messages)
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

// readContent reads a text, or the text parts of a list.
func readContent(content json.RawMessage) (string, error) {
	if len(content) == 0 || string(content) == "null" {
		return "", nil
	}
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text, nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(content, &parts); err != nil {
		return "", fmt.Errorf("neither a text nor a list of parts")
	}
	for _, part := range parts {
		text += part.Text
	}
	return text, nil
}

func readChoice(choice json.RawMessage, tools []string) (string, error) {
	if len(choice) == 0 || string(choice) == "null" {
		return "auto", nil
	}
	var word string
	if json.Unmarshal(choice, &word) == nil {
		return word, nil
	}
	var named struct {
		Name     string `json:"name"` // in the Responses format
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	err := json.Unmarshal(choice, &named)
	if named.Function.Name != "" {
		named.Name = named.Function.Name
	}
	if err != nil || !slices.Contains(tools, named.Name) {
		return "", fmt.Errorf("tool_choice: it names no tool of the request")
	}
	return named.Name, nil
}

// checkAnswered refuses a conversation in which a call has no result, as
// providers do.
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
