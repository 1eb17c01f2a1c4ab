package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Evaluator judges texts. [completion.Evaluator] is one. It must be safe for concurrent
// use, and leaves clean what it cannot judge. A turn does not wait for one that takes
// longer than its context.
type Evaluator interface {
	Evaluate(turn completion.Case) completion.Verdict
}

// EvaluatorFunc makes an Evaluator of a function.
type EvaluatorFunc func(turn completion.Case) completion.Verdict

// Evaluate calls the function.
func (f EvaluatorFunc) Evaluate(turn completion.Case) completion.Verdict { return f(turn) }

// Reviewer decides whether a call may run, and with which arguments. A
// *policy.Set is one; Cedar or OPA can stand behind another. An error means that
// it could not decide: the call is denied.
type Reviewer interface {
	Review(ctx context.Context, request policy.Proposal) (policy.Decision, error)
}

// ReviewerFunc makes a Reviewer of a function.
type ReviewerFunc func(ctx context.Context, request policy.Proposal) (policy.Decision, error)

// Review calls the function.
func (f ReviewerFunc) Review(ctx context.Context, request policy.Proposal) (policy.Decision, error) {
	return f(ctx, request)
}

var (
	_ Evaluator = (*completion.Evaluator)(nil)
	_ Reviewer  = (*policy.Set)(nil)
)

// longText is the length in bytes from which on a judgement may take as long as
// a model's deadline is short.
const longText = 32 << 10

// evaluate judges a text, and is back when the context ends. A judgement that
// has not come by then is the zero verdict, which nobody may act on: see to it
// that the context is still good.
func (g *Guard) evaluate(ctx context.Context, turn completion.Case) completion.Verdict {
	quick := g.options.Evaluator == nil && len(turn.Text) < longText
	if quick || ctx.Done() == nil {
		return g.evaluateSafely(turn)
	}
	return g.evaluateAside(ctx, turn)
}

// evaluateAside judges a text in a goroutine, so that nobody has to wait for it.
func (g *Guard) evaluateAside(ctx context.Context, turn completion.Case) completion.Verdict {
	judged := make(chan completion.Verdict, 1) // it may come when nobody waits any more
	failed := make(chan *contain.Panic, 1)
	contain.Go("judging aside", func() { judged <- g.evaluateSafely(turn) }, func(fault *contain.Panic) {
		if fault != nil {
			failed <- fault
		}
	})
	select {
	case verdict := <-judged:
		return verdict
	case fault := <-failed:
		panic(fault) // for the stage that waits
	case <-ctx.Done():
		g.hostFault(ctx, "Options.Evaluator", ctx.Err())
		return completion.Verdict{}
	}
}

// evaluateSafely survives an evaluator of the host's own that panics: the text
// is then judged by the guard's.
func (g *Guard) evaluateSafely(turn completion.Case) (verdict completion.Verdict) {
	defer func() { doubtBacking(&verdict) }()
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

// errorLike is the doubt about a claim whose only record reads like an error.
const errorLike = 0.9

// doubtBacking takes the backing from claims that rest on a call whose result
// reads like an error, although nobody said that it failed. What was only read
// may hold such words, so it keeps its claims, and so does a text that says what
// went wrong.
func doubtBacking(verdict *completion.Verdict) {
	if verdict.Blocker.Kind != completion.NoBlocker {
		return
	}
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		by := claim.By
		if claim.Tier != completion.Clean || by == nil || by.Result.Doubtful == "" || by.Effect == tooltrack.Reads {
			continue
		}
		claim.Tier, claim.Doubt, claim.Fault, claim.By = completion.Unsure, errorLike, by.Result.Doubtful, nil
	}
}
