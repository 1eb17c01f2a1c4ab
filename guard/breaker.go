package guard

import "sync"

// breaker stops asking a model for proof that does not understand the request:
// each time costs two calls and comes to nothing. Once in a while it is asked
// again.
type breaker struct {
	mu     sync.Mutex
	models map[string]*breakerState
}

type breakerState struct{ failures, skipped int }

const (
	breakerFailures = 5  // in a row, before a model is not asked any more
	breakerRetry    = 25 // texts that are not asked about before it is tried again
	breakerModels   = 1024
)

// open reports whether a model is not to be asked.
func (b *breaker) open(model string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	state := b.models[model]
	if state == nil || state.failures < breakerFailures {
		return false
	}
	if state.skipped++; state.skipped > breakerRetry {
		state.skipped = 0
		return false
	}
	return true
}

func (b *breaker) failed(model string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.models == nil || len(b.models) >= breakerModels { // names may be a client's own
		b.models = map[string]*breakerState{}
	}
	if b.models[model] == nil {
		b.models[model] = &breakerState{}
	}
	b.models[model].failures++
}

func (b *breaker) succeeded(model string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.models, model)
}
