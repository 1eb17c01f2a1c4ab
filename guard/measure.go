package guard

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A measure is what the guard does about a text or a call, or would do if it did
// not only observe: its kind, and the tool as far as one can be named.
// [Counters.Would] counts measures and the log tells them, so that both say the same.

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
				measures = append(measures, measure("proof of a claim", claimedTool(doubt.Words, t.offered)))
			}
		}
	case faultClaim:
		measures = append(measures, measure("correction of an unbacked claim", t.unbackedTool(&found.verdict)))
	case faultOther:
		measures = append(measures, measure("correction: "+found.verdict.Reason.String(), t.concernedTool(&found.verdict)))
	default:
		measures = append(measures, "correction: "+found.fault.String())
	}
	return measures
}

// denial is the measure about a call that may not run. A name that the model made up
// is not counted, since it can make up any number of them.
func (t *Turn) denial(tool, rule string) string {
	if toolNamed(t.offered, tool) == nil {
		return "denial by " + rule
	}
	return "denial of " + tool + " by " + rule
}

// rewriting is the measure about a call that runs with other arguments: by a rule, or
// with an id in place of a title.
func rewriting(tool, rule string) string {
	if rule == "" {
		return "rewriting of " + tool
	}
	return "rewriting of " + tool + " by " + rule
}

func measure(kind, tool string) string {
	if tool == "" {
		return kind
	}
	return kind + " of " + tool
}

// unbackedTool is the tool of the first claim that is refused.
func (t *Turn) unbackedTool(verdict *completion.Verdict) string {
	for i := range verdict.Claims {
		if claim := &verdict.Claims[i]; claim.Tier == completion.Sure || !claim.Backed() {
			return claimedTool(claim.Text, t.offered)
		}
	}
	return ""
}

// concernedTool is the tool that a text falls short of: the one that failed last,
// where that is kept quiet, and otherwise the only one that was expected.
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

// claimedTool is the tool whose work a claim tells of, as far as its words say: the
// only one with such a verb or, of several, the only one whose object it names, too.
func claimedTool(claim string, tools []tooltrack.Tool) string {
	acts := actIn(claim)
	var by, named []string
	for i := range tools {
		reading := readingOf(&tools[i])
		if !reading.Families.Overlaps(acts) {
			continue
		}
		by = append(by, tools[i].Name)
		for _, noun := range reading.Nouns {
			if namesKind(claim, noun.Text) {
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

// actIn are the families of the first word of a claim that can only be a verb there.
func actIn(claim string) lexicon.Families {
	for _, token := range lexicon.English().Tokenize(nil, claim) {
		form, families := token.Form(), token.Families()
		if token.Entry == nil || token.Flags&lexicon.Quoted != 0 || form.Has(lexicon.Noun) || families.Empty() {
			continue
		}
		if form.Has(lexicon.Past | lexicon.Participle | lexicon.Base) {
			return families
		}
	}
	return lexicon.Families{}
}
