package proof

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What the user asks for is what was wanted, never what was done. "The hall light is on"
// tells which light, and a call that switched the one that it calls "kitchen" was for
// another. People have names of their own for things, too: the big light may well be
// "living_room_ceiling". So a word counts only where it stands in the very place that the
// argument fills, or is known as another thing of that kind, and where nothing in the
// conversation brings the argument up: who tells both names hides nothing.

// otherSubject finds a word of the user's by which a text tells which thing it speaks of,
// and what a call has in its place.
func (c *checker) otherSubject(text string, calls []*tooltrack.Record) (said, other string) {
	turns := slices.ContainsFunc(calls, mayTurn)
	if !turns && !c.wantedOnly(text) || c.known.hedged(text) {
		return "", ""
	}
	asked, read := c.known.toldIn(c.turn.User), c.known.reader.Read(nil, text)
	var words []int // the tokens that may tell which thing is meant
	for t := range read.Tokens {
		if c.tellsWhich(read, t, asked) {
			words = append(words, t)
		}
	}
	for _, record := range calls {
		if !c.came(record) {
			continue
		}
		if said, other := c.turnedRound(read, record); said != "" {
			return said, other
		}
		for _, argument := range leafList(record.Args) {
			if said := switched(read, argument.value); said != "" && c.mayChange(record) {
				return said, argument.value
			}
			if said := c.inPlace(read, words, record, argument); said != "" {
				return said, argument.value
			}
		}
	}
	return "", ""
}

// wantedOnly reports whether a text has a word of the conversation's messages that no call
// has.
func (c *checker) wantedOnly(text string) bool {
	return slices.ContainsFunc(c.known.values(text), func(v reading.Value) bool {
		return v.Kind == reading.Word && c.known.said[v.Key] && !c.known.inRecords(v.Key) && v.IsContent()
	})
}

// mayTurn reports whether a call has values that a text may turn round.
func mayTurn(record *tooltrack.Record) bool {
	has := func(text string) bool { return bytes.Contains(record.Args, []byte(text)) }
	return has(`"on"`) || has(`"off"`) || has(`"from"`) && has(`"to"`)
}

// inPlace is the word of some of a text that stands in the place of an argument; empty if
// none does.
func (c *checker) inPlace(read *reading.Text, words []int, record *tooltrack.Record, argument leaf) string {
	if len(words) == 0 {
		return ""
	}
	place := c.placeOf(record, argument)
	if place == nil || !place.headed && c.known.namesAny(argument.value, read.Values) {
		return ""
	}
	for _, t := range words {
		if c.standsFor(place, read, t) && c.unexplained(place, record) {
			return read.Word(t)
		}
	}
	return ""
}

// turnedRound finds what a text tells in the place of one argument, and a call has in that
// of another: from savings to checking, where it went from checking to savings.
func (c *checker) turnedRound(read *reading.Text, record *tooltrack.Record) (said, other string) {
	args := leafList(record.Args)
	for i, one := range args {
		for _, another := range args[:i] {
			if one.value == another.value || !c.leadsTo(read, one.key, another.value) || !c.leadsTo(read, another.key, one.value) {
				continue
			}
			return one.key + " " + another.value, one.key + " " + one.value
		}
	}
	return "", ""
}

// leadsTo reports whether a text has a preposition with a value after it.
func (c *checker) leadsTo(read *reading.Text, preposition, value string) bool {
	for t := range read.Tokens {
		if !read.Tokens[t].Class().Has(lexicon.Preposition) || !strings.EqualFold(read.Word(t), preposition) {
			continue
		}
		rest := strings.TrimLeft(read.Source[read.Tokens[t].End:], " ")
		if len(rest) >= len(value) && strings.EqualFold(rest[:len(value)], value) {
			return true
		}
	}
	return false
}

// lookedElsewhere finds the same in an item that rests on what was read alone: calls that
// change something are looked at with others (see anotherThing).
func (c *checker) lookedElsewhere(item *Item) (said, other string) {
	cited := c.turn.List.Cited(item.Records)
	if slices.ContainsFunc(cited, c.mayChange) {
		return "", ""
	}
	return c.otherSubject(item.What, cited)
}

