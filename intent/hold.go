package intent

import "fmt"

// Hold is how a message holds back what it speaks of. The zero value is a
// message that does not.
type Hold uint8

const (
	// NotHeld is a message that means what it asks for.
	NotHeld Hold = iota
	// Withdrawn takes a request back: "cancel the kettle, no wait, don't".
	Withdrawn
	// Forbidden says not to do it: "don't send it", "without calling anybody".
	Forbidden
	// Drafted wants the words and not the act: "draft a mail to Jane".
	Drafted
	// Supposed speaks of what might be: "what happens if I cancel it?".
	Supposed
	// Explained asks how it is done: "how do I delete my account?".
	Explained
)

var holdNames = [...]string{"not held", "withdrawn", "forbidden", "drafted", "supposed", "explained"}

// String is the name that logs use.
func (h Hold) String() string {
	if int(h) < len(holdNames) {
		return holdNames[h]
	}
	return fmt.Sprintf("hold(%d)", uint8(h))
}
