package match

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// missingPart finds a thing that the user asked about and that a claim names in one breath
// with one that the changes have, while none of them has it: "desk lamp and aquarium".
func (t *Turn) missingPart(c *Claim, records []*record) Finding {
	if len(records) == 0 || len(keep(records, (*record).changes)) < len(records) || c.Kind == Unread {
		return Finding{}
	}
	words := c.content()
	for _, v := range words {
		if anyHas(records, v) || !t.isAsked(v) || v.Entry != nil && v.Entry.Class != 0 || t.isLinked(v, records) {
			continue
		}
		if v.Entry != nil && v.Entry.Families.Overlaps(actsOf(records)) {
			continue
		}
		for _, other := range words {
			if other == v || !anyHas(records, other) {
				continue
			}
			from, to := min(other.End(), v.End()), max(other.Start(), v.Start())
			if from < to && to-from < 24 && c.joins(from, to, isNoVerb) {
				return contradicts("name", v.String(), "nothing of it")
			}
		}
	}
	return Finding{}
}

func isNoVerb(token *lexicon.Token) bool {
	return !token.Class().Has(lexicon.Preposition | lexicon.Auxiliary)
}

// isJoined reports whether a value stands in one enumeration with one that is matched:
// "5510, 5511 and 5512".
func (c *Claim) isJoined(values []told, i int) bool {
	one := &values[i]
	for k := range values {
		other := &values[k]
		if !other.matched || other.slot != one.slot {
			continue
		}
		from, to := other.value.End(), one.value.Start()
		if from > to {
			from, to = one.value.End(), other.value.Start()
		}
		if from > to || to-from > 40 {
			continue
		}
		if c.joins(from, to, func(token *lexicon.Token) bool {
			return (token.Kind == lexicon.Word) == (one.slot == name) && (one.slot != name || token.Entry == nil)
		}) {
			return true
		}
	}
	return false
}

// joins reports whether "and" or a comma stands between two places, and beside it only what may.
func (c *Claim) joins(from, to int, may func(*lexicon.Token) bool) bool {
	joined := false
	for i := tokenFrom(c, from); i < c.end() && int(c.text.Tokens[i].End) <= to; i++ {
		token := &c.text.Tokens[i]
		switch {
		case token.Kind == lexicon.Comma, isListed("joining", strings.ToLower(c.text.Word(i))):
			joined = true
		case !may(token):
			return false
		}
	}
	return joined
}

// tokenFrom is the first token of a claim that begins at a place of its text, or after it.
func tokenFrom(c *Claim, place int) int {
	tokens := c.text.Tokens[c.clause0():c.end()]
	return c.clause0() + sort.Search(len(tokens), func(i int) bool { return int(tokens[i].Start) >= place })
}

func (c *Claim) clause0() int {
	if c.clause == nil {
		return 0
	}
	return c.clause.From
}

func (c *Claim) end() int {
	if c.clause == nil {
		return len(c.text.Tokens)
	}
	return c.clause.To
}

// anotherThing finds a name or an argument of a call that stands in the place of what a
// claim names: the water on the south field, where the call was for the north one.
func (t *Turn) anotherThing(c *Claim, values []told, records []*record) Finding {
	if c.Kind != Did && c.Kind != Found {
		return Finding{}
	}
	said := saidIn(c)
	for _, r := range records {
		if !r.changes() {
			continue
		}
		t.spend(len(r.leaves))
		for i := range r.leaves {
			l := &r.leaves[i]
			if !l.given || len(l.values) == 0 || len(l.values) > maxStateWords {
				continue
			}
			if word := t.otherOfKind(c, l, records); word != "" {
				return contradicts("name", word, l.text)
			}
			if l.saysAny(said) {
				continue
			}
			if word := t.inPlaceOf(c, l, values, records); word != "" && !t.isHeard(l, records) {
				return contradicts("name", word, l.text)
			}
		}
	}
	return Finding{}
}

