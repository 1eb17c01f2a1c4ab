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
	measures := t.measures(found)
	if t.guard.options.Observe {
		t.guard.counters.wouldHave(measures...)
	}
	level := slog.LevelDebug
	if found.fault != noFault || t.guard.options.Observe { // shares need the turns that passed, too
		level = slog.LevelInfo
	}
	t.log(ctx, level, "judged", append([]any{
		"tier", found.tier().String(), "outcome", found.verdict.Outcome.String(), "rule", found.fault.String(),
		"reason", found.verdict.Reason.String(), "observe", t.guard.options.Observe, "measures", measures,
	}, t.concerning(found)...))
}

// concerning are the tools and claims that a judgement rests on. There may be several of each, and an attribute
// stands in a line once, so each is a list: tools with their confidences, doubts with their tools and
// probabilities.
func (t *Turn) concerning(found finding) (args []any) {
	var (
		tools, doubts, claims      []string
		confidences, probabilities []float64
	)
	for _, expected := range found.missing {
		tools, confidences = append(tools, expected.Tool), append(confidences, expected.Confidence)
	}
	for _, doubt := range found.doubts {
		tools, doubts = append(tools, doubt.Tool), append(doubts, doubt.Kind())
		probabilities = append(probabilities, doubt.Probability)
		if doubt.Claim != nil {
			claims = append(claims, doubt.Words)
		}
	}
	if unbacked := found.verdict.Unbacked(); unbacked != nil {
		args = append(args, "claim_rule", unbacked.Rule)
		if tool := t.unbackedTool(&found.verdict); tool != "" {
			args = append(args, "claim_tool", tool)
		}
		claims, probabilities = append(claims, unbacked.Text), append(probabilities, unbacked.Doubt)
	}
	for i, claim := range claims {
		claims[i] = printable(policy.HideSecrets(claim), maxLogged)
	}
	if !t.guard.options.LogClaims {
		claims = nil
	}
	add := func(name string, list any, length int) {
		if length > 0 {
			args = append(args, name, list)
		}
	}
	add("tools", tools, len(tools))
	add("confidences", confidences, len(confidences))
	add("doubts", doubts, len(doubts))
	add("probabilities", probabilities, len(probabilities))
	add("claims", claims, len(claims))
	return args
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

// A measure is what the guard does about a text or a call, or would do if it did not only observe: its kind, and
// the tool as far as one can be named. [Counters.Would] counts measures and the log tells them, so that both say
// the same.

// measures are those about a text.
func (t *Turn) measures(found finding) []string {
	var measures []string
	switch found.fault {
	case noFault:
	case faultMissing:
		for _, expected := range found.missing {
			measures = append(measures, "re-ask "+expected.Tool)
		}
	case faultDoubt:
		for _, doubt := range found.doubts {
			if doubt.Claim == nil {
				measures = append(measures, strings.TrimSpace("proof due "+doubt.Tool))
			} else {
				measures = append(measures, measureOf("proof of a claim", claimedTool(doubt.Words, t.offered)))
			}
		}
	case faultClaim:
		measures = append(measures, measureOf("correction of an unbacked claim", t.unbackedTool(&found.verdict)))
	case faultOther:
		measures = append(measures, measureOf("correction: "+found.verdict.Reason.String(), t.concernedTool(&found.verdict)))
	default:
		measures = append(measures, "correction: "+found.fault.String())
	}
	return measures
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

// unbackedTool is the tool of the first claim that is refused.
func (r *userRequest) unbackedTool(verdict *completion.Verdict) string {
	for i := range verdict.Claims {
		if claim := &verdict.Claims[i]; claim.Tier == completion.Sure || !claim.Backed() {
			return claimedTool(claim.Text, r.offered)
		}
	}
	return ""
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
