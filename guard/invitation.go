package guard

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What the guard invites is what it permits: mayCall words its messages, prompted reviews the
// calls that follow them, and both ask notAsked.

// mayCall says which calls a message of the guard may ask for, or invite: none that the
// user's message holds back, and no change where none would be permitted.
func (t *Turn) mayCall(doubts []Doubt, accused bool) proof.Calling {
	permitted := func(tool tooltrack.Tool) bool {
		return !readsOnly(&tool) && t.notAsked(&tool, accused) == ""
	}
	switch {
	case t.barred:
		return proof.CallsBarred
	case t.asked.retells(doubts):
		return proof.CallsThatRead
	case slices.ContainsFunc(t.offered, permitted) && (t.hostWants() || !onlyReadsDue(doubts, t.offered)):
		return proof.CallsInvited
	case t.asked.holdsBack():
		return proof.CallsHeldBack
	}
	return proof.CallsThatRead
}

// notAsked is the rule against a change that follows a message of the guard: the user's
// message holds it back, or nothing in it asks for a change. It is empty where neither is
// so: then which tool does it is the model's to say, as it was before the guard spoke.
func (t *Turn) notAsked(tool *tooltrack.Tool, accused bool) (rule string) {
	at := slices.IndexFunc(t.asked.expected, func(e intent.Expectation) bool { return e.Tool == tool.Name })
	expected := at >= 0
	switch {
	case expected && t.asked.held[at] && !t.mayHaveComeTrue(t.asked.expected[at]),
		!expected && t.asked.hold != intent.NotHeld && !t.asked.partly:
		return ruleHeld
	case t.settled && (!expected || called(t.records, tool.Name)):
		return ruleUnasked
	case t.bidden(tool):
		return ""
	case t.foundOtherwise():
		return ruleUnasked
	case expected && t.asked.sure[at]:
		return ""
	case t.declined(), expected && t.handedOver(t.asked.expected[at]):
		return ruleUnasked
	case expected:
		return ""
	case t.onlyTold(), reading.WantedOf(t.wanted) != reading.Report:
		return ruleUnasked
	case t.mayMean(tool, accused):
		return ""
	}
	return ruleUnasked
}

// mayMean reports whether a message may mean a tool that is not expected.
func (t *Turn) mayMean(tool *tooltrack.Tool, accused bool) bool {
	if t.wantsChange() && t.commands() {
		return true
	}
	names := t.asked.wantsChange(t.offered) &&
		(reading.Commands(t.wanted) || readingOf(tool).Families.Overlaps(actsIn(t.wanted)))
	return names && !accused // who was told that a text of his is false has been told what is missing
}

// bidden reports whether the host itself asks for a tool.
func (t *Turn) bidden(tool *tooltrack.Tool) bool {
	return t.required || t.hostWants() || slices.Contains(t.contract.Tools(), tool.Name)
}

// questioned is the text that the guard asks about, or has asked about; nil if there is none.
func (t *Turn) questioned() *proving {
	if t.proving != nil {
		return t.proving
	}
	return t.aside
}

// declined reports whether the text that the guard asked about tells no change as done,
// and says no to something: that it waits, that it cannot, that it did not. Without the
// guard nothing would have been done, and a question must not make it so.
func (t *Turn) declined() bool {
	asked := t.questioned()
	if asked == nil || slices.ContainsFunc(asked.found.doubts, tellsChange) {
		return false
	}
	verdict := &asked.found.verdict
	return verdict.Asks || verdict.Blocker.Kind != completion.NoBlocker || denies(asked.draft.Message.Text)
}