// wrongEntry finds a thing that a claim names, while the change was given the id of another
// one: an earlier look-up lists both, each under an id of its own.
func (t *Turn) wrongEntry(c *Claim, records []*record) Finding {
	told := map[*record][]*leaf{} // the entries of a list that the claim names
	for _, r := range records {
		for _, e := range entriesGiven(t)[r.Record] {
			if _, read := told[e.list]; !read {
				told[e.list] = namedIn(e.list, c)
			}
			if said, other := e.swapped(r, told[e.list]); said != "" {
				return contradicts("name", said, other)
			}
		}
	}
	return Finding{}
}

// entries are those of a list that was looked up whose ids a change was given.
type entries struct {
	list    *record
	objects map[int]bool
}

// entriesGiven are the entries that each change of a turn was given.
func entriesGiven(t *Turn) map[*tooltrack.Record][]entries {
	if t.entries != nil {
		return t.entries
	}
	t.entries = map[*tooltrack.Record][]entries{}
	given := map[uint64][]*record{} // changes, by their arguments
	for _, r := range keep(t.records(t.all()), (*record).changes) {
		for key := range r.given {
			given[key] = append(given[key], r)
		}
	}
	for _, list := range keep(t.records(t.all()), func(r *record) bool { return !r.changes() && r.Succeeded() }) {
		for i := range list.leaves {
			l := &list.leaves[i]
			for k := 0; k < len(l.values) && !l.given && l.object > 0; k++ {
				if v := &l.values[k]; v.Kind == reading.ID || isIdentifierName(l.name) {
					t.enter(list, l.object, given[v.Key])
				}
			}
		}
	}
	return t.entries
}

// enter notes an entry of a list that changes were given.
func (m *memory) enter(list *record, object int, changes []*record) {
	for _, r := range changes {
		given := m.entries[r.Record]
		if len(given) == 0 || given[len(given)-1].list != list {
			given = append(given, entries{list, map[int]bool{}})
		}
		given[len(given)-1].objects[object] = true
		m.entries[r.Record] = given
	}
}

// namedIn are the leaves of a list by which a claim names an entry.
func namedIn(list *record, c *Claim) (named []*leaf) {
	list.turn.spend(len(list.leaves))
	for i := range list.leaves {
		if l := &list.leaves[i]; !l.given && l.object > 0 && c.tells(l) {
			named = append(named, l)
		}
	}
	return named
}

// swapped finds an entry that is told, where the call has the id of another one and no word of
// the told one.
func (e *entries) swapped(call *record, told []*leaf) (said, other string) {
	member := ""
	for _, l := range told {
		if e.objects[l.object] || call.hasText(l.text) {
			return "", ""
		}
		said, member = l.text, l.name
	}
	for i := 0; i < len(e.list.leaves) && said != ""; i++ {
		l := &e.list.leaves[i]
		same := l.name == member || len(l.values) > 0 && isName(&l.values[0])
		if e.objects[l.object] && same && l.text != said {
			return said, l.text
		}
	}
	return "", ""
}

// tells reports whether a claim has all words of a name or a title, or the first of a name.
func (c *Claim) tells(l *leaf) bool {
	if len(l.values) == 0 || len(l.values) > 2*maxStateWords || !isName(&l.values[0]) && len(l.values) == 1 {
		return false
	}
	said := saidIn(c)
	if isName(&l.values[0]) && said[l.values[0].Key] {
		return true // a first name
	}
	for i := range l.values {
		if v := &l.values[i]; !v.Has(reading.Derived|reading.Merged) && !said[v.Key] {
			return false
		}
	}
	return true
}

// saysAny reports whether a leaf has one of some values.
func (l *leaf) saysAny(said keys) bool {
	return slices.ContainsFunc(l.values, func(v reading.Value) bool { return said[v.Key] })
}

// otherOfKind is the word by which a claim tells one thing of a kind from another that the call
// was for: the garage door, where that has the cellar door.
func (t *Turn) otherOfKind(c *Claim, l *leaf, records []*record) string {
	words, first, kind := c.content(), &l.values[0], l.values[len(l.values)-1].Key
	for i := 1; i < len(words) && first.Kind == reading.Word; i++ {
		v := words[i-1]
		other := words[i].Key == kind && words[i].Start()-v.End() == 1 && !isVerb(v) && !t.isSaid(first)
		if other && t.isAsked(v) && !anyHas(records, v) && !t.isLinked(v, records) {
			return v.String()
		}
	}
	return ""
}

