package guard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/confirm"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Guard holds what does not change from turn to turn. It is immutable but for its counters and the ledger, and safe
// for concurrent use: most programs make one.
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
	argumentRules string              // for prompts
}

// Tools are those the guard was made for.
func (g *Guard) Tools() []tooltrack.Tool { return slices.Clone(g.tools) }

// Ledger is where the calls are recorded.
func (g *Guard) Ledger() *tooltrack.Ledger { return g.ledger }

// Observing reports whether the guard only watches.
func (g *Guard) Observing() bool { return g.options.Observe }

// Counters are the counts so far.
func (g *Guard) Counters() (sum Counters) {
	g.counters.note(func(now *Counters) {
		sum = *now
		for _, by := range sum.maps() {
			*by = maps.Clone(*by)
		}
	})
	return sum
}

// Unreadable are the tools whose Parameters cannot be applied, with what is wrong and what to do about it. Their
// calls are refused; other tools are not affected. Look here after [New] if your program should not start with such
// tools. [Counters.HostFaults] counts them, too.
func (g *Guard) Unreadable() map[string]error {
	unreadable := g.policy.Unreadable()
	for tool, why := range unreadable {
		unreadable[tool] = fmt.Errorf("tool %s: %w; give a JSON Schema object that this program can compile, without "+
			"remote references and lookarounds, or leave Parameters out", tool, why)
	}
	return unreadable
}

// withWords is a tool with what its words imply for the ledger, which reads none.
func withWords(tool tooltrack.Tool) tooltrack.Tool {
	if tool.Implied == nil {
		words := toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters}
		implied := tooltrack.Implied(toolname.Imply(lexicon.English(), words))
		tool.Implied = &implied
	}
	return tool
}

// informed are records with what the words of their tools imply: stores do not keep it. Records are shared, so
// those that lack it are copied.
func (g *Guard) informed(records []*tooltrack.Record) []*tooltrack.Record {
	if !slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return r.Implied == nil }) {
		return records
	}
	records = slices.Clone(records)
	for i, record := range records {
		if tool := toolNamed(g.tools, record.Tool); record.Implied == nil && tool != nil {
			known := *record
			known.Implied = tool.Implied
			records[i] = &known
		}
	}
	return records
}

func toolNamed(tools []tooltrack.Tool, name string) *tooltrack.Tool {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
	}
	return nil
}

func names(tools []tooltrack.Tool) []string {
	list := make([]string, len(tools))
	for i, tool := range tools {
		list[i] = tool.Name
	}
	return list
}

// isReading reports whether a tool changes nothing, as declared or else by its words.
func isReading(tool *tooltrack.Tool) bool {
	if tool.Effect != tooltrack.UnknownEffect {
		return !tool.Effect.MayChange()
	}
	return readingOf(tool).Effect == toolname.Reads
}

// readingOf is what a tool does, by its own words.
func readingOf(tool *tooltrack.Tool) toolname.Reading {
	return toolname.Read(lexicon.English(), toolname.Tool{
		Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
	})
}

// keys are those of a map, sorted.
func keys[K cmp.Ordered, V any](of map[K]V) []K { return slices.Sorted(maps.Keys(of)) }

// isSameArgs compares arguments by what they mean, however they are spelled.
func isSameArgs(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	first, faultA := jsonspan.AppendCanonical(nil, a)
	second, faultB := jsonspan.AppendCanonical(nil, b)
	return faultA == nil && faultB == nil && bytes.Equal(first, second)
}

// New returns a guard for a set of tools. Its error tells all that is wrong with them and with the options, a line
// for each fault.
func New(tools []tooltrack.Tool, options *Options) (*Guard, error) {
	if len(tools) == 0 {
		return nil, ErrNoTools
	}
	g := &Guard{tools: sound(tools), options: valueOf(options), counters: newCounters()}
	g.readings = sync.OnceValue(func() *match.Tools { return match.NewTools(g.tools) })
	g.setDefaults()
	named := g.check(tools)
	err := errors.Join(tooltrack.ValidateTools(tools), named, g.setModes(), g.build(named == nil))
	if err != nil {
		return nil, err
	}
	g.tellUnreadable()
	g.argumentRules = g.describeRules()
	return g, nil
}

