package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// "Sent to Ann, Bob and Cid" needs a call for each of them, where the calls say whom
// they were for. Where they go by numbers alone, a name is merely absent.

// manner is how a thing is told: things of one kind are told alike.
type manner uint8

const (
	commonly manner = iota // rice
	byName                 // Cid
	byID                   // P-310
)

// maxThing is how many words a thing of an enumeration has. What has more is a clause.
const maxThing = 3

// member is a thing of an enumeration.
type member struct {
	words  string
	values []reading.Value
	manner manner
	begins bool // a sentence, so that its capital letter says nothing
}

// lacking is a thing of an enumeration that none of the calls holds, while an argument
// of theirs is just another thing of it, told alike, and no such argument is left that
// could mean this one in other words; empty if there is none. Of the user's own words
// only names count: a message lists reasons as well as things.
func (k *knowledge) lacking(text string, calls []*tooltrack.Record, users bool) string {
	for _, members := range k.enumerations(text) {
		var missing []member
		for _, one := range members {
			if !k.holds(calls, &one) && (one.manner != commonly || !users && k.saidOf(&one)) {
				missing = append(missing, one)
			}
		}
		if len(missing) == 0 || len(missing) == len(members) || k.speaksOf(float64(len(members)), calls) {
			continue
		}
		for i := range members {
			if left := k.slotsLeft(calls, &members[i], len(members)-len(missing)); left {
				continue
			}
			alike := func(one member) bool { return one.manner == members[i].manner || members[i].begins }
			if at := slices.IndexFunc(missing, alike); at >= 0 {
				return missing[at].words
			}
		}
	}
	return ""
}

// slotsLeft reports whether the calls may be about more things than those that are held,
// by the argument that is one of them; true where no argument is.
func (k *knowledge) slotsLeft(calls []*tooltrack.Record, one *member, held int) bool {
	name := ""
	for _, record := range calls {
		for _, leaf := range leafList(record.Args) {
			if k.isAll(leaf.value, one) {
				name = leaf.key
			}
		}
	}
	if name == "" {
		return true
	}
	slots := map[string]bool{} // the same twice is one thing
	for _, record := range calls {
		for _, leaf := range leafList(record.Args) {
			if leaf.key == name {
				slots[strings.ToLower(leaf.value)] = true
			}
		}
	}
	return len(slots) > held
}

// isAll reports whether a value has words, and none that a thing is not told by.
func (k *knowledge) isAll(value string, one *member) bool {
	words := k.content(value)
	other := func(v reading.Value) bool {
		named := func(of reading.Value) bool { return of.Key == v.Key }
		return !v.Has(reading.Derived|reading.Merged) && !slices.ContainsFunc(one.values, named)
	}
	return len(words) > 0 && !slices.ContainsFunc(words, other)
}

// holds reports whether a call says anything of a thing, or takes an argument of its
// name.
func (k *knowledge) holds(calls []*tooltrack.Record, one *member) bool {
	for _, record := range calls {
		says := k.toldIn(textOf(record))
		for name := range leaves(record.Args) {
			says.add(k.values(name))
		}
		text := strings.ToLower(textOf(record))
		for _, v := range one.values {
			if says[v.Key] || strings.Contains(text, strings.ToLower(v.String())) {
				return true
			}
		}
	}
	return false
}

// saidOf reports whether the user speaks of a thing.
func (k *knowledge) saidOf(one *member) bool {
	return slices.ContainsFunc(one.values, func(v reading.Value) bool { return k.said[v.Key] })
}

// enumerations are the things that a text lists: "Ann, Bob and Cid".
func (k *knowledge) enumerations(text string) (found [][]member) {
	read := k.read(text)
	for t := 0; t < len(read.Tokens); t++ {
		if !separates(read, t) {
			continue
		}
		from, joined := t, false
		for from > 0 && names(read, from-1) {
			from--
		}
		pieces := [][2]int{{from, t}}
		for t < len(read.Tokens) && separates(read, t) {
			for joined = false; t < len(read.Tokens) && separates(read, t); t++ { // a comma and an "and"
				joined = joined || read.Roles[t]&reading.RoleAnd != 0
			}
			first := t
			for t < len(read.Tokens) && names(read, t) && (t == first || !beginsClause(read, t)) {
				t++
			}
			pieces = append(pieces, [2]int{first, t})
		}
		if members := k.thingsIn(read, text, pieces); joined && len(members) > 1 {
			found = append(found, members)
		}
	}
	return found
}

// thingsIn are the things that stand in pieces of a text; nil where one is no thing.
func (k *knowledge) thingsIn(read *reading.Text, text string, pieces [][2]int) (members []member) {
	for _, piece := range pieces {
		denies := func(token lexicon.Token) bool { return token.Class().Has(lexicon.Negation) }
		if piece[0] >= piece[1] || slices.ContainsFunc(read.Tokens[piece[0]:piece[1]], denies) {
			return nil
		}
		words := text[read.Tokens[piece[0]].Start:read.Tokens[piece[1]-1].End]
		one := member{words: words, begins: beginsSentence(text, int(read.Tokens[piece[0]].Start))}
		for _, v := range k.content(words) {
			if v.Has(reading.Derived | reading.Merged) {
				continue
			}
			one.values = append(one.values, v)
			switch {
			case v.Kind == reading.ID:
				one.manner = byID
			case v.Kind == reading.Word && v.Entry == nil && v.Has(reading.Capital) && one.manner == commonly:
				one.manner = byName
			}
		}
		if len(one.values) == 0 || len(one.values) > maxThing {
			return nil
		}
		members = append(members, one)
	}
	return members
}

// separates reports whether a token stands between the things of an enumeration.
func separates(read *reading.Text, t int) bool {
	token := &read.Tokens[t]
	if token.Flags&lexicon.Quoted != 0 {
		return false
	}
	return token.Kind == lexicon.Comma || read.Roles[t]&reading.RoleAnd != 0
}

func beginsClause(read *reading.Text, t int) bool {
	return slices.ContainsFunc(read.Clauses, func(clause reading.Clause) bool { return clause.From == t })
}

// names reports whether a token may belong to the name of a thing: it is no verb, no
// preposition and no other sign.
func names(read *reading.Text, t int) bool {
	token := &read.Tokens[t]
	if token.Flags&lexicon.Quoted != 0 {
		return true
	}
	if separates(read, t) || token.Class().Has(lexicon.Preposition|lexicon.Auxiliary|lexicon.Modal|lexicon.Conjunction) {
		return false
	}
	verb := slices.ContainsFunc(read.Clauses, func(clause reading.Clause) bool { return clause.Verb == t })
	return !verb && (token.IsWord() || token.Entry == nil && !strings.ContainsAny(read.Word(t), ".;:!?()|\n"))
}
