package guard

// fault is why an answer cannot end the turn. The order is that of precedence:
// where several apply, the first one counts.
type fault uint8

const (
	noFault       fault = iota
	faultProvider       // the model could not be asked
	faultStopped        // cut, filtered, refused or paused by the provider
	faultLeaked         // a call written as text
	faultMissing        // an expected tool was not called
	faultClaim          // a claim without a record
	faultOther          // everything else that completion finds
	faultDoubt          // nothing is sure, and something is in doubt
	faultUnjudged       // code of ours panicked
	faultLoop           // the same calls again and again
	faultBudget         // what may be spent is spent
)

var faultNames = [...]string{
	"none", "provider fault", "stopped by the provider", "leaked call", "missing tool", "unbacked claim",
	"insufficient progress", "in doubt", "could not be judged", "loop", "budget",
}

func (f fault) String() string { return faultNames[f] }

// spending counts the corrective calls of a turn.
type spending struct {
	missing, progress, proofs int
}

// allow spends one corrective call on a fault, if the budget for its kind and
// that of the whole turn permit. What the provider did is never corrected: the
// same question would get the same answer.
func (s *spending) allow(f fault, budgets Budgets) bool {
	if s.missing+s.progress >= 1+max(budgets.MissingTool, budgets.Progress) {
		return false
	}
	switch f {
	case faultMissing:
		if s.missing >= budgets.MissingTool {
			return false
		}
		s.missing++
	case faultLeaked, faultClaim, faultOther:
		if s.progress >= budgets.Progress {
			return false
		}
		s.progress++
	default:
		return false
	}
	return true
}
