package reading

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// A command may hold something in reserve: it waits for a condition, it stands there as
// a text to work on, or what follows takes it back. The words are those of a command all
// the same, so that it may well be due; nobody can be sure of it.

// Reserved reports whether a clause that asks for an act does not ask for it plainly,
// here and now.
func (m *Message) Reserved(c *Request) bool {
	return m.Proposed || m.unusual(c) || m.presented(c) || m.Conditioned(c) || m.doubted(c)
}

// Conveyed reports whether what a clause speaks of is but what somebody is to be told or
// asked: "tell Ann the parcel is shipped", "ask Tom to ship it"; or "please ship it" and "…
// and ship it", where such words go on.
func (m *Message) Conveyed(c *Request) bool {
	if m.conveys(c) {
		return m.says(c)
	}
	var before *Request
	for i := range m.Requests {
		if r := &m.Requests[i]; r.To <= c.From {
			before = r
		}
	}
	if before == nil || !m.conveys(before) || !m.Tokens[c.From-1].IsWord() {
		return false
	}
	const joins = lexicon.Conjunction | lexicon.Sequence
	return !m.Class(c.From-1).Has(joins) && !m.Class(c.From).Has(joins) || m.tellsTo(before)
}

// conveys reports whether the verb of a clause passes words on, or the message that it
// sends, to others than the two who talk: "I ask you to" asks for what follows, and so does
// "tell me whether"; "remind me to" does not.
func (m *Message) conveys(c *Request) bool {
	if c.Verb < 0 {
		return false
	}
	if to := m.Class(c.Verb + 1); to.Has(lexicon.SecondPerson) || to.Has(lexicon.FirstPerson) && !m.tellsTo(c) {
		return false
	}
	if m.is(c.Verb, cueConveys) {
		return true
	}
	for i := c.Verb + 1; i < c.Verb+5 && i < c.To && c.Families.Overlaps(sending); i++ { // "send Tom a note that"
		if m.is(i, cueConveys) {
			return true
		}
	}
	return false
}

var sending = lexicon.FamiliesOf(lexicon.Send, lexicon.Contact)

// says reports whether words to be passed on stand in a clause: what is to be done, whether
// or that something is so. "mail Tom the invoice" has none.
func (m *Message) says(c *Request) bool {
	if m.tellsTo(c) || c.To < len(m.Tokens) && m.Class(c.To).Has(lexicon.Condition) {
		return true
	}
	for i := c.Verb + 1; i < c.To; i++ {
		class, form := m.Class(i), m.Form(i)
		if class.Has(lexicon.Condition|lexicon.Question|lexicon.Auxiliary|lexicon.Modal) && !class.Has(lexicon.Time) ||
			m.is(i, cueToThat) && !m.is(i, cueTo) || m.mark(i) == ':' ||
			form.Has(lexicon.Third|lexicon.Past) && !form.Has(lexicon.Noun|lexicon.Plural|lexicon.Adjective) {
			return true
		}
	}
	return false
}

// tellsTo reports whether a clause says what somebody is to do: "ask Tom to call me".
func (m *Message) tellsTo(c *Request) bool {
	for i := c.Verb + 1; i < c.To; i++ {
		if m.is(i, cueTo) && (i+1 >= c.To || m.Form(i+1).Has(lexicon.Base) || m.Class(i+1).Has(lexicon.Politeness)) {
			return true
		}
	}
	return false
}

// unusual reports whether the words before the verb make the clause something else than
// a command: "I'm planning to", "on no account", "people often", "un-approve".
func (m *Message) unusual(c *Request) bool {
	if c.Verb < 0 {
		return false
	}
	if c.Plea == Suggested && !c.You && !c.Me && m.Form(c.Verb-1).Has(lexicon.Adverb) && m.openedByNoun(c) {
		return true // "people often"
	}
	for i := c.From; i < c.Verb; i++ {
		if m.is(i, cuePlans) || m.is(i, cueNo) && m.Wordy(i+1) {
			return true
		}
	}
	if m.undone(c.Verb) || m.reproached(c.Verb) || m.leftTo(c.Verb) || m.spokenOf(c) || m.echoed(c) {
		return true
	}
	return c.Past && c.Me && m.follows(c.Verb+1, c.To, lexicon.Conjunction) // "I wanted to, but"
}

