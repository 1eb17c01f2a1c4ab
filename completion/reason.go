package completion

import "fmt"

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

var reasonNames = [...]string{
	"no work", "read-only loop", "promise", "leaked call", "unbacked claim", "fabricated failure", "unreported failure",
	"no closure", "empty text", "missing requirement", "work done", "blocked", "nothing due",
}

// String is the reason in words, as logs show it.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return fmt.Sprintf("reason(%d)", uint8(r))
}

// MarshalText writes the reason in words.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
