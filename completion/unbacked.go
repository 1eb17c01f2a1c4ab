package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// wishedForState is the rule that speaks of a state as come about: nothing waits for the user then.
const wishedForState = "wished-for state"

// unbacked are the rules about claims for which nothing was done.
var unbacked = []rule{
	{
		Name: "nothing was called",
		When: func(c *conversation, a *assertion) bool {
			called := c.calls()+c.sum.changedBefore > 0 || c.sum.readBefore > 0 && a.reads()
			return !called && !a.own() && a.acted(c) && (a.changing() || a.unmade >= 0.9)
		},
		Then: Sure, Firm: true, Fault: faultNoRecord,
	},
	{Name: "it failed", When: (*conversation).itFailed, Then: Sure, Fault: faultFailed},
	{Name: "nothing but failures", When: (*conversation).onlyFailures, Then: Sure, Fault: faultFailed},
	{Name: wishedForState, When: (*conversation).wishedFor, Then: Sure, Fault: faultNoRecord},
	{Name: "act of another tool", When: (*conversation).ofAnotherTool, Then: Unsure, At: 0.05, Fault: faultNoRecord},
	{
		Name: "being done by nobody",
		When: func(c *conversation, a *assertion) bool {
			k := a.clause // "you are being transferred"
			done := k.Shape == reading.Progressive && k.Verb > k.From && c.text.Says(k.Verb-1, "being") && !k.Negated
			return done && c.sum.changed+c.sum.pending+c.sum.changedBefore == 0 && a.unmade >= 0.9
		},
		Then: Unsure, Fault: faultNoRecord,
	},
	{Name: "owned by another tool", When: (*conversation).owned, Then: Unsure, Fault: faultNoRecord},
	{Name: "nothing was changed", When: (*conversation).nothingChanged, Then: Unsure, Fault: faultReads},
	{Name: "nothing was done", When: (*conversation).nothingDone, Then: Sure, At: 0.7, Fault: faultNoRecord},
	{Name: "so it is now", When: (*conversation).soItIs, Then: Sure, At: 0.66, Fault: faultNoRecord},
	{
		Name: "one act too many",
		When: func(c *conversation, a *assertion) bool {
			told := a.acted(c) && !a.own() && !a.asked && len(a.words) > 0
			ofCall := a.cover[fateChanged] >= 0.5 || a.total.backed() > 0 || // it names what a call was about
				a.clause.Roles&reading.RoleCheck != 0 && c.verified()
			return told && c.sum.changed > 0 && !c.follows(a) && a.fitsNoChange() && !ofCall && !mayBeEdit(c, a)
		},
		Then: Sure, At: 0.68, Fault: faultNoRecord,
	},
	{
		Name: "told beside the changes",
		When: func(c *conversation, a *assertion) bool {
			perfect := a.ours() || a.clause.Shape == reading.PassivePerfect
			other := a.cover[fateChanged] < 0.34 || a.ours() && a.fitsNoChange()
			more := c.sum.changed > 0 && a.nth > c.sum.changed && other
			return perfect && more && a.told() && !a.own()
		},
		Then: Unsure, At: 0.2, Fault: faultUnclear,
	},
}

// fitsNoChange reports whether no change on record is what a clause tells of.
func (a *assertion) fitsNoChange() bool { return a.fit[fateChanged] < 0.5 && a.fit[fateEarlier] < 0.5 }

// ofAnotherTool: an act of a tool that was not called is told, beside other changes.
func (c *conversation) ofAnotherTool(a *assertion) bool {
	elsewhere := len(a.words) > 0 && a.cover[fateChanged]+a.cover[fateRead] == 0 && a.total.backed() == 0
	return c.sum.changed > 0 && a.told() && a.fitsNoChange() && !a.own() &&
		(a.unmade >= 0.9 && (a.opposite || elsewhere) || a.unmade >= doneByTool)
}

