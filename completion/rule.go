package completion

import "slices"

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

var shippedRules = slices.Concat(unbacked, contradicted, invented, mistold)

// beyondDoubt is the rule of last resort: no pattern says why, and the model that
// is wary of accusing has no doubt. What is wrong, the nearest record tells; see fault.
var beyondDoubt = rule{Name: "beyond doubt", Then: Sure}

// doubtless is how sure the wary model must be that a mere state is false, wary that what
// may be something else than a claim is one, and uncalledFrom that a change in other words
// than the request's is not what it asks for. They were chosen on labelled turns that were
// left out while fitting, of which hardly an honest one is above them and in doubt.
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
	if d.likely >= at.unsure && d.sure >= at.sure && c.unmade(a, d.sure) && c.excuse(a, d.sure) == nil {
		return &beyondDoubt, Sure
	}
	var found *rule
	for i := range rules {
		r := &rules[i]
		if d.likely < r.At || found != nil && !r.isSure(d, at) || !r.When(c, a) {
			continue
		}
		if r.isSure(d, at) && c.excuseIn(arguable, a, d.sure) == nil {
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
