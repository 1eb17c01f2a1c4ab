package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Deferred reports whether a message puts the act of a clause off: "cancel booking 12
// after lunch", "tomorrow, cancel it". A time that may be that of a thing, as in "cancel
// the meeting on Friday", does not say so.
func (m *Message) Deferred(c *Request) bool {
	for i := m.sentence(c.From); i < len(m.Tokens); i++ {
		kind := m.Tokens[i].Kind
		if i >= c.To-1 && (kind == lexicon.End || kind == lexicon.Break) || quotesBehind(m, i, c) {
			return false
		}
		if !m.Wordy(i) {
			continue
		}
		of := m.behindVerb(i, c)
		if of > 0 { // "… and remind me later"
			continue
		}
		if m.later(i) || m.day(i) && (i < c.Verb && of == 0 || m.settledBefore(i)) {
			return true
		}
	}
	return false
}

// quotesBehind reports whether what is to be said begins at i: "write to the parents: school
// closes at 11 on Friday". What it tells is no time of the act.
func quotesBehind(m *Message, i int, c *Request) bool {
	if i < c.Verb || m.Word(i) != ":" || i+2 >= len(m.Tokens) {
		return false
	}
	for k := i + 1; k < len(m.Tokens) && m.Wordy(k); k++ {
		form := m.Tokens[k].Form()
		if form.Has(lexicon.Third) && !form.Has(lexicon.Plural) || m.Class(k).Has(lexicon.Auxiliary) {
			return true
		}
	}
	return false
}

// behindVerb tells whether token i stands behind the verb of another command: -1 if that
// comes before a clause, 1 if it follows, 0 if there is none. "Do it later" is no other one.
func (m *Message) behindVerb(i int, c *Request) int {
	for k := range m.Requests {
		r := &m.Requests[k]
		other := r.Plea == Commanded && r.Verb >= 0 && r.From != c.From && !m.is(r.Verb, cueDo)
		switch {
		case !other || i <= r.Verb || i >= r.To:
		case r.From < c.From:
			return -1
		default:
			return 1
		}
	}
	return 0
}

// later reports whether a time that has not come, and that no thing has, is told at i.
func (m *Message) later(i int) bool {
	switch {
	case m.is(i, cueLater):
		return !m.Class(i-1).Has(lexicon.Determiner|lexicon.Preposition) || m.is(i-1, cueUntil)
	case m.is(i, cueUntil):
		return m.event(i + 1)
	case m.is(i, cueIn):
		span := m.is(i+2, cueUnits) || m.is(i+2, cueSpans)
		return span && (m.Class(i+1).Has(lexicon.Quantity|lexicon.Determiner) || m.Tokens[i+1].Kind == lexicon.Number)
	case m.is(i, cueAt):
		return m.is(i+1, cueSome) || m.is(i+1, cueThe) && i+2 < len(m.Tokens) && m.Word(i+2) == "end"
	case m.is(i, cueFirst):
		return m.is(i+1, cueThings)
	case m.Word(i) == "subject":
		return m.is(i+1, cueTo)
	}
	return false
}

// event reports whether what happens stands at i, after "after": "lunch", "the meeting",
// and not "that", "March" or "20", by which things are told apart.
func (m *Message) event(i int) bool {
	for m.Wordy(i) && m.Class(i).Has(lexicon.Determiner|lexicon.Possessive) && m.Wordy(i+1) {
		i++
	}
	class := m.Class(i)
	return m.Wordy(i) && !class.Has(lexicon.Time|lexicon.Pronoun|lexicon.Quantity|lexicon.Conjunction|lexicon.Determiner)
}

// day reports whether a time that an act or a thing may have is told at i: "tomorrow",
// "on Friday", "next week".
func (m *Message) day(i int) bool {
	switch {
	case m.is(i, cueOn), m.is(i, cueAt):
		return m.is(i+1, cueDays) || m.is(i, cueAt) && i+1 < len(m.Tokens) && strings.ContainsAny(m.Word(i+1), "0123456789")
	case m.is(i, cueNext):
		return m.is(i+1, cueUnits) || m.is(i+1, cueDays) || m.is(i+1, cueEase)
	}
	return m.is(i, cueTomorrow)
}

// settledBefore reports whether the thing that an act is about is told before i: by a
// pronoun, or by what has a number of its own, so that a time behind it is that of the act.
func (m *Message) settledBefore(i int) bool {
	if i == 0 {
		return false
	}
	before := &m.Tokens[i-1]
	if m.is(i-1, cueOne) && m.Class(i-2).Has(lexicon.Determiner) { // "the one on Friday"
		return false
	}
	return before.Kind == lexicon.Number || m.Class(i-1).Has(lexicon.Pronoun) ||
		strings.ContainsAny(m.Word(i-1), "0123456789.")
}