// foundOtherwise reports whether the text that the guard asked about tells, where nothing
// was changed, how something was found, or why it had better be left: "it was refunded on
// Monday", "the lot has been sold". What it tells as done is not what the message asks for.
func (t *Turn) foundOtherwise() bool {
	asked := t.questioned()
	if asked == nil || changed(t.records) || asked.found.unsettled == completion.Promise {
		return false
	}
	wanted := t.actsWanted()
	for _, doubt := range asked.found.doubts {
		if !tellsChange(doubt) || reading.ToldAsFound(doubt.Claim.Text) {
			continue
		}
		told := actsIn(doubt.Claim.Text)
		if told.Empty() && looked(t.records) && !reading.English().ReadClauses(nil, doubt.Claim.Text).TellsDone() {
			continue // "the cheapest costs 59"
		}
		if wanted.Empty() || told.Empty() || wanted.Overlaps(told) {
			return false
		}
	}
	text := asked.draft.Message.Text
	return reading.ToldAsFound(text) || looked(t.records) && (denies(text) || reading.EndsAsking(t.wanted))
}

// actsWanted are the acts of the changes that are expected or, where none is, those that the
// message has words of.
func (t *Turn) actsWanted() (acts lexicon.Families) {
	for _, expected := range t.asked.expected {
		if tool := toolNamed(t.offered, expected.Tool); tool != nil && !readsOnly(tool) {
			acts = acts.Union(readingOf(tool).Families)
		}
	}
	if acts.Empty() {
		acts = actsIn(t.wanted)
	}
	return acts
}

// tellsChange reports whether a doubt is about a change that the text may tell as done.
func tellsChange(d Doubt) bool {
	return d.Claim != nil && d.Claim.Kind == completion.ClaimChange &&
		!reading.English().ReadClauses(nil, d.Claim.Text).Refrains()
}

// handedOver reports whether the words that speak for a tool stand in a text that the
// message wants to have put otherwise: "fix the grammar: i has send the mail".
func (t *Turn) handedOver(expected intent.Expectation) bool {
	_, text := reading.HandedOver(t.wanted)
	return text != "" && strings.Contains(text, expected.Words) && reading.WantedOf(t.wanted) != reading.Report
}

// mayHaveComeTrue reports whether what an act waits for may be so by now: the turn has
// looked at something.
func (t *Turn) mayHaveComeTrue(expected intent.Expectation) bool {
	looked := func(r *tooltrack.Record) bool { return r.Succeeded() }
	return expected.Hold == intent.Conditional && t.asked.hold == intent.NotHeld && slices.ContainsFunc(t.records, looked)
}

// onlyTold reports whether a message only tells something, or says no to a question: "my
// colleague refunded it", "no, 20 is fine".
func (t *Turn) onlyTold() bool {
	if t.asked.unread {
		return false
	}
	if !reading.EndsAsking(t.previous) {
		return reading.OnlyTells(t.wanted)
	}
	return reading.SaysNo(t.wanted) && !reading.Commands(t.wanted)
}

// commands reports whether a message may command something. What is said in English,
// and reads neither like a command nor like an answer to a question, does so only where
// it can hardly mean anything else.
func (t *Turn) commands() bool {
	const hardly = 0.9
	return t.asked.kind == intent.Action || t.asked.unread || reading.Commands(t.wanted) ||
		t.asked.due >= hardly && !reading.OnlyTells(t.wanted) ||
		reading.EndsAsking(t.previous) && !reading.OnlyTells(t.wanted)
}

// orders reports whether a message may be an order: it reads like one, and not only has
// words of a tool, as "I was going to cancel it" has.
func (t *Turn) orders() bool {
	command := func(e intent.Expectation) bool { return e.Command }
	return t.asked.kind == intent.Action && (reading.Commands(t.wanted) || slices.ContainsFunc(t.asked.expected, command))
}

// actsIn are the families of all words of a message that can be verbs.
func actsIn(message string) (acts lexicon.Families) {
	for _, token := range lexicon.English().Tokenize(nil, message) {
		if token.Entry != nil && !token.Has(lexicon.Quoted) {
			acts = acts.Union(token.Families())
		}
	}
	return acts
}