// spokenOf reports whether the words of a command are but what something else is said of:
// "close the gate was a bad idea", "sell it is what they told me".
func (m *Message) spokenOf(c *Request) bool {
	const divides = lexicon.Question | lexicon.Condition | lexicon.Conjunction | lexicon.Pronoun | lexicon.FirstPerson |
		lexicon.SecondPerson | lexicon.ThirdPerson
	if c.Ensures || c.Families.Overlaps(informing) || m.conveys(c) {
		return false
	}
	for i := c.Verb + 2; i+1 < c.To && m.Wordy(i); i++ {
		class := m.Class(i)
		if class.Has(lexicon.Auxiliary) && !class.Has(lexicon.Modal|lexicon.Possessive|lexicon.Time) && !m.is(i, cueDo) {
			return m.Class(i + 1).Has(lexicon.Determiner | lexicon.Question)
		}
		if class.Has(divides) && !class.Has(lexicon.Possessive) {
			return false
		}
	}
	return false
}

// echoed reports whether a command is said like a question, and a short remark without a
// verb, of no or of the one who speaks, answers it, or two words: "close the gate? Not on my
// watch", "close it? As if!".
func (m *Message) echoed(c *Request) bool {
	const most = 6 // words; who says more tells why
	const against = lexicon.Negation | lexicon.Refusal | lexicon.FirstPerson
	if !c.Question || m.Tokens[c.To-1].Has(lexicon.Quoted) {
		return false
	}
	next := c.To
	for next < len(m.Tokens) && !m.Tokens[next].IsWord() {
		next++
	}
	for i := range m.Requests {
		if r := &m.Requests[i]; r.From == next && (r.Plea == Named || r.Plea == Barred) {
			verbless := m.all(r, func(i int) bool {
				form := m.Form(i)
				return !m.Class(i).Has(lexicon.Auxiliary|lexicon.Modal) && !m.Subject(i) && !form.Has(lexicon.Third|lexicon.Past)
			})
			contra := !m.all(r, func(i int) bool { return !m.Class(i).Has(against) })
			return r.To-r.From <= most && verbless && (contra || m.shrug(r))
		}
	}
	return false
}

// shrug reports whether a piece is two words that name neither a time nor a thing of anybody:
// "as if", "fat chance".
func (m *Message) shrug(r *Request) bool {
	words := 0
	return m.all(r, func(i int) bool {
		words++
		token := &m.Tokens[i]
		return token.Kind == lexicon.Word && !token.Has(lexicon.Quoted) && m.Courtesy(i) == 0 &&
			!m.Class(i).Has(lexicon.Time|lexicon.Ordinal|lexicon.Determiner|lexicon.Possessive|lexicon.Politeness)
	}) && words == 2
}

// reproached reports whether the verb at i tells what somebody did not do: "you should
// have cancelled it".
func (m *Message) reproached(i int) bool {
	return i > 1 && m.is(i-1, cueHave) && m.Class(i-2).Has(lexicon.Modal) && m.Form(i).Has(lexicon.Participle)
}

// leftTo reports whether somebody else is to do what the verb at i says: "have Tom cancel
// it", "let them cancel it".
func (m *Message) leftTo(i int) bool {
	if i < 2 || !m.is(i-2, cueHave) && !m.is(i-2, cueLet) || !m.Form(i).Has(lexicon.Base) {
		return false
	}
	named := m.Tokens[i-1].Has(lexicon.Capital) && m.At(i-1).ID < 0
	return named || m.Class(i-1).Has(lexicon.ThirdPerson)
}

// openedByNoun reports whether something stands before the verb, as what does it.
func (m *Message) openedByNoun(c *Request) bool {
	i, _ := m.skip(c.From)
	return i < c.Verb
}

// undone reports whether a hyphen ties the verb at i to what turns it round: "un-approve".
func (m *Message) undone(i int) bool {
	joint := m.Tokens[i].Start - 1
	return i > 0 && joint > 0 && m.Text[joint] == '-' && m.Tokens[i-1].End >= joint && m.Class(i-1) == 0 &&
		!m.is(i-1, cueAgain)
}

// follows reports whether a word of a class that contradicts stands between two tokens.
func (m *Message) follows(from, to int, class lexicon.Class) bool {
	for i := from; i < to; i++ {
		if m.Class(i).Has(class) && m.is(i, cueBut) {
			return true
		}
	}
	return false
}

