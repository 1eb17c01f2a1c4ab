package proof

import (
	"bytes"
	"slices"
	"strings"

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
		if said, other := c.turnedRound(read, record); said != "" && !c.straight(read, calls) {
			return said, other
		}
		for _, argument := range leafList(record.Args) {
			if said := switched(read, argument.value); said != "" && c.mayChange(record) && !anyTakes(calls, said) {
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
			turned := c.leadsTo(read, one.key, another.value) && c.leadsTo(read, another.key, one.value)
			if turned && one.value != another.value {
				return one.key + " " + another.value, one.key + " " + one.value
			}
		}
	}
	return "", ""
}

// straight reports whether a call has all of its arguments that are called by prepositions
// where a text tells them: the money may have gone back.
func (c *checker) straight(read *reading.Text, calls []*tooltrack.Record) bool {
	return slices.ContainsFunc(calls, func(record *tooltrack.Record) bool {
		led := 0
		for _, one := range leafList(record.Args) {
			if c.leadsTo(read, one.key, one.value) {
				led++
			}
		}
		return led > 1
	})
}

// anyTakes reports whether a value is an argument of any of some calls.
func anyTakes(calls []*tooltrack.Record, value string) bool {
	return slices.ContainsFunc(calls, func(record *tooltrack.Record) bool {
		return slices.ContainsFunc(leafList(record.Args), func(l leaf) bool { return strings.EqualFold(l.value, value) })
	})
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

// unexplained reports whether nothing but the call itself brings its value up.
func (c *checker) unexplained(p *place, record *tooltrack.Record) bool {
	elsewhere := c.saidElsewhere(record)
	if len(p.enum) > 0 {
		return true
	}
	return !slices.ContainsFunc(p.words, func(v reading.Value) bool { return elsewhere(v.Key) })
}
