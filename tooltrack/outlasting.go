package tooltrack

import (
	"context"
	"sync"
	"time"
)

// finishTime is how long a result may take to be written down after the
// context of its call has ended.
const finishTime = 10 * time.Second

// outlasting is a context that ends finishTime after the one inside it. Every
// finished call has one and hardly any store waits for its end, so the timer is
// only made for one that does.
type outlasting struct {
	context.Context // for its values, and its end

	mu     sync.Mutex
	longer context.Context
	stop   []func()
}

// Deadline says that none is known yet.
func (o *outlasting) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Done is closed when the time is up.
func (o *outlasting) Done() <-chan struct{} { return o.watch().Done() }

// Err is set when the time is up.
func (o *outlasting) Err() error {
	if o.Context.Err() == nil || o.watch().Err() == nil {
		return nil
	}
	return context.DeadlineExceeded
}

func (o *outlasting) watch() context.Context {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.longer == nil {
		longer, cancel := context.WithCancel(context.WithoutCancel(o.Context))
		unwatch := context.AfterFunc(o.Context, func() {
			o.mu.Lock()
			defer o.mu.Unlock()
			timer := time.AfterFunc(finishTime, cancel)
			o.stop = append(o.stop, func() { timer.Stop() })
		})
		o.longer, o.stop = longer, append(o.stop, cancel, func() { unwatch() })
	}
	return o.longer
}

// release gives up what was made for a store that waits.
func (o *outlasting) release() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, stop := range o.stop {
		stop()
	}
}