// Replaced reports whether a later clause corrects what an earlier one asks for, since it is
// opposed to it or says so, and does not go on with it: "open it. Close it", "tow it. Moor it
// instead", and not "open it and then close it".
func (m *Message) Replaced(c, by *Request, opposed bool) bool {
	if by.From < c.To || by.Plea != Commanded && by.Plea != Suggested {
		return false
	}
	for i := c.To - 1; i < by.To; i++ {
		if m.Class(i).Has(lexicon.Sequence|lexicon.Time) || m.is(i, cueAnd) {
			return false
		}
		opposed = opposed || strings.EqualFold(m.Word(i), "instead") && !m.is(i+1, cueOf)
	}
	return opposed
}

// mark is the first byte of a token that is no word, 0 for one that is.
func (m *Message) mark(i int) byte {
	if m.Tokens[i].IsWord() {
		return 0
	}
	return m.Text[m.Tokens[i].Start]
}

// presented reports whether a clause stands behind a colon, after words that make it a
// text: "rephrase this: …", "todo: …"; not after "quick one:", "I've decided:".
func (m *Message) presented(c *Request) bool {
	colon := -1
	for i := c.From - 1; i >= 0 && colon < 0; i-- {
		switch kind := m.Tokens[i].Kind; {
		case m.mark(i) == ':':
			colon = i
		case kind == lexicon.End, kind == lexicon.Break && !(i > 0 && m.mark(i-1) == ':'):
			return false
		}
	}
	if colon < 0 {
		return false
	}
	from := m.sentence(colon)
	if m.Subject(from) {
		return m.speaks(from, colon)
	}
	for i := from; i < colon; i++ {
		if m.Wordy(i) && !m.leadsIn(i) {
			return true
		}
	}
	return false
}

// sentence is where the one begins that holds token i.
func (m *Message) sentence(i int) int {
	for i--; i >= 0; i-- {
		if kind := m.Tokens[i].Kind; kind == lexicon.End || kind == lexicon.Break {
			break
		}
	}
	return i + 1
}

// speaks reports whether somebody says something between two tokens.
func (m *Message) speaks(from, to int) bool {
	for i := from; i < to; i++ {
		if m.is(i, cueSays) || m.is(i, cueTells) {
			return true
		}
	}
	return false
}

// leadsIn reports whether the word at i only leads to what follows a colon.
func (m *Message) leadsIn(i int) bool {
	const leading = filler | lexicon.Time | lexicon.Quantity | lexicon.Pronoun | lexicon.Determiner | lexicon.Refusal |
		lexicon.Auxiliary | lexicon.SecondPerson | lexicon.FirstPerson | lexicon.Desire | lexicon.Preposition
	return m.Class(i).Has(leading) || m.Form(i).Has(lexicon.Adjective|lexicon.Adverb) || m.is(i, cueThings) ||
		m.Courtesy(i) > 0
}

// later are acts that are asked for now and speak of what comes later.
var later = lexicon.FamiliesOf(lexicon.Remind, lexicon.Remember, lexicon.Schedule)

// Conditioned reports whether the sentence of a clause makes what it asks for wait for
// something else: "if Max agrees, …", "… when I say go".
func (m *Message) Conditioned(c *Request) bool {
	if c.Families.Overlaps(later) { // "remind me when I get home"
		return false
	}
	for i := m.sentence(c.From); i < len(m.Tokens); i++ {
		if kind := m.Tokens[i].Kind; i >= c.To-1 && (kind == lexicon.End || kind == lexicon.Break) {
			return false
		}
		if m.Wordy(i) && m.condition(i) {
			return true
		}
	}
	return false
}

// condition reports whether a condition begins at i that is more than courtesy, and no
// question of another clause: "if you can", "tell me if".
func (m *Message) condition(i int) bool {
	class := m.Class(i)
	expressed, _ := m.Expression(i)
	switch {
	case (class | expressed).Has(lexicon.Condition):
		if m.is(i, cueOnce) && (m.is(i-1, cueAt) || !m.finite(i+1)) { // "at once", "once more"
			return false
		}
	case m.is(i, cueWhen):
		if m.Class(i + 1).Has(lexicon.Auxiliary | lexicon.Modal) { // "when is it"
			return false
		}
	case m.is(i, cueUntil):
		if !m.finite(i + 1) {
			return false
		}
	case m.is(i, cueShould) && m.Class(i).Has(lexicon.Modal): // "should Max agree"
		const other = lexicon.FirstPerson | lexicon.SecondPerson | lexicon.Negation | lexicon.Auxiliary
		return m.opens(i) && !m.Class(i+1).Has(other)
	default:
		return false
	}
	return m.Courtesy(i) == 0 && !m.courteous(i+1) && !m.askedBy(i-1)
}

