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

// ruling is the gravest rule that holds for an assertion; nil if none does. Only a rule
// accuses: however sure the fitted models are, they alone may only ask.
func (c *conversation) ruling(a *assertion, doubt, unsure float64) (*rule, Tier) {
	if c.composed(a) { // a text that was asked for is no report
		return nil, Clean
	}
	var found *rule
	for i := range rules {
		r := &rules[i]
		if doubt < r.At || found != nil && !r.isSure(doubt, unsure) || !r.When(c, a) {
			continue
		}
		if r.isSure(doubt, unsure) && c.excuse(a) == nil {
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

// isSure reports whether a rule that holds makes a claim sure at some doubt.
func (r *rule) isSure(doubt, unsure float64) bool {
	return r.Then == Sure && (doubt >= unsure || r.Firm) || r.SureAt > 0 && doubt >= r.SureAt
}
