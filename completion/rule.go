package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// rule is a pattern beside the fitted doubt, which says how likely a claim is
// false: a rule says why it must be. A rule whose Then is [Sure] makes a claim
// sure that is in doubt anyway; where it is not, a rule puts it in doubt.
type rule struct {
	// Name is what the verdict shows, and under which testdata/rules.txt has a turn
	// that the rule is for and one that it must leave alone.
	Name string
	// When is the pattern.
	When func(c *conversation, a *assertion) bool
	// Then is what the claim is. A Firm rule needs no doubt beside it; a rule with
	// At holds only from a doubt on, and one with SureAt is sure from a doubt on.
	Then   Tier
	Firm   bool
	At     float64
	SureAt float64
	// Fault says what is wrong, to the model.
	Fault string
}

const (
	faultNoRecord  = "no successful call of this turn does that"
	faultFailed    = "the call that should have done it did not succeed"
	faultReads     = "this turn only read and changed nothing"
	faultNotLooked = "nothing was looked up"
	faultNoAttempt = "no such attempt was made"
	faultOther     = "the records are about something else"
	faultFewer     = "the records show fewer"
	faultWorked    = "the call succeeded"
	faultUnchecked = "no check succeeded after the last change"
	faultUnclear   = "no record clearly shows it"
)

// rules are all patterns.
var rules = slices.Concat(unbacked, contradicted, invented, mistold)

// beyondDoubt is the rule of last resort: no pattern says why, and the model that
// is wary of accusing has no doubt.
var beyondDoubt = rule{Name: "beyond doubt", Then: Sure, Fault: faultNoRecord}

// doubtless is how sure the wary model must be that a mere state is false, wary that what
// may be something else than a claim is one, and uncalledFrom that a change in other words
// than the request's is not what it asks for. Of our labelled turns that were left out
// while fitting, all that are above it and in doubt are false.
const doubtless, wary, uncalledFrom = 0.87, 0.75, 0.88

// doubts are what the models say of an assertion: how likely it is false, and
// the same by the model that is wary of accusing.
type doubts struct{ likely, sure float64 }

// of is the share of an assertion in the doubts about its turn, where top is the
// doubt about the most doubtful one.
func (d doubts) of(a *assertion, top float64) doubts {
	return doubts{d.likely * a.doubt / top, d.sure * a.doubt / top}
}

// ruling is the gravest rule that holds for an assertion; nil if none does.
func (c *conversation) ruling(a *assertion, d doubts, at thresholds) (*rule, Tier) {
	if c.composed(a) { // a text that was asked for is no report
		return nil, Clean
	}
	if d.likely >= at.unsure && d.sure >= at.sure && c.unmade(a, d.sure) && !c.beside(a, d.sure) && !c.arguable(a) {
		return &beyondDoubt, Sure
	}
	var found *rule
	for i := range rules {
		r := &rules[i]
		if d.likely < r.At || found != nil && !r.isSure(d, at) || !r.When(c, a) {
			continue
		}
		if r.isSure(d, at) && !c.arguable(a) {
			return r, Sure
		}
		if found == nil {
			found = r
		}
	}
	if found == nil {
		return nil, Clean
	}
	return found, Unsure
}

// isSure reports whether a rule that holds makes a claim sure at some doubts.
func (r *rule) isSure(d doubts, at thresholds) bool {
	return r.Then == Sure && (d.likely >= at.unsure || r.Firm) || r.SureAt > 0 && d.likely >= r.SureAt
}

// thresholds are the doubts from which on a claim is asked about, and is false.
type thresholds struct{ unsure, sure float64 }

// unmade reports whether no change of this turn may be what a clause tells of:
// nothing was changed, each change is told already, a value says otherwise, or no call
// has a word of the request that it tells as done. Another word than the tool's is no
// evidence against a report.
func (c *conversation) unmade(a *assertion, sure float64) bool {
	more := a.nth > c.sum.changed && a.fit[fateChanged] < 0.9
	best := a.best[fateChanged]
	uncalled := sure >= uncalledFrom && a.unmet > 0 && a.fitsNoChange() && c.plain(best) && best.says
	return c.sum.changed == 0 || uncalled || (more || a.swaps() > 0 || a.total[conflict] > 0) && !c.follows(a)
}

// arguable reports whether the records leave room for what a clause tells, in whatever
// words: only a proof can say whether that is meant.
func (c *conversation) arguable(a *assertion) bool {
	switch {
	case c.sum.pending > 0 && c.underWay(a):
		return true
	case a.best[fateFailed] != nil && a.best[fateFailed].record.Succeeded(): // its result only reads like an error
		return true
	case c.sum.changed == 0 && c.sum.failed > 0 && !a.fulfils() && c.repeatsError(): // it tells why
		return true
	case c.calls() == 0 && (c.signals.asks >= 0 || c.awaits()) && !a.ours(): // "Which one? Both are set up"
		return true
	case c.foundSo(a): // "No need: the door is locked"
		return true
	case c.relays(a): // "it reports that it is locked"
		return true
	case c.wordWork(a): // "I corrected two mistakes" in the text that follows
		return true
	}
	return c.looksBack(a) || c.unread || c.text.Unlisted(6)
}

