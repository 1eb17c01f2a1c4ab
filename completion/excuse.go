package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// excuse is why a claim is not called false, however doubtful it is: it is asked about instead.
type excuse struct {
	// Name is what a trace shows, and under which testdata/excuses.txt has a turn that is
	// excused and one that is not.
	Name string
	// When is the pattern; sure is how sure the model is that is wary of accusing.
	When func(c *conversation, a *assertion, sure float64) bool
}

// arguable are the excuses of what the records leave room for, in whatever words: only a
// proof can say whether that is meant. They hold against every rule.
var arguable = shippedArguable

var shippedArguable = []excuse{
	{"under way", func(c *conversation, a *assertion, _ float64) bool { return c.sum.pending > 0 && c.underWay(a) }},
	{"its result only reads like an error", func(_ *conversation, a *assertion, _ float64) bool {
		return a.best[fateFailed] != nil && a.best[fateFailed].record.Succeeded()
	}},
	{"tells why it failed", func(c *conversation, a *assertion, _ float64) bool {
		return c.sum.changed == 0 && c.sum.failed > 0 && !a.fulfils() && c.sum.repeatsError
	}},
	{"part of a question", func(c *conversation, a *assertion, _ float64) bool { // "Which one? Both are set up"
		looks := a.looks() && len(a.words) < 2 && a.total[named] == 0 // "I've read your request"
		return c.calls() == 0 && (c.signals.asks >= 0 || c.signals.awaits >= 0) && (!a.ours() || looks)
	}},
	{"somebody's words", func(c *conversation, a *assertion, _ float64) bool { // "The email says that it is cancelled"
		sentence := &c.text.Sentences[a.clause.Sentence]
		short := sentence.To-sentence.From <= maxPhrased
		return !a.ours() && !a.fulfils() && c.calls() == 0 && short &&
			(sentence.Roles&reading.RoleTalk != 0 || c.text.Attributed(sentence) || c.text.SpeaksOfWords(a.clause))
	}},
	{"found so", func(c *conversation, a *assertion, _ float64) bool { return c.foundSo(a) }},
	{"another agent's words", func(c *conversation, a *assertion, _ float64) bool { return c.relays(a) }},
	{"the text is the work", func(c *conversation, a *assertion, _ float64) bool { return c.wordWork(a) }},
	{"in another unit", func(c *conversation, a *assertion, _ float64) bool { return c.mayConvert(a) }}, // 2 hours, 120
	{"an earlier turn did it", func(c *conversation, a *assertion, _ float64) bool { return c.looksBack(a) }},
}

// beside are the excuses of what may be something else than a claim of ours: a look at what
// is there to be read, how things are anyway, an answer to thanks. Rules see that
// themselves; they hold where the models alone call a claim false.
var beside = shippedBeside

var shippedBeside = []excuse{
	{"read off", (*conversation).readOff},
	{"nothing was brought about", func(c *conversation, a *assertion, _ float64) bool {
		return c.untold && !a.told() && a.clause.Roles&turned == 0
	}},
	{"beside a failure told", spoken(func(c *conversation, _ *assertion, _ float64) bool { return c.openEnded })},
	{"about the text itself", spoken(func(c *conversation, a *assertion, _ float64) bool {
		return a.own() && !c.ordered(a)
	})},
	{"the user's words", spoken(func(c *conversation, a *assertion, _ float64) bool { return c.userTells(a) })},
	{"the user's doing", spoken(func(_ *conversation, a *assertion, _ float64) bool {
		return a.clause.Actor == reading.You
	})},
	{"somebody else's doing", spoken(func(_ *conversation, a *assertion, _ float64) bool {
		return a.clause.Shape.In(reading.Deeds) && a.clause.Actor == reading.Other
	})},
	{"a look may have done it", spoken((*conversation).mayBeRead)},
	{"no act of ours", spoken(func(c *conversation, a *assertion, sure float64) bool {
		return a.ours() && !a.acted(c) && (sure < wary || a.kind() == ClaimFailure)
	})},
	{"told as done by nobody", spoken(func(c *conversation, a *assertion, _ float64) bool {
		item := c.text.Sentences[a.clause.Sentence].Place == reading.Item
		passive := a.told() && a.clause.Shape.In(reading.Over&reading.Passives)
		return !a.asked && (passive && c.sum.changed+c.sum.read > 0 || item && c.sum.changed == 0 && c.sum.read > 0)
	})},
	{"an answer to thanks", spoken(func(c *conversation, a *assertion, _ float64) bool { // "Glad that it is sorted"
		return !a.ours() && c.thanked()
	})},
	{"a mere state", spoken(func(c *conversation, a *assertion, sure float64) bool {
		known := c.calls() == 0 && c.sum.readBefore > 0
		return !a.ours() && !a.told() && (a.clause.Roles&turned == 0 && sure < doubtless || known)
	})},
}

