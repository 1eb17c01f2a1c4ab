package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/policy"
)

// Evaluator judges texts. Those of package completion are some. It must be safe
// for concurrent use; what it does not know, it leaves clean.
type Evaluator interface {
	Evaluate(turn completion.Turn) completion.Verdict
}

// EvaluatorFunc makes an Evaluator of a function.
type EvaluatorFunc func(turn completion.Turn) completion.Verdict

// Evaluate calls the function.
func (f EvaluatorFunc) Evaluate(turn completion.Turn) completion.Verdict { return f(turn) }

// Reviewer decides whether a call may run, and with which arguments. A
// *policy.Set is one; Cedar or OPA can stand behind another. An error means that
// it could not decide: the call is denied.
type Reviewer interface {
	Review(ctx context.Context, request policy.Request) (policy.Decision, error)
}

// ReviewerFunc makes a Reviewer of a function.
type ReviewerFunc func(ctx context.Context, request policy.Request) (policy.Decision, error)

// Review calls the function.
func (f ReviewerFunc) Review(ctx context.Context, request policy.Request) (policy.Decision, error) {
	return f(ctx, request)
}

var (
	_ Evaluator = (*completion.Evaluator)(nil)
	_ Reviewer  = (*policy.Set)(nil)
)

// evaluate survives an evaluator of the host's own that panics: the text is then
// judged by the guard's.
func (g *Guard) evaluate(turn completion.Turn) (verdict completion.Verdict) {
	if g.options.Evaluator == nil {
		return g.evaluator.Evaluate(turn)
	}
	defer func() {
		if recover() != nil {
			g.counters.hostFault("Options.Evaluator")
			verdict = g.evaluator.Evaluate(turn)
		}
	}()
	return g.options.Evaluator.Evaluate(turn)
}
