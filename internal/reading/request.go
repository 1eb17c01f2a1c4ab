package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Plea is how a clause of a message asks for something.
type Plea uint8

const (
	// Told asks for nothing.
	Told Plea = iota
	// Commanded asks for an act: "delete it", "could you delete it", "I want it
	// deleted".
	Commanded
	// Suggested asks less plainly: "calendar delete lunch", "can I see it".
	Suggested
	// Inquired wants to know something.
	Inquired
	// Named is only a thing: "my list please", "new appointment".
	Named
	// Wished names a thing and no act: "I need a reminder".
	Wished
	// Barred holds the words without asking: negated, hypothetical.
	Barred
	// Pondered asks for thought: why, explain, should I.
	Pondered
	// Learned asks how something is done: "how do I", "how to".
	Learned
	// NumPleas is how many there are.
	NumPleas
)

// Request is one clause of a message.
type Request struct {
	From, To int // its tokens
	Body     int // where what it speaks of begins
	Verb     int // the token of its main verb, -1 if there is none
	Plea     Plea
	// Families are what the verb means, with its particle: "get rid of".
	Families lexicon.Families
	// Phrasal is true where the verb alone means something else.
	Phrasal bool
	// You and Me: its subject is the assistant, or the user.
	You, Me bool
	// Past asks or tells about the past, Able may ask for an ability: "can you".
	Past, Able bool
	// Achieved is what it says to be done already: "the invoice is paid", "the lights are
	// off". Nobody asks for that.
	Achieved lexicon.Families
	// Ensures is "make sure that".
	Ensures  bool
	Polite   bool
	Question bool // ends in a question mark
}

// maxRequests bounds the work on one message; what follows is read as one.
const maxRequests = 64

// readRequests cuts the message into requests.
func (m *Message) readRequests() {
	m.Requests = m.Requests[:0]
	for i := 0; i < len(m.Tokens); {
		if !m.Wordy(i) {
			i++
			continue
		}
		last := len(m.Requests) >= maxRequests
		m.Requests = append(m.Requests, Request{From: i, Verb: -1})
		c := &m.Requests[len(m.Requests)-1]
		m.open(c)
		c.To = m.end(c, last)
		if c.Plea == Named && c.Question {
			c.Plea = Inquired
		}
		m.particle(c)
		i = max(c.To, i+1)
	}
}

const filler = lexicon.Politeness | lexicon.Affirmation | lexicon.Greeting | lexicon.Interjection |
	lexicon.Conjunction | lexicon.Sequence | lexicon.Hedge

// maxLead bounds how many words may lead in, so that a message of nothing else
// is read in linear time.
const maxLead = 16

// skip passes words that only lead in, and tells whether they are polite.
func (m *Message) skip(i int) (next int, polite bool) {
	start := i
	for last := i + maxLead; i < last && i < len(m.Tokens); i++ {
		if !m.Wordy(i) {
			if kind := m.Tokens[i].Kind; kind == lexicon.Symbol || kind == lexicon.Comma && i > start && m.Wordy(i+1) {
				continue
			}
			return i, polite
		}
		if class, n := m.Expression(i); class.Has(lexicon.Politeness | lexicon.Greeting) {
			i += n - 1
			polite = true
			continue
		}
		class := m.Class(i)
		polite = polite || class.Has(lexicon.Politeness)
		switch {
		case class.Has(filler) && !class.Has(lexicon.Question|lexicon.Condition) &&
			!(class.Has(lexicon.Ordinal|lexicon.Time) && i > 0):
		case class.Has(lexicon.Refusal) && !m.Form(i+1).Has(lexicon.Noun|lexicon.Plural):
		case m.Form(i).Has(lexicon.Adverb) && !class.Has(lexicon.Existence):
		case m.vocative(i):
		default:
			return i, polite
		}
	}
	return i, polite
}

// vocative is an unknown word at the beginning that a request follows at once:
// "Robo, can you", "Robo add".
func (m *Message) vocative(i int) bool {
	if i != 0 || m.Tokens[i].Entry != nil || m.Tokens[i].Kind != lexicon.Word {
		return false
	}
	next := m.Class(i + 1)
	return next.Has(lexicon.Modal|lexicon.Politeness|lexicon.Question) && !next.Has(lexicon.Time) ||
		m.orders(i+1) || m.Subject(i+1)
}

// orders reports whether an order begins with the word at i: a verb that is no
// noun, or that stands where only a verb can.
func (m *Message) orders(i int) bool {
	return m.acting(i) && (!m.Form(i).Has(lexicon.Noun) || m.plainVerb(i))
}

// plainVerb reports whether a word that may be a noun, too, stands before what
// only follows a verb.
func (m *Message) plainVerb(i int) bool {
	const object = lexicon.Determiner | lexicon.Pronoun | lexicon.Possessive | lexicon.FirstPerson | lexicon.Quantity
	return m.Class(i+1).Has(object) || m.is(i, cueSeeks) && m.Class(i+1).Has(lexicon.Preposition|lexicon.Condition)
}