// switched is "off" where a text says that something is, and an argument is "on", or the
// other way round; empty if it does not.
func switched(read *reading.Text, value string) string {
	opposite := map[string]string{"on": "off", "off": "on"}[strings.ToLower(value)]
	for t := 1; opposite != "" && t < len(read.Tokens); t++ {
		if !read.Says(t, opposite) || !read.Tokens[t-1].Class().Has(lexicon.Auxiliary) {
			continue
		}
		const after = lexicon.Time | lexicon.Conjunction
		last := t+1 == len(read.Tokens) || !read.Tokens[t+1].IsWord()
		if last || read.Tokens[t+1].Class().Has(after) { // "is on the desk" tells a place
			return opposite
		}
	}
	return ""
}

// tellsWhich reports whether a token is a word of the user's that says which thing is
// meant, and that no call has.
func (c *checker) tellsWhich(read *reading.Text, t int, asked keys) bool {
	token, word := &read.Tokens[t], read.Word(t)
	const idle = functional | lexicon.Time | lexicon.Quantity | lexicon.Ordinal | lexicon.Hedge | lexicon.Existence
	if !token.IsWord() || len(word) < 3 || token.Class().Has(idle) || isFigure(word) {
		return false
	}
	if descriptions[strings.ToLower(word)] == 0 && describes(token, word) {
		return false
	}
	key := c.known.reader.StemKey(word)
	if !asked[key] || c.known.inRecords(key) || strings.Contains(c.known.text, strings.ToLower(word)) {
		return false
	}
	return !slices.ContainsFunc(read.Clauses, func(clause reading.Clause) bool {
		rest := clause.From+1 == t && (t+1 == len(read.Tokens) || !names(read, t+1)) // "from savings to rent"
		return clause.Verb == t && !(clause.Shape == reading.Bare && rest)
	})
}

//go:embed descriptions.txt
var descriptionData string

var descriptions = readDescriptions(descriptionData)

// readDescriptions reads words by the number of their class.
func readDescriptions(data string) map[string]int {
	read, class := map[string]int{}, 0
	for line := range strings.Lines(data) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		class++
		for word := range strings.FieldsSeq(line) {
			read[word] = class
		}
	}
	return read
}

// describing are the ends of words that tell what something is like, or how it is done.
var describing = []string{"ly", "ful", "less", "ous", "ish", "able", "ible", "est"}

// describes reports whether a word tells what a thing is like rather than which it is.
func describes(token *lexicon.Token, word string) bool {
	word = strings.ToLower(word)
	return descriptions[word] > 0 || token.Form().Has(lexicon.Adjective) && !token.Form().Has(lexicon.Noun) ||
		len(word) > 5 && slices.ContainsFunc(describing, func(end string) bool { return strings.HasSuffix(word, end) })
}

// place is an argument of a call that says which thing the call was for.
type place struct {
	reader     *reading.Reader
	own        keys     // the words of its tool, which tell no thing from another
	names      keys     // of the argument, and of what it says which one
	things     keys     // what the tool works on, where this is the only argument that can say which
	leads      string   // the preposition that the argument is called by: from, to, with
	head       uint64   // the word that its value ends with, after others: the door of the back door
	headed     bool     // it does
	titles     bool     // it is what a thing is called
	left       bool     // it is written like a name, and all others are what the user says
	enum       []string // what else its tool takes there
	subject    bool     // it is what the call is about
	declared   bool     // the host says so
	key, value string
	words      []reading.Value // of the value, but for the head
}

// freeKeys are the names of arguments that hold somebody's words rather than a name.
var freeKeys = map[string]bool{
	"reason": true, "message": true, "body": true, "text": true, "note": true, "comment": true, "content": true,
}

// placeOf reads an argument; nil if it does not say in words which thing is meant.
func (c *checker) placeOf(record *tooltrack.Record, argument leaf) *place {
	value := argument.value
	if len(value) < 3 || len(value) > 40 || strings.ContainsAny(value, "0123456789@/.,") || freeKeys[argument.key] ||
		strings.IndexByte(value, '_') >= 0 && strings.IndexByte(value, '_') < 3 { // t_holo is an id
		return nil
	}
	p := place{reader: c.known.reader, key: argument.key, value: value, own: keys{}, names: keys{}, things: keys{}}
	for _, v := range c.known.content(value) {
		if !v.Has(reading.Derived | reading.Merged) {
			p.words = append(p.words, v)
		}
	}
	if len(p.words) == 0 || len(p.words) > maxThing {
		return nil
	}
	if last := len(p.words) - 1; last > 0 && (p.words[last].Entry != nil || !p.words[last].Has(reading.Capital)) {
		p.head, p.headed, p.words = p.words[last].Key, true, p.words[:last]
	}
	if entry := lexicon.English().Lookup(argument.key); entry != nil && entry.Class.Has(lexicon.Preposition) {
		p.leads = argument.key
	} else {
		for name := range strings.FieldsFuncSeq(argument.key, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }) {
			p.names[c.known.reader.StemKey(name)] = true
		}
	}
	c.placeIn(&p, record, argument)
	return &p
}

