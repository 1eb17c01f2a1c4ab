package chatwire

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/contain"
)

const (
	// judgingTime bounds how long the judgement of an answer may go on after its last byte.
	judgingTime = 30 * time.Second
	// lingering is how long the end of an answer waits for its judgement. All
	// bytes have passed by then; a program that ends right away still has its
	// verdict, and a slow classifier costs no more than this.
	lingering = 50 * time.Millisecond
)

// errWatched is a second question of a guard that only watches. There is none.
var errWatched = errors.New("who only observes asks nothing again")

// observe hands the server's answer on as it comes, byte by byte, and judges a copy.
func (s *shell) observe(c *conversation) (*http.Response, error) {
	w := &watched{conversation: c, judged: make(chan struct{})}
	w.mu.Lock()
	w.gone = context.AfterFunc(c.request.Context(), func() { w.judge(errLeft) }) // perhaps with all that it came for
	w.mu.Unlock()
	response, err := c.send(withBody(c.request, c.body))
	switch {
	case err != nil:
		w.judge(err)
	case response == nil || response.Body == nil:
		w.judge(errNoAnswer)
	case response.StatusCode < 200 || response.StatusCode > 299:
		w.judge(errPassed)
	default:
		w.begin(response)
	}
	if err != nil && response == nil {
		err = &transportError{err: err}
	}
	return response, err
}

// watched is the body of an answer, of which a copy is judged.
type watched struct {
	io.ReadCloser
	conversation *conversation
	gone         func() bool   // nobody waits any more for the client to leave
	judged       chan struct{} // closed when the judgement is there

	mu      sync.Mutex
	header  http.Header
	status  int
	copied  bytes.Buffer
	tooLong bool
	over    bool // the judgement has begun, and nothing is copied any more
}

// begin notes how the answer begins. The header is the client's from now on, so a copy
// is kept; and a client that has left already may have let the judgement begin.
func (w *watched) begin(response *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ReadCloser, response.Body = response.Body, w
	if !w.over {
		w.header, w.status = response.Header.Clone(), response.StatusCode
	}
}

// take copies what passes by.
func (w *watched) take(data []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over || w.tooLong {
		return
	}
	if w.tooLong = w.copied.Len()+len(data) > maxBody; w.tooLong {
		w.copied = bytes.Buffer{}
		return
	}
	w.copied.Write(data)
}

// judge begins to judge, once: the answer is there, or why it is not is the error. The
// client's context may end with the answer, the judgement does not.
func (w *watched) judge(missing error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	w.over = true
	c, asked := w.conversation, false
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.request.Context()), judgingTime)
	contain.Go("watching", func() {
		_, _ = c.judge(ctx, guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			if asked {
				return guard.Response{}, errWatched
			}
			asked = true
			return w.answer(missing)
		})) // the guard has counted and logged what it found
	}, func(fault *contain.Panic) {
		if fault != nil {
			_ = c.handling.Guard.Contain(ctx, fault.Stage, func() { panic(fault) }) // counts and logs it
		}
		w.gone()
		cancel()
		close(w.judged)
	})
}

// answer reads the copy.
func (w *watched) answer(missing error) (guard.Response, error) {
	switch {
	case missing != nil && missing != errLeft:
		return guard.Response{}, missing
	case w.tooLong:
		return guard.Response{}, fmt.Errorf("the body is longer than %d MiB", maxBody>>20)
	}
	raw, err := unpacked(w.header, w.copied.Bytes())
	if err != nil {
		return guard.Response{}, err
	}
	e, err := w.conversation.readExchange(w.status, w.header, raw)
	if err != nil && missing != nil {
		return guard.Response{}, context.Canceled // half an answer is the client's doing, not the server's
	}
	if err == nil {
		w.conversation.remember(e, e.read.response)
	}
	return e.read.response, err
}

// unpacked undoes the packing that a client asked for by itself.
func unpacked(header http.Header, raw []byte) ([]byte, error) {
	switch packing := header.Get("Content-Encoding"); packing {
	case "", "identity":
		return raw, nil
	case "gzip":
		reader, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		return readAll(reader)
	default:
		return nil, fmt.Errorf("it is packed by %s, which cannot be read here", clipped(packing))
	}
}

// errLeft is a client that closed an answer before its end.
var errLeft = errors.New("the client closed the answer")

// Read hands on what came.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.take(p[:n])
	if n > 0 && err == io.EOF { // the last bytes are not to wait for anything
		return n, nil
	}
	if err == io.EOF {
		w.judge(nil)
		w.linger()
	} else if err != nil {
		w.judge(err)
	}
	return n, err
}

// Close ends the copy. Many clients close a stream at its end marker.
func (w *watched) Close() error {
	w.judge(errLeft)
	w.linger()
	return w.ReadCloser.Close()
}

// linger waits a moment for the judgement.
func (w *watched) linger() {
	enough := time.NewTimer(lingering)
	defer enough.Stop()
	select {
	case <-w.judged:
	case <-enough.C:
	}
}
