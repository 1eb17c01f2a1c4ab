package guard

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Every decision is one event, with its rule and reason. Arguments, results and texts are not logged: they belong
// to the user, and to the ledger.

// The events of a turn say whose it is. Their context is that of executors, so that a handler can ask [FromContext]
// for more.

// judged tells what the guard makes of a text, and what it would do about it.
func (t *Turn) judged(ctx context.Context, found finding) {
	t.guard.counters.note(func(sum *Counters) {
		for _, doubt := range found.doubts {
			sum.Doubts[doubt.Kind()]++
		}
	})
	if !t.guard.isHeard() && !t.guard.options.Observe {
		return
	}
	about := t.concernsOf(&found)
	if t.guard.options.Observe {
		t.guard.counters.wouldHave(about.measures...)
	}
	level := slog.LevelDebug
	if found.fault != noFault || t.guard.options.Observe { // shares need the turns that passed, too
		level = slog.LevelInfo
	}
	args := []any{
		"tier", found.tier().String(), "outcome", found.verdict.Outcome.String(), "rule", found.fault.String(),
		"reason", found.verdict.Reason.String(), "observe", t.guard.options.Observe, "measures", about.measures,
	}
	add := func(name string, said any, length int) {
		if length > 0 {
			args = append(args, name, said)
		}
	}
	add("claim_rule", about.claimRule, len(about.claimRule))
	add("claim_tool", about.claimTool, len(about.claimTool))
	add("tools", about.tools, len(about.tools))
	add("confidences", about.confidences, len(about.confidences))
	add("doubts", about.doubts, len(about.doubts))
	add("probabilities", about.probabilities, len(about.probabilities))
	if t.guard.options.LogClaims {
		add("claims", about.claims, len(about.claims))
	}
	t.log(ctx, level, "judged", args)
}

// concerns are what a judgement rests on: tools with their confidences, doubts with their tools and probabilities,
// claims; and its measures. A measure is what the guard does about a text or a call, or would do if it did not only
// observe: its kind, and the tool as far as one can be named. [Counters.Would] counts measures and the log tells
// them, so that both say the same.
type concerns struct {
	measures, tools, doubts, claims []string
	confidences, probabilities      []float64
	claimRule, claimTool            string
}

func (t *Turn) concernsOf(found *finding) (about concerns) {
	for _, w := range found.missing {
		about.measures, about.tools = append(about.measures, "re-ask "+w.Tool), append(about.tools, w.Tool)
		about.confidences = append(about.confidences, w.Confidence)
	}
	claim := func(words string) {
		about.claims = append(about.claims, printable(policy.HideSecrets(words), maxLogged))
	}
	for _, doubt := range found.doubts {
		measure := strings.TrimSpace("proof due " + doubt.Tool)
		if doubt.Claim != nil {
			measure = measureOf("proof of a claim", claimedTool(doubt.Words, t.offered))
			claim(doubt.Words)
		}
		about.measures, about.tools = append(about.measures, measure), append(about.tools, doubt.Tool)
		about.doubts, about.probabilities = append(about.doubts, doubt.Kind()), append(about.probabilities, doubt.Probability)
	}
	if unbacked := found.verdict.Unbacked(); unbacked != nil {
		about.claimRule, about.claimTool = unbacked.Rule, claimedTool(unbacked.Text, t.offered)
		about.probabilities = append(about.probabilities, unbacked.Doubt)
		claim(unbacked.Text)
	}
	measure := ""
	switch found.fault {
	case noFault, faultMissing, faultDoubt:
		return about
	case faultClaim:
		measure = measureOf("correction of an unbacked claim", about.claimTool)
	case faultOther:
		measure = measureOf("correction: "+found.verdict.Reason.String(), t.concernedTool(&found.verdict))
	default:
		measure = "correction: " + found.fault.String()
	}
	about.measures = append(about.measures, measure)
	return about
}

func (t *Turn) reviewed(ctx context.Context, p *pending) {
	g := t.guard
	switch {
	case p.ruling.Denied:
		g.counters.deny(p.ruling.Rule)
		t.measure(ctx, "call denied", t.denial(p.call.Tool, p.ruling.Rule),
			"tool", printable(p.call.Tool, maxName), "rule", p.ruling.Rule)
	case p.ruling.Rewritten != nil: // by a rule, or with an id in place of a title
		g.counters.note(func(sum *Counters) { sum.Rewritten++ })
		measure := "rewriting of " + p.call.Tool
		if p.ruling.Rule != "" {
			measure += " by " + p.ruling.Rule
		}
		t.measure(ctx, "call rewritten", measure, "tool", p.call.Tool, "rule", p.ruling.Rule)
	}
}

// measure tells of a limit, and what comes of it: an observing guard only counts that.
func (t *Turn) measure(ctx context.Context, event, measure string, args ...any) {
	if t.guard.options.Observe {
		t.guard.counters.wouldHave(measure)
	}
	t.info(ctx, event, append(args, "observe", t.guard.options.Observe, "measures", []string{measure})...)
}

// denial is the measure about a call that may not run. A name that the model made up is not counted, since it can
// make up any number of them.
func (r *userRequest) denial(tool, rule string) string {
	if toolNamed(r.offered, tool) == nil {
		return "denial by " + rule
	}
	return "denial of " + tool + " by " + rule
}

func measureOf(kind, tool string) string {
	if tool == "" {
		return kind
	}
	return kind + " of " + tool
}

// concernedTool is the tool that a text falls short of: the one that failed last, where that is kept quiet, and
// otherwise the only one that was expected.
func (t *Turn) concernedTool(verdict *completion.Verdict) string {
	if verdict.Reason == completion.UnreportedFailure {
		for _, record := range slices.Backward(t.evidence()) {
			if !record.Succeeded() && toolNamed(t.offered, record.Tool) != nil {
				return record.Tool
			}
		}
	}
	if len(t.expected) == 1 {
		return t.expected[0]
	}
	return ""
}

// claimedTool is the tool whose work a claim tells of, as far as its words say: the only one with such a verb or,
// of several, the only one whose object it names, too.
func claimedTool(claim string, tools []tooltrack.Tool) string {
	acts := reading.ActIn(claim)
	var by, named []string
	for i := range tools {
		does := readingOf(&tools[i])
		if !does.Families.Overlaps(acts) {
			continue
		}
		by = append(by, tools[i].Name)
		for _, noun := range does.Nouns {
			if reading.NamesKind(claim, noun.Text) {
				named = append(named, tools[i].Name)
				break
			}
		}
	}
	switch {
	case len(by) == 1:
		return by[0]
	case len(named) == 1:
		return named[0]
	}
	return ""
}

func (t *Turn) log(ctx context.Context, level slog.Level, event string, args []any) {
	if !t.guard.isHeard() {
		return
	}
	if _, known := FromContext(ctx); !known {
		ctx = context.WithValue(ctx, inputKey{}, &t.input)
	}
	whose := []any{"owner", printable(t.input.Owner, maxName), "turn", printable(t.input.Turn, maxName)}
	if t.input.Conversation != "" {
		whose = append(whose, "conversation", printable(t.input.Conversation, maxName))
	}
	t.guard.log(ctx, level, event, append(whose, args...))
}

func (t *Turn) debug(ctx context.Context, event string, args ...any) {
	t.log(ctx, slog.LevelDebug, event, args)
}

func (t *Turn) info(ctx context.Context, event string, args ...any) {
	t.log(ctx, slog.LevelInfo, event, args)
}
