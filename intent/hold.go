package intent

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

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
	// Explained asks how it is done, or about the past: "how do I delete it?".
	Explained
	// Standing asks for what is to happen again and again, and the tool does it
	// once: "always water the ferns at dusk". Only an [Expectation] is
	// held so: a tool that schedules is just what such a message asks for.
	Standing
	// Deferred puts an act off, and the tool does it at once: "cancel booking 12
	// after lunch". Only an [Expectation] is held so.
	Deferred
	// Conditional makes an act wait for something else: "cancel booking 12 once the
	// guest agrees". Only an [Expectation] is held so. Whoever has looked may know
	// that it has come true.
	Conditional
)

var holdNames = []string{
	NotHeld: "not held", Withdrawn: "withdrawn", Forbidden: "forbidden", Drafted: "drafted", Supposed: "supposed",
	Explained: "explained", Standing: "standing", Deferred: "deferred", Conditional: "conditional",
}

// String is the name that logs use.
func (h Hold) String() string {
	if int(h) < len(holdNames) {
		return holdNames[h]
	}
	return fmt.Sprintf("hold(%d)", uint8(h))
}

// HoldOf finds out whether a message holds back what it speaks of. It prefers to find one:
// a request that is wrongly taken for a held one is only asked about, while a held one that
// is insisted on does harm. What is quoted says nothing. If several apply, a withdrawal
// counts first; but it takes back only what stands before it: "mail it. Scratch that, print
// it" asks for a print. What forbids one act says nothing of another that is asked for
// beside it.
func HoldOf(message string) Hold {
	h := hearings.Get().(*hearing)
	defer hearings.Put(h)
	h.tokens = lexicon.English().Tokenize(h.tokens[:0], message)
	if bare := reading.Unframed(message, h.tokens); len(bare) < len(message) {
		message, h.tokens = bare, lexicon.English().Tokenize(h.tokens[:0], bare)
	}
	if hold := Hold(h.Hear(holds(), message, h.tokens)); h.Kept == 0 {
		return hold
	}
	return HoldOf(message[h.Kept:])
}

// hearing is the memory of one HoldOf.
type hearing struct {
	reading.Hearing
	tokens []lexicon.Token
}

var hearings = sync.Pool{New: func() any { return &hearing{} }}

//go:embed holds.txt
var holdsFile string

var holds = sync.OnceValue(func() *reading.Holds { return reading.ParseHolds(holdsFile, holdNames) })