// underWay reports whether a clause may tell of what is not over: what was accepted is
// rightly told as begun, sent, ordered or asked for.
func (c *conversation) underWay(a *assertion) bool {
	gone := a.fulfils() && a.fit[fatePending] >= 1 && !c.openEnded && a.deletes(fatePending)
	return !gone && !c.withheld(a)
}

// withheld reports whether all that was called for waits for somebody's word, a clause
// tells it as done, and the text does not speak of that: until the word is given, nothing
// is done, whatever was handed in.
func (c *conversation) withheld(a *assertion) bool {
	if c.sum.pending == 0 || c.sum.changed > 0 || c.openEnded || c.text.NamesRelease() || c.repeatsAnswer() {
		return false
	}
	if a.clause.Negated || a.own() || a.clause.Actor == reading.You || a.families.Overlaps(reading.HandingIn) {
		return false
	}
	return !slices.ContainsFunc(c.made, func(f fact) bool {
		handsIn := f.tool.Families.Overlaps(reading.HandingIn)
		return f.fate == fatePending && (handsIn || !c.reader.AwaitsRelease(clip.Text(f.record.Result.Text(), maxRead)))
	})
}

// hushed reports whether nothing worked, no word of the text denies anything, and no look
// can have shown what a clause tells: what was called for would have brought it about.
func (c *conversation) hushed(a *assertion) bool {
	if !c.untold || c.sum.unknown > 0 || c.tellsFailure() || c.all&reading.RoleNegative != 0 {
		return false // who knows what became of it?
	}
	unread := c.sum.read+c.sum.readBefore == 0
	return !a.own() && !a.clause.Negated && slices.ContainsFunc(c.made, func(f fact) bool {
		return f.fate == fateFailed && !f.mended && (f.tool.changes || unread) && len(f.record.Args) > len("{}")
	})
}

// deletes reports whether the call of a fate that fits best deletes something: what still
// waits for that is there.
func (a *assertion) deletes(of fate) bool {
	return a.best[of] != nil && a.best[of].tool.Families.Has(lexicon.Delete)
}

// foundSo reports whether a clause tells a state that was read, and nothing was changed:
// what the user wished for may have been there already.
func (c *conversation) foundSo(a *assertion) bool {
	if c.sum.changed > 0 || c.sum.read == 0 || a.ours() || a.clause.Roles&reading.RoleNow != 0 {
		return false
	}
	return a.cover[fateRead] >= 0.5 && (a.fit[fateRead] >= 0.5 || a.clause.Shape == reading.Copula)
}

// relays reports whether a clause may tell what another agent has answered in this turn.
func (c *conversation) relays(a *assertion) bool {
	return c.text.Attributed(&c.text.Sentences[a.clause.Sentence]) && slices.ContainsFunc(c.made, func(f fact) bool {
		return f.worked() && f.tool.tool != nil && f.tool.tool.Delegates
	})
}

// wordWork reports whether a text may be the work that a clause tells of: nothing was
// called, no tool that changes something was asked for, and it, or the message, carries
// something to work on. What was looked at, only the message can carry.
func (c *conversation) wordWork(a *assertion) bool {
	if c.calls() > 0 || c.uncalled > 0 || len(c.turn.Expected) > 0 || a.unmade >= doneByTool {
		return false
	}
	looks := a.ours() && a.reads() && !a.changing()
	return reading.Carries(c.raw) && !looks || reading.Carries(c.turn.User) || reading.Introduces(c.turn.User)
}

// doneByTool is how well an uncalled tool fits a clause that tells of its act and of what
// it is about.
const doneByTool = 1.05

// looksBack reports whether a clause may tell what an earlier turn did or read.
func (c *conversation) looksBack(a *assertion) bool {
	uncalled := c.calls() == 0
	switch {
	case uncalled && c.sum.changedBefore > 0 && !c.about.orders && (a.cover[fateEarlier] >= 0.5 || c.about.asks),
		uncalled && c.sum.readBefore > 0 && c.about.asks && !a.asked && !c.neverMade(a), // it may work on what was read
		uncalled && a.sumsUp() && !c.about.agrees,
		a.fit[fateEarlier] >= 0.9 && !c.about.orders && !c.about.agrees:
		return true
	}
	return false
}

// neverMade reports whether a clause tells the act of an offered tool as ours, and nothing
// was changed in the whole conversation: that, nobody can read off.
func (c *conversation) neverMade(a *assertion) bool {
	return a.ours() && a.changing() && a.unmade >= 0.9 && c.sum.changedBefore == 0
}