// inPlaceOf is the word of a claim that stands where a call has another, which nobody has
// spoken of: a name where the argument is one, or else any word that the user has said. It
// is empty where there is none.
func (t *Turn) inPlaceOf(c *Claim, l *leaf, values []told, records []*record) string {
	if isName(&l.values[0]) {
		if matches(values) > 0 {
			return ""
		}
		for i := range values {
			v := values[i].value
			if values[i].slot == name && !values[i].matched && t.isAsked(v) && !t.isLinked(v, records) {
				return v.String()
			}
		}
	}
	if l.name == "" || isListed("prose", l.name) || strings.ContainsAny(l.text, "0123456789") {
		return ""
	}
	for _, v := range c.content() {
		if v.Entry != nil && v.Entry.Class != 0 || isVerb(v) || !c.isPlace(v) {
			continue
		}
		if t.isAsked(v) && !anyHas(records, v) && !t.isLinked(v, records) && !isSpelledOtherwise(v, t.records(t.all())) {
			return v.String()
		}
	}
	return ""
}

// isSpelledOtherwise reports whether a record has a name with a letter more or less: Gent, where
// a claim has Ghent.
func isSpelledOtherwise(v *reading.Value, records []*record) bool {
	said := strings.ToLower(v.String())
	return slices.ContainsFunc(records, func(r *record) bool {
		words := strings.FieldsFunc(lowered(r, true)+lowered(r, false), func(r rune) bool { return !unicode.IsLetter(r) })
		return slices.ContainsFunc(words, func(word string) bool {
			longer := len(word) - len(said)
			return longer*longer == 1 && len(word) > 3 && word[0] == said[0] && levenshtein.ComputeDistance(word, said) == 1
		})
	})
}

// isPlace reports whether a word says where, to whom or for what: a preposition stands
// before it, and at most an article and another word between.
func (c *Claim) isPlace(v *reading.Value) bool {
	for i := tokenFrom(c, v.Start()); i < c.end() && int(c.text.Tokens[i].Start) == v.Start(); i++ {
		for k := i - 1; k >= max(c.clause0(), i-3); k-- {
			token := &c.text.Tokens[k]
			if token.Class().Has(lexicon.Preposition) && !token.Class().Has(lexicon.Particle) {
				return true
			}
			switch strings.ToLower(c.text.Word(k)) {
			case "in", "on", "to", "into":
				return true
			}
			if token.Class().Has(lexicon.Auxiliary | lexicon.Conjunction) {
				return false
			}
		}
	}
	return false
}

// isVerb reports whether a word is listed as a verb before all: it tells of an act, and names
// no thing.
func isVerb(v *reading.Value) bool {
	return v.Entry != nil && !v.Entry.Families.Empty() && !v.Entry.Form.Has(lexicon.Noun)
}

// isHeard reports whether the conversation or another record speaks of the words of a leaf:
// then the call has it from there.
func (t *Turn) isHeard(l *leaf, records []*record) bool {
	any := false
	for i := range l.values {
		v := &l.values[i]
		if v.Kind != reading.Word && v.Kind != reading.ID || v.Kind == reading.Word && v.End()-v.Start() < 3 {
			continue
		}
		any = true
		if v.Entry != nil && v.Entry.Class&reading.FunctionWord != 0 {
			continue
		}
		if t.isAsked(v) || !records[0].earlier && (t.isSaid(v) || t.isRecorded(v, records)) {
			return true // what was spoken of before an earlier call, that call was for
		}
	}
	return !any
}

// isAsked reports whether the user's message names a value.
func (t *Turn) isAsked(v *reading.Value) bool {
	if t.asked == nil {
		t.asked = keysIn(t.words.User)
	}
	return hasValue(t.asked, v)
}
