// Package provider is a model server on loopback that speaks the wire formats and enforces
// the rules that each provider documents, for tests.
package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
)

// Provider is a model server on loopback that answers from a script, in the
// format in which it is asked: chat completions, Responses, Messages, Gemini's or Ollama's,
// whole or in pieces. It refuses what the real servers refuse, with their status and in
// their form: a call without its result, a result without its call, a thought
// that has changed by a byte, a choice that is forced on a model that thinks.
type Provider struct {
	// URL is the server's address, without a path.
	URL string

	mu     sync.Mutex
	script []Step
	asked  []Received
	serial int

	thoughts map[string]json.RawMessage // Messages: thoughts by their signature or data
	led      map[string][]string        // Messages: the thoughts that led to a call, by its id
	paused   bool                       // Messages: the last answer may be gone on with
	stored   map[string]storedItems     // Responses: what was kept, by the response or the conversation
	signed   map[string]string          // Gemini: the signatures of calls, by the id of the call
	items    map[string]string          // Responses: items by their id, each with that of the thought before it
}

// Received is one request that a [Provider] got.
type Received struct {
	// Path and Header are those of the request.
	Path   string
	Header http.Header
	// Body is what the client said.
	Body json.RawMessage
	// Refused is the rule of the format that the request broke.
	Refused string
}

// Step is one answer of a script.
type Step struct {
	// Response is what the model answers, unless Err is set.
	Response guard.Response
	Err      error
	// Do, if set, is called first and may look at the request, block or panic.
	Do func(ctx context.Context, request guard.Request)
}

// ErrScriptEnded is returned by a model that is asked more often than its script has
// answers.
var ErrScriptEnded = errors.New("the script has no more answers")

// StatusError is a step of a script in which a [Provider] answers with a status
// instead of a message. Clients that follow the server's advice wait a
// millisecond before they try again.
type StatusError struct {
	// Code is the status.
	Code int
}

// Error names the status.
func (e *StatusError) Error() string {
	return fmt.Sprintf("status %d %s", e.Code, http.StatusText(e.Code))
}

// Status is an answer without a message, such as 529 of a server that is
// overloaded.
func Status(code int) Step { return Step{Err: &StatusError{code}} }

// New starts a server that gives these answers in this order. It ends
// with the test.
func New(t testing.TB, steps ...Step) *Provider {
	t.Helper()
	p := &Provider{
		script: steps, thoughts: map[string]json.RawMessage{}, led: map[string][]string{},
		stored: map[string]storedItems{}, items: map[string]string{}, signed: map[string]string{},
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// Add adds answers to the script.
func (p *Provider) Add(steps ...Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.script = append(p.script, steps...)
}

// Restart replaces what is left of the script.
func (p *Provider) Restart(steps ...Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.script = steps
}

// Received are the requests so far, in their order.
func (p *Provider) Received() []Received {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// Refused are the rules that requests have broken so far.
func (p *Provider) Refused() []string {
	var refused []string
	for _, asked := range p.Received() {
		if asked.Refused != "" {
			refused = append(refused, asked.Refused)
		}
	}
	return refused
}

// wireFormat is one of the formats that a provider speaks.
type wireFormat interface {
	// check names the rule that a request breaks.
	check(p *Provider, body []byte) error
	// whole is an answer in one piece.
	whole(p *Provider, body []byte, said guard.Response) any
	// events are the events of the same answer.
	events(p *Provider, body []byte, said guard.Response) []any
	// fault is an error.
	fault(status int, message string) any
}

var wireFormats = map[string]wireFormat{
	"/chat/completions": chatFormat{}, "/messages": messagesFormat{}, "/responses": responsesFormat{},
	":generateContent": geminiFormat{}, ":streamGenerateContent": geminiFormat{}, "/api/chat": ollamaFormat{},
}

// ServeHTTP answers one request.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var format wireFormat
	for path, known := range wireFormats {
		if strings.HasSuffix(r.URL.Path, path) {
			format = known
		}
	}
	if err != nil || format == nil || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := Received{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	if err := format.check(p, body); err != nil {
		asked.Refused = err.Error()
	}
	p.asked = append(p.asked, asked)
	if asked.Refused != "" {
		writeJSON(w, http.StatusBadRequest, format.fault(http.StatusBadRequest, asked.Refused))
		return
	}
	p.answer(w, r, format, body)
}

func (p *Provider) answer(w http.ResponseWriter, r *http.Request, format wireFormat, body []byte) {
	if len(p.script) == 0 {
		w.Header().Set("X-Should-Retry", "false")
		writeJSON(w, http.StatusTeapot, format.fault(http.StatusTeapot, ErrScriptEnded.Error()))
		return
	}
	step := p.script[0]
	p.script = p.script[1:]
	if step.Do != nil {
		step.Do(r.Context(), guard.Request{})
	}
	var status *StatusError
	switch {
	case errors.As(step.Err, &status):
		w.Header().Set("Retry-After-Ms", "1")
		writeJSON(w, status.Code, format.fault(status.Code, status.Error()))
		return
	case step.Err != nil:
		panic(http.ErrAbortHandler) // the connection breaks
	}
	p.serial++
	said := step.Response
	said.Message.Calls = slices.Clone(said.Message.Calls)
	for i := range said.Message.Calls { // no provider gives an id twice
		said.Message.Calls[i].ID += fmt.Sprintf("_%d", p.serial)
	}
	events := func() []any { return format.events(p, body, said) }
	switch streamed, alt := wantsStream(r, body), r.URL.Query().Get("alt"); {
	case !streamed:
		writeJSON(w, http.StatusOK, format.whole(p, body, said))
		return
	case format == wireFormat(ollamaFormat{}):
		w.Header().Set("Content-Type", "application/x-ndjson")
		for _, event := range events() {
			_, _ = w.Write(append(marshalled(event), '\n')) // a client that has gone away hears nothing
		}
		return
	case format == wireFormat(geminiFormat{}) && alt != "sse":
		writeJSON(w, http.StatusOK, events())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events() {
		writeEvent(w, event)
	}
}

// wantsStream reports whether a client wants its answer in pieces: it says so in the body,
// or in the path, and Ollama's clients say where they do not.
func wantsStream(r *http.Request, body []byte) bool {
	var asked struct{ Stream *bool }
	_ = json.Unmarshal(body, &asked) // it has been checked
	switch {
	case strings.HasSuffix(r.URL.Path, "/api/chat"):
		return asked.Stream == nil || *asked.Stream
	case strings.HasSuffix(r.URL.Path, ":streamGenerateContent"):
		return true
	}
	return asked.Stream != nil && *asked.Stream
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(marshalled(value)) // a client that has gone away hears nothing
}

// writeEvent writes an event under its name, if it has a type, as servers of the
// newer formats do. A string is written as it is.
func writeEvent(w http.ResponseWriter, event any) {
	data, marker := event.(string)
	if !marker {
		data = string(marshalled(event))
		if named, ok := event.(object); ok && named["type"] != nil {
			fmt.Fprintf(w, "event: %s\n", named["type"])
		}
	}
	fmt.Fprintf(w, "data: %s\n\n", data)
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
}

// object is a JSON object on its way out.
type object = map[string]any

// pieces cuts a text as servers do, somewhere inside.
func pieces(text string) []string {
	if len(text) < 4 {
		return []string{text}
	}
	return strings.SplitAfterN(text, text[len(text)/2:len(text)/2+1], 3)
}

// offered refuses to choose a tool that is not there.
func offered(names []string, name string) error {
	if !slices.Contains(names, name) {
		return fmt.Errorf("tool_choice: tool %q not found in tools", name)
	}
	return nil
}
