package guard

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
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
	turns      atomic.Uint64 // for the names of turns that have none

	readings      func() *proof.Readings // of the tools, made when the first report comes
	run           string                 // distinguishes this guard's turns from all others
	argumentRules string                 // for prompts
}

// New returns a guard for a set of tools.
func New(tools []tooltrack.Tool, options *Options) (*Guard, error) {
	if len(tools) == 0 {
		return nil, ErrNoTools
	}
	if err := tooltrack.ValidateTools(tools); err != nil {
		return nil, err
	}
	g := &Guard{tools: slices.Clone(tools), run: tooltrack.NewTurn() + "-"}
	if options != nil {
		g.options = *options
	}
	g.budgets = g.options.Budgets.withDefaults()
	g.thresholds = g.options.Thresholds.withDefaults()
	g.texts = g.options.Texts.withDefaults()
	g.readings = sync.OnceValue(func() *proof.Readings { return proof.NewReadings(g.tools) })
	g.setDefaults()
	if err := g.checkNames(); err != nil {
		return nil, err
	}
	g.guardContracts()
	if err := g.setModes(); err != nil {
		return nil, err
	}
	if err := g.build(); err != nil {
		return nil, err
	}
	return g, nil
}

// newTurn names a turn that the host did not name.
func (g *Guard) newTurn() string {
	var name [64]byte
	return string(strconv.AppendUint(append(name[:0], g.run...), g.turns.Add(1), 36))
}

func (g *Guard) setDefaults() {
	o := &g.options
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.AbandonAfter <= 0 {
		o.AbandonAfter = 100 * time.Millisecond
	}
	if o.Parallel == 0 {
		o.Parallel = 4
	}
	if g.ledger = o.Ledger; g.ledger == nil {
		g.ledger = tooltrack.NewLedger(nil, &tooltrack.LedgerOptions{Clock: o.Clock})
	}
}

func (g *Guard) setModes() error {
	g.modes = make(map[string]*Mode, len(g.options.Modes))
	for i, mode := range g.options.Modes {
		switch {
		case mode.Name == "":
			return fmt.Errorf("Options.Modes[%d]: Name is empty; give the name that Input.Mode asks for", i)
		case g.modes[mode.Name] != nil:
			return fmt.Errorf("Options.Modes[%d]: the name %q is used twice; names must be unique", i, clipped(mode.Name))
		}
		g.modes[mode.Name] = &mode
	}
	return nil
}

// build makes the judges from their options.
func (g *Guard) build() (err error) {
	rules := policy.Options{}
	if g.options.Policy != nil {
		rules = *g.options.Policy
	}
	rules.Modes = slices.Clip(rules.Modes)
	for _, mode := range g.options.Modes {
		rules.Modes = append(rules.Modes, mode.Mode)
	}
	if g.policy, err = policy.New(g.tools, &rules); err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	g.tellUnreadable()
	if g.reviewer = g.options.Reviewer; g.reviewer == nil {
		g.reviewer = g.policy
	}
	if g.classifier = g.options.Classifier; g.classifier == nil {
		if g.classifier, err = intent.FromTools(g.tools, g.options.Intent); err != nil {
			return fmt.Errorf("intent: %w", err)
		}
	}
	g.evaluator = completion.New(g.options.Completion)
	g.argumentRules = g.describeRules()
	return nil
}

// tellUnreadable tells the host of tools that can never be called: no turn would,
// since the model finds another way or gives up.
func (g *Guard) tellUnreadable() {
	unreadable := g.Unreadable()
	for _, tool := range slices.Sorted(maps.Keys(unreadable)) {
		g.counters.hostFault("Tool.Parameters of " + tool)
		g.warn(context.Background(), "the schema of a tool cannot be applied; its calls are refused",
			"tool", tool, "error", shown(unreadable[tool]))
	}
}

// Unreadable are the tools whose Parameters cannot be applied, with what is wrong
// and what to do about it. Their calls are refused, and the other tools are not
// concerned; a host that wants to start with whole tools only looks here after
// [New]. [Counters.HostFaults] counts them, too.
func (g *Guard) Unreadable() map[string]error {
	unreadable := g.policy.Unreadable()
	for tool, why := range unreadable {
		unreadable[tool] = fmt.Errorf("tool %s: %w; give a JSON Schema object that this program can compile, without "+
			"remote references and lookarounds, or leave Parameters out", tool, why)
	}
	return unreadable
}

// Tools are those the guard was made for.
func (g *Guard) Tools() []tooltrack.Tool { return slices.Clone(g.tools) }

// Ledger is where the calls are recorded.
func (g *Guard) Ledger() *tooltrack.Ledger { return g.ledger }

// Observing reports whether the guard only watches.
func (g *Guard) Observing() bool { return g.options.Observe }

// classify asks the classifier; it is the host's code and may panic.
func (g *Guard) classify(ctx context.Context, request intent.Utterance) (found intent.Intent, err error) {
	defer survive("Options.Classifier", &err)
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
