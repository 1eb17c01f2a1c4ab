package reading

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Standing reports whether the word at i says that something is to happen again and
// again: "whenever", "every evening", "tues thurs", the end of "from now on"; and does not
// tell what somebody does so: "you are always so kind".
func (m *Message) Standing(i int) bool {
	if m.is(i, cueStanding) || m.is(i, cueEach) && m.Class(i+1).Has(lexicon.Time) {
		return !m.habit(i)
	}
	phrase := slices.ContainsFunc(m.PhraseKinds(i), func(kind *lexicon.Entry) bool { return kind.Is(m.cues[cueStanding]) })
	return m.is(i, cueWeekday) && m.is(i+1, cueWeekday) || phrase && !(m.is(i-1, cueEach) && m.habit(i)) // "every time"
}

// habit reports whether the word at i stands in a piece of a message that has a subject and
// a verb of its own, and says neither what is wanted nor what has to be.
func (m *Message) habit(i int) bool {
	from := i
	for from > 0 && m.Wordy(from-1) {
		from--
	}
	for from < i && m.Class(from).Has(filler) {
		from++
	}
	const subject = lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson | lexicon.Pronoun |
		lexicon.Determiner | lexicon.Possessive
	if from == i || !m.Class(from).Has(subject) {
		return false
	}
	const other = lexicon.SecondPerson | lexicon.Determiner | lexicon.Possessive
	finite := !m.Class(from).Has(other) // "I mix them up"; "you water them" may be an order
	for j := from + 1; j < len(m.Tokens) && m.Wordy(j); j++ {
		class, form := m.Class(j), m.Form(j)
		if class.Has(lexicon.Modal|lexicon.Desire|lexicon.Politeness) || m.is(j, cueNeed) || m.is(j, cueTo) {
			return false
		}
		verb := form.Has(lexicon.Third|lexicon.Past) && !form.Has(lexicon.Noun|lexicon.Plural|lexicon.Adjective)
		finite = finite || class.Has(lexicon.Auxiliary) || verb
	}
	return finite
}
