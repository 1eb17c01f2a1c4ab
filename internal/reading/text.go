package reading

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Place is where in a text a sentence stands.
type Place uint8

const (
	// Prose is running text.
	Prose Place = iota
	// Item is an entry of a list.
	Item
	// Heading is a line that names what follows, Row one of a table.
	Heading
	Row
)

// Sentence is a piece of a text between full stops, lines or semicolons.
type Sentence struct {
	// From and To are its tokens, Start and End its bytes.
	From, To   int
	Start, End int
	// First and Last are its clauses.
	First, Last int
	Place       Place
	// Asking ends in a question mark; Quoted stands in a quotation as a whole.
	Asking, Quoted bool
	// Unknown is the number of its words that no list holds, Words that of all.
	Unknown, Words int
	// Roles are those of all its words.
	Roles Role
}

// Shape is how the verb of a clause is used.
type Shape uint8

const (
	// Verbless is a piece without a verb: "Deletion complete", "All set!".
	Verbless Shape = iota
	// ActivePerfect: "I've moved it". ActivePast: "I moved it".
	ActivePerfect
	ActivePast
	// PassivePerfect: "has been moved". PassivePast: "was moved". PassivePresent: "is moved".
	PassivePerfect
	PassivePast
	PassivePresent
	// Fragment is a participle that begins a sentence or ends it: "Moved to Friday", "Order cancelled".
	Fragment
	// Copula: "is open", "are on the list"; CopulaPast: "was open".
	Copula
	CopulaPast
	// Present: "shows three entries", "you have two".
	Present
	// Progressive: "is moving".
	Progressive
	// Bare is a base form: an order, or after a modal, "to" or "do".
	Bare
	numShapes
)

var shapeNames = [numShapes]string{
	"verbless", "active perfect", "active past", "passive perfect", "passive past", "passive present", "fragment", "state",
	"past state", "present", "progressive", "bare",
}

// String is the name that traces use.
func (s Shape) String() string { return shapeNames[s%numShapes] }

// Actor is who does what a clause tells.
type Actor uint8

const (
	// Unnamed is an actor that the clause does not name, as most passives.
	Unnamed Actor = iota
	// Us is the one who speaks, You the one spoken to, Other anybody else.
	Us
	You
	Other
)

// Mood is how a clause is meant.
type Mood uint8

const (
	// Stated is told as a fact.
	Stated Mood = iota
	// Asked is a question.
	Asked
	// Conditional depends on something: if, once, until.
	Conditional
	// Possible: can, could, may, would, should.
	Possible
	// Future: will, going to.
	Future
	// Ordered is an order or a request to the reader.
	Ordered
	// Presupposed is told by the way as known: "now that it is open", "since".
	Presupposed
	// Reported is what others say or somebody thinks: "the page says that …".
	// Which things are meant is told in the same way: "tasks that were deleted".
	Reported
)

// Clause is one verb and what belongs to it.
type Clause struct {
	Sentence int
	// From and To are its tokens, Start and End its bytes.
	From, To   int
	Start, End int
	// Verb is the token of the main verb; -1 if there is none. Group is where its auxiliaries begin.
	Verb, Group int
	Shape       Shape
	Actor       Actor
	Mood        Mood
	// Negated clauses say that something is not so.
	Negated bool
	// Roles are those of all words of the clause.
	Roles Role
	// FirstValue and LastValue are its values.
	FirstValue, LastValue int
}

// Text is a text that was read. It is reused by the next reading into it.
type Text struct {
	Source    string
	Tokens    []lexicon.Token
	Roles     []Role
	Sentences []Sentence
	Clauses   []Clause
	Values    []Value
	reader    *Reader
	groups    []group
	valued    bool // its values were read
}

// Read reads a text. The result of an earlier reading may be given for reuse; nil is a new one.
func (r *Reader) Read(into *Text, source string) *Text {
	into = r.ReadClauses(into, source)
	into.ReadValues()
	return into
}

// ReadClauses reads a text but for its values: [Text.ReadValues] reads them, once somebody asks for them.
func (r *Reader) ReadClauses(into *Text, source string) *Text {
	if into == nil {
		into = &Text{}
	}
	into.reader, into.Source, into.valued = r, source, false
	into.Tokens = r.language.Tokenize(into.Tokens[:0], source)
	into.Sentences, into.Clauses, into.Values = into.Sentences[:0], into.Clauses[:0], into.Values[:0]
	into.readRoles()
	into.cutSentences()
	return into
}

// readRoles finds the roles of the tokens.
func (t *Text) readRoles() {
	const mayDiffer = RoleMore | RoleModal | RoleBe | RoleRefrain | RoleWords
	t.Roles = slices.Grow(t.Roles[:0], len(t.Tokens))[:len(t.Tokens)]
	tokens, words := t.Tokens, t.reader.words
	for i := range tokens {
		token, role := &tokens[i], Role(0)
		switch {
		case token.Entry != nil:
			role = words[token.Entry.Number].roles
		case token.Kind <= lexicon.Name:
			role = t.reader.facts.Find(token.Hash).roles
		case token.Kind == lexicon.Symbol:
			role = t.reader.rolesOf(t.Word(i))
		}
		if role&mayDiffer != 0 {
			role = t.roleBeside(i, role)
		}
		if role&RoleTrouble != 0 && t.Says(i-1, "no") && t.Tokens[i-1].Has(lexicon.SentenceStart) {
			role &^= RoleTrouble // "No problem, it is booked"
		}
		t.Roles[i] = role
	}
}

