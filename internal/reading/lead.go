package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// lead is what the words say that a clause begins with, before its verb or its
// object: "could you please", "I would like to", "how do I".
type lead struct {
	next                                 int // the first word after it
	me, you                              bool
	modal, auxiliary, past, inverted     bool
	can, should, wants, to, negated      bool
	how, why, asks, wonders              bool
	let, helps, minds, able, conditional bool
	has                                  bool // "have the report sent"
}

// lead reads the beginning of a clause from i on.
func (m *Message) lead(i int) (l lead) {
	for l.next = i; l.next < i+maxLead && m.Wordy(l.next); l.next++ {
		if !m.leads(&l, l.next, l.next == i) {
			return l
		}
	}
	return l
}

// leads adds the word at i to a lead; false if it is no longer one. The order
// is that of the senses of a word: "don't" denies before it is an auxiliary.
func (m *Message) leads(l *lead, i int, first bool) bool {
	entry := m.At(i)
	class := entry.Class
	switch {
	case m.conditional(i, class, first):
		l.conditional = first
		return l.wonders || l.minds
	case class.Has(lexicon.Question):
		return m.leadsQuestion(l, i, first)
	case class.Has(lexicon.Negation) && !class.Has(lexicon.Preposition|lexicon.Conjunction):
		l.deny(class)
	case class.Has(lexicon.Modal) && !entry.Form.Has(lexicon.Noun):
		l.modal, l.can, l.should = true, entry.Is(m.cues[cueCan]), entry.Is(m.cues[cueShould])
	case m.subject(entry):
		return l.addUser(class)
	case class.Has(lexicon.SecondPerson) && !class.Has(lexicon.Possessive):
		l.addAssistant()
	case class.Has(lexicon.FirstPerson) && !class.Has(lexicon.Possessive):
		return l.let || l.helps
	case m.desires(i):
		return l.want()
	case entry.Is(m.cues[cueTo]):
		return l.addTo()
	case l.let && class.Has(lexicon.Auxiliary|lexicon.Possessive): // let's
	case class.Has(lexicon.Auxiliary):
		return m.leadsAuxiliary(l, i, first)
	default:
		return m.leadsOn(l, i, entry)
	}
	return true
}

// conditional reports whether a condition begins with a word of a class at i: "if", and
// as the first words of a clause expressions, too: "in case".
func (m *Message) conditional(i int, class lexicon.Class, first bool) bool {
	if first {
		expressed, _ := m.Expression(i)
		class |= expressed
	}
	return class.Has(lexicon.Condition)
}

// leadsQuestion adds a question word, which stands first or is wondered about:
// "how do I", "I wonder when".
func (m *Message) leadsQuestion(l *lead, i int, first bool) bool {
	if !first && !l.wonders {
		return false
	}
	l.how, l.why, l.asks = m.is(i, cueHow), m.is(i, cueWhy), true
	l.auxiliary = m.Class(i).Has(lexicon.Auxiliary) // "what's"
	return true
}

// deny adds "not", and words that are a verb, too: "don't", "can't".
func (l *lead) deny(class lexicon.Class) {
	l.negated = true
	l.auxiliary = l.auxiliary || class.Has(lexicon.Auxiliary)
	l.modal = l.modal || class.Has(lexicon.Modal)
}

// addUser adds the user as the subject: "I", "can we". A second subject begins
// something else, but for "I wonder if I".
func (l *lead) addUser(class lexicon.Class) bool {
	subject := l.me || l.you
	l.me, l.inverted = true, l.modal || l.auxiliary
	if class.Has(lexicon.Auxiliary) { // im, ive
		l.auxiliary, l.inverted = true, false
	}
	return !subject || l.wonders
}

// addAssistant adds the assistant as the subject, or as the one from whom
// something is wanted: "could you", "I want you to".
func (l *lead) addAssistant() {
	if !l.me && !l.you {
		l.inverted = l.modal || l.auxiliary
	}
	l.you = true
}

// want adds a desire of the user; "do you need", "would you like" ask for one of
// the assistant.
func (l *lead) want() bool {
	if l.you && l.inverted && !l.wants {
		return false
	}
	l.wants = true
	return true
}

// addTo adds a "to" between a lead and its verb: "I need to", "how to".
func (l *lead) addTo() bool {
	l.to = true
	return l.wants || l.auxiliary || l.modal || l.helps || l.asks || l.able
}

// leadsAuxiliary adds an auxiliary: "do I", "have you"; false where it is the
// verb itself: "I want to have".
func (m *Message) leadsAuxiliary(l *lead, i int, first bool) bool {
	if !first && !l.me && !l.you && !l.asks && !l.modal || l.wants || l.to {
		return false
	}
	have := m.is(i, cueHave)
	inverted := m.Subject(i+1) || m.Class(i+1).Has(lexicon.SecondPerson)
	l.auxiliary, l.has = true, l.has || first && have && !inverted
	l.past = l.past || m.Form(i).Has(lexicon.Past) || have && (inverted || m.Form(i+1).Has(lexicon.Participle))
	return true
}

// leadsOn adds a word of a lead that is no function word.
func (m *Message) leadsOn(l *lead, i int, entry *lexicon.Entry) bool {
	switch {
	case entry.Is(m.cues[cueWonder]):
		l.wonders = true
	case entry.Is(m.cues[cueLet]):
		l.let = true
	case entry.Is(m.cues[cueMind]) && l.you:
		l.minds = true
	case entry.Is(m.cues[cueAble]):
		l.able = true
	case entry.Is(m.cues[cueTries]) && (l.me && l.auxiliary || l.wonders): // "I'm trying to"
		l.wants = true
	case entry.Is(m.cues[cueHelps]) && m.helped(i+1):
		l.helps = true
	case l.wants && entry.Is(m.cues[cueFor]) && m.Class(i+1).Has(lexicon.SecondPerson): // "I need for you to"
	case l.helps && (entry.Is(m.cues[cueHelping]) || entry.Class.Has(lexicon.Conjunction)):
	default:
		return fills(entry)
	}
	return true
}

// fills reports whether a word may stand anywhere in a lead and says nothing
// there: "could you please", "I just want".
func fills(entry *lexicon.Entry) bool {
	return entry.Class.Has(filler) && !entry.Class.Has(lexicon.Conjunction|lexicon.Ordinal) ||
		entry.Form.Has(lexicon.Adverb) && !entry.Class.Has(lexicon.Existence)
}

// helped reports whether the act follows a verb that only leads to it: "help me
// find", "go ahead and delete", "try to add".
func (m *Message) helped(i int) bool {
	for j := i; j < i+4 && m.Wordy(j); j++ {
		if m.acting(j) || m.Form(j).Has(lexicon.Gerund) && !m.At(j).Families.Empty() {
			return true
		}
		if !m.Class(j).Has(lexicon.FirstPerson|lexicon.Conjunction|lexicon.Politeness) &&
			!m.Form(j).Has(lexicon.Adverb) && !m.is(j, cueHelping) {
			return false
		}
	}
	return false
}
