package tooltrack

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bonafide-go/bonafide/internal/contain"
)

// Observer is told of each completed record once, after it was stored: again only if a call
// that was Unknown or Pending is settled later. It may be slow or panic without harm.
type Observer interface {
	Observe(record *Record)
}

// ObserverFunc makes an [Observer] of a function.
type ObserverFunc func(record *Record)

// Observe calls the function.
func (f ObserverFunc) Observe(record *Record) { f(record) }

// Subscription is an observer at work. Its queue is bounded: what arrives while it is full is
// missed, counted, and can be read with [Ledger.Completed].
type Subscription struct {
	observer Observer
	queue    chan *Record
	done     chan struct{}
	ledger   *subscriptions
	missed   atomic.Uint64
	panics   atomic.Uint64
}

// Subscribe lets an observer see every record that is completed from now on. Queue is how many
// may wait for it; 0 means 1,024. The subscription runs a goroutine until it is closed.
func (l *Ledger) Subscribe(observer Observer, queue int) *Subscription {
	if queue <= 0 {
		queue = 1024
	}
	s := &Subscription{
		observer: observer, queue: make(chan *Record, queue), done: make(chan struct{}), ledger: &l.observers,
	}
	l.observers.mu.Lock()
	defer l.observers.mu.Unlock()
	l.observers.active = append(l.observers.active, s)
	contain.Go("observing records", s.run, nil)
	return s
}

// Missed is the number of records that the observer did not get because its queue was full.
func (s *Subscription) Missed() uint64 { return s.missed.Load() }

// Panics is the number of records on which the observer panicked.
func (s *Subscription) Panics() uint64 { return s.panics.Load() }

// Close ends the subscription: no further record is queued, those that wait are still
// delivered, and Close returns when the observer is done with them. An observer must not close
// its own subscription.
func (s *Subscription) Close() {
	s.ledger.mu.Lock() // nothing is published meanwhile
	if at := slices.Index(s.ledger.active, s); at >= 0 {
		s.ledger.active = slices.Delete(s.ledger.active, at, at+1)
		close(s.queue)
	}
	s.ledger.mu.Unlock()
	<-s.done
}

func (s *Subscription) run() {
	defer close(s.done)
	for record := range s.queue {
		s.deliver(record)
	}
}

func (s *Subscription) deliver(record *Record) {
	defer func() {
		if recover() != nil {
			s.panics.Add(1)
		}
	}()
	s.observer.Observe(record)
}

// subscriptions is the set of observers of a ledger.
type subscriptions struct {
	mu     sync.RWMutex
	active []*Subscription
}

// publish never waits: an observer that cannot keep up loses records, not the callers their time.
func (s *subscriptions) publish(record *Record) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, subscription := range s.active {
		select {
		case subscription.queue <- record:
		default:
			subscription.missed.Add(1)
		}
	}
}
