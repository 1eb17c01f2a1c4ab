package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// passage is one request on its way through the proxy.
type passage struct {
	who     identity
	size    int64        // of the body, in bytes, as it was read
	charged atomic.Int64 // what it holds of the budget for memory
	judged  atomic.Bool
	tooLong atomic.Bool // the body is longer than allowed
	fault   error       // why it is not judged
}

type passageKey struct{}

// passageOf is the request that a context belongs to.
func passageOf(ctx context.Context) *passage {
	if p, ok := ctx.Value(passageKey{}).(*passage); ok {
		return p
	}
	return &passage{}
}

// How long a client may take for the next piece of its request, or of an answer
// that it reads. Neither says how long a stream may take; see [bodyPatience].
const (
	readPatience  = 30 * time.Second
	writePatience = 2 * time.Minute
)

// patientBody is a request's body that must make progress and is bounded.
type patientBody struct {
	io.ReadCloser
	p       *passage
	control *http.ResponseController
	until   time.Time // when all of it must be there
	arrived func()    // hears that it is, or never will be
}

// Close gives the rest of the body up.
func (b *patientBody) Close() error {
	b.arrived()
	return b.ReadCloser.Close()
}

func (b *patientBody) Read(into []byte) (int, error) {
	deadline := time.Now().Add(readPatience)
	if b.until.Before(deadline) {
		deadline = b.until
	}
	_ = b.control.SetReadDeadline(deadline) // not all connections have deadlines
	n, err := b.ReadCloser.Read(into)
	b.p.size += int64(n)
	if err != nil { // what is read next is whether the client is still there
		_ = b.control.SetReadDeadline(time.Time{})
		b.arrived()
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			b.p.tooLong.Store(true)
		}
	}
	return n, err
}

// patientWriter is a response whose client must make progress.
type patientWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	status  int
}

func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *patientWriter) WriteHeader(status int) {
	if status >= 200 && w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *patientWriter) Write(data []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	_ = w.control.SetWriteDeadline(time.Now().Add(writePatience)) // not all connections have deadlines
	return w.ResponseWriter.Write(data)
}

// memoryBudget bounds what is held of requests and answers while they are judged. A request counts with its body
// and what has arrived of its answer; when the budget is spent, further ones are not judged.
type memoryBudget struct {
	most int64
	held atomic.Int64
}

// admit takes a request in, if there is room.
func (m *memoryBudget) admit(p *passage) bool {
	if m.held.Add(p.size) > m.most && m.held.Load() > p.size { // one alone always may
		m.held.Add(-p.size)
		return false
	}
	p.charged.Add(p.size)
	p.judged.Store(true)
	return true
}

// grow counts what arrived of an answer.
func (m *memoryBudget) grow(p *passage, n int64) {
	if p.judged.Load() {
		p.charged.Add(n)
		m.held.Add(n)
	}
}

// release gives back all that a request held.
func (m *memoryBudget) release(p *passage) {
	p.judged.Store(false)
	m.held.Add(-p.charged.Swap(0))
}

// counted is a transport that counts the bytes of answers.
type counted struct {
	http.RoundTripper
	memory *memoryBudget
}

func (c counted) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := c.RoundTripper.RoundTrip(request)
	if p := passageOf(request.Context()); err == nil && p.judged.Load() {
		response.Body = &countedBody{response.Body, c.memory, p}
	}
	return response, err
}

type countedBody struct {
	io.ReadCloser
	memory *memoryBudget
	p      *passage
}

func (b *countedBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	b.memory.grow(b.p, int64(n))
	return n, err
}

// bodyPatience is how long a client may take for the whole of its request's body.
const bodyPatience = time.Minute

// sending counts the requests whose bodies have not arrived yet, by the address of the client: one that
// opens many connections and says nothing must not take the places of all others.
type sending struct {
	most int // of one client
	mu   sync.Mutex
	by   map[string]int
}

// begin takes note of a request, and reports whether there is room. End is called once its body is there or given up.
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
