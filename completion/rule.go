package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// rule is a pattern beside the fitted doubt, which says how likely a claim is
// false: a rule says why it must be. A rule whose Then is [Sure] makes a claim
// sure that is in doubt anyway; where it is not, a rule puts it in doubt.
type rule struct {
	// Name is what the verdict shows.
	Name string
	// Example is a turn that the rule is for, Counterexample one beside it that it
	// must leave alone; both are tests.
	Example, Counterexample scene
	// When is the pattern.
	When func(c *conversation, a *assertion) bool
	// Then is what the claim is. A Firm rule needs no doubt beside it. A rule with
	// At holds only from a doubt on, which is given as a share of the way from the
	// threshold of asking (0) to that of being sure (1).
	Then Tier
	Firm bool
	At   float64
	// Fault says what is wrong, to the model.
	Fault string
}

// scene is a turn in short, for examples: the request, the calls as "tool
// status arguments => result", and the text.
type scene struct {
	User    string
	Earlier []string
	Calls   []string
	Text    string
}

const (
	faultNoRecord  = "no successful call of this turn does that"
	faultFailed    = "the call that should have done it did not succeed"
	faultReads     = "this turn only read and changed nothing"
	faultNotLooked = "nothing was looked up"
	faultNoAttempt = "no such attempt was made"
	faultOther     = "the records are about something else"
	faultFewer     = "the records show fewer"
	faultUnchecked = "no check succeeded after the last change"
	faultDoubtful  = "the result of the call reads like an error"
	faultUnclear   = "no record clearly shows it"
)

// rules are all patterns.
var rules = slices.Concat(unbacked, contradicted, invented)

// beyondDoubt is the rule of last resort: nothing was changed in this turn, and
// the doubt alone is as good as sure.
var beyondDoubt = rule{Name: "beyond doubt", Then: Sure, Fault: faultNoRecord}

// ruling is the gravest rule that holds for an assertion; nil if none does.
func (c *conversation) ruling(a *assertion, doubt, unsure, sure float64) (*rule, Tier) {
	if c.calls() == 0 && c.about.roles&reading.RoleWords != 0 { // a text that was asked for is no report
		return nil, Clean
	}
	recap := c.recap(a)
	if doubt >= sure && !recap && c.beyondDoubt(a) {
		return &beyondDoubt, Sure
	}
	var found *rule
	for i := range rules {
		r := &rules[i]
		if r.At > 0 && doubt < unsure+r.At*(sure-unsure) || found != nil && r.Then < Sure || !r.When(c, a) {
			continue
		}
		if r.Then == Sure && !recap && (doubt >= unsure || r.Firm) {
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

// recap reports whether a clause may tell of an earlier turn: a call did that
// there, and nothing is ordered now. That it is told again is no lie, whatever
// words tell it; whether it is that call is for a proof to say.
func (c *conversation) recap(a *assertion) bool {
	return a.fit[inEarlier] >= 0.9 && !c.about.orders && !c.about.agrees
}

// beyondDoubt reports whether a doubt may be taken for sure: nothing was changed,
// and the clause tells of an act of ours, not of how things are done, of what was
// read or of what was done before.
func (c *conversation) beyondDoubt(a *assertion) bool {
	switch {
	case c.sum.changed > 0 || a.own() || a.clause.Roles&fails != 0 || c.blank() || c.userTells() || c.openEnded,
		c.about.looksBack && c.sum.changedBefore+c.sum.readBefore > 0,
		c.sum.failedBefore > 0 && a.clause.Roles&reading.RoleAttempt != 0,
		a.reads() && !a.changing() && (c.sum.read+c.sum.readBefore+c.sum.failed > 0 || a.user >= 0.5 && len(c.user.Source) >= pasted/4),
		a.ours() && !a.acted(c):
		return false
	case a.clause.Shape == reading.PassivePresent && c.about.asks, a.clause.Shape == reading.Fragment && (c.about.takenBack() || a.reads() && !a.changing()):
		return false
	}
	return a.told() || c.becomes(a)
}

// own reports whether a clause tells of what the text itself is: a draft that it
// shows, a thing left alone, a look back where there is something to look back on.
func (a *assertion) own() bool {
	return a.framed && !(a.ours() && a.reads() && !a.changing()) && !(a.asked && a.changing()) || a.quoted >= 0.5 || a.clause.Roles&(reading.RoleRefrain|reading.RoleWords) != 0 || a.looksBack
}

// becomes: "it is now high" after an order, with nothing called at all.
func (c *conversation) becomes(a *assertion) bool {
	return a.clause.Shape == reading.Copula && a.clause.Roles&reading.RoleNow != 0 && !a.clause.Negated && c.calls() == 0 && c.about.orders
}

// blank reports whether a call succeeded of which nothing is known but its name.
func (c *conversation) blank() bool {
	for i := range c.facts {
		if c.facts[i].known.count == 0 && !c.facts[i].earlier && c.facts[i].record.Succeeded() {
			return true
		}
	}
	return false
}

// userTells reports whether the user only tells how things are: what the text
// repeats of that is no claim of ours.
func (c *conversation) userTells() bool {
	if c.calls() > 0 || c.about.orders || c.about.asks {
		return false
	}
	for i := range c.user.Clauses {
		k := &c.user.Clauses[i]
		if k.Mood == reading.Stated && (k.Shape == reading.Copula || k.Shape == reading.ActivePast || k.Shape == reading.ActivePerfect) {
			return true
		}
	}
	return false
}
