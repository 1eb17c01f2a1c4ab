package guard

import (
	"context"
	"errors"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Executor runs one approved tool call. The arguments of the call are exactly
// those that were reviewed, with titles already replaced by ids.
//
// A non-nil error is a failure. A nil error is a success unless the body is a
// JSON object that says otherwise ("success":false, "ok":false, a non-null
// "error", "isError":true, or a pending state). An error that wraps
// [ErrOutcomeUnknown] is neither: nobody can tell whether the work was done.
//
// Calls of reading tools may run concurrently. Who asked is in the context; see
// [FromContext].
type Executor interface {
	Execute(ctx context.Context, call tooltrack.Call) (body []byte, err error)
}

// ExecutorFunc makes an Executor of a function.
type ExecutorFunc func(ctx context.Context, call tooltrack.Call) ([]byte, error)

// Execute calls the function.
func (f ExecutorFunc) Execute(ctx context.Context, call tooltrack.Call) ([]byte, error) {
	return f(ctx, call)
}

// ErrOutcomeUnknown is wrapped by an executor that cannot tell whether a call
// took effect, such as a request whose answer was lost.
var ErrOutcomeUnknown = errors.New("it is not known whether the call took effect")
