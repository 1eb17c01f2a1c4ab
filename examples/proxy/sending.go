package main

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// bodyPatience is how long a client may take for the whole of its request's body.
const bodyPatience = time.Minute

// sending counts the requests whose bodies have not arrived yet, by the address of the
// client: one that opens many connections and says nothing must not take the places of all
// others.
type sending struct {
	most int // of one client
	mu   sync.Mutex
	by   map[string]int
}

// begin takes note of a request, and reports whether there is room for it. End is to be
// called once, when its body is there or given up.
func (s *sending) begin(r *http.Request) (end func(), ok bool) {
	client, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		client = r.RemoteAddr
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by[client] >= s.most {
		return nil, false
	}
	if s.by == nil {
		s.by = map[string]int{}
	}
	s.by[client]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.by[client]--; s.by[client] == 0 {
			delete(s.by, client)
		}
	}), true
}