// boundary are the classes of the words that a clause can end before.
const boundary = lexicon.Conjunction | lexicon.Question | lexicon.Modal | lexicon.Politeness | lexicon.Condition |
	lexicon.FirstPerson

// end finds where the clause ends: at the end of the sentence, or where the next
// request begins.
func (m *Message) end(c *Request, last bool) int {
	i := max(c.From, c.Verb)
	for i++; i < len(m.Tokens); i++ {
		if entry := m.words[i]; entry != &blank && !entry.Class.Has(boundary) {
			continue
		}
		token := &m.Tokens[i]
		switch {
		case token.Kind == lexicon.End || token.Kind == lexicon.Break:
			c.Question = token.Has(lexicon.Asking)
			return i + 1
		case last || m.Quotes && token.Has(lexicon.Quoted):
		case token.Kind == lexicon.Comma && m.begins(i+1, c, true),
			m.Class(i).Has(lexicon.Conjunction) && m.begins(i+1, c, false):
			return i + 1
		case i > c.From+1 && m.runsOn(i, c):
			return i
		}
	}
	return i
}

// runsOn reports whether the next request begins at i without a mark before it.
func (m *Message) runsOn(i int, c *Request) bool {
	class, next := m.Class(i), m.Class(i+1)
	if class.Has(lexicon.Condition) && c.Verb >= 0 {
		return !m.is(i-1, cueFindsOut) // "check if", "let me know if"
	}
	if class.Has(lexicon.Politeness) && m.orders(i+1) {
		return true
	}
	switch c.Plea {
	case Told, Named, Barred, Wished:
	default:
		return false
	}
	switch {
	case class.Has(lexicon.Question) && !class.Has(lexicon.Determiner|lexicon.Preposition):
		return next.Has(lexicon.Auxiliary)
	case class.Has(lexicon.Modal):
		return next.Has(lexicon.SecondPerson) && !m.Class(i-1).Has(lexicon.Question|lexicon.Pronoun)
	case m.Subject(i): // "I'm bored I want to go out"
		const joins = lexicon.Conjunction | lexicon.Preposition | lexicon.Question | lexicon.Determiner |
			lexicon.Condition | lexicon.Pronoun | lexicon.Auxiliary | lexicon.Modal
		return !m.Class(i-1).Has(joins) && !m.Form(i-1).Has(lexicon.Base|lexicon.Noun|lexicon.Plural) &&
			(next.Has(lexicon.Desire) && !next.Has(lexicon.Preposition) || m.wishes(i+2))
	}
	return false
}

// begins reports whether a new request begins at i, after a comma or a
// conjunction.
func (m *Message) begins(i int, c *Request, comma bool) bool {
	i, _ = m.skip(i)
	if !m.Wordy(i) {
		return false
	}
	class := m.Class(i)
	switch {
	case class.Has(lexicon.Condition), m.Subject(i), m.is(i, cueLet):
		return true
	case class.Has(lexicon.Modal): // "can you", and "would like" of the same subject
		return m.Class(i+1).Has(lexicon.SecondPerson|lexicon.FirstPerson) || m.wishes(i+1) && c.Me
	case class.Has(lexicon.Question):
		return m.beginsQuestion(i, c, comma)
	case class.Has(lexicon.Auxiliary):
		return m.beginsInverted(i, c, comma)
	case class.Has(lexicon.Desire) && !class.Has(lexicon.Preposition): // "need it", "want to"
		return m.plainVerb(i) || m.is(i+1, cueTo)
	case !m.acting(i):
		return m.is(i, cueTakes)
	case c.Families.Has(lexicon.Remind) || c.Families.Has(lexicon.Remember): // "remind me to call Ann and send flowers"
		return m.plainVerb(i)
	case c.Plea == Inquired && !m.Wordy(i+1):
		return false // "what's the difference between archive and delete?"
	}
	return m.orders(i)
}

// beginsQuestion reports whether the question word at i begins a request: "and
// when is it", "and how many"; a "which" may add to what was said.
func (m *Message) beginsQuestion(i int, c *Request, comma bool) bool {
	if comma && c.Verb >= 0 && m.is(i, cueWhich) && !m.Class(i-1).Has(lexicon.Conjunction) {
		return false // "my order, which is number 7"
	}
	return m.Class(i+1).Has(lexicon.Auxiliary|lexicon.Modal) || m.is(i, cueHow) ||
		c.Plea == Inquired && m.Form(i+1).Has(lexicon.Noun|lexicon.Plural|lexicon.Adjective)
}

// beginsInverted reports whether the auxiliary at i begins a request: "do you",
// "don't", ", is there", and after another question "and is it".
func (m *Message) beginsInverted(i int, c *Request, comma bool) bool {
	const subject = lexicon.Determiner | lexicon.Possessive | lexicon.Pronoun | lexicon.ThirdPerson
	next := m.Class(i + 1)
	return next.Has(lexicon.FirstPerson|lexicon.SecondPerson) || m.Class(i).Has(lexicon.Negation) ||
		next.Has(lexicon.Existence) && comma ||
		c.Plea == Inquired && m.Class(i-1).Has(lexicon.Conjunction) && next.Has(subject)
}

