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
	// judgingTime bounds how long the judgement of an answer may go on after its
	// last byte.
	judgingTime = 30 * time.Second
	// lingering is how long the end of an answer waits for its judgement. All
	// bytes have passed by then; a program that ends right away still has its
	// verdict, and a slow classifier costs no more than this.
	lingering = 50 * time.Millisecond
)

// errWatched is a second question of a guard that only watches. There is none.
var errWatched = errors.New("who only observes asks nothing again")

// observe hands the server's answer on as it comes, byte by byte, and judges a
// copy.
func (s *shell) observe(c *conversation) (*http.Response, error) {
	w := newWatch(c)
	response, err := c.send(withBody(c.request, c.body))
	switch {
	case err != nil && response == nil:
		w.arrive(err)
		return nil, &transportError{err: err}
	case err != nil:
		w.arrive(err)
	case response == nil || response.Body == nil:
		w.arrive(errNoAnswer)
	case response.StatusCode < 200 || response.StatusCode > 299:
		w.arrive(errPassed)
	default:
		w.begin(response)
		response.Body = &watched{response.Body, w}
	}
	return response, err
}

// watch is the judgement of one answer while it passes by.
type watch struct {
	conversation *conversation

	mu      sync.Mutex
	header  http.Header
	status  int
	copied  bytes.Buffer
	tooLong bool
	over    bool
	err     error         // why there is no answer
	arrived chan struct{} // closed when the answer is there
	judged  chan struct{} // closed when the judgement is
	cancel  context.CancelFunc
	late    *time.Timer
}

// newWatch begins to judge: what the request asks for can be found out while the
// server thinks. The client's context may end with the answer, the judgement
// does not.
func newWatch(c *conversation) *watch {
	w := &watch{conversation: c, arrived: make(chan struct{}), judged: make(chan struct{})}
	var ctx context.Context
	ctx, w.cancel = context.WithCancel(context.WithoutCancel(c.request.Context()))
	gone := context.AfterFunc(c.request.Context(), func() { w.arrive(errLeft) }) // perhaps with all that it came for
	contain.Go("watching", func() {
		asked := false
		_, _ = c.judge(ctx, guard.ModelFunc(func(ctx context.Context, _ guard.Request) (guard.Response, error) {
			if asked {
				return guard.Response{}, errWatched
			}
			asked = true
			return w.answer(ctx)
		})) // the guard has counted and logged what it found
	}, func(fault *contain.Panic) {
		if fault != nil {
			_ = c.handling.Guard.Contain(ctx, fault.Stage, func() { panic(fault) }) // counts and logs it
		}
		gone()
		w.mu.Lock()
		if w.over = true; w.late != nil {
			w.late.Stop()
		}
		w.mu.Unlock()
		w.cancel()
		close(w.judged)
	})
	return w
}

// begin notes how the answer begins. The header is the client's from now on, so a copy
// is kept; and a client that has left already may have let the judgement begin.
func (w *watch) begin(response *http.Response) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.header, w.status = response.Header.Clone(), response.StatusCode
}

// arrive says that the answer is there, or why it is not. Only the first word
// counts.
func (w *watch) arrive(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	w.over, w.err = true, err
	w.late = time.AfterFunc(judgingTime, w.cancel)
	close(w.arrived)
}

// take copies what passes by.
func (w *watch) take(data []byte) {
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

// answer waits for the whole copy and reads it.
func (w *watch) answer(ctx context.Context) (guard.Response, error) {
	select {
	case <-w.arrived:
	case <-ctx.Done():
		return guard.Response{}, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.err != nil && !errors.Is(w.err, errLeft):
		return guard.Response{}, w.err
	case w.tooLong:
		return guard.Response{}, fmt.Errorf("the body is longer than %d MiB", maxBody>>20)
	}
	raw, err := unpacked(w.header, w.copied.Bytes())
	if err != nil {
		return guard.Response{}, err
	}
	e, err := w.conversation.readExchange(w.status, w.header, raw)
	if err != nil && w.err != nil {
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

// watched is a body of which a copy is judged.
type watched struct {
	io.ReadCloser
	watch *watch
}

// Read hands on what came.
func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.watch.take(p[:n])
	if n > 0 && err == io.EOF { // the last bytes are not to wait for anything
		return n, nil
	}
	if err == io.EOF {
		b.watch.arrive(nil)
		b.watch.linger()
	} else if err != nil {
		b.watch.arrive(err)
	}
	return n, err
}

// Close ends the copy. Many clients close a stream at its end marker.
func (b *watched) Close() error {
	b.watch.arrive(errLeft)
	b.watch.linger()
	return b.ReadCloser.Close()
}

// linger waits a moment for the judgement.
func (w *watch) linger() {
	enough := time.NewTimer(lingering)
	defer enough.Stop()
	select {
	case <-w.judged:
	case <-enough.C:
	}
}