// ReadValues finds the values of a text, and says which belong to which clause.
func (t *Text) ReadValues() {
	if t.valued {
		return
	}
	t.valued = true
	s := valueScan{reader: t.reader, text: t.Source, values: t.Values[:0]}
	read := 0 // no letter or digit stands outside of tokens, but a value may go on in the next
	for i := range t.Tokens {
		token := &t.Tokens[i]
		switch start, end := int(token.Start), int(token.End); {
		case start < read || !token.Has(lexicon.Plain) || s.join(end, start) != 0:
			read = s.scan(max(start, read), end)
		default:
			s.oneWord(start, end, token.Entry)
		}
	}
	t.Values = s.values
	t.placeValues()
}

// roleBeside is the roles that a word has among those around it. "Any more" is one of two words.
func (t *Text) roleBeside(i int, role Role) Role {
	if role&RoleMore != 0 && i > 0 && strings.EqualFold(t.Word(i-1), "any") {
		role |= RoleLonger
	}
	if role&RoleModal != 0 && i > 0 && t.Tokens[i].Has(lexicon.Capital) && t.Tokens[i-1].IsWord() {
		role &^= RoleModal | RoleHedge // the month of May
	}
	if role&RoleBe != 0 && i > 0 && t.Tokens[i-1].Kind == lexicon.Number && strings.EqualFold(t.Word(i), "am") {
		role &^= RoleBe // 8:20 am
	}
	if role&RoleRefrain != 0 && i+1 < len(t.Tokens) && (t.Word(i+1) == "a" || t.Word(i+1) == "an") {
		role &^= RoleRefrain // "left a note" makes one
	}
	if role&RoleWords != 0 && i+1 < len(t.Tokens) &&
		t.Tokens[i+1].Class()&(lexicon.Particle|lexicon.Preposition) == lexicon.Particle {
		role &^= RoleWords // "write off" makes no text
	}
	return role
}

// Word is the text of a token.
func (t *Text) Word(i int) string { return t.Source[t.Tokens[i].Start:t.Tokens[i].End] }

// ValuesIn are the values of a clause.
func (t *Text) ValuesIn(c *Clause) []Value { return t.Values[c.FirstValue:c.LastValue] }

// ValuesOf are the values of some sentences, from the first to the last.
func (t *Text) ValuesOf(first, last int) []Value {
	from, to := t.Clauses[t.Sentences[first].First].FirstValue, t.Clauses[t.Sentences[last].Last-1].LastValue
	return t.Values[from:max(from, to)]
}

// Of is the text of a clause.
func (t *Text) Of(c *Clause) string { return strings.TrimSpace(t.Source[c.Start:c.End]) }

// cutSentences finds the sentences and their clauses.
func (t *Text) cutSentences() {
	from := 0
	line := 0       // the token that begins the line
	fenced := false // inside a block of code
	row := false
	for i := 0; i <= len(t.Tokens); i++ {
		if i < len(t.Tokens) && t.Tokens[i].IsWord() {
			continue
		}
		if i < len(t.Tokens) && !t.ends(i) {
			if t.Tokens[i].Kind != lexicon.Symbol || t.Source[t.Tokens[i].Start] != '|' {
				continue
			}
			row = true
		}
		if i > from {
			if rest := t.Source[t.Tokens[from].Start:]; strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~") {
				fenced = !fenced
			} else if !fenced {
				t.addSentence(from, i, line, row)
			}
		}
		if i < len(t.Tokens) && t.Tokens[i].Kind == lexicon.Break {
			line, row = i+1, false
		}
		from = i + 1
	}
}

// ends reports whether a token ends a sentence.
func (t *Text) ends(i int) bool {
	token := &t.Tokens[i]
	switch token.Kind {
	case lexicon.Break:
		return true
	case lexicon.End: // dots in the middle of a sentence do not end it
		word := t.Word(i)
		dots := strings.HasPrefix(word, "..") || strings.HasPrefix(word, "…")
		return !dots || i+1 >= len(t.Tokens) || t.Tokens[i+1].Kind != lexicon.Word || t.Tokens[i+1].Has(lexicon.Capital)
	case lexicon.Comma:
		return t.Source[token.Start] == ';'
	}
	return false
}

