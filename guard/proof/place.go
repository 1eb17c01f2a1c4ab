package proof

import (
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A call that was made for another one than the user named holds a name that nobody has
// said in the place of one that no call holds: "Farouk is on it", while the call assigned
// Yusra. Either alone says nothing: calls take ids, and may hold more than was said. And
// where another call told whom the user means, or the text tells it, there is a reason for
// the other name.

// inPlaceOf finds a name in a text that the user gave, and what calls have in its place.
func (c *checker) inPlaceOf(text string, calls []*tooltrack.Record) (said, other string) {
	names := c.known.namesOf(text, c.turn.User)
	for _, record := range calls {
		args := leafList(record.Args)
		hidden := func(l leaf) bool { return c.known.hides(l.value) && !ofName(l.value, args) }
		if len(names) == 0 || slices.ContainsFunc(args, hidden) {
			continue // an id may be what the name means
		}
		elsewhere := c.saidElsewhere(record)
		for _, arg := range args {
			personal := personalAddress.MatchString(arg.value)
			if !personal && !c.known.isName(arg.value) || c.known.namesAnyOf(arg.value, elsewhere) {
				continue
			}
			for _, name := range names {
				whole := !personal || strings.Contains(name, " ") // a nickname is in no address
				if whole && !slices.ContainsFunc(args, func(l leaf) bool { return resembles(name, l.value) }) {
					return name, arg.value
				}
			}
		}
	}
	return c.otherID(text, calls)
}

// personalAddress is a mail address that is made of somebody's name.
var personalAddress = regexp.MustCompile(`^[a-zA-Z]+[._][a-zA-Z]+@`)

// hides reports whether a value is an id of which nobody can tell what it means.
func (k *knowledge) hides(value string) bool {
	return k.opaque(value) && strings.ContainsAny(value, "0123456789@") && !personalAddress.MatchString(value)
}

// ofName reports whether a value is the address of somebody whose name another argument
// gives.
func ofName(address string, args []leaf) bool {
	return strings.Contains(address, "@") && slices.ContainsFunc(args, func(l leaf) bool {
		return l.key == "name" && resembles(l.value, address)
	})
}

// otherID finds the only id of its make in a text, which no cited call holds, while the
// only one of that make among the arguments of the only cited call is another, which the
// text does not tell. One after a preposition may be where something came from, and one
// that somebody names together with the other may mean the same.
func (c *checker) otherID(text string, calls []*tooltrack.Record) (said, other string) {
	if len(calls) != 1 {
		return "", ""
	}
	holds, makes := c.known.toldIn(textOf(calls[0])), map[string]int{}
	values := slices.Clone(c.known.values(text))
	isID := func(v *reading.Value) bool {
		return v.Kind == reading.ID && !v.Has(reading.Derived|reading.Merged)
	}
	for i := range values {
		if isID(&values[i]) {
			makes[madeLike(values[i].String())]++
		}
	}
	for i := range values {
		v := &values[i]
		if !isID(v) || holds[v.Key] || !strings.ContainsAny(v.String(), "0123456789") {
			continue
		}
		id := v.String()
		after := i > 0 && values[i-1].Entry != nil && values[i-1].Entry.Class.Has(lexicon.Preposition)
		if after || makes[madeLike(id)] != 1 {
			continue
		}
		other := c.known.onlyLike(id, calls[0])
		if other != "" && !strings.Contains(strings.ToLower(other), strings.ToLower(id)) && // a piece, as IBANs are told
			!c.told[c.known.values(other)[0].Key] && !c.together(id, other) {
			return id, other
		}
	}
	return "", ""
}

// onlyLike is the only id of the make of another one among the arguments of a call; empty
// if there is none, or more.
func (k *knowledge) onlyLike(id string, record *tooltrack.Record) (only string) {
	for _, arg := range leafList(record.Args) {
		values := k.values(arg.value)
		isID := len(values) > 0 && values[0].Kind == reading.ID && values[0].End() == len(arg.value)
		if !isID || madeLike(arg.value) != madeLike(id) {
			continue
		}
		if only != "" && only != arg.value {
			return ""
		}
		only = arg.value
	}
	return only
}

// together reports whether an object of a result, or a message, names both of two ids.
func (c *checker) together(a, b string) bool {
	for _, text := range append([]string{c.turn.User, c.turn.Previous}, c.turn.Before...) {
		if strings.Contains(text, a) && strings.Contains(text, b) {
			return true
		}
	}
	return slices.ContainsFunc(c.turn.List.records, func(record *tooltrack.Record) bool {
		return inOneObject(record.Result.Data, a, b, 0)
	})
}

// inOneObject reports whether an object of a JSON text holds two values itself.
func inOneObject(data []byte, a, b string, depth int) bool {
	if depth > 16 {
		return false
	}
	if jsonspan.KindOf(data) == jsonspan.Array {
		for element := range jsonspan.Elements(data) {
			if inOneObject(element, a, b, depth+1) {
				return true
			}
		}
		return false
	}
	one, two := false, false
	for _, member := range jsonspan.Members(data) {
		switch jsonspan.KindOf(member) {
		case jsonspan.Object, jsonspan.Array:
			if inOneObject(member, a, b, depth+1) {
				return true
			}
		default:
			held := jsonspan.Scalar(member)
			one, two = one || strings.EqualFold(held, a), two || strings.EqualFold(held, b)
		}
	}
	return one && two
}

// saidElsewhere are the words of the conversation but for those of a call: of the messages,
// the text to be shown, the tools and the other calls.
func (c *checker) saidElsewhere(record *tooltrack.Record) func(key uint64) bool {
	others := keys{}
	for _, other := range c.turn.List.records {
		if other != record {
			others.add(c.known.values(textOf(other)))
		}
	}
	k := &c.known
	return func(key uint64) bool {
		return others[key] || k.said[key] || k.offered[key] || c.told[key] || k.talk.says(k.reader, key)
	}
}

// namesOf are the names in a text that the user gave and no call has a word of.
func (k *knowledge) namesOf(text, user string) (names []string) {
	values, asked := slices.Clone(k.values(text)), k.toldIn(user)
	for i := 0; i < len(values); i++ {
		first := i
		for i+1 < len(values) && adjoins(&values[i], &values[i+1], text) {
			i++
		}
		stranger, known := false, false
		for _, v := range values[first : i+1] {
			stranger = stranger || v.Kind == reading.Word && v.Entry == nil && capital(&v, text)
			known = known || k.inRecords(v.Key) || !asked[v.Key] || v.Has(reading.Derived|reading.Merged)
		}
		if stranger && !known {
			names = append(names, text[values[first].Start():values[i].End()])
		}
	}
	return names
}

// maxName is how many words a name has.
const maxName = 4

// isName reports whether a value is the name of somebody or something: capital words, one
// of which no list holds.
func (k *knowledge) isName(value string) bool {
	words, strangers := 0, 0
	for _, v := range k.values(value) {
		switch {
		case v.Has(reading.Derived | reading.Merged):
		case v.Kind != reading.Word || v.End() > len(value):
			return false
		case v.Entry == nil && capital(&v, value):
			strangers++
			words++
		case v.Has(reading.Capital) || v.Entry != nil && v.Entry.Class.Has(functional):
			words++
		default:
			return false
		}
	}
	return strangers > 0 && words <= maxName
}

// namesAnyOf reports whether any word of a value is known.
func (k *knowledge) namesAnyOf(value string, known func(key uint64) bool) bool {
	return slices.ContainsFunc(k.content(value), func(v reading.Value) bool { return known(v.Key) })
}

// resembles reports whether a value may be another form of a name: a word of it begins
// alike (Alex, Aleksandr), or has its first letters (NYC, kb@example.org).
func resembles(name, value string) bool {
	split := func(r rune) bool { return strings.ContainsRune(" .,-_@/'&", r) }
	initials := ""
	words := strings.FieldsFunc(strings.ToLower(name), split)
	for _, word := range words {
		initials += word[:1]
	}
	for _, piece := range strings.FieldsFunc(strings.ToLower(value), split) {
		if len(words) > 1 && strings.HasPrefix(piece, initials) {
			return true
		}
		for _, word := range words {
			if n := min(3, len(word), len(piece)); word[:n] == piece[:n] {
				return true
			}
		}
	}
	return false
}