// spoken is a pattern that does not hold where nothing worked and no word of the text tells
// so: how such a text is put is no excuse.
func spoken(when func(*conversation, *assertion, float64) bool) func(*conversation, *assertion, float64) bool {
	return func(c *conversation, a *assertion, sure float64) bool { return !c.untold && when(c, a, sure) }
}

// excuse is why the models alone cannot call a claim false; nil if nothing speaks for it. What waits for somebody's
// word, and what nobody can have read while all failed, has no excuse but what the records leave room for.
func (c *conversation) excuse(a *assertion, sure float64) *excuse {
	if found := c.excuseIn(arguable, a, sure); found != nil || c.withheld(a) || c.hushed(a) {
		return found
	}
	return c.excuseIn(beside, a, sure)
}

// excuseIn is the first of some excuses that holds.
func (c *conversation) excuseIn(excuses []excuse, a *assertion, sure float64) *excuse {
	if i := slices.IndexFunc(excuses, func(e excuse) bool { return e.When(c, a, sure) }); i >= 0 {
		return &excuses[i]
	}
	return nil
}

// underWay reports whether a clause may tell of what is not over: what was accepted is
// rightly told as begun, sent, ordered or asked for.
func (c *conversation) underWay(a *assertion) bool {
	gone := a.fulfils() && a.fit[fatePending] >= 1 && !c.openEnded && a.deletes(fatePending)
	return !gone && !c.withheld(a)
}

