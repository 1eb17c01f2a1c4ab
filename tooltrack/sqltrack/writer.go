package sqltrack

import (
	"context"
	"fmt"
	"sync"

	"github.com/bonafide-go/bonafide/internal/contain"
)

// step is a write on its way to the database, and its outcome.
type step struct {
	owner string
	run   func(*desk) error

	ctx  context.Context // the caller's: a write that no caller waits for is not begun
	err  error
	done chan struct{}
}

// writer gathers the writes of many goroutines into few transactions: while
// one is being committed the next ones wait together. No caller waits for a batch
// to fill, so a lone caller is not slowed down.
type writer struct {
	commit  func([]*step)
	working sync.WaitGroup

	mu     sync.Mutex
	queue  []*step
	busy   bool // a goroutine takes what is in the queue
	closed bool
}

// do hands a write over and waits until it is durable. If the context ends
// first the write may still take place.
func (w *writer) do(ctx context.Context, owner string, run func(*desk) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	one := &step{owner: owner, run: run, ctx: ctx, done: make(chan struct{})}
	if !w.add(one) {
		return ErrClosed
	}
	select {
	case <-one.done:
		return one.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) add(one *step) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	w.queue = append(w.queue, one)
	if !w.busy {
		w.busy = true
		w.working.Add(1)
		contain.Go("writing records", w.run, nil)
	}
	return true
}

func (w *writer) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.working.Wait()
}

func (w *writer) run() {
	defer w.working.Done()
	for batch := w.next(); batch != nil; batch = w.next() {
		w.safely(batch)
	}
}

// maxBatch is how many writes may share one transaction.
const maxBatch = 512

// next takes what waits, up to the size of a batch; nil ends the work.
func (w *writer) next() []*step {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy = len(w.queue) > 0; !w.busy {
		return nil
	}
	size := min(len(w.queue), maxBatch)
	batch := w.queue[:size:size]
	w.queue = w.queue[size:]
	return batch
}

// safely commits a batch and releases its callers, even if the driver panics.
func (w *writer) safely(batch []*step) {
	defer func() {
		fault := recover()
		for _, one := range batch {
			if fault != nil {
				one.err = fmt.Errorf("the database driver panicked: %v", fault)
			}
			close(one.done)
		}
	}()
	w.commit(batch)
}
