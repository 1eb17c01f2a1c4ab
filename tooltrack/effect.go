package tooltrack

import "cmp"

// Effect says what a successful call of a tool does to the world. The zero value is
// [UnknownEffect], which is handled like [Changes] wherever running a call twice could do harm.
type Effect uint8

const (
	// UnknownEffect is a tool whose effect is not declared. It runs one at a time
	// and at most once, and never counts as mere reading.
	UnknownEffect Effect = iota
	// Reads is a tool that only looks: listing, searching, fetching.
	Reads
	// Changes is a tool that leaves the world different: create, delete, send.
	Changes
	// Verifies is a tool that checks earlier work: tests, linters, diffs. It may
	// run again and again.
	Verifies
)

var effectNames = [...]string{"unknown", "reads", "changes", "verifies"}

// String is the name that the JSON of a record uses.
func (e Effect) String() string { return nameOf("effect", effectNames[:], e) }

// MayChange reports whether a call could leave the world different, and must
// therefore run at most once: true for Changes and for an unknown effect.
func (e Effect) MayChange() bool { return e != Reads && e != Verifies }

// MarshalText writes the effect by name.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads a name written by MarshalText; an empty one is UnknownEffect.
func (e *Effect) UnmarshalText(text []byte) error {
	return byName("effect", effectNames[:], cmp.Or(string(text), effectNames[UnknownEffect]), e)
}