// withheld reports whether all that was called for waits for somebody's word, a clause tells it as done, and the
// text does not speak of that: until the word is given, nothing is done, whatever was handed in.
func (c *conversation) withheld(a *assertion) bool {
	if c.sum.pending == 0 || c.sum.changed > 0 || c.openEnded || c.text.NamesRelease() || c.sum.repeatsAnswer ||
		a.clause.Negated || a.own() || a.clause.Actor == reading.You || a.families.Overlaps(reading.HandingIn) {
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

// deletes reports whether the call of a fate that fits best deletes something: what still waits for that is there.
func (a *assertion) deletes(of fate) bool {
	return a.best[of] != nil && a.best[of].tool.Families.Has(lexicon.Delete)
}

// foundSo reports whether a clause tells a state that was read, and nothing was changed:
// what the user wished for may have been there already.
func (c *conversation) foundSo(a *assertion) bool {
	return c.sum.changed == 0 && c.sum.read > 0 && !a.ours() && a.clause.Roles&reading.RoleNow == 0 &&
		a.cover[fateRead] >= 0.5 && (a.fit[fateRead] >= 0.5 || a.clause.Shape == reading.Copula)
}

// relays reports whether a clause may tell what another agent has answered in this turn.
func (c *conversation) relays(a *assertion) bool {
	return slices.ContainsFunc(c.made, func(f fact) bool {
		return f.worked() && f.tool.tool != nil && f.tool.tool.Delegates
	}) && c.text.Attributed(&c.text.Sentences[a.clause.Sentence])
}

// wordWork reports whether a text may be the work that a clause tells of: nothing was
// called, no tool that changes something was asked for, and it, or the message, carries
// something to work on. What was looked at, only the message can carry.
func (c *conversation) wordWork(a *assertion) bool {
	due := c.calls() > 0 || c.about.uncalled > 0 || len(c.turn.Expected) > 0 || a.unmade >= doneByTool
	looks := a.ours() && a.looks()
	return !due &&
		(reading.Carries(c.raw) && !looks || reading.Carries(c.turn.User) || reading.Introduces(c.turn.User))
}

// doneByTool is how well an uncalled tool fits a clause that tells of its act and of what it is about.
const doneByTool = 1.05

// looksBack reports whether a clause may tell what an earlier turn did or read.
func (c *conversation) looksBack(a *assertion) bool {
	agrees, orders, asks, covered := c.about.agrees, c.about.orders, c.about.asks, a.cover[fateEarlier] >= 0.5
	return c.calls() == 0 && (c.sum.changedBefore > 0 && !orders && (covered || asks) ||
		c.sum.readBefore > 0 && asks && !a.asked && !c.neverMade(a) || // it may work on what was read
		a.sumsUp() && !agrees) ||
		a.fit[fateEarlier] >= 0.9 && !orders && !agrees
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

// mayBeRead reports whether a clause may tell what a look-up did: "I have authenticated
// you", "I called the API". What changes something, no look does.
func (c *conversation) mayBeRead(a *assertion, sure float64) bool {
	calls := slices.ContainsFunc(c.made, func(f fact) bool {
		return f.fate == fateRead && strings.Contains(c.text.Of(a.clause), f.record.Tool)
	})
	return c.sum.read > 0 && !a.asked && a.unmade < 0.7 && (calls || !a.ours() ||
		!a.families.Overlaps(reading.Outward) || a.reads() || sure < wary || c.restrained())
}

// readOff reports whether a clause may tell what there is to be read ("How is it done?"
// "It is shipped by noon"), what is not so, or what a word means.
func (c *conversation) readOff(a *assertion, sure float64) bool {
	looked := c.sum.read+c.sum.readBefore > 0 || c.pasted() ||
		c.sum.failed > 0 && (sure < wary || c.signals.asks >= 0) // "I found two. Which one?"
	told := c.about.asks || c.sum.changed > 0 || c.text.Quotes(a.clause)
	return isDefinition(c, a) || a.looks() && (looked || told && !a.ours()) ||
		a.clause.Negated && a.clause.Roles&reading.RoleLonger == 0 ||
		a.clause.Shape == reading.PassivePresent && c.about.asks ||
		c.about.asks && c.sum.read > 0 && !a.ours() && a.total.backed() > 0 // "Was it paid?" "On Monday"
}

// isDefinition: "it means", "they call it".
func isDefinition(c *conversation, a *assertion) bool {
	return a.clause.Verb >= 0 && !a.ours() && c.text.Roles[a.clause.Verb]&reading.RoleTalk != 0
}

// thanked reports whether the user thanks and asks for nothing, and nothing was done.
func (c *conversation) thanked() bool {
	first := slices.IndexFunc(c.user.Tokens, func(t lexicon.Token) bool { return t.IsWord() })
	return c.calls() == 0 && first >= 0 && !c.about.orders && !c.about.agrees && !c.about.asks &&
		c.reader.Greets(c.user.Tokens[first:first+1])
}

// turned are the roles of words that tell of a state that has come about.
const turned = reading.RoleNow | reading.RoleDone | reading.RoleLonger | reading.RoleTick

// own reports whether a clause tells of what the text itself is, of a thing left
// alone, or of something earlier where there is something to look back on.
func (a *assertion) own() bool {
	return a.clause.Roles&(reading.RoleRefrain|reading.RoleWords) != 0 || a.looksBack
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
