package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// eventStream writes server-sent events.
type eventStream struct {
	mu sync.Mutex
	w  http.ResponseWriter
}

func (s *eventStream) send(event string, data []byte) {
	s.write(fmt.Sprintf("event: %s\ndata: %s\n\n", event, bytes.ReplaceAll(data, []byte("\n"), []byte(" "))))
}

// write sends a piece at once. A client that has left ends the turn through its
// context, so nothing is to be done about it here.
func (s *eventStream) write(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.w.Write([]byte(text)); err == nil {
		_ = http.NewResponseController(s.w).Flush()
	}
}

// keepAlive is how often a quiet stream gets a comment, so that proxies do not
// take it for dead.
const keepAlive = 10 * time.Second

// chatEvents answers with progress as it happens, and the response at the end:
//
//	event: progress
//	data: {"event":"calling","tool":"delete_task"}
//
//	event: reply
//	data: {"conversation_id":…}
func (a *api) chatEvents(w http.ResponseWriter, r *http.Request, request chatRequest) {
	w.Header().Set("Content-Type", "text/event-stream")
	stream := &eventStream{w: w}
	done := make(chan struct{})
	var quiet sync.WaitGroup
	quiet.Go(func() { stream.keepAlive(done) })
	request.progress = func(p Progress) {
		if data, err := json.Marshal(p); err == nil {
			stream.send("progress", data)
		}
	}
	_, answer, err := a.service.chat(r.Context(), request)
	close(done)
	quiet.Wait()
	if err == nil {
		stream.send("reply", answer)
		return
	}
	if data, err := json.Marshal(a.problem(err)); err == nil {
		stream.send("problem", data)
	}
}

func (s *eventStream) keepAlive(done <-chan struct{}) {
	ticker := time.NewTicker(keepAlive)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
			s.write(": still here\n\n")
		}
	}
}
