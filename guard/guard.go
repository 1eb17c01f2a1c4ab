package guard

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/confirm"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
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

// Unreadable are the tools whose Parameters cannot be applied, with what is wrong and what
// to do about it. Their calls are refused; other tools are not affected. Look here after
// [New] if your program should not start with such tools. [Counters.HostFaults] counts
// them, too.
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

// informed are records with what the words of their tools imply: stores do not keep
// it. Records are shared, so those that lack it are copied.
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

func isLookUp(expected intent.Expectation, tools []tooltrack.Tool) bool {
	tool := toolNamed(tools, expected.Tool)
	return tool != nil && !tool.Effect.MayChange()
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

// New returns a guard for a set of tools. Its error tells all that is wrong with them
// and with the options, a line for each fault.
func New(tools []tooltrack.Tool, options *Options) (*Guard, error) {
	if len(tools) == 0 {
		return nil, ErrNoTools
	}
	g := &Guard{tools: sound(tools), counters: newCounters()}
	if options != nil {
		g.options = *options
	}
	g.budgets = g.options.Budgets.withDefaults()
	g.thresholds = g.options.Thresholds.withDefaults()
	g.texts = g.options.Texts.withDefaults()
	g.readings = sync.OnceValue(func() *match.Tools { return match.NewTools(g.tools) })
	g.toolReadings = sync.OnceValue(func() map[string]toolname.Reading {
		readings := make(map[string]toolname.Reading, len(g.tools))
		for i := range g.tools {
			readings[g.tools[i].Name] = readingOf(&g.tools[i])
		}
		return readings
	})
	g.setDefaults()
	named := g.checkNames(tools)
	g.guardContracts()
	err := errors.Join(tooltrack.ValidateTools(tools), named, g.setModes(), g.build(named == nil))
	if err != nil {
		return nil, err
	}
	g.tellUnreadable()
	g.argumentRules = g.describeRules()
	return g, nil
}

// sound are the tools that can be used: all of them, unless some are refused, and
// then the others serve to find out what else is wrong.
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
