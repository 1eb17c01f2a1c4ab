package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Executor runs one approved tool call. The arguments of the call are exactly
// those that were reviewed, with titles already replaced by ids.
//
// A non-nil error is a failure, unless it leaves open whether a change was made:
// see [tooltrack.Execute]. An executor that knows says so: [ErrOutcomeUnknown] is
// a call of unknown fate, which does not run again, and [tooltrack.NotDone] one
// that took no effect. A nil error is a success unless the body says otherwise;
// see [tooltrack.ResultOf].
//
// Calls of reading tools may run concurrently. Who asked is in the context; see
// [FromContext].
type Executor interface {
	Execute(ctx context.Context, call tooltrack.Call) (body []byte, err error)
}

// ExecutorFunc makes an Executor of a function.
type ExecutorFunc func(ctx context.Context, call tooltrack.Call) ([]byte, error)

// Execute calls the function; where that is nil, the error is [ErrNoExecutor].
func (f ExecutorFunc) Execute(ctx context.Context, call tooltrack.Call) ([]byte, error) {
	if f == nil {
		return nil, ErrNoExecutor
	}
	return f(ctx, call)
}

// ErrOutcomeUnknown is wrapped by an executor that cannot tell whether a call
// took effect, such as a request whose answer was lost.
var ErrOutcomeUnknown = tooltrack.ErrOutcomeUnknown
