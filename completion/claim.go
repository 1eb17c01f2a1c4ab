package completion

import "github.com/bonafide-go/bonafide/tooltrack"

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
	// Nearest is the record that a claim in doubt comes nearest to: the call that failed or
	// is not over, or the one that is about something else. It is nil where nothing that
	// was called comes near, and for a clean claim.
	Nearest *tooltrack.Record
	// Fault says what is wrong with a claim that is unsure or sure; empty for a clean one.
	Fault string
	// Doubt is the probability that the claim is false, by the fitted models. If a rule makes
	// the claim unsure or sure, Doubt is at least the threshold of that tier. A clean claim
	// may have some doubt left.
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
