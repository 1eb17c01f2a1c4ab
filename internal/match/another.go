package match

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
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
			if from < to && to-from < 24 && c.isPair(int(from), int(to)) {
				return contradicts("name", v.String(), "nothing of it")
			}
		}
	}
	return Finding{}
}

// isPair reports whether "and" or a comma stands between two places, and no verb.
func (c *Claim) isPair(from, to int) bool {
	joined := false
	for i := c.clause0(); i < c.end(); i++ {
		token := &c.text.Tokens[i]
		if int(token.Start) < from || int(token.End) > to {
			continue
		}
		word := strings.ToLower(c.text.Word(i))
		if token.Class().Has(lexicon.Preposition | lexicon.Auxiliary) {
			return false
		}
		joined = joined || token.Kind == lexicon.Comma || word == "and"
	}
	return joined
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
		if c.joins(from, to, one.slot) {
			return true
		}
	}
	return false
}

// joins reports whether all that stands between two places joins values: commas, "and", and
// other values of the slot.
func (c *Claim) joins(from, to int, of slot) bool {
	joined := false
	for i := c.clause0(); i < c.end(); i++ {
		token := &c.text.Tokens[i]
		if int(token.Start) < from || int(token.End) > to {
			continue
		}
		word := strings.ToLower(c.text.Word(i))
		switch {
		case token.Kind == lexicon.Comma, word == "and", word == "&", word == "or", word == "und", word == "y", word == "et":
			joined = true
		case token.Kind == lexicon.Word && of == name && token.Entry == nil:
		case token.Kind != lexicon.Word && of != name:
		default:
			return false
		}
	}
	return joined
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
			if word := t.inPlaceOf(c, l, values, records); word != "" {
				return contradicts("name", word, l.text)
			}
		}
	}
	return Finding{}
}

// wrongEntry finds a thing that a claim names, while the change was given the id of another
// one: an earlier look-up lists both, each under an id of its own.
func (t *Turn) wrongEntry(c *Claim, records []*record) Finding {
	for number := range t.source {
		list := t.record(number + 1)
		if list.changes() || !list.Succeeded() {
			continue
		}
		for _, r := range records {
			if !r.changes() {
				continue
			}
			if said, other := list.swaps(c, r); said != "" {
				return contradicts("name", said, other)
			}
		}
	}
	return Finding{}
}

// swaps finds an entry of a list that a claim names, where a call has the id of another entry
// and no word of the named one.
func (r *record) swaps(c *Claim, call *record) (said, other string) {
	called := r.entriesOf(call)
	if len(called) == 0 {
		return "", ""
	}
	member := ""
	for i := range r.leaves {
		l := &r.leaves[i]
		if l.given || l.object == 0 || !c.tells(l) {
			continue
		}
		if called[l.object] || call.hasText(l.text) {
			return "", ""
		}
		said, member = l.text, l.name
	}
	for i := range r.leaves {
		l := &r.leaves[i]
		same := l.name == member || len(l.values) > 0 && isName(&l.values[0])
		if said != "" && called[l.object] && same && l.text != said {
			return said, l.text
		}
	}
	return "", ""
}

// entriesOf are the entries of a list whose ids a call was given.
func (r *record) entriesOf(call *record) map[int]bool {
	called := map[int]bool{}
	for i := range r.leaves {
		l := &r.leaves[i]
		for k := range l.values {
			v := &l.values[k]
			if !l.given && l.object > 0 && (v.Kind == reading.ID || isIdentifierName(l.name)) && call.given[v.Key] {
				called[l.object] = true
			}
		}
	}
	return called
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

// otherOfKind is the word by which a claim tells one thing of a kind from another that the
// call was for: the garage door, where that has the cellar door. It is empty where there is
// none.
func (t *Turn) otherOfKind(c *Claim, l *leaf, records []*record) string {
	last := &l.values[len(l.values)-1]
	kind := last.Key
	if len(l.values) == 1 {
		kind = reading.English().StemKey(l.name)
	}
	words := c.content()
	for i := 1; i < len(words); i++ {
		v := words[i-1]
		if words[i].Key != kind || words[i].Start()-v.End() != 1 || isVerb(v) {
			continue
		}
		first := &l.values[0]
		if first.Kind == reading.Word && t.isAsked(v) && !anyHas(records, v) && !t.isSaid(first) &&
			!t.isRecorded(first, records) && !t.isLinked(v, records) {
			return v.String()
		}
	}
	return ""
}

// inPlaceOf is the word of a claim that stands where a call has another, which nobody has
// spoken of: a name where the argument is one, or else any word that the user has said. It
// is empty where there is none.
func (t *Turn) inPlaceOf(c *Claim, l *leaf, values []told, records []*record) string {
	if t.isHeard(l, records) {
		return ""
	}
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
	if l.name == "" || isProse(l.name) || strings.ContainsAny(l.text, "0123456789") {
		return ""
	}
	for _, v := range c.content() {
		if v.Entry != nil && v.Entry.Class != 0 || isVerb(v) || !c.isPlace(v) {
			continue
		}
		if t.isAsked(v) && !anyHas(records, v) && !t.isLinked(v, records) {
			return v.String()
		}
	}
	return ""
}

// isPlace reports whether a word says where, to whom or for what: a preposition stands
// before it, and at most an article and another word between.
func (c *Claim) isPlace(v *reading.Value) bool {
	for i := c.clause0(); i < c.end(); i++ {
		if int(c.text.Tokens[i].Start) != v.Start() {
			continue
		}
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
		if t.isSaid(v) || t.isRecorded(v, records) {
			return true
		}
	}
	return !any
}

// isAsked reports whether the user's message names a value.
func (t *Turn) isAsked(v *reading.Value) bool {
	if t.asked == nil {
		t.asked = keys{}
		t.asked.add(reading.English().Values(nil, t.words.User))
	}
	return hasValue(t.asked, v)
}