// addSentence adds the sentence of the tokens from, to.
func (t *Text) addSentence(from, to, line int, row bool) {
	s := Sentence{From: from, To: to, Start: int(t.Tokens[from].Start), End: int(t.Tokens[to-1].End)}
	if to < len(t.Tokens) && t.Tokens[to].Kind == lexicon.End {
		s.End = int(t.Tokens[to].End)
	}
	quoted := 0
	for i, role := range t.Roles[from:to] {
		token := &t.Tokens[from+i]
		if s.Roles |= role; !token.IsWord() {
			continue
		}
		s.Words++
		if token.Has(lexicon.Quoted) {
			quoted++
		}
		if token.Entry == nil && token.Kind == lexicon.Word && role == 0 {
			s.Unknown++
		}
	}
	if s.Words == 0 && s.Roles&RoleTick == 0 || s.Words == 1 && from == line && t.Tokens[from].Kind == lexicon.Number {
		return // a mark, or the number of an entry
	}
	s.Asking = t.asks(to, quoted == s.Words)
	s.Quoted = quoted > 0 && quoted == s.Words && s.Words > 2 || line < len(t.Tokens) && t.Word(line) == ">"
	s.Place = t.place(from, line, row)
	s.First = len(t.Clauses)
	t.Sentences = append(t.Sentences, s)
	t.cutClauses(len(t.Sentences) - 1)
	added := &t.Sentences[len(t.Sentences)-1]
	added.Last = len(t.Clauses)
	if added.Roles&RoleFactive != 0 {
		t.generalize(added)
	}
}

// asks reports whether a sentence ends in a question mark, at the token that ends it. That of a quotation is the
// sentence's own only if all of it is quoted: "I've sent Bob 'Are you coming?'" tells what was asked.
func (t *Text) asks(end int, quoted bool) bool {
	return end < len(t.Tokens) && asksAt(t.Source, &t.Tokens[end]) && (quoted || !t.Tokens[end].Has(lexicon.Quoted))
}

// place is where a sentence stands, by the marks at the beginning of its line.
func (t *Text) place(from, line int, row bool) Place {
	switch {
	case row:
		return Row
	case line > from || line >= len(t.Tokens),
		line < from && (t.Tokens[line].Kind != lexicon.Number || from-line > 2): // "1." is cut off as a sentence
		return Prose
	case t.Source[t.Tokens[line].Start] == '#':
		return Heading
	case t.isBullet(line):
		return Item
	}
	return Prose
}

// isBullet reports whether a line begins as an entry of a list does: with a
// dash, a number, or a symbol such as a tick.
func (t *Text) isBullet(line int) bool {
	first := &t.Tokens[line]
	more := line+1 < len(t.Tokens)
	glued := more && t.Tokens[line+1].Has(lexicon.Glued)
	switch t.Word(line) {
	case "-", "*", "•", "–", "—":
		return more && !glued
	}
	_, size := utf8.DecodeRuneInString(t.Word(line))
	return first.Kind == lexicon.Number && glued && (t.Word(line+1) == "." || t.Word(line+1) == ")") ||
		first.Kind == lexicon.Symbol && size > 2
}

// placeValues says which values belong to which clause.
func (t *Text) placeValues() {
	v := 0
	for c := range t.Clauses {
		clause := &t.Clauses[c]
		for v < len(t.Values) && int(t.Values[v].start) < clause.Start {
			v++
		}
		clause.FirstValue = v
		for v < len(t.Values) && int(t.Values[v].start) < clause.End {
			v++
		}
		clause.LastValue = v
	}
}

// Drop takes roles from the words that are found, and so from their clauses and sentences.
func (t *Text) Drop(roles Role, found func(word string) bool) {
	for i := range t.Tokens {
		if t.Roles[i]&roles != 0 && found(t.Word(i)) {
			t.Roles[i] &^= roles
		}
	}
	for i := range t.Clauses {
		t.Clauses[i].Roles = sumOf(t.Roles[t.Clauses[i].From:t.Clauses[i].To])
	}
	for i := range t.Sentences {
		t.Sentences[i].Roles = sumOf(t.Roles[t.Sentences[i].From:t.Sentences[i].To])
	}
}

func sumOf(words []Role) (all Role) {
	for _, roles := range words {
		all |= roles
	}
	return all
}

// AllRoles are the roles of all sentences.
func (t *Text) AllRoles() (all Role) {
	for i := range t.Sentences {
		all |= t.Sentences[i].Roles
	}
	return all
}

// EndsAsking reports whether the last sentence asks.
func (t *Text) EndsAsking() bool {
	return len(t.Sentences) > 0 && t.Sentences[len(t.Sentences)-1].Asking
}

// Borrow reads a text but for its values, as [Reader.ReadClauses] does, into memory that
// others have used before. Whoever is done with it gives it back by [Text.Return].
func (r *Reader) Borrow(source string) *Text {
	return r.ReadClauses(lent.Get().(*Text), source)
}

// Return gives back a text that was borrowed. Neither it nor a slice of it may be used afterwards.
func (t *Text) Return() {
	const room = 1 << 12 // tokens: what has grown beyond is not kept
	if t.Source = ""; cap(t.Tokens) <= room && cap(t.Values) <= room {
		lent.Put(t)
	}
}

var lent = sync.Pool{New: func() any { return &Text{} }}
