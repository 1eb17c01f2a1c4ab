package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

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
		for name := range strings.FieldsSeq(toolname.InWords(argument.key)) {
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
		p.own.add(c.known.values(toolname.InWords(tool.Name) + "\n" + tool.Description))
		p.enum = enumOf(tool.Parameters, argument.key)
		if p.declared = strings.EqualFold(tool.Subject.Arg, argument.key); p.declared && tool.Subject.Kind != "" {
			p.names[c.known.reader.StemKey(tool.Subject.Kind)] = true
		}
	}
	alone := c.amongOthers(p, record)
	for _, noun := range read.Nouns {
		key := c.known.reader.StemKey(noun.Text)
		p.subject = p.subject || p.names[key]
		if alone {
			p.things[key] = true
		}
	}
	p.subject = p.subject || p.declared
}

// amongOthers notes what the other arguments of a call leave to one, and reports whether it
// is the only one that can say which thing is meant.
func (c *checker) amongOthers(p *place, record *tooltrack.Record) (alone bool) {
	p.titles, alone = titleKeys[p.key], true
	p.left = !p.titles && c.known.isCapital(p.value)
	said := func(key uint64) bool { return c.known.said[key] }
	for _, other := range leafList(record.Args) {
		if other.key == p.key || other.value == "" {
			continue
		}
		figure := isFigure(other.value)
		alone = alone && figure && !c.known.hides(other.value)
		p.left = p.left && (figure || c.known.namesAnyOf(other.value, said))
	}
	return alone
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
		return !p.toldBy(read, t)
	}
	return p.subject && one && p.named(read, t)
}

// toldBy reports whether a text tells the thing in other words than by a name in it: by what
// the argument is called. And whom something is done together with, no call has to say.
func (p *place) toldBy(read *reading.Text, t int) bool {
	if read.Says(t-1, "with") || read.Tokens[t-1].Class().Has(lexicon.Conjunction) {
		return true
	}
	for i := range read.Tokens {
		if read.Tokens[i].IsWord() && p.names[p.reader.StemKey(read.Word(i))] {
			return true
		}
	}
	return false
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
		// living_room_ceiling is no name that people use
		return len(p.words) == 1 && !p.headed && !strings.ContainsAny(p.value, "_-")
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
	token, first := &read.Tokens[t], t
	article := t > 0 && read.Tokens[t-1].Class().Has(lexicon.Determiner|lexicon.Possessive)
	if article {
		first--
	}
	if !standsAlone(read, first, t) {
		return false
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

// standsAlone reports whether some tokens are all that a verb has as its subject, or as what
// was done something to: of "the shop frontend", the last word alone is no name.
func standsAlone(read *reading.Text, first, last int) bool {
	verb := func(at int) *reading.Clause {
		i := slices.IndexFunc(read.Clauses, func(clause reading.Clause) bool { return at >= 0 && clause.Verb == at })
		if i < 0 {
			return nil
		}
		return &read.Clauses[i]
	}
	before := verb(first - 1)
	if first > 0 && read.Tokens[first-1].IsWord() && before == nil {
		return false
	}
	if last+1 < len(read.Tokens) && read.Tokens[last+1].IsWord() {
		after := read.Tokens[last+1].Class()
		if after.Has(lexicon.Auxiliary) || verb(last+1) != nil {
			return true
		}
		if !after.Has(lexicon.Preposition | lexicon.Conjunction | lexicon.Time) {
			return false
		}
	}
	return before != nil && (before.Actor == reading.Us || before.Shape == reading.Fragment)
}

// singular reports whether a verb is that of one thing.
func singular(verb string) bool {
	switch strings.ToLower(verb) {
	case "is", "was", "has":
		return true
	}
	return false
}
