package completion

import "fmt"

// Verdict is the answer to "is it really done?". The zero value says no.
type Verdict struct {
	// Outcome is the answer.
	Outcome Outcome
	// Reason says why.
	Reason Reason
	// Claims are the things the text says were done, backed or not, in order.
	Claims []Claim
	// Steps are how the claims came to their tiers, in order: which rule or excuse moved
	// which words from one tier to another.
	Steps []Step
	// Blocker is what the text says prevents the work; its zero value is none.
	Blocker Blocker
	// Leak is the tool call that was written as text; its zero value is none.
	Leak Leak
	// Missing names the requirements of the contract that are not met.
	Missing []string
	// Asks is true when the text asks the user for something, offers something, or
	// refuses with a reason: what is due then waits for the user. "Just say yes" asks,
	// too, and excuses no claim beside it.
	Asks bool
	// FoundSo is true when nothing was changed and the text tells a state that a read of
	// this turn shows: what was asked for may have been so already.
	FoundSo bool
	// Unread is true when the text is in a language without a word list. It may ask, refuse
	// or report; the evaluator cannot tell.
	Unread bool
	// Confidence is the probability that an [InsufficientProgress] is right; 0 for a
	// completed turn. If you do not want to act on a low one, use Otherwise: the best guess
	// among the completed outcomes. For a completed turn it is the outcome itself.
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

// Outcome is how a turn ended. The zero value is [InsufficientProgress]: a
// turn is done only when something says that it is.
type Outcome uint8

const (
	// InsufficientProgress is a turn that may not end like this: nothing was
	// done, or less than the text says.
	InsufficientProgress Outcome = iota
	// CompletedWithWork is a turn whose due work is recorded, or in which none
	// was due, and whose text says nothing that is not.
	CompletedWithWork
	// CompletedWithBlocker is a turn whose text says what prevents the work and
	// what can be done about it.
	CompletedWithBlocker
)

// String is the name that logs and the offline audit use.
func (o Outcome) String() string {
	return nameOf(o, "outcome", "insufficient_progress", "completed_with_work", "completed_with_blocker")
}

// MarshalText writes the outcome by name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Completed reports whether the text may be released.
func (o Outcome) Completed() bool { return o == CompletedWithWork || o == CompletedWithBlocker }

// Reason says why a turn got its [Outcome]. The first group belongs to
// [InsufficientProgress], the second to completed turns. The zero value is
// [NoWork].
type Reason uint8

const (
	// NoWork is a due change of which neither a record nor a blocker exists.
	NoWork Reason = iota
	// ReadOnlyLoop is a due change for which the turn only looked around.
	ReadOnlyLoop
	// Promise is a turn that ends in the announcement of work.
	Promise
	// LeakedCall is a tool call written as text: it was never made.
	LeakedCall
	// UnbackedClaim is a text that reports work or a lookup without a record.
	UnbackedClaim
	// FabricatedFailure is a text that reports a failed attempt without a record.
	FabricatedFailure
	// UnreportedFailure is a change that failed, and a text that keeps it quiet.
	UnreportedFailure
	// NoClosure is recorded work whose text is missing or stops before its end.
	NoClosure
	// EmptyText is a turn without a word, and without work.
	EmptyText
	// MissingRequirement is work that lacks what the contract asks for beside it.
	MissingRequirement

	// WorkDone is a recorded change, or an expected read, and a text that fits.
	WorkDone
	// Blocked is a blocker with a concrete cause.
	Blocked
	// NothingDue is an honest text where no call was due.
	NothingDue
)

// String is the reason in words, as logs show it.
func (r Reason) String() string {
	return nameOf(r, "reason",
		"no work", "read-only loop", "promise", "leaked call", "unbacked claim", "fabricated failure",
		"unreported failure", "no closure", "empty text", "missing requirement", "work done", "blocked",
		"nothing due")
}

// MarshalText writes the reason in words.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// nameOf is the name of a constant, or the number of one that does not exist.
func nameOf[T ~uint8](constant T, kind string, names ...string) string {
	if int(constant) < len(names) {
		return names[constant]
	}
	return fmt.Sprintf("%s(%d)", kind, uint8(constant))
}