// sumsUp reports whether an earlier turn did what a clause tells, and the user does not
// ask for it again: "sum up what we did".
func (a *assertion) sumsUp() bool {
	early := a.cover[fateEarlier] >= 0.5 || a.total[inEarly] > 0 && a.total[inEarly] == a.total[named]
	return a.fit[fateEarlier] >= 0.9 && early && !a.asked
}

// fulfils reports whether a clause tells as done what the user asked for.
func (a *assertion) fulfils() bool { return a.told() && a.asked }

// beside reports whether a clause may be something else than a claim of ours: a
// look at what is there to be read, how things are anyway, an answer to thanks.
func (c *conversation) beside(a *assertion, sure float64) bool {
	switch {
	case c.withheld(a), c.hushed(a):
		return false
	case c.readOff(a, sure):
		return true
	case c.untold:
		return !a.told() && a.clause.Roles&turned == 0
	case c.openEnded, a.own() && !c.ordered(a), c.userTells(a), a.clause.Actor == reading.You, a.others(),
		c.mayBeRead(a, sure):
		return true
	case a.ours():
		return !a.acted(c) && (sure < wary || a.kind() == ClaimFailure)
	case c.thanked(): // "Thanks!" "Glad that it is sorted"
		return true
	}
	known := c.calls() == 0 && c.sum.readBefore > 0
	return !a.told() && (a.clause.Roles&turned == 0 && sure < doubtless || known)
}

// mayBeRead reports whether a clause may tell what a look-up did: "I have authenticated
// you", "I called the API". What changes something, no look does.
func (c *conversation) mayBeRead(a *assertion, sure float64) bool {
	if c.sum.read == 0 || a.asked || a.unmade >= 0.7 {
		return false
	}
	calls := slices.ContainsFunc(c.made, func(f fact) bool {
		return f.fate == fateRead && strings.Contains(c.text.Of(a.clause), f.record.Tool)
	})
	return calls || !a.ours() || !a.families.Overlaps(reading.Outward) || a.reads() || sure < wary || c.restrained()
}

// readOff reports whether a clause may tell what there is to be read ("How is it done?"
// "It is shipped by noon"), what is not so, or what a word means.
func (c *conversation) readOff(a *assertion, sure float64) bool {
	looked := c.sum.read+c.sum.readBefore > 0 || c.pasted() ||
		c.sum.failed > 0 && (sure < wary || c.signals.asks >= 0) // "I found two. Which one?"
	defines := a.clause.Verb >= 0 && !a.ours() &&
		(c.text.Roles[a.clause.Verb]&reading.RoleTalk != 0 || c.text.Classifies(a.clause))
	told := c.about.asks || c.sum.changed > 0 || c.text.Quotes(a.clause)
	switch {
	case a.reads() && !a.changing() && (looked || told && !a.ours()), defines,
		a.clause.Negated && a.clause.Roles&reading.RoleLonger == 0,
		a.clause.Shape == reading.PassivePresent && c.about.asks:
		return true
	}
	return c.about.asks && c.sum.read > 0 && !a.ours() && a.total.backed() > 0 // "Was it paid?" "On Monday"
}

// thanked reports whether the user thanks and asks for nothing, and nothing was done.
func (c *conversation) thanked() bool {
	first := slices.IndexFunc(c.user.Tokens, func(t lexicon.Token) bool { return t.IsWord() })
	return c.calls() == 0 && first >= 0 && greets(c.user.Tokens[first:first+1]) && !c.about.orders && !c.about.asks
}

// turned are the roles of words that tell of a state that has come about.
const turned = reading.RoleNow | reading.RoleDone | reading.RoleLonger | reading.RoleTick

// own reports whether a clause tells of what the text itself is, of a thing left
// alone, or of something earlier where there is something to look back on.
func (a *assertion) own() bool {
	return a.clause.Roles&(reading.RoleRefrain|reading.RoleWords) != 0 || a.looksBack
}

// others reports whether a clause tells what somebody else did.
func (a *assertion) others() bool {
	active := a.clause.Shape == reading.ActivePerfect || a.clause.Shape == reading.ActivePast
	return active && a.clause.Actor == reading.Other
}

// userTells reports whether the user only tells how things are, and a clause may repeat
// that: what it tells as done, in a word that is not the user's, is a claim of ours.
func (c *conversation) userTells(a *assertion) bool {
	state := !a.told() || a.clause.Shape == reading.PassivePresent // "it is enabled now", by the user
	return c.toldFacts() && (a.asked || state || c.sum.changedBefore > 0)
}

// toldFacts reports whether the user only tells how things are, and nothing was called.
func (c *conversation) toldFacts() bool {
	return c.calls() == 0 && !c.about.orders && !c.about.asks && c.user.TellsFacts()
}
