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
	maxBatch int
	commit   func([]*step)
	queue    chan *step
	quit     chan struct{}
	stopped  chan struct{}
	stop     sync.Once
}

func newWriter(maxBatch int, commit func([]*step)) *writer {
	w := &writer{
		maxBatch: maxBatch, commit: commit,
		queue: make(chan *step, maxBatch), quit: make(chan struct{}), stopped: make(chan struct{}),
	}
	contain.Go("writing records", w.run, nil)
	return w
}

// do hands a write over and waits until it is durable. If the context ends
// first the write may still take place.
func (w *writer) do(ctx context.Context, owner string, run func(*desk) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	one := &step{owner: owner, run: run, ctx: ctx, done: make(chan struct{})}
	select {
	case w.queue <- one:
	case <-w.stopped:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-one.done:
		return one.err
	case <-w.stopped:
		select {
		case <-one.done: // it was in the last batch
			return one.err
		default:
			return ErrClosed // queued behind it
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) close() {
	w.stop.Do(func() { close(w.quit) })
	<-w.stopped
}

func (w *writer) run() {
	defer close(w.stopped)
	batch := make([]*step, 0, w.maxBatch)
	for {
		select {
		case first := <-w.queue:
			batch = w.gather(append(batch[:0], first))
			w.safely(batch)
		case <-w.quit:
			if batch = w.gather(batch[:0]); len(batch) > 0 {
				w.safely(batch)
				continue
			}
			return
		}
	}
}

// gather takes what waits, up to the size of a batch.
func (w *writer) gather(batch []*step) []*step {
	for len(batch) < w.maxBatch {
		select {
		case next := <-w.queue:
			batch = append(batch, next)
		default:
			return batch
		}
	}
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
