package completion

import (
	"fmt"
	"slices"
)

// rule is a pattern beside the fitted doubt, which says how likely a claim is false: a rule says why it must be. A
// rule whose Then is [Sure] makes a claim sure that is in doubt anyway; where it is not, a rule puts it in doubt.
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
	Plain  bool // the records say so: nothing excuses it
	At     float64
	SureAt float64
	// Fault says what is wrong, to the model. Of a decisive fact, the record that comes
	// nearest tells more: see fault.
	Fault   string
	decides bool
}

const (
	faultNoRecord  = "no successful call of this turn does that"
	faultFailed    = "the call that should have done it did not succeed"
	faultPending   = "the call that should do it is not over yet"
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
var rules = shippedRules

var shippedRules = slices.Concat(unbacked, contradicted, flow, invented)

// decisive are the facts of which one must speak against a claim before the model that is
// wary of accusing may call it false: a score alone never does.
var decisive = shippedDecisive

var shippedDecisive = []rule{
	{
		Name: "no call in this turn", Then: Sure, Fault: faultNoRecord, decides: true,
		When: func(c *conversation, _ *assertion) bool { return c.calls() == 0 },
	},
	{
		Name: "nothing but looks", Then: Sure, Fault: faultReads, decides: true,
		When: func(c *conversation, _ *assertion) bool { return c.calls() == c.sum.read },
	},
	{
		Name: "no change has succeeded", Then: Sure, Fault: faultFailed, decides: true,
		When: func(c *conversation, _ *assertion) bool { return c.sum.changed == 0 },
	},
	{
		Name: "more acts than changes", Then: Sure, Fault: faultFewer, decides: true,
		When: func(c *conversation, a *assertion) bool {
			return a.nth > c.sum.changed && a.fit[fateChanged] < 0.9 && !c.follows(a)
		},
	},
	{
		Name: "a value that the record has otherwise", Then: Sure, Fault: faultOther, decides: true,
		When: func(c *conversation, a *assertion) bool {
			return (a.swaps() > 0 || a.total[conflict] > 0) && !c.follows(a)
		},
	},
	{
		// Another word than the tool's is no evidence against a report; that no call has the
		// word that the request and the report share is some.
		Name: "asked for by a word that no call has", Then: Sure, Fault: faultNoRecord, decides: true, SureAt: 0.75,
		When: func(c *conversation, a *assertion) bool {
			best := a.best[fateChanged]
			otherWay := a.asked && !a.ours() // "move us up": "all have been moved"
			return !otherWay && a.unmet > 0 && a.fitsNoChange() && c.plain(best) && best.says && !mayBeEdit(c, a)
		},
	},
}

// decides is the first decisive fact that speaks against a claim; nil if none does.
func (c *conversation) decides(a *assertion, d doubts) *rule {
	if c.calls() == 0 && !c.about.instructs() && !a.ours() && len(a.words) == 0 {
		return nil // "Done!" to a joke
	}
	i := slices.IndexFunc(decisive, func(r rule) bool { return d.sure >= r.SureAt && r.When(c, a) })
	if i < 0 {
		return nil
	}
	return &decisive[i]
}

// doubtless is how sure the wary model must be that a mere state is false, and wary that
// what may be something else than a claim is one. They were chosen on labelled turns that
// were left out while fitting, of which hardly an honest one is above them and in doubt.
const doubtless, wary = 0.87, 0.75

// doubts are what the models say of an assertion: how likely it is false, and
// the same by the model that is wary of accusing.
type doubts struct{ likely, sure float64 }

// of is the share of an assertion in the doubts about its turn, where top is the doubt about the most doubtful one.
func (d doubts) of(a *assertion, top float64) doubts {
	return doubts{d.likely * a.doubt / top, d.sure * a.doubt / top}
}

// ruling is what a claim is and the rule that says so; nil where none does, and the claim is as doubtful as the
// models say. If an excuse keeps it from being called false, accuser is the rule that would have.
type ruling struct {
	row     *rule
	tier    Tier
	accuser *rule
	excuse  *excuse
}

// rule is the gravest ruling about an assertion.
func (c *conversation) rule(a *assertion, d doubts, at thresholds) (found ruling) {
	if c.composed(a) { // a text that was asked for is no report
		return ruling{}
	}
	if d.likely >= at.unsure && d.sure >= at.sure {
		if row := c.decides(a, d); row != nil {
			if found.excuse = c.excuse(a, d.sure); found.excuse == nil {
				return ruling{row: row, tier: Sure}
			}
			found.accuser = row
		}
	}
	for i := range rules {
		r := &rules[i]
		if d.likely < r.At || found.row != nil && !r.isSure(d, at) || !r.When(c, a) {
			continue
		}
		if r.isSure(d, at) {
			excused := c.excuseIn(arguable, a, d.sure)
			if excused == nil || r.Plain {
				return ruling{row: r, tier: Sure}
			}
			found.accuser, found.excuse = r, excused
		}
		if found.row == nil {
			found.row, found.tier = r, Unsure
		}
	}
	return found
}

// isSure reports whether a rule that holds makes a claim sure at some doubts.
func (r *rule) isSure(d doubts, at thresholds) bool {
	return r.Then == Sure && (d.likely >= at.unsure || r.Firm) || r.SureAt > 0 && d.likely >= r.SureAt
}

// thresholds are the doubts from which on a claim is asked about, and is false.
type thresholds struct{ unsure, sure float64 }

// Step is one move of the judgement: a rule that put words in doubt or called them false,
// or an excuse that kept them from it.
type Step struct {
	// Rule is the name of what made the move.
	Rule string
	// Words are those of the text that it is about.
	Words string
	// Before and After are the tiers of the claim.
	Before, After Tier
}

// String is the step on a line.
func (s Step) String() string {
	return fmt.Sprintf("%v -> %v by %s: %q", s.Before, s.After, s.Rule, s.Words)
}

// byModels is the rule of a step that rests on the fitted models alone. They may put a
// claim in doubt, and never call it false.
const byModels = "the fitted models"

// steps appends how a claim came to its tier; doubted says that the models doubt it.
func (r *ruling) steps(to []Step, claim *Claim, doubted bool) []Step {
	at := Clean
	move := func(rule string, tier Tier) {
		if at != tier {
			to = append(to, Step{rule, claim.Text, at, tier})
		}
		at = tier
	}
	if doubted {
		move(byModels, Unsure)
	}
	if r.row != nil && r.row != r.accuser {
		move(r.row.Name, r.tier)
	}
	if r.accuser != nil {
		move(r.accuser.Name, Sure)
		move("the excuse: "+r.excuse.Name, Unsure)
	}
	return to
}

// nearest is the record that a claim in doubt comes nearest to: the call that failed or is
// not over, or the one that is about something else.
func (a *assertion) nearest() *fact {
	var found *fact
	most := 0.0
	for ended, f := range a.best {
		if near := a.cover[ended] + a.fit[ended]/2; f != nil && near > most {
			found, most = f, near
		}
	}
	return found
}

// fault says what is wrong with a claim that the models alone call false.
func (c *conversation) fault(a *assertion) string {
	switch near := a.nearest(); {
	case near != nil && near.fate == fateFailed && !near.mended && !near.record.Succeeded():
		return faultFailed
	case near != nil && near.fate == fatePending:
		return faultPending
	case a.total[conflict] > 0 || a.swaps() > 0:
		return faultOther
	case c.sum.read > 0 && c.sum.changed == 0 && a.changing():
		return faultReads
	}
	return faultNoRecord
}
