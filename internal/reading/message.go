package reading

import (
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Listener reads messages to an assistant in one language. It is immutable once it reads, and
// safe for concurrent use.
type Listener struct {
	// Holds are the patterns by which a message holds back what it asks for, if any.
	Holds *Holds
	// Localize may replace the entries of words.
	Localize func([]lexicon.Token)
	// Known are words that the language does not list, and that are no slips; without it none
	// is taken for a slip.
	Known func(hash uint64) bool

	language *lexicon.Language
	cues     [numCues]lexicon.Cue
	messages sync.Pool
}

// NewListener builds a listener. A language without one of the cues never meets
// it.
func NewListener(language *lexicon.Language) *Listener {
	l := &Listener{language: language}
	for i, name := range cueNames {
		l.cues[i] = language.Cue(name)
	}
	return l
}

// Message is a message that was read: its words, the requests that it consists of, and
// what holds them back.
type Message struct {
	*Listener
	Text     string
	Tokens   []lexicon.Token
	Requests []Request
	Held     Held
	Manner

	words   []*lexicon.Entry // see At
	idioms  []idiom          // by token
	classes lexicon.Class    // of all words and idioms
	spoken  []spokenWord
}

// Manner is how a message is written.
type Manner struct {
	// Quotes is true where quoted words are quoted; a message that stands in quotes
	// as a whole quotes nothing.
	Quotes bool
	// Shouts is true where capital letters mean nothing.
	Shouts bool
	// Foreign is a message in a language whose words are not listed.
	Foreign bool
	// Unlisted is a message of words that are not listed: an answer to a question in another
	// language is in that language, too.
	Unlisted bool
	// Courteous is a message of courtesies alone.
	Courteous bool
	// Proposed is a message that proposes what it asks for: "why don't you cancel it".
	Proposed bool
}

// Read reads a message, without what it withdrew and replaced. It may be given back by
// [Message.Return].
func (l *Listener) Read(text string) *Message {
	m := l.listen()
	for more := true; more; more = m.Held.kept > 0 {
		m.hear(text)
		m.Understand()
		if l.Holds != nil && !m.Courteous {
			m.Held = m.holds(l.Holds)
		}
		text = m.Text[m.Held.kept:]
	}
	return m
}

// Skim reads a text for its words alone.
func (l *Listener) Skim(text string) *Message {
	m := l.listen()
	m.tokenize(text)
	m.glance()
	m.findIdioms()
	return m
}

func (l *Listener) listen() *Message {
	if m, used := l.messages.Get().(*Message); used {
		return m
	}
	return &Message{Listener: l, Tokens: make([]lexicon.Token, 0, 64), words: make([]*lexicon.Entry, 0, 64)}
}

// Return gives back a message that nobody reads any more.
func (m *Message) Return() {
	const room = 1 << 12 // tokens: what has grown beyond is not kept
	if m.Text = ""; cap(m.Tokens) <= room {
		m.messages.Put(m)
	}
}

// Entries of which nothing is known, and that are no lemma.
var blank, unlisted = lexicon.Entry{ID: -1}, lexicon.Entry{ID: -1}

func (m *Message) tokenize(text string) {
	m.Text, m.Held, m.Manner = text, Held{}, Manner{}
	m.Tokens = m.language.Tokenize(m.Tokens[:0], text)
}

// hear cuts a message into words, without the courtesies at its edges; one that is
// nothing else is kept whole. See [unframed].
func (m *Message) hear(text string) {
	m.tokenize(text)
	if m.language == lexicon.English() {
		from, to, proposed := unframed(m.Tokens)
		if m.Courteous = from == to && to < len(m.Tokens); !m.Courteous && to-from < len(m.Tokens) {
			m.tokenize(text[m.Tokens[from].Start:m.Tokens[to-1].End]) // as if nothing else had been written
			m.Proposed = proposed
		}
	}
	if m.Localize != nil {
		m.Localize(m.Tokens)
	}
	m.glance()
}

// Understand reads the requests of a message. Where it is only thought to be foreign, it
// may be read so once more.
func (m *Message) Understand() {
	if m.Known != nil && !m.Foreign && !m.Courteous {
		m.respell()
	}
	m.findIdioms()
	m.readRequests()
}

// glance finds out whether the message is in a language whose words are listed,
// whether its quotations are quotations, and its capitals names.
func (m *Message) glance() {
	words, listed, quoted, capital := 0, 0, 0, 0
	m.words = slices.Grow(m.words[:0], len(m.Tokens))[:len(m.Tokens)]
	for i := range m.Tokens {
		token := &m.Tokens[i]
		if token.Kind > lexicon.Name {
			m.words[i] = &blank
			continue
		}
		entry := token.Entry
		if entry == nil {
			entry = &unlisted
		}
		m.words[i] = entry
		if token.Kind != lexicon.Word {
			continue
		}
		words++
		if token.Entry != nil {
			listed++
		}
		if token.Has(lexicon.Quoted) {
			quoted++
		}
		if token.Has(lexicon.Capital) {
			capital++
		}
	}
	if m.Quotes = quoted > 0 && 10*quoted <= 8*words; m.Quotes {
		for i := range m.Tokens {
			if m.Tokens[i].Has(lexicon.Quoted) {
				m.words[i] = &blank
			}
		}
	}
	m.Shouts, m.Unlisted = 10*capital > 7*words, listed == 0
	m.Foreign = !m.Courteous && m.strange(words, listed)
}

// strange reports whether a message is in a language whose words are not listed.
// Names and slips are unlisted words, too, so a message is read that has no others,
// or that is one sentence and begins as a request does; and so may be one or two
// words of praise. Letters that English does not have, in one word of twelve, tell
// another language sooner.
func (m *Message) strange(words, listed int) bool {
	if listed == words || m.opensAsRequest() {
		return false
	}
	var heard tongue
	names, alien := true, 0
	for i := range m.Tokens {
		token := &m.Tokens[i]
		if token.Kind != lexicon.Word {
			continue
		}
		word, capital := m.Word(i), token.Has(lexicon.Capital)
		names = names && capital
		if token.Entry == nil && !token.Has(lexicon.Plain) && hasAlien(word, capital) {
			alien++
		}
		heard.hear(word, token, token.Entry != nil || !capital && m.language.Nearest(word) != nil)
	}
	switch {
	case names && alien == 0:
		return heard.cries(m.Text)
	case 2*listed < words && (12*alien >= words || m.fewListed(words, listed)):
		return true
	case heard.alien:
		return 3*listed < 2*words && heard.foreign()
	}
	return heard.tells() && words-listed >= 2
}

// fewListed reports whether hardly a word of a message is listed, and one that is not
// is no name.
func (m *Message) fewListed(words, listed int) bool {
	few := 10*listed < 3*words && (words > 3 || words == 3 && listed == 0)
	return few && slices.ContainsFunc(m.Tokens, func(t lexicon.Token) bool {
		return t.Kind == lexicon.Word && t.Entry == nil && !t.Has(lexicon.Capital)
	})
}

// opensAsRequest reports whether a message is one sentence and begins as a request does.
func (m *Message) opensAsRequest() bool {
	if !m.acting(0) && !m.Class(0).Has(lexicon.Politeness) {
		return false
	}
	return !slices.ContainsFunc(m.Tokens[1:], func(t lexicon.Token) bool { return t.Has(lexicon.SentenceStart) })
}

// maxRespelt bounds how many words of a message are taken for misspelt ones.
const maxRespelt = 8

// respell reads words that neither the language nor the caller knows, and that
// are written small, as those that they are a slip away from.
func (m *Message) respell() {
	n := 0
	for i, entry := range m.words {
		token := &m.Tokens[i]
		if entry != &unlisted || token.Kind != lexicon.Word || token.Has(lexicon.Capital) || m.Known(token.Hash) {
			continue
		}
		if near := m.language.Nearest(m.Text[token.Start:token.End]); near != nil {
			token.Entry, m.words[i] = near, near
		}
		if n++; n == maxRespelt {
			return
		}
	}
}

// At is what can be read of token i: an entry of which nothing is known for a
// word that is not listed, for what is no word, and outside the message.
func (m *Message) At(i int) *lexicon.Entry {
	if uint(i) < uint(len(m.words)) {
		return m.words[i]
	}
	return &blank
}

// Wordy reports whether token i can be read: a word outside quotations.
func (m *Message) Wordy(i int) bool { return m.At(i) != &blank }

// Class is the class of token i, Form its forms.
func (m *Message) Class(i int) lexicon.Class { return m.At(i).Class }

// Form is the forms of token i.
func (m *Message) Form(i int) lexicon.Form { return m.At(i).Form }

// Word is the text of a token.
func (m *Message) Word(i int) string { return m.Text[m.Tokens[i].Start:m.Tokens[i].End] }

func (m *Message) is(i int, c cue) bool { return m.At(i).Is(m.cues[c]) }

// acting is a base verb that belongs to a family.
func (m *Message) acting(i int) bool {
	entry := m.At(i)
	return entry.Form.Has(lexicon.Base) && !entry.Families.Empty()
}

// Subject reports whether token i is the user as a subject: I, we.
func (m *Message) Subject(i int) bool { return m.subject(m.At(i)) }

func (l *Listener) subject(entry *lexicon.Entry) bool {
	return entry.Class.Has(lexicon.FirstPerson) && entry.Is(l.cues[cueSubject])
}

// join makes one word of "to do" where it is a noun: after a determiner or a
// verb, before a list, or alone.
func (m *Message) join() {
	for i := 0; i+1 < len(m.words); i++ {
		if !m.is(i, cueTo) || !m.is(i+1, cueDo) || m.words[i+1].Word != "do" {
			continue
		}
		before := m.Class(i - 1)
		noun := before.Has(lexicon.Determiner|lexicon.Possessive) && !before.Has(lexicon.Pronoun) || i == 0 ||
			m.acting(i-1) && !m.is(i-1, cueHaveGet)
		entry := m.language.Lookup("to-do")
		if entry != nil && (noun || m.Class(i+2).Has(lexicon.Container)) {
			m.Tokens[i].Entry, m.Tokens[i].End = entry, m.Tokens[i+1].End
			m.Tokens[i+1].Kind, m.Tokens[i+1].Entry = lexicon.Symbol, nil
			m.words[i], m.words[i+1] = entry, &blank
		}
	}
}

// Offered reports whether the verb at i is offered by the one who speaks: "shall
// I delete", "want me to delete", "I can delete".
func (m *Message) Offered(i int) bool {
	for k := max(i-4, 0); k < i; k++ {
		switch {
		case m.is(k, cueOffers) && m.Subject(k+1), m.Subject(k) && m.is(k+1, cueOffers),
			m.Class(k).Has(lexicon.Desire) && m.Class(k+1).Has(lexicon.FirstPerson) && m.is(k+2, cueTo):
			return true
		case m.is(k, cueProceed) && i > k:
			return true
		}
	}
	return false
}

// Denied reports whether a bare "not" stands before the verb at i: "shall I stop and not
// delete it?".
func (m *Message) Denied(i int) bool {
	class := m.Class(i - 1)
	return class.Has(lexicon.Negation) && !class.Has(lexicon.Auxiliary|lexicon.Modal)
}

// Modifies reports whether the head of the phrase follows the word at i: "task title"
// speaks of a title.
func (m *Message) Modifies(i int) bool {
	next := m.At(i + 1)
	return next.Form.Has(lexicon.Noun|lexicon.Plural) && !next.Form.Has(lexicon.Base) && !next.Class.Has(lexicon.Time)
}

// Compounds reports whether a word in small letters that is no verb follows the one at
// i, as the head of one thing: "an event handler". A title would begin with a capital or
// a verb, or have a word before it that says so ("an event called").
func (m *Message) Compounds(i int) bool {
	if !m.Wordy(i+1) || !m.Tokens[i+1].Has(lexicon.Plain) || m.Tokens[i+1].Has(lexicon.Capital) {
		return false
	}
	next := m.At(i + 1)
	if next.ID >= 0 && next.Word != m.Word(i+1) {
		return true // it was taken for a misspelt word, and may be right: "poster"
	}
	return next.Class&^lexicon.Boilerplate == 0 && !next.Form.Has(lexicon.Verb)
}
