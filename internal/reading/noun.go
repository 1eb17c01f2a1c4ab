package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// nounFirst reads clauses that begin with a noun: "calendar delete lunch", "milk
// should be taken off", "the task is done", "my list please"; false if the clause
// begins with its verb.
func (m *Message) nounFirst(c *Request, i int) bool {
	form := m.Form(i)
	if form.Has(lexicon.Base) || form.Has(lexicon.Gerund) && (c.Polite || m.is(i, cueSeeks)) {
		return false
	}
	c.Plea, c.Body = Named, i
	for j := i; j < len(m.Tokens) && j < i+20; j++ {
		kind := m.Tokens[j].Kind
		if kind == lexicon.End || kind == lexicon.Break || kind == lexicon.Comma && m.begins(j+1, c, true) ||
			m.saysOfNoun(c, j) {
			break
		}
	}
	return true
}

// saysOfNoun reads at j what a clause says of the noun that its body begins
// with; false if nothing is said there yet.
func (m *Message) saysOfNoun(c *Request, j int) bool {
	i, entry := c.Body, m.At(j)
	class := entry.Class
	switch {
	case class.Has(lexicon.Question) &&
		(!class.Has(lexicon.Determiner) || m.Class(j+1).Has(lexicon.Auxiliary|lexicon.Modal)): // "my list, what's on it"
		c.Plea = Inquired
	case j > i && m.is(j, cueFinish) && entry.Form.Has(lexicon.Participle): // "boiler task done"
		m.finished(c, j)
	case class.Has(lexicon.Auxiliary|lexicon.Modal) && !class.Has(lexicon.Possessive):
		m.stated(c, j)
	case j > i && m.acting(j) && !entry.Form.Has(lexicon.Noun) && m.detached(j-1): // "calendar delete lunch"
		if m.narrates(i, j) { // "the wake-up call came late"
			c.Plea = Told
			return true
		}
		m.act(c, j)
		c.Plea, c.Body = Suggested, i
	default:
		return false
	}
	return true
}

// narrates reports whether a clause tells what happened: it begins with a verb in the past
// and what only follows a verb ("loved the …"), or has one where its subject ends, the word
// at last.
func (m *Message) narrates(from, last int) bool {
	named := !m.Class(last).Has(lexicon.Particle) && !m.Form(last).Has(lexicon.Adverb) // "got the van back"
	opens := m.past(from) && m.Class(from+1).Has(lexicon.Determiner|lexicon.Possessive)
	return named && (opens || m.past(last+1))
}

// Narrates reports whether a clause that names a thing says no more than what it did: "my
// deposit release went fine".
func (m *Message) Narrates(c *Request) bool {
	const most = 6 // words of the thing
	if c.Plea != Named || !m.Class(c.Body).Has(lexicon.Determiner|lexicon.Possessive) {
		return false
	}
	for i := c.Body + 1; i < c.Body+most && m.Wordy(i); i++ {
		if m.past(i) && i > c.Body+1 {
			return true
		}
		if m.Class(i) != 0 || m.Tokens[i].Kind == lexicon.Number {
			return false
		}
	}
	return false
}

// past reports whether the word at i is a verb in the past, and not said of a noun behind
// it: "finished tasks".
func (m *Message) past(i int) bool {
	said := m.Form(i).Has(lexicon.Adjective) && m.Form(i+1).Has(lexicon.Noun|lexicon.Plural)
	if i < len(m.Tokens) && m.Tokens[i].Entry == nil && m.Wordy(i) {
		return strings.HasSuffix(m.Word(i), "ed") && !m.Wordy(i+1)
	}
	return m.Form(i).Has(lexicon.Past) && !m.Form(i).Has(lexicon.Base|lexicon.Noun) && !said
}

// finished reads that a thing is done, which may be for the assistant to tick
// off: "the task is done".
func (m *Message) finished(c *Request, i int) {
	c.Verb, c.Plea, c.Families = i, Suggested, lexicon.FamiliesOf(lexicon.Complete)
}

// stated reads what follows a subject, which the body of the clause begins with,
// from its auxiliary at j on.
func (m *Message) stated(c *Request, j int) {
	c.Plea = Told
	switch {
	case m.Subject(j + 1): // "which tasks do I have"
		c.Plea, c.Me = Inquired, true
	case m.is(j, cueShould) || m.is(j+1, cueNeed):
		m.required(c, j)
	case m.is(j+1, cueFinish) && m.Form(j+1).Has(lexicon.Participle):
		m.finished(c, j+1)
	default:
		c.Achieved = m.achieved(j)
		for k := j + 1; k < j+4 && m.Wordy(k); k++ {
			if m.Class(k).Has(lexicon.Question) && !m.Wordy(k+1) { // "my next meeting is when"
				c.Plea = Inquired
			}
		}
	}
}

// achieved is what the words from the auxiliary at j on say to be so already: a participle,
// or a particle that things are switched by ("off"), after adverbs and "been". What is
// denied, or may be so, is not.
func (m *Message) achieved(j int) (done lexicon.Families) {
	if m.Class(j).Has(lexicon.Negation|lexicon.Modal) || !m.Class(j).Has(lexicon.Auxiliary) || m.is(j, cueDo) {
		return done
	}
	for k := j + 1; k < j+5 && m.Wordy(k); k++ {
		entry := m.At(k)
		switch {
		case entry.Class.Has(lexicon.Negation):
			return done
		case entry.Class.Has(lexicon.Auxiliary), entry.Form.Has(lexicon.Adverb) && !entry.Class.Has(lexicon.Particle):
		case entry.Class.Has(lexicon.Particle) && (!m.Wordy(k+1) || m.Class(k+1).Has(lexicon.Time)):
			if turn := m.language.Lookup("turn"); turn != nil {
				return m.language.Phrasal(turn, entry)
			}
			return done
		case entry.Form.Has(lexicon.Participle) && !entry.Form.Has(lexicon.Gerund):
			return entry.Families
		default:
			return done
		}
	}
	return done
}

// required reads what has to be done to a thing: "milk should be taken off". What should be so
// by now is expected to have been done.
func (m *Message) required(c *Request, j int) {
	const longest = 6 // words of "be cancelled by now"
	i := c.Body
	for k := j + 1; k < min(j+longest, len(m.Tokens)); k++ {
		if m.Word(k) == "now" && m.Word(k-1) == "by" {
			c.Plea = Told
			return
		}
	}
	switch {
	case m.participle(c, j+1):
		c.Plea, c.Body = Commanded, i
	case m.Class(j + 1).Has(lexicon.Auxiliary): // "the drain must be unclogged"
		c.Plea = Wished
	}
}

// detached reports whether a verb after token i can be a command: not after "to",
// a determiner, or a preposition.
func (m *Message) detached(i int) bool {
	const attached = lexicon.Determiner | lexicon.Preposition | lexicon.Possessive | lexicon.Auxiliary |
		lexicon.Modal | lexicon.SecondPerson | lexicon.Negation | lexicon.FirstPerson | lexicon.ThirdPerson
	return !m.Class(i).Has(attached) && (!m.Class(i).Has(lexicon.Pronoun) || m.is(i, cueOne))
}
