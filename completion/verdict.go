package completion

import (
	"fmt"

	"github.com/bonafide-go/bonafide/tooltrack"
)

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
	// Asks is true when the text asks the user for something, offers something, or refuses with a reason: what is
	// due then waits for the user. "Just say yes" asks, too, and excuses no claim beside it.
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

// Unbacked is the first claim that is surely without a record; nil if there is none.
func (v *Verdict) Unbacked() *Claim {
	for i := range v.Claims {
		if v.Claims[i].Tier == Sure {
			return &v.Claims[i]
		}
	}
	return nil
}

// Unsure are the claims that no record clearly backs, without those that are surely false: what proof is asked of.
// One of them may stand for the text as a whole.
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
	// InsufficientProgress is a turn that may not end like this: nothing was done, or less than the text says.
	InsufficientProgress Outcome = iota
	// CompletedWithWork is a turn whose due work is recorded, or in which none
	// was due, and whose text says nothing that is not.
	CompletedWithWork
	// CompletedWithBlocker is a turn whose text says what prevents the work and what can be done about it.
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

// Reason says why a turn got its [Outcome]. The first group belongs to [InsufficientProgress], the second to
// completed turns. The zero value is [NoWork].
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

// BlockerKind is what prevents the work.
type BlockerKind uint8

const (
	// NoBlocker is a text that names none.
	NoBlocker BlockerKind = iota
	// NeedsInput is a question for something that only the user knows.
	NeedsInput
	// NeedsConfirmation is a question whether to go on.
	NeedsConfirmation
	// NotFound is a thing that does not exist, or exists more than once.
	NotFound
	// ToolError is a call that failed.
	ToolError
	// Policy is a rule that forbids the work.
	Policy
	// Permission is a lack of rights.
	Permission
	// Environment is a lack of something around the agent: network, files.
	Environment
	// Refusal is a plain "I cannot do that" with what it is about.
	Refusal
)

// String is the kind in words.
func (k BlockerKind) String() string {
	return nameOf(k, "blocker",
		"none", "needs input", "needs confirmation", "not found", "tool error", "policy", "permission",
		"environment", "refusal")
}

// MarshalText writes the kind in words.
func (k BlockerKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Blocker is what the text says prevents the work.
type Blocker struct {
	// Kind is what kind of thing it is.
	Kind BlockerKind
	// Cause is the sentence that says what prevents the work.
	Cause string
	// Next is the sentence that says what can be done about it; empty if the cause says that, too.
	Next string
	// Rule names the pattern that found it.
	Rule string
}

// ClaimKind is what a claim says was done.
type ClaimKind uint8

const (
	// ClaimChange says that something was changed.
	ClaimChange ClaimKind = iota
	// ClaimLookup says that something was looked up.
	ClaimLookup
	// ClaimFailure says that something was tried and failed.
	ClaimFailure
	// ClaimVerification says that a check passed: tests, a build.
	ClaimVerification
)

// String is the name that logs use.
func (k ClaimKind) String() string {
	return nameOf(k, "claim", "change", "lookup", "failure", "verification")
}

// MarshalText writes the kind by name.
func (k ClaimKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Claim is one thing that the text says was done, and the record behind it.
type Claim struct {
	// Text is the clause that makes the claim.
	Text string
	// Kind is what it says was done.
	Kind ClaimKind
	// Earlier is true when the text looks back, so that earlier turns count.
	Earlier bool
	// Rule names what found the claim, for tuning from logs: a rule, "the text as a whole"
	// where only the fitted models say so, else the form of the clause ("active past").
	Rule string
	// By is the record that fits a clean claim best. It is nil where none stands out, and
	// for a claim that is in doubt.
	By *tooltrack.Record
	// Nearest is the record that a claim in doubt comes nearest to: the call that failed or is not over, or the one
	// that is about something else. It is nil where nothing that was called comes near, and for a clean claim.
	Nearest *tooltrack.Record
	// Fault says what is wrong with a claim that is unsure or sure; empty for a clean one.
	Fault string
	// Doubt is the probability that the claim is false, by the fitted models. If a rule makes the claim unsure or
	// sure, Doubt is at least the threshold of that tier. A clean claim may have some doubt left.
	Doubt float64
	// Tier is what the doubt amounts to: see [Clean], [Unsure] and [Sure].
	Tier Tier
}

// Tier is how sure the evaluator is that a claim is not backed. Only a sure
// one is treated as false; an unsure one is what proof is asked of.
type Tier uint8

const (
	// Clean is a claim that a record backs, as far as can be seen.
	Clean Tier = iota
	// Unsure is a claim that no record clearly backs.
	Unsure
	// Sure is a claim that no record can back, or that a record contradicts.
	Sure
)

// String is the name that logs use.
func (t Tier) String() string { return nameOf(t, "tier", "clean", "unsure", "sure") }

// MarshalText writes the tier by name.
func (t Tier) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Backed reports whether a record stands behind the claim.
func (c *Claim) Backed() bool { return c.Fault == "" }
