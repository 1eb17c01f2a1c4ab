package simmodel

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/template"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// Options tune a [Server]. Nil is the default.
type Options struct {
	// Slow is how much longer it takes with the fault slow. Default: 1.5 s.
	Slow time.Duration
	// Observe is shown the body of every request. Default: nothing is observed.
	Observe func(body []byte)
}

// Server is a simulated model at work.
type Server struct {
	// URL is the base URL for a client: "http://127.0.0.1:…/v1/".
	URL string

	behaviour Behaviour
	options   Options
	stop      func()
}

// Start serves a behaviour on a free port of the loopback interface.
func Start(behaviour Behaviour, options *Options) (*Server, error) {
	s := &Server{behaviour: behaviour}
	if options != nil {
		s.options = *options
	}
	if s.options.Slow == 0 {
		s.options.Slow = 1500 * time.Millisecond
	}
	mux := http.NewServeMux()
	for pattern, f := range formats {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.complete(w, r, f) })
	}
	address, stop, err := serving.Start(mux)
	if err != nil {
		return nil, fmt.Errorf("starting the simulated model: %w", err)
	}
	s.URL, s.stop = "http://"+address+"/v1/", stop
	return s, nil
}

// Close ends the server. Requests under way are cut off after two seconds.
func (s *Server) Close() error {
	s.stop()
	return nil
}

const maxBody = 16 << 20

func (s *Server) complete(w http.ResponseWriter, r *http.Request, f format) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, "invalid_request_error", err.Error())
		return
	}
	if s.options.Observe != nil {
		s.options.Observe(body)
	}
	request, err := readRequest(f.of, body)
	if err != nil {
		fail(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	if strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
		request.Stream = true
	}
	request.asked = r.Header.Get(headerAsked)
	if named := r.Header.Get(headerFaults); named != "" {
		request.Faults = strings.Split(named, ",")
	}
	answer := s.answer(r.Context(), request)
	if !sleep(r.Context(), answer.Delay) {
		return // the client has left
	}
	if answer.Status != 0 {
		fail(w, answer.Status, "server_error", "The server had an error while processing your request.")
		return
	}
	f.write(w, request, answer)
}

// answer asks the behaviour and plays the faults of the server.
func (s *Server) answer(ctx context.Context, request Request) Answer {
	if request.Faults.Has("http-500") {
		return Answer{Status: http.StatusInternalServerError}
	}
	answer := s.behaviour(ctx, request)
	if request.Faults.Has("slow") {
		answer.Delay += s.options.Slow
	}
	for i := range answer.Calls {
		if answer.Calls[i].ID == "" { // unique in the conversation, and the same in every run
			answer.Calls[i].ID = fmt.Sprintf("call_%d_%d", len(request.Messages), i)
		}
	}
	return answer
}

func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func fail(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(
		map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": nil}})
}

//go:embed formats.tmpl
var formatsText string

// answers are what an answer looks like in each format, by its name.
var answers = template.Must(template.New("").Funcs(template.FuncMap{"json": func(text string) (string, error) {
	written, err := json.Marshal(text)
	return string(written), err
}}).Parse(formatsText))

// format is one of the wire formats that the server speaks: how requests are read, and the name of
// its answers. Its events are those by which chatwire says the same.
type format struct {
	of   chatwire.Format
	name string
}

var formats = map[string]format{
	"POST /v1/chat/completions":    {chatwire.ChatCompletions, "chat"},
	"POST /v1/responses":           {chatwire.Responses, "responses"},
	"POST /v1/messages":            {chatwire.Messages, "messages"},
	"POST /v1beta/models/{method}": {chatwire.Gemini, "gemini"},
	"POST /api/chat":               {chatwire.Ollama, "ollama"},
}

// said is an answer as the templates write it. Words are counted where a provider counts tokens.
type said struct {
	Answer
	Model             string
	N, In, Out, Total int
	Created           int
}

func saidTo(request *Request, answer Answer) said {
	s := said{Answer: answer, Model: request.Model, N: len(request.Messages), Created: 1770508800} // the same in every run
	s.Out = len(strings.Fields(answer.Text))
	for _, message := range request.Messages {
		s.In += len(strings.Fields(message.Content))
	}
	for _, call := range answer.Calls {
		s.Out += 1 + len(strings.Fields(call.Arguments))
	}
	s.Total = s.In + s.Out
	return s
}

// Speaks reports whether an answer has words, or nothing else.
func (s said) Speaks() bool { return s.Text != "" || len(s.Calls) == 0 }

// Stop is why chat completions say that the answer ended.
func (s said) Stop() string {
	if len(s.Calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// write answers in the format, whole or streamed.
func (f format) write(w http.ResponseWriter, request Request, answer Answer) {
	var whole, body bytes.Buffer
	said := saidTo(&request, answer)
	err := errors.Join(answers.ExecuteTemplate(&whole, f.name, said), json.Compact(&body, whole.Bytes()))
	if err != nil { // arguments that are broken, in a format that has them as JSON
		fail(w, http.StatusInternalServerError, "server_error", err.Error())
		return
	}
	kind, sent := "application/json", body.Bytes()
	switch {
	case request.Stream && f.of == chatwire.ChatCompletions:
		kind, sent = "text/event-stream", said.chatEvents()
	case request.Stream:
		kind, sent = f.of.EncodeStream(sent)
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(sent) // a client that has gone away hears nothing
}

// chatEvents are an answer a word at a time, and every call's arguments in pieces, as providers send them.
func (s said) chatEvents() []byte {
	var events bytes.Buffer
	type object = map[string]any
	send := func(delta object, finish, usage any) {
		choice := object{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}
		data, _ := json.Marshal(object{ // strings and numbers can always be written
			"id": fmt.Sprintf("chatcmpl-sim-%d", s.N), "object": "chat.completion.chunk", "created": s.Created,
			"model": s.Model, "choices": []object{choice}, "usage": usage,
		})
		fmt.Fprintf(&events, "data: %s\n\n", data)
	}
	send(object{"role": "assistant"}, nil, nil)
	for piece := range strings.SplitAfterSeq(s.Text, " ") {
		send(object{"content": piece}, nil, nil)
	}
	for i, call := range s.Calls {
		named := object{"name": call.Name, "arguments": ""}
		send(object{"tool_calls": []object{{"index": i, "id": call.ID, "type": "function", "function": named}}}, nil, nil)
		for piece := range strings.SplitAfterSeq(call.Arguments, ":") {
			send(object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, nil, nil)
		}
	}
	usage := object{"prompt_tokens": s.In, "completion_tokens": s.Out, "total_tokens": s.Total}
	send(object{}, s.Stop(), usage)
	events.WriteString("data: [DONE]\n\n")
	return events.Bytes()
}
