package simmodel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
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
