package guard

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/confirm"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Guard holds what does not change from turn to turn. It is immutable but for
// its counters and the ledger, and safe for concurrent use: most programs make
// one.
type Guard struct {
	tools      []tooltrack.Tool
	options    Options
	budgets    Budgets
	thresholds Thresholds
	classifier Classifier
	policy     *policy.Set // describes the rules, and applies them unless the host does
	reviewer   Reviewer
	evaluator  *completion.Evaluator
	ledger     *tooltrack.Ledger
	modes      map[string]*Mode
	counters   counters
	breaker    breaker
	texts      Texts
	plans      map[string]*confirm.Plan // how changes can be seen, by tool

	readings      func() *match.Tools // of the tools, read when they are first needed
	toolReadings  func() map[string]toolname.Reading
	argumentRules string // for prompts
}

// Tools are those the guard was made for.
func (g *Guard) Tools() []tooltrack.Tool { return slices.Clone(g.tools) }

// Ledger is where the calls are recorded.
func (g *Guard) Ledger() *tooltrack.Ledger { return g.ledger }

// Observing reports whether the guard only watches.
func (g *Guard) Observing() bool { return g.options.Observe }

// classify asks the classifier. One of the host's own may panic.
func (g *Guard) classify(ctx context.Context, request intent.Utterance) (found intent.Intent, err error) {
	if g.options.Classifier != nil {
		defer survive("Options.Classifier", &err)
	}
	return g.classifier.Classify(ctx, request)
}

// now survives a clock that panics: time is the host's code.
func (g *Guard) now() (now time.Time) {
	defer func() {
		if recover() != nil {
			g.counters.hostFault("Options.Clock")
			now = time.Now()
		}
	}()
	return g.options.Clock()
}

// Counters are the counts so far.
func (g *Guard) Counters() (sum Counters) {
	g.counters.note(func(now *Counters) {
		sum = *now
		for _, by := range []*map[string]uint64{
			&sum.Doubts, &sum.Would, &sum.Refused, &sum.Denied, &sum.HostFaults, &sum.Panics,
		} {
			*by = maps.Clone(*by)
		}
	})
	return sum
}