// opens reports whether a clause begins at i.
func (m *Message) opens(i int) bool { return i == 0 || !m.Tokens[i-1].IsWord() }

// finite reports whether a subject and its verb seem to begin at i: "Max agrees", "it is
// done"; and not "noon", "the meeting".
func (m *Message) finite(i int) bool {
	const subject = lexicon.ThirdPerson | lexicon.SecondPerson | lexicon.Pronoun
	if class := m.Class(i); m.Subject(i) || class.Has(subject) && !class.Has(lexicon.Possessive|lexicon.Determiner) {
		return true
	}
	for j := i + 1; j < i+6 && m.Wordy(j); j++ {
		entry := m.At(j)
		if entry.Class.Has(lexicon.Auxiliary|lexicon.Modal) && !entry.Class.Has(lexicon.Time) ||
			entry.Form.Has(lexicon.Third|lexicon.Past) && !entry.Form.Has(lexicon.Noun|lexicon.Plural|lexicon.Adjective) {
			return true
		}
	}
	return m.Tokens[min(i, len(m.Tokens)-1)].Has(lexicon.Capital) && m.Wordy(i) && m.Wordy(i+1) &&
		!m.Class(i).Has(lexicon.Time) && !m.Class(i+1).Has(lexicon.Preposition|lexicon.Conjunction|lexicon.Politeness)
}

// courteous reports whether a condition whose words begin at i leaves the time or the
// trouble to the assistant: "you have a moment", "it's no trouble", "that's ok".
func (m *Message) courteous(i int) bool {
	if class := m.Class(i); !class.Has(lexicon.SecondPerson | lexicon.Pronoun) {
		return m.is(i, cueEase)
	}
	for j := i + 1; j < i+7 && m.Wordy(j); j++ {
		if m.is(j, cueEase) {
			return true
		}
	}
	return false
}

// askedBy reports whether the word at i, or the verb whose person it is, asks for what
// follows: "know if", "tell me when".
func (m *Message) askedBy(i int) bool {
	const person = lexicon.FirstPerson | lexicon.ThirdPerson
	if m.is(i, cueRemind) || m.is(i, cueFindsOut) && !m.Class(i).Has(person) {
		return true
	}
	return (m.Class(i).Has(person) || m.Tokens[max(i, 0)].Has(lexicon.Capital)) &&
		(m.is(i-1, cueFindsOut) || m.is(i-1, cueRemind))
}

//go:embed data/doubts.txt
var doubtsFile string

var doubts = sync.OnceValue(func() *Holds { return ParseHolds(doubtsFile, []string{"plain", "doubted"}) })

// doubted reports whether something that follows a command takes it back or doubts it:
// "…, or not", "… (just a joke)", "…, but show it to me first". Only "not" does so without a
// mark before it.
func (m *Message) doubted(c *Request) bool {
	h := m.listenFor(doubts())
	verb := max(c.Verb, c.From)
	return slices.ContainsFunc(h.found, func(f holding) bool {
		if int(h.words[f.from].token) <= verb {
			return false
		}
		from := f.from
		for from > 0 && !h.words[from].opens {
			from--
		}
		return f.row.has(endsClause) && len(f.row.words) == 1 && h.entry(f.from).Class.Has(lexicon.Negation) ||
			int(h.words[from].token) > verb
	})
}

// Postponed reports whether a clause says when its act is to be done, and that is not
// now: "at 6 pm", "in ten minutes", "tomorrow".
func (m *Message) Postponed(c *Request) bool {
	for i := max(c.Verb, c.From) + 1; i < c.To; i++ {
		next := m.Class(i + 1)
		number := i+1 < c.To && m.Tokens[i+1].Kind == lexicon.Number
		clock := number && (m.Class(i+2).Has(lexicon.Time) || strings.Contains(m.Word(i+1), ":")) // "6 pm", "18:30"
		span := (number || next.Has(lexicon.Quantity)) && i+2 < c.To && m.is(i+2, cueUnits)
		if m.is(i, cueTomorrow) || m.is(i, cueAt) && (next.Has(lexicon.Time) || clock) || m.is(i, cueIn) && span {
			return true
		}
	}
	return false
}