// placeIn notes what the tool of a call makes of an argument.
func (c *checker) placeIn(p *place, record *tooltrack.Record, argument leaf) {
	read := c.tools[record.Tool]
	if read == nil {
		return
	}
	for _, tool := range c.turn.Tools {
		if tool.Name != record.Tool {
			continue
		}
		p.own.add(c.known.values(strings.ReplaceAll(tool.Name, "_", " ") + "\n" + tool.Description))
		p.enum = enumOf(tool.Parameters, argument.key)
		if p.declared = strings.EqualFold(tool.Subject.Arg, argument.key); p.declared && tool.Subject.Kind != "" {
			p.names[c.known.reader.StemKey(tool.Subject.Kind)] = true
		}
	}
	alone := true
	for _, other := range leafList(record.Args) {
		name := other.key == argument.key || isFigure(other.value) || other.value == ""
		alone = alone && name && !c.known.hides(other.value)
	}
	p.titles = titleKeys[argument.key]
	p.left = !p.titles && c.known.isCapital(argument.value)
	for _, other := range leafList(record.Args) {
		said := other.key == argument.key || other.value == "" || isFigure(other.value)
		p.left = p.left && (said || c.known.namesAnyOf(other.value, func(key uint64) bool { return c.known.said[key] }))
	}
	for _, noun := range read.Nouns {
		key := c.known.reader.StemKey(noun.Text)
		p.subject = p.subject || p.names[key]
		if alone {
			p.things[key] = true
		}
	}
	p.subject = p.subject || p.declared
}

// standsFor reports whether a word stands in the place of an argument, and cannot be
// another way to write it.
func (c *checker) standsFor(p *place, read *reading.Text, t int) bool {
	word := read.Word(t)
	if slices.ContainsFunc(p.enum, func(one string) bool { return strings.EqualFold(one, word) }) {
		return true
	}
	key := c.known.reader.StemKey(word)
	if p.own[key] || p.names[key] || resembles(word, p.value) || misspelt(word, p.value) {
		return false
	}
	return p.takes(read, t) || !describes(&read.Tokens[t], word) && c.besideInRequest(p, word)
}

// besideInRequest reports whether the user says a word beside what the argument is called.
func (c *checker) besideInRequest(p *place, word string) bool {
	user := c.known.read(c.turn.User)
	for t := range user.Tokens {
		if strings.EqualFold(user.Word(t), word) && p.beside(user, t) {
			return true
		}
	}
	return false
}

// isCapital reports whether all words of a value are written like names.
func (k *knowledge) isCapital(value string) bool {
	words := k.content(value)
	small := func(v reading.Value) bool { return v.Kind != reading.Word || !capital(&v, value) }
	return len(words) > 0 && !slices.ContainsFunc(words, small)
}

// enumOf are the values that a schema allows for an argument.
func enumOf(schema []byte, argument string) (enum []string) {
	for _, name := range []string{"properties", argument, "enum"} {
		var inner []byte
		for key, member := range jsonspan.Members(schema) {
			if strings.EqualFold(string(jsonspan.Key(key)), name) {
				inner = member
			}
		}
		schema = inner
	}
	for element := range jsonspan.Elements(schema) {
		enum = append(enum, jsonspan.Scalar(element))
	}
	return enum
}

// takes reports whether a word stands in the place that an argument fills.
func (p *place) takes(read *reading.Text, t int) bool {
	word, one := read.Word(t), len(p.words) == 1 && !p.headed
	start := int(read.Tokens[t].Start)
	switch {
	case describes(&read.Tokens[t], word):
		return p.beside(read, t) && p.contrary(word)
	case p.beside(read, t):
		return true
	case start > 0 && read.Source[start-1] == p.value[0] && strings.IndexByte("#@", p.value[0]) >= 0:
		return true // a channel, as the other is
	case p.leads != "" && t > 0 && strings.EqualFold(read.Word(t-1), p.leads):
		return one
	case p.titles && read.Tokens[t].Flags&lexicon.Quoted != 0, p.ofKind(read.Tokens[t].Entry, word):
		return true
	case p.left && t > 0 && read.Tokens[t].Flags&lexicon.Capital != 0 && !beginsSentence(read.Source, start):
		return true
	}
	return p.subject && one && p.named(read, t)
}

