package intent

import (
	_ "embed"
	"fmt"
	"slices"
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
	m := holdListener().Read(message)
	defer m.Return()
	return Hold(m.Held.Kind)
}

var holdListener = sync.OnceValue(func() *reading.Listener {
	l := reading.NewListener(lexicon.English())
	l.Holds = holds()
	return l
})

// isCommandedBesideBar reports whether a message that forbids one thing commands another in a
// clause beside it: "don't delete it, mark it as done".
func (m *message) isCommandedBesideBar(v *clause) bool {
	forbids := m.hold == Forbidden || len(m.Held.Bars) > 0
	return forbids && v != nil && v.plea == reading.Commanded && m.all[eBars] > 0
}

// isHeldBack reports whether the message holds a tool back. Questions about how and
// what if hold back changes only.
func (m *message) isHeldBack(p *profile) bool {
	return m.hold == Withdrawn || m.hold == Forbidden || m.hold != NotHeld && !p.info || m.isBarred(p)
}

// isBarred reports whether a clause that holds back but itself speaks of a tool: by the verb
// that speaks for the tool, or by words of its name that stand nowhere else.
func (m *message) isBarred(p *profile) bool {
	s := &m.supports[p.number]
	if len(m.Held.Bars) == 0 || s.clause == nil {
		return false
	}
	if verb := s.clause.request.Verb; s.like < sameAct || verb < 0 || m.isInBar(verb) {
		return true
	}
	barred := false
	for i := range m.Tokens {
		if lemma := m.At(i).ID; lemma != p.verb && slices.Contains(p.words, lemma) {
			if barred = m.isInBar(i); !barred {
				return false
			}
		}
	}
	return barred
}

// isInBar reports whether token i stands in a clause that holds back but itself.
func (m *message) isInBar(i int) bool {
	return slices.ContainsFunc(m.Held.Bars, func(bar [2]int32) bool {
		return bar[0] <= int32(i) && int32(i) <= bar[1]
	})
}

// holdOn is how the message holds back one tool: as a whole, or because it asks for
// what happens again and again and the tool does it once, or because the clause
// that speaks of the tool leaves things as they are ("close the valve, but keep the
// pump"). Such a tool may be meant; nobody is to be forced to call it.
func (m *message) holdOn(p *profile) Hold {
	s := &m.supports[p.number]
	switch v := s.clause; {
	case m.hold == NotHeld && m.isBarred(p):
		return Forbidden
	case m.isHeldBack(p):
		return m.hold
	case m.standing > 0 && !p.repeats:
		return Standing
	case p.info || v == nil:
	case v.still && s.like < sameWord:
		return Forbidden
	case p.isTimed(planned):
	case m.Deferred(v.request):
		return Deferred
	case m.Conditioned(v.request):
		return Conditional
	}
	return NotHeld
}

//go:embed holds.txt
var holdsFile string

var holds = sync.OnceValue(func() *reading.Holds { return reading.ParseHolds(holdsFile, holdNames) })