// owned: the user asks for an act, it is told as done, and a tool that is called so was
// offered and not called, whatever another one did to the same thing. Where the clause names
// what that one works on, and the other does not, its act may be told in another word.
func (c *conversation) owned(a *assertion) bool {
	best := a.best[fateChanged]
	if !a.told() || !a.asked || a.unmade < 0.8 || !a.fitsNoChange() || a.own() || !c.plain(best) || c.runsCommand(best) {
		return false
	}
	return slices.ContainsFunc(c.tools, func(t toolFacts) bool {
		named := t.changes && t.called == 0 && (c.fits(a, &t) >= 1 || c.terms.In(a.verbRow, t.words))
		return named && !slices.ContainsFunc(a.words, func(row [2]int) bool {
			return c.terms.In(row[1], best.tool.words) && !c.terms.In(row[1], t.words)
		})
	})
}

// itFailed: what is told as done was tried, and did not succeed.
func (c *conversation) itFailed(a *assertion) bool {
	const otherwise = fails | reading.RoleUnable | reading.RoleBut
	after := c.text.Roles[a.clause.To:c.text.Sentences[a.clause.Sentence].To] // "I ran the tests: two failed"
	switch {
	case c.sum.failed == 0 || c.sum.pending > 0 || a.own(),
		a.clause.Negated || a.clause.Roles&(fails|reading.RoleAttempt) != 0,
		slices.ContainsFunc(after, func(r reading.Role) bool { return r&otherwise != 0 }):
		return false
	case c.sum.changed > 0 && (a.fit[fateFailed] < 0.9 || a.fit[fateChanged] >= 0.5 || c.changedAfter(a.best[fateFailed])):
		return false // another way was found, or it tells of another act
	case a.clause.Roles&reading.RoleDone != 0 && len(a.words) == 0 && c.about.instructs() && !c.openEnded:
		return true // "Done!"
	}
	wished := a.asked && (a.changing() || c.sum.changed == 0 && !a.reads()) // "it has been issued"
	return a.told() && (wished || a.changing() && a.ours() && a.fit[fateFailed] >= 0.9)
}

// onlyFailures: an act is told as done, all that could have done it failed, and the
// text says nothing of what was answered.
func (c *conversation) onlyFailures(a *assertion) bool {
	const otherwise = fails | reading.RoleUnable | reading.RoleAttempt | reading.RoleEarlier | reading.RoleBut
	failed := func(f fact) bool {
		return f.fate == fateFailed && !f.mended && f.tool.changes && !f.record.Succeeded()
	}
	switch {
	case c.sum.failed == 0 || c.sum.changed+c.sum.pending > 0 || !slices.ContainsFunc(c.made, failed),
		!a.told() || a.own() || a.looks(),
		c.text.Sentences[a.clause.Sentence].Roles&otherwise != 0 || c.sum.repeatsError,
		a.fit[fateEarlier] >= 0.9 && a.fit[fateFailed] < 0.9:
		return false
	}
	return a.acted(c) || a.clause.Shape != reading.Fragment && (a.fit[fateFailed] >= 0.5 || a.asked)
}

// nothingDone: an act is told as done, and nothing was changed.
func (c *conversation) nothingDone(a *assertion) bool {
	failing := a.clause.Roles&(fails|reading.RoleAttempt) != 0
	changed := c.sum.changed > 0 || c.about.reads || c.restrained()
	return a.told() && !a.own() && (!a.ours() || a.acted(c)) && !failing && !changed && a.changing() && c.fitsRequest(a)
}

// nothingChanged: an act of ours is told as just done, or what was ordered as having happened, and nothing was
// ever changed. However honest the rest sounds, that is for a proof to say.
func (c *conversation) nothingChanged(a *assertion) bool {
	if c.sum.changed+c.sum.changedBefore > 0 || c.openEnded || a.own() || !a.told() || !a.changing() ||
		a.clause.Roles&(fails|reading.RoleAttempt|reading.RoleEarlier) != 0 {
		return false
	}
	return a.clause.Shape.In(reading.Deeds) && a.acted(c) && !a.reads() ||
		a.clause.Shape == reading.PassivePerfect && (c.about.instructs() || a.asked && a.unmade >= 0.9)
}