// sound are the tools that can be used: all of them, unless some are refused, and then the others serve to find out
// what else is wrong.
func sound(tools []tooltrack.Tool) []tooltrack.Tool {
	usable := make([]tooltrack.Tool, 0, len(tools))
	for _, tool := range tools {
		if tool.Validate() == nil && toolNamed(usable, tool.Name) == nil {
			if jsonspan.KindOf(bytes.TrimSpace(tool.Parameters)) == jsonspan.Null { // a program writes it for "none"
				tool.Parameters = nil
			}
			usable = append(usable, withWords(tool))
		}
	}
	return usable
}

func (g *Guard) setDefaults() {
	o := &g.options
	if o.Clock == nil {
		o.Clock = time.Now
	}
	o.AbandonAfter = cmp.Or(o.AbandonAfter, defaultAbandonAfter)
	o.Parallel = cmp.Or(o.Parallel, defaultParallel)
	g.budgets, g.thresholds, g.texts = o.Budgets.withDefaults(), o.Thresholds.withDefaults(), o.Texts.withDefaults()
	if g.budgets.Meter == nil {
		g.budgets.Meter = policy.NewMeter(g.now)
	}
	if g.ledger = o.Ledger; g.ledger == nil {
		g.ledger = tooltrack.NewLedger(nil, &tooltrack.LedgerOptions{Clock: o.Clock})
	}
}

// setModes takes the host's contracts over, and its modes by their names. Modes without a name of their own are
// left out of what is looked at further.
func (g *Guard) setModes() error {
	g.options.Contracts, g.modes = maps.Clone(g.options.Contracts), make(map[string]*Mode, len(g.options.Modes))
	for kind, contract := range g.options.Contracts {
		g.options.Contracts[kind] = g.guarded(contract)
	}
	var faults []error
	var named []Mode
	for i, mode := range g.options.Modes {
		switch {
		case mode.Name == "":
			faults = append(faults, fmt.Errorf("Options.Modes[%d]: Name is empty; give the name that Input.Mode asks for", i))
			continue
		case g.modes[mode.Name] != nil:
			faults = append(faults, fmt.Errorf("Options.Modes[%d]: the name %q is used twice; names must be unique", i,
				clipped(mode.Name)))
			continue
		case mode.Contract != nil:
			contract := g.guarded(*mode.Contract)
			mode.Contract = &contract
		}
		g.modes[mode.Name] = &mode
		named = append(named, mode)
	}
	g.options.Modes = named
	return errors.Join(faults...)
}

// build makes the judges from their options. Where names were found to lead nowhere, the classifier is not told
// them again.
func (g *Guard) build(named bool) error {
	var faults []error
	rules, judging := valueOf(g.options.Policy), valueOf(g.options.Completion)
	rules.Modes = slices.Clip(rules.Modes)
	for _, mode := range g.options.Modes {
		rules.Modes = append(rules.Modes, mode.Mode)
	}
	if len(rules.Rates) > 0 && rules.Limiter == nil { // the host has none that keeps them
		rules.Limiter = policy.NewLimiter(g.now)
	}
	judging.DefaultWording = cmp.Or(judging.DefaultWording, g.texts.Calls)
	g.evaluator = completion.New(&judging)
	var err error
	if g.policy, err = policy.New(g.tools, &rules); err != nil {
		faults = append(faults, under("policy", err))
	}
	if g.reviewer = g.options.Reviewer; g.reviewer == nil {
		g.reviewer = g.policy
	}
	if g.classifier = g.options.Classifier; g.classifier == nil {
		tuning := g.options.Intent
		if tuning != nil && !named {
			tuning = &intent.Options{Language: tuning.Language}
		}
		if g.classifier, err = intent.FromTools(g.tools, tuning); err != nil {
			faults = append(faults, under("intent", err))
		}
	}
	return errors.Join(faults...)
}

// tellUnreadable tells the host of tools that can never be called: no turn would, since the model finds another way
// or gives up.
func (g *Guard) tellUnreadable() {
	unreadable := g.Unreadable()
	for _, tool := range keys(unreadable) {
		g.counters.hostFault("Tool.Parameters of " + tool)
		g.Note(context.Background(), "the schema of a tool cannot be applied; its calls are refused",
			"tool", tool, "error", shown(unreadable[tool]))
	}
}