// beside reports whether a word stands beside what the argument is called, or beside the
// word that its value ends with: "the hall light", "channel news", "the front door".
func (p *place) beside(read *reading.Text, t int) bool {
	key := func(at int) uint64 {
		if at < 0 || at >= len(read.Tokens) || !read.Tokens[at].IsWord() {
			return 0
		}
		return p.reader.StemKey(read.Word(at))
	}
	next := key(t + 1)
	switch {
	case next == 0:
	case p.headed && next == p.head:
		return true
	case p.names[next] || p.things[next]:
		return len(p.words) == 1 && !p.headed && !strings.ContainsAny(p.value, "_-") // living_room_ceiling is no name that people use
	}
	return p.names[key(t-1)] && !p.headed
}

// contrary reports whether the value begins with another description of the class of one:
// the back door, which is no front door.
func (p *place) contrary(description string) bool {
	first := strings.ToLower(piece(p.value, p.words[0]))
	class := descriptions[strings.ToLower(description)]
	return p.headed && class > 0 && class == descriptions[first]
}

// ofKind reports whether a word is another thing of the kind that the argument is called
// by, written as its value is: USD, where "currency" is EUR.
func (p *place) ofKind(entry *lexicon.Entry, word string) bool {
	if p.headed || (strings.ToUpper(word) == word) != (strings.ToUpper(p.value) == p.value) {
		return false
	}
	if compound := strings.TrimSuffix(strings.ToLower(word), p.key); len(compound) > 1 && len(compound) < len(word) {
		return len(p.key) > 2 // a bathroom is a room
	}
	is := func(entry *lexicon.Entry) bool {
		return slices.ContainsFunc(entry.Related().Kinds, func(kind *lexicon.Entry) bool {
			return p.names[p.reader.StemKey(kind.Lemma)]
		})
	}
	return is(entry) && is(p.words[0].Entry)
}

// named reports whether a word is told as the name of the thing that something was done to:
// alone, and without an article, or as a name is written. Where the host says which argument
// names the thing, an article takes nothing away.
func (p *place) named(read *reading.Text, t int) bool {
	token := &read.Tokens[t]
	before := func(class lexicon.Class) bool { return t > 0 && read.Tokens[t-1].Class().Has(class) }
	verbs := func(at int) bool {
		return slices.ContainsFunc(read.Clauses, func(clause reading.Clause) bool { return at >= 0 && clause.Verb == at })
	}
	article := before(lexicon.Determiner | lexicon.Possessive)
	first := t
	if article {
		first--
	}
	acted := t+1 < len(read.Tokens) && (read.Tokens[t+1].Class().Has(lexicon.Auxiliary) || verbs(t+1))
	ends := t+1 == len(read.Tokens) || !read.Tokens[t+1].IsWord() ||
		read.Tokens[t+1].Class().Has(lexicon.Preposition|lexicon.Conjunction|lexicon.Time)
	ours := slices.ContainsFunc(read.Clauses, func(clause reading.Clause) bool {
		return clause.Verb >= 0 && clause.Verb == first-1 && (clause.Actor == reading.Us || clause.Shape == reading.Fragment)
	})
	if !acted && !(ends && ours) || first > 0 && read.Tokens[first-1].IsWord() && !verbs(first-1) {
		return false // of "the shop frontend", the last word alone is no name
	}
	name := token.Flags&lexicon.Capital != 0 && token.Entry == nil && t > 0
	switch {
	case article:
		return name || p.declared
	case token.Form().Has(lexicon.Plural):
		return t+1 < len(read.Tokens) && singular(read.Word(t+1)) // a name, whatever it looks like
	}
	return true
}

// singular reports whether a verb is that of one thing.
func singular(verb string) bool {
	switch strings.ToLower(verb) {
	case "is", "was", "has":
		return true
	}
	return false
}

// unexplained reports whether nothing but the call itself brings its value up.
func (c *checker) unexplained(p *place, record *tooltrack.Record) bool {
	elsewhere := c.saidElsewhere(record)
	if len(p.enum) > 0 {
		return true
	}
	return !slices.ContainsFunc(p.words, func(v reading.Value) bool { return elsewhere(v.Key) })
}
