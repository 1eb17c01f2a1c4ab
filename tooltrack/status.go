package tooltrack

import (
	"cmp"
	"fmt"
	"slices"
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
func (s Status) String() string { return nameOf("status", statusNames[:], s) }

// MarshalText writes the status by name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name written by MarshalText; an empty one is Unknown.
func (s *Status) UnmarshalText(text []byte) error {
	return byName("status", statusNames[:], cmp.Or(string(text), statusNames[Unknown]), s)
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
func (g Grade) String() string { return nameOf("grade", gradeNames[:], g) }

// MarshalText writes the grade by name.
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads a name written by MarshalText; anything else is an error.
func (g *Grade) UnmarshalText(text []byte) error {
	return byName("grade", gradeNames[:], string(text), g)
}

// nameOf is the name of a value; one that has none prints its number.
func nameOf[T ~uint8](kind string, names []string, value T) string {
	if int(value) < len(names) {
		return names[value]
	}
	return fmt.Sprintf("%s(%d)", kind, uint8(value))
}

// byName sets a value by its name.
func byName[T ~uint8](kind string, names []string, text string, value *T) error {
	at := slices.Index(names, text)
	if at < 0 {
		return fmt.Errorf("%s is %q; use one of %s", kind, clipped(text), strings.Join(names, ", "))
	}
	*value = T(at)
	return nil
}