// guarded is a contract whose requirements cannot end a turn by a panic, and say no more than so many bytes. One
// that panics is not met: nobody can tell, so the turn is not done.
func (g *Guard) guarded(contract completion.Contract) completion.Contract {
	const most, uncheckable = 2000, "a requirement that could not be checked (Requirement.Unmet failed)"
	contract.Require = slices.Clone(contract.Require)
	for i, inner := range contract.Require {
		unmet := func(turn completion.Case, blocker completion.Blocker) (unmet string) {
			defer func() {
				if recover() != nil {
					g.counters.hostFault("Requirement.Unmet")
					unmet = uncheckable
				}
			}()
			return clip.Text(strings.ToValidUTF8(inner.Unmet(turn, blocker), "\uFFFD"), most)
		}
		contract.Require[i] = completion.RequirementFunc(unmet)
	}
	return contract
}

// describeRules prints the argument rules of all tools. Rules that go by the name of an argument are told only for
// tools that take it.
func (g *Guard) describeRules() string {
	var text strings.Builder
	for _, tool := range g.tools {
		if lines := g.policy.Describe(tool.Name); lines != "" {
			fmt.Fprintf(&text, "%s:\n%s", tool.Name, lines)
		}
	}
	if text.Len() == 0 {
		return ""
	}
	return "ARGUMENT RULES:\n" + text.String()
}

// Code of ours that panics must not end the host, and must not be a way past the guard: what could not be judged is
// withheld, what could not be reviewed does not run, and what could not be recorded is of unknown fate. A guard
// that only observes hands everything on as it came.

// Contain runs code of an adapter, such as one for a wire format. A panic in it does not reach the host: it is
// counted, logged and returned as an [ErrUnjudged], and the adapter withholds what it could not judge, unless the
// guard only observes.
func (g *Guard) Contain(ctx context.Context, stage string, run func()) error {
	if ctx == nil {
		return ErrNoContext
	}
	if fault := g.contained(ctx, stage, run); fault != nil {
		return unjudgedError(fault)
	}
	return nil
}

// contained runs a stage and returns its panic, which is counted, and logged with its stack.
func (g *Guard) contained(ctx context.Context, stage string, run func()) *contain.Panic {
	fault := contain.Do(stage, run)
	if fault != nil && g != nil { // an adapter may get its guard with a request
		g.panicked(ctx, fault)
	}
	return fault
}

func (g *Guard) panicked(ctx context.Context, fault *contain.Panic) {
	g.counters.note(func(sum *Counters) { sum.Panics[fault.Stage]++ })
	g.Note(ctx, "the guard itself panicked", "stage", fault.Stage, "stack", string(fault.Stack))
}

// Note writes an event of an adapter to Options.Logger. Like the guard's own events it must not hold arguments,
// results or texts.
func (g *Guard) Note(ctx context.Context, event string, args ...any) {
	if ctx == nil {
		ctx = context.Background()
	}
	g.log(ctx, slog.LevelWarn, event, args)
}

func (g *Guard) log(ctx context.Context, level slog.Level, event string, args []any) {
	if g.options.Logger == nil {
		return
	}
	defer func() { _ = recover() }() // a handler that panics must not end a turn
	g.options.Logger.Log(ctx, level, "guard: "+event, args...)
}

// isHeard reports whether events are logged, where putting one together costs something.
func (g *Guard) isHeard() bool { return g.options.Logger != nil }

// hostFault reports a failure of the host's code that the turn survives.
func (g *Guard) hostFault(ctx context.Context, callback string, err error) {
	g.counters.hostFault(callback)
	if g.isHeard() {
		g.Note(ctx, "host code failed", "callback", callback, "error", g.logged(err))
	}
}

// logged is an error as it may be logged. Its text may quote a message, an argument or a key, so by default only
// its type is.
func (g *Guard) logged(err error) string {
	if g.options.LogErrors {
		return printable(shown(err), maxLogged)
	}
	if host := new(HostError); errors.As(err, &host) {
		err = host.Err // the callback is told beside it
	}
	return fmt.Sprintf("%T", err)
}

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

// dateContext is the date as models are told it; empty without a window.
func (g *Guard) dateContext() string {
	if g.options.Dates == nil {
		return ""
	}
	return strings.TrimSpace(g.options.Dates.DateContext(g.now()))
}

// valueOf is what a pointer of the options leads to, or the zero value.
func valueOf[T any](option *T) (value T) {
	if option != nil {
		value = *option
	}
	return value
}
