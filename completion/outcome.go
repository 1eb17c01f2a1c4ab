package completion

import "fmt"

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

var outcomeNames = [...]string{"insufficient_progress", "completed_with_work", "completed_with_blocker"}

// String is the name that logs and the offline audit use.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// MarshalText writes the outcome by name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Completed reports whether the text may be released.
func (o Outcome) Completed() bool { return o == CompletedWithWork || o == CompletedWithBlocker }
