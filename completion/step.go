package completion

import "fmt"

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