// desires reads "want", "would like"; "like" alone compares.
func (m *Message) desires(i int) bool {
	class := m.Class(i)
	return class.Has(lexicon.Desire) && !class.Has(lexicon.Preposition) || m.wishes(i)
}

// wishes reads "would like", "'d love".
func (m *Message) wishes(i int) bool { return m.is(i, cueLikes) && m.Class(i-1).Has(lexicon.Modal) }

// particle completes the verb of a clause whose end is known: "get rid of", and
// verbs that leave the act to their object: "make a change".
func (m *Message) particle(c *Request) {
	if c.Verb < 0 {
		m.switched(c)
		return
	}
	if m.light(c) {
		return
	}
	verb := m.Tokens[c.Verb].Entry
	for j := c.Verb + 1; j < c.To; j++ {
		if entry := m.At(j); !entry.Class.Has(lexicon.Particle) {
			if entry.Is(m.cues[cueToThat]) {
				return
			}
			continue
		}
		// "put milk on my list" keeps "put", and "check the weather in Oslo" checks
		// nobody in: the particle opens another phrase.
		const other = lexicon.Preposition | lexicon.Conjunction | lexicon.Politeness | lexicon.Question
		ordinary := j > c.Verb+1 && m.is(j, cueOpens) && m.Wordy(j+1) && !m.Class(j+1).Has(other)
		if families := m.language.Phrasal(verb, m.Tokens[j].Entry); !families.Empty() && !ordinary {
			c.Families, c.Phrasal = families, !families.Overlaps(verb.Families)
			return
		}
	}
}

// switched reads a thing and a particle as the command that they are short for:
// "kitchen lights off".
func (m *Message) switched(c *Request) {
	last := c.To - 1
	for last > c.From && (!m.Wordy(last) || m.Class(last).Has(lexicon.Politeness)) {
		last--
	}
	if c.Plea != Named || last == c.From || !m.Class(last).Has(lexicon.Particle) {
		return
	}
	if turn := m.language.Lookup("turn"); turn != nil {
		if families := m.language.Phrasal(turn, m.Tokens[last].Entry); !families.Empty() {
			c.Verb, c.Families, c.Phrasal, c.Plea = last, families, true, Suggested
		}
	}
}

func (m *Message) light(c *Request) bool {
	if !m.is(c.Verb, cueLight) {
		return false
	}
	for j := c.Verb + 1; j < c.Verb+4 && j < c.To && m.Wordy(j); j++ {
		entry := m.At(j)
		if entry.Form.Has(lexicon.Noun|lexicon.Plural) && !entry.Families.Empty() && entry.Group == 0 &&
			!m.Form(j+1).Has(lexicon.Noun|lexicon.Plural) {
			c.Families = entry.Families
			return true
		}
		if !entry.Class.Has(lexicon.Determiner|lexicon.Quantity) && !entry.Form.Has(lexicon.Adjective) {
			return false
		}
	}
	return false
}

// Identified reports whether an id follows the verb of a clause: "cancel HB2201".
func (m *Message) Identified(c *Request) bool {
	if c.Verb < 0 || c.Verb+1 >= c.To {
		return false
	}
	word := m.Text[m.Tokens[c.Verb+1].Start:]
	if end := strings.IndexAny(word, " \t\n,;"); end >= 0 {
		word = word[:end]
	}
	word = strings.TrimRight(word, ".:!?")
	return PrefixOf(word)[0] != 0 && LooksLikeID(word)
}

// Piece is the message between two tokens, without the marks at its end.
func (m *Message) Piece(from, to int) string {
	for to > from && !m.Tokens[to-1].IsWord() {
		to--
	}
	if to <= from {
		return ""
	}
	return strings.TrimSpace(m.Text[m.Tokens[from].Start:m.Tokens[to-1].End])
}

// Enumerates reports whether a clause names several things.
func (m *Message) Enumerates(c *Request) bool {
	for i := c.Body; i < c.To; i++ {
		if m.Tokens[i].Kind == lexicon.Comma || m.Class(i).Has(lexicon.Conjunction) {
			return true
		}
	}
	return false
}

// Adds reports whether the word at i of a reply says something that was not spoken of: a
// number, a name, a thing; "yes, tomorrow" only says when.
func (m *Message) Adds(i int) bool {
	token := &m.Tokens[i]
	return token.Kind != lexicon.Word || token.Entry == nil ||
		token.Form().Has(lexicon.Noun|lexicon.Plural) && !m.Class(i).Has(lexicon.Time)
}

// Clock reports whether the number at i is a time of day or a date.
func (m *Message) Clock(i int) bool {
	const near = lexicon.Preposition | lexicon.Time
	return strings.ContainsAny(m.Word(i), ":/") || m.Class(i-1).Has(near) || m.Class(i+1).Has(lexicon.Time)
}
