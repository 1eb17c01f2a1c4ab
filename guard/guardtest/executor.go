package guardtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Executor runs tools from a table and remembers the calls. It is safe for concurrent use.
type Executor struct {
	tools map[string]guard.ExecutorFunc

	mu    sync.Mutex
	calls []tooltrack.Call
}

var _ guard.Executor = (*Executor)(nil)

// Tools makes an executor of functions by tool name.
func Tools(tools map[string]guard.ExecutorFunc) *Executor { return &Executor{tools: tools} }

// Returns is a tool that always succeeds with this body.
func Returns(body string) guard.ExecutorFunc {
	return func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(body), nil }
}

// Fails is a tool that always fails.
func Fails(err error) guard.ExecutorFunc {
	return func(context.Context, tooltrack.Call) ([]byte, error) { return nil, err }
}

// Execute runs the tool of the call's name; one that is not in the table fails.
func (e *Executor) Execute(ctx context.Context, call tooltrack.Call) ([]byte, error) {
	e.mu.Lock()
	e.calls = append(e.calls, call)
	e.mu.Unlock()
	run := e.tools[call.Tool]
	if run == nil {
		return nil, fmt.Errorf("there is no tool %q in the table", call.Tool)
	}
	return run(ctx, call)
}

// Calls are the calls that were run, in the order in which they began.
func (e *Executor) Calls() []tooltrack.Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]tooltrack.Call(nil), e.calls...)
}

// Count is how often a tool was run.
func (e *Executor) Count(tool string) int {
	n := 0
	for _, call := range e.Calls() {
		if call.Tool == tool {
			n++
		}
	}
	return n
}
