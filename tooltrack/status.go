package tooltrack

import (
	"fmt"
	"strings"
)

// Status is what became of a call. The zero value is [Unknown]: a call that
// was begun and never finished, about which nothing may be claimed.
type Status uint8

const (
	// Unknown is a call that may or may not have run to its end.
	Unknown Status = iota
	// Succeeded is the only status that backs a claim of work done.
	Succeeded
	// Failed is a call that ran, or tried to, and did not do its work.
	Failed
	// Denied is a call that was not allowed to run.
	Denied
	// Pending is a call whose work was accepted and is not done yet.
	Pending
	// Held is a call that waits for a person's approval: nothing of it ran.
	Held
)

var statusNames = [...]string{"unknown", "succeeded", "failed", "denied", "pending", "held"}

// String is the name that the JSON of a record uses.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}

// MarshalText writes the status by name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name written by MarshalText; an empty one is Unknown.
func (s *Status) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = Unknown
		return nil
	}
	for i, name := range statusNames {
		if string(text) == name {
			*s = Status(i)
			return nil
		}
	}
	return fmt.Errorf("status is %q; use one of %s", clipped(string(text)), strings.Join(statusNames[:], ", "))
}

// Grade is how well a result is known.
type Grade uint8

const (
	// Reported is a result read from a message: somebody says the call ran.
	Reported Grade = iota
	// Executed is a result of a call that was run under the ledger's eyes.
	Executed
	// Seen is a result of a call that the model's provider ran by itself, such as a
	// web search: it stands in the provider's answer, and nobody here ran it.
	Seen
)

var gradeNames = [...]string{"reported", "executed", "seen"}

// String is the name that the JSON of a record uses.
func (g Grade) String() string {
	if int(g) < len(gradeNames) {
		return gradeNames[g]
	}
	return fmt.Sprintf("grade(%d)", uint8(g))
}

// MarshalText writes the grade by name.
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads a name written by MarshalText; anything else is an error.
func (g *Grade) UnmarshalText(text []byte) error {
	for i, name := range gradeNames {
		if string(text) == name {
			*g = Grade(i)
			return nil
		}
	}
	return fmt.Errorf("grade is %q; use one of %s", clipped(string(text)), strings.Join(gradeNames[:], ", "))
}