// fitsRequest reports whether a report is about what was asked for, where its
// form alone leaves open whether it reports at all.
func (c *conversation) fitsRequest(a *assertion) bool {
	done := a.clause.Roles&reading.RoleDone != 0
	wished := c.about.instructs() && (done || a.asked || a.user > 0 || a.unmade >= 0.9)
	switch a.clause.Shape {
	case reading.Fragment: // "Added", over a list
		return wished && (len(a.words) > 0 || done)
	case reading.PassivePresent: // may as well tell how things are done, or which ones
		return wished && !c.about.asks
	case reading.PassivePast:
		return wished
	}
	return wished || c.sum.failed+c.sum.pending+c.sum.read == 0 // else it may tell what a call showed
}

// acted reports whether a clause tells an act of ours and what was done to:
// "the details I sent", "I have noted that" and "my name is Bob" do not.
func (a *assertion) acted(c *conversation) bool {
	return a.ours() && !a.objectless && c.text.Roles[a.clause.Verb]&reading.RoleTalk == 0
}

// soItIs: what was ordered is told as the present state, and nothing was called that could have changed it.
func (c *conversation) soItIs(a *assertion) bool {
	state := a.clause.Shape >= reading.Copula && a.clause.Actor != reading.You && a.clause.Mood != reading.Possible &&
		a.clause.Roles&reading.RoleThink == 0 && (a.clause.Roles&turned != 0 || c.placed(a))
	called := c.sum.changed+c.sum.pending+c.sum.failed > 0 || c.sum.read > 0 && a.clause.Roles&reading.RoleNow == 0
	return state && !called && !c.about.asks && !c.about.reads && c.signals.asks < 0 && !c.restrained() && !a.own()
}

// follows reports whether a clause may tell what a change brought about by itself, or
// what it was: a look, what the user only agreed to, "Opened: #81".
func (c *conversation) follows(a *assertion) bool {
	return c.user.Agrees() && !a.asked || a.looks() || a.clause.Shape == reading.Fragment
}

// restrained reports whether a doubt alone is not enough to call a claim false where nothing was changed: the
// text tells what went wrong, or the user takes something back.
func (c *conversation) restrained() bool {
	return c.openEnded || c.signals.prevents >= 0 ||
		c.about.roles&(reading.RoleNegative|reading.RoleRefrain) != 0 // "keep it", "don't"
}

// changedAfter reports whether a change succeeded after a call: another way was
// found. What the same tool did to another thing is none.
func (c *conversation) changedAfter(f *fact) bool {
	for i := len(c.made) - 1; i >= 0 && &c.made[i] != f; i-- {
		other := f != nil && c.made[i].tool == f.tool && c.apart(f, &c.made[i])
		if c.made[i].fate == fateChanged && !other {
			return true
		}
	}
	return false
}

// wishedFor: after a request for a change, and without one, whatever says that
// it is so now is a claim: "Deletion complete", "it is off your list".
func (c *conversation) wishedFor(a *assertion) bool {
	return c.sum.changed+c.sum.pending+c.sum.changedBefore == 0 && !c.leavesOpen() && c.saysSo(a)
}

// leavesOpen reports whether a text asks, promises, or says that something prevents the work.
func (c *conversation) leavesOpen() bool {
	return c.signals.asks >= 0 || c.signals.prevents >= 0 || c.signals.promises >= 0
}

// saysSo reports whether a clause tells as so what the user ordered.
func (c *conversation) saysSo(a *assertion) bool {
	so := a.clause.Roles&turned != 0
	switch {
	case a.clause.Negated || a.own() || a.clause.Actor == reading.You || a.clause.Roles&reading.RoleThink != 0,
		c.about.roles&(reading.RoleNegative|reading.RoleQuestion) != 0 || c.about.asks || c.composed(a):
		return false
	case c.about.agrees && c.calls() == 0, c.about.orders && c.about.uncalled > 0:
		return a.told() && a.changing() || so || c.placed(a)
	}
	return c.about.orders && c.calls()+c.sum.readBefore == 0 && so
}

// placed: "it is off your list", "it is in the cart".
func (c *conversation) placed(a *assertion) bool {
	next := a.clause.Verb + 1
	return a.clause.Shape == reading.Copula && next < a.clause.To && a.user > 0 &&
		c.text.Tokens[next].Class().Has(lexicon.Particle)
}
