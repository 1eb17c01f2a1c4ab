package completion

// Verdict is the answer to "is it really done?". The zero value says no.
type Verdict struct {
	// Outcome is the answer.
	Outcome Outcome
	// Reason says why.
	Reason Reason
	// Claims are the things the text says were done, backed or not, in order.
	Claims []Claim
	// Blocker is what the text says prevents the work; its zero value is none.
	Blocker Blocker
	// Leak is the tool call that was written as text; its zero value is none.
	Leak Leak
	// Missing names the requirements of the contract that are not met.
	Missing []string
	// Asks is true when the text asks the user for something, offers something, or
	// refuses with a reason: what is due then waits for the user.
	Asks bool
	// Confidence is the probability that an [InsufficientProgress] is right; 0
	// for a completed turn. Who does not act on a low one may take Otherwise
	// instead: the best guess among the completed outcomes.
	Confidence float64
	Otherwise  Outcome
	// Correction tells the model what to do instead; empty for a completed turn.
	Correction string
}

// Ghost reports whether the text surely claims something that no record backs.
func (v *Verdict) Ghost() bool { return v.Unbacked() != nil }

// Unbacked is the first claim that is surely without a record; nil if there is
// none.
func (v *Verdict) Unbacked() *Claim {
	for i := range v.Claims {
		if v.Claims[i].Tier == Sure {
			return &v.Claims[i]
		}
	}
	return nil
}

// Unsure are the claims that no record clearly backs, without those that are
// surely false: what proof is asked of. One of them may stand for the text as a
// whole.
func (v *Verdict) Unsure() []Claim {
	var unsure []Claim
	for _, claim := range v.Claims {
		if claim.Tier == Unsure {
			unsure = append(unsure, claim)
		}
	}
	return unsure
}
