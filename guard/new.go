package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func (g *Guard) setDefaults() {
	o := &g.options
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.AbandonAfter == 0 {
		o.AbandonAfter = defaultAbandonAfter
	}
	if o.Parallel == 0 {
		o.Parallel = defaultParallel
	}
	if g.ledger = o.Ledger; g.ledger == nil {
		g.ledger = tooltrack.NewLedger(nil, &tooltrack.LedgerOptions{Clock: o.Clock})
	}
}

// setModes files the modes by their names. Those without one of their own are left
// out of what is looked at further.
func (g *Guard) setModes() error {
	g.modes = make(map[string]*Mode, len(g.options.Modes))
	var faults []error
	var named []Mode
	for i, mode := range g.options.Modes {
		switch {
		case mode.Name == "":
			faults = append(faults, fmt.Errorf("Options.Modes[%d]: Name is empty; give the name that Input.Mode asks for", i))
		case g.modes[mode.Name] != nil:
			faults = append(faults,
				fmt.Errorf("Options.Modes[%d]: the name %q is used twice; names must be unique", i, clipped(mode.Name)))
		default:
			g.modes[mode.Name] = &mode
			named = append(named, mode)
		}
	}
	g.options.Modes = named
	return errors.Join(faults...)
}

// build makes the judges from their options. Where names were found to lead nowhere,
// the classifier is not told them again.
func (g *Guard) build(named bool) error {
	var faults [2]error
	rules := policy.Options{}
	if g.options.Policy != nil {
		rules = *g.options.Policy
	}
	rules.Modes = slices.Clip(rules.Modes)
	for _, mode := range g.options.Modes {
		rules.Modes = append(rules.Modes, mode.Mode)
	}
	keepRates(g, &rules)
	var err error
	if g.policy, err = policy.New(g.tools, &rules); err != nil {
		faults[0] = under("policy", err)
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
			faults[1] = under("intent", err)
		}
	}
	judging := completion.Options{}
	if g.options.Completion != nil {
		judging = *g.options.Completion
	}
	if judging.DefaultWording == (completion.Wording{}) {
		judging.DefaultWording = g.texts.Calls
	}
	g.evaluator = completion.New(&judging)
	return errors.Join(faults[:]...)
}

// tellUnreadable tells the host of tools that can never be called: no turn would,
// since the model finds another way or gives up.
func (g *Guard) tellUnreadable() {
	unreadable := g.Unreadable()
	for _, tool := range keys(unreadable) {
		g.counters.hostFault("Tool.Parameters of " + tool)
		g.warn(context.Background(), "the schema of a tool cannot be applied; its calls are refused",
			"tool", tool, "error", shown(unreadable[tool]))
	}
}

// safeRequirement is a requirement of the host's own. One that panics is not met:
// nobody can tell, so the turn is not done.
type safeRequirement struct {
	inner    completion.Requirement
	counters *counters
}

// uncheckable is what a model, and the verdict, hear of a requirement that
// could not be checked.
const uncheckable = "a requirement that could not be checked (Requirement.Unmet failed)"

// maxUnmet bounds what one requirement may say, in bytes.
const maxUnmet = 2000

// Unmet asks the host's requirement.
func (r safeRequirement) Unmet(turn completion.Case, blocker completion.Blocker) (unmet string) {
	defer func() {
		if recover() != nil {
			r.counters.hostFault("Requirement.Unmet")
			unmet = uncheckable
		}
	}()
	return clip.Text(strings.ToValidUTF8(r.inner.Unmet(turn, blocker), "\uFFFD"), maxUnmet)
}

// guarded is a contract whose requirements cannot end a turn by a panic.
func (g *Guard) guarded(contract completion.Contract) completion.Contract {
	if len(contract.Require) == 0 {
		return contract
	}
	safe := make([]completion.Requirement, len(contract.Require))
	for i, inner := range contract.Require {
		safe[i] = safeRequirement{inner, &g.counters}
	}
	contract.Require = safe
	return contract
}

// guardContracts takes the host's contracts over, into maps of the guard's own.
func (g *Guard) guardContracts() {
	contracts := make(map[intent.Kind]completion.Contract, len(g.options.Contracts))
	for kind, contract := range maps.All(g.options.Contracts) {
		contracts[kind] = g.guarded(contract)
	}
	g.options.Contracts = contracts
	g.options.Modes = slices.Clone(g.options.Modes)
	for i := range g.options.Modes {
		if own := g.options.Modes[i].Contract; own != nil {
			contract := g.guarded(*own)
			g.options.Modes[i].Contract = &contract
		}
	}
}

// describeRules prints the argument rules of all tools. Rules that go by the
// name of an argument are told only for tools that take it.
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
