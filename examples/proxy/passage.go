package main

import (
	"context"
	"errors"
	"io"
	"net/http"
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
