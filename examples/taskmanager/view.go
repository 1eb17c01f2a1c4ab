package main

import (
	"context"
	"sync"
	"time"

	"github.com/bonafide-go/bonafide/resolver"
)

// view is what one turn sees of its user's tasks. Within a few moments a guard
// asks for them several times: to read the message, to resolve a title, to take
// ids out of texts. One look serves them all; it ends with the next change, and
// long before a model has answered.
type view struct {
	owner string

	mu    sync.Mutex
	seen  []resolver.Entry
	until time.Time
}

type viewKey struct{}

const glance = 100 * time.Millisecond

func (v *view) entries(ctx context.Context, tasks *taskStore, owner string) ([]resolver.Entry, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if owner == v.owner && time.Now().Before(v.until) {
		return v.seen, nil
	}
	list, err := tasks.list(ctx, owner, "")
	if err != nil {
		return nil, err
	}
	if owner == v.owner {
		v.seen, v.until = entries(list), time.Now().Add(glance)
	}
	return entries(list), nil
}

func (v *view) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.until = time.Time{}
}
