// Package provider is a model server on loopback that speaks the wire formats and enforces
// the rules that each provider documents, for tests.
package provider

import (
	"cmp"
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

// Provider is a model server on loopback that answers from a script, in the format in which it is
// asked: chat completions, Responses, Messages, Gemini's or Ollama's, whole or in pieces. It
// refuses what the real servers refuse, with their status and in their form: a call without its
// result, a thought that has changed by a byte, a choice that is forced on a model that thinks.
type Provider struct {
	// URL is the server's address, without a path.
	URL string

	render render

	mu     sync.Mutex
	script []Step
	asked  []Received
	serial int

	// What earlier answers hold, and later requests have to bring back as it was: thoughts and
	// signatures, by what they belong to.
	issued map[string]string
	paused bool                // Messages: the last answer may be gone on with
	stored map[string][]string // Responses: calls without a result, by the response or the conversation
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

// ErrScriptEnded is returned by a model that is asked more often than its script has answers.
var ErrScriptEnded = errors.New("the script has no more answers")

// statusError is an answer with a status instead of a message. Clients that follow the server's
// advice wait a millisecond before they try again.
type statusError int

func (e statusError) Error() string {
	return fmt.Sprintf("status %d %s", int(e), http.StatusText(int(e)))
}

// Status is an answer without a message, such as 529 of a server that is overloaded.
func Status(code int) Step { return Step{Err: statusError(code)} }

// New starts a server that gives these answers in this order. It ends with the test.
func New(t testing.TB, steps ...Step) *Provider {
	t.Helper()
	p := &Provider{
		render: newRender(), script: steps, issued: map[string]string{}, stored: map[string][]string{},
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

// wireFormat is one of the formats that a provider speaks. Its answers are the templates of its
// name in the folder answers.
type wireFormat struct {
	name string
	// read reads a request, or names the rule of the format that it breaks. What becomes of calls
	// is checked for all: unanswered says that some have no result, and stray that a result has
	// no call. Ordered formats want results in the order of their calls.
	read              func(p *Provider, body []byte) (dialogue, error)
	unanswered, stray string
	ordered           bool
	// prepare looks at what the request asks of the answer, and remembers what later requests
	// have to fit; it may be nil.
	prepare func(p *Provider, body []byte, a *answer)
	// stops are what an answer ends with, and called what one with calls does.
	stops  map[guard.Stop]string
	called string
	// streams says how an answer in pieces is asked for, and separates how it is written.
	streams  func(r *http.Request, wanted *bool) bool
	separate func(w http.ResponseWriter, r *http.Request, events []string)
}

func streamsIfWanted(_ *http.Request, wanted *bool) bool { return wanted != nil && *wanted }

var (
	geminiFormat = wireFormat{
		name: "gemini", read: readGemini, prepare: prepareGemini, ordered: true,
		unanswered: "please ensure that the number of function response parts is equal to that of function call parts: %v",
		stray:      "the function response %q does not belong to a call",
		stops:      map[guard.Stop]string{guard.StopEnd: "STOP", guard.StopCut: "MAX_TOKENS", guard.StopFiltered: "SAFETY"},
		streams:    func(r *http.Request, _ *bool) bool { return strings.HasSuffix(r.URL.Path, ":streamGenerateContent") },
		separate: func(w http.ResponseWriter, r *http.Request, events []string) {
			if r.URL.Query().Get("alt") != "sse" {
				writeJSON(w, http.StatusOK, "["+strings.Join(events, ",")+"]")
			} else {
				writeEvents(w, r, events)
			}
		},
	}
	chatStops = map[guard.Stop]string{
		guard.StopEnd: "stop", guard.StopCut: "length", guard.StopFiltered: "content_filter",
	}
	wireFormats = map[string]wireFormat{ // by the end of the path
		"/chat/completions": {
			name: "chat", read: readChat, prepare: prepareChat, stops: chatStops, called: "tool_calls",
			unanswered: "an assistant message with 'tool_calls' must be followed by tool messages responding to each: %v",
			stray:      "messages with role 'tool' must be a response to a preceding message with 'tool_calls': %q",
			streams:    streamsIfWanted, separate: writeEvents,
		},
		"/responses": {
			name: "responses", read: readResponses, prepare: prepareResponses,
			unanswered: "no tool output found for function call %v",
			stray:      "no tool call found for function call output with call_id %s",
			stops:      map[guard.Stop]string{guard.StopCut: "max_output_tokens", guard.StopFiltered: "content_filter"},
			streams:    streamsIfWanted, separate: writeEvents,
		},
		"/messages": {
			name: "messages", read: readMessages, prepare: prepareMessages, called: "tool_use", ordered: true,
			unanswered: "`tool_use` ids were found without `tool_result` blocks immediately after: %v",
			stray:      "unexpected `tool_use_id` found in `tool_result` blocks: %s",
			stops: map[guard.Stop]string{
				guard.StopEnd: "end_turn", guard.StopCut: "max_tokens", guard.StopFiltered: "refusal",
				guard.StopRefused: "refusal", guard.StopPaused: "pause_turn",
			},
			streams: streamsIfWanted, separate: writeEvents,
		},
		":generateContent": geminiFormat, ":streamGenerateContent": geminiFormat,
		"/api/chat": {
			name: "ollama", read: readOllama, stops: chatStops,
			streams: func(_ *http.Request, wanted *bool) bool { return wanted == nil || *wanted },
			separate: func(w http.ResponseWriter, _ *http.Request, events []string) {
				w.Header().Set("Content-Type", "application/x-ndjson")
				_, _ = io.WriteString(w, strings.Join(events, "\n")+"\n") // a client that has gone away hears nothing
			},
		},
	}
)

// ServeHTTP answers one request.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var format wireFormat
	for path, known := range wireFormats {
		if strings.HasSuffix(r.URL.Path, path) {
			format = known
		}
	}
	if err != nil || format.name == "" || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := Received{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	said, err := format.read(p, body)
	if err = cmp.Or(err, format.holdTogether(&said)); err != nil {
		asked.Refused = err.Error()
	}
	p.asked = append(p.asked, asked)
	if asked.Refused != "" {
		p.fail(w, &format, http.StatusBadRequest, asked.Refused)
		return
	}
	p.answer(w, r, &format, body)
}

// fail answers with an error.
func (p *Provider) fail(w http.ResponseWriter, format *wireFormat, status int, message string) {
	fault := map[string]any{"Status": status, "Message": message}
	writeJSON(w, status, p.render(format.name+" fault", fault)[0])
}

func (p *Provider) answer(w http.ResponseWriter, r *http.Request, format *wireFormat, body []byte) {
	if len(p.script) == 0 {
		w.Header().Set("X-Should-Retry", "false")
		p.fail(w, format, http.StatusTeapot, ErrScriptEnded.Error())
		return
	}
	step := p.script[0]
	p.script = p.script[1:]
	if step.Do != nil {
		step.Do(r.Context(), guard.Request{})
	}
	var status statusError
	switch {
	case errors.As(step.Err, &status):
		w.Header().Set("Retry-After-Ms", "1")
		p.fail(w, format, int(status), status.Error())
		return
	case step.Err != nil:
		panic(http.ErrAbortHandler) // the connection breaks
	}
	p.serial++
	var asked struct{ Stream *bool }
	_ = json.Unmarshal(body, &asked) // it has been checked
	said := format.said(p.serial, step.Response)
	said.Streams = format.streams(r, asked.Stream)
	if format.prepare != nil {
		format.prepare(p, body, said)
	}
	if said.Streams {
		format.separate(w, r, p.render(format.name+" events", said))
		return
	}
	writeJSON(w, http.StatusOK, p.render(format.name+" whole", said)[0])
}

func writeJSON(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // a client that has gone away hears nothing
}

// writeEvents writes server-sent events under their names, if they have a type.
func writeEvents(w http.ResponseWriter, _ *http.Request, events []string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range events {
		var named struct{ Type string }
		if json.Unmarshal([]byte(event), &named) == nil && named.Type != "" {
			fmt.Fprintf(w, "event: %s\n", named.Type)
		}
		fmt.Fprintf(w, "data: %s\n\n", event)
		if flusher, ok := w.(http.Flusher); ok {
			flusher.Flush()
		}
	}
}
