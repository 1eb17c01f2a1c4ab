package match

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// unmatched looks at a value that the records lack: whether they have another one in its
// place.
func (t *Turn) unmatched(c *Claim, values []told, i int, records []*record) Finding {
	one := &values[i]
	said := one.value.String()
	other := hasMatch(values, one.slot)
	if one.slot == id && isUUID(said) && !t.isAsked(one.value) {
		return Finding{} // people are shown titles in its place
	}
	rival, given := t.rival(c, one, records)
	switch {
	case one.slot == name:
		return t.unmatchedName(c, values, i, records, rival, other)
	case c.Kind == Did && other && c.isJoined(values, i):
		return contradicts(slotNames[one.slot], said, "nothing of it")
	case c.Kind == Did && one.slot == count && !other && !t.isSaidTime(c, one.value):
		return contradicts("count", said, cmp.Or(rival, countGiven(c, one.value, records), strconv.Itoa(len(records))))
	case rival == "" && !other && t.isInvented(c, one, records):
		return contradicts(slotNames[one.slot], said, "nothing of it")
	case rival == "" || t.isExcused(c, values, i, records, other, given):
		return Finding{}
	}
	return contradicts(slotNames[one.slot], said, rival)
}

// countGiven is the argument of a record that counts what a number of the claim does: packets, of
// "three packets". It is empty where there is none.
func countGiven(c *Claim, v *reading.Value, records []*record) string {
	next := following(c.values, v)
	if len(next) == 0 {
		return ""
	}
	for _, r := range records {
		for i := range r.leaves {
			l := &r.leaves[i]
			number := l.given && len(l.values) == 1 && l.values[0].Kind == reading.Number
			if number && reading.English().StemKey(l.name) == next[0].Key {
				return l.text
			}
		}
	}
	return ""
}

// unmatchedName looks at a name that the records lack.
func (t *Turn) unmatchedName(c *Claim, values []told, i int, records []*record, rival string, other bool) Finding {
	one := &values[i]
	said := one.value.String()
	surname := c.otherSurname(values, i, records)
	joined := c.Kind == Did && other && c.isJoined(values, i)
	if surname == "" && rival == "" && !joined || t.isLinked(one.value, records) {
		return Finding{}
	}
	return contradicts("name", said, cmp.Or(surname, rival, "nothing of it"))
}

// isExcused reports whether a value that records have otherwise is told for something else:
// it was reckoned, another one of the claim is theirs, or some other record has it.
func (t *Turn) isExcused(c *Claim, values []told, i int, records []*record, other, given bool) bool {
	one := &values[i]
	given = given && hasChange(records) // what a change was given, it has done
	switch {
	case t.isReckonedValue(one, c, records) && (other || !given):
		return true
	case one.slot == id && (t.isLinked(one.value, records) || matches(values) > 1 && t.isSaid(one.value)):
		return true // "(matching order W8277957)"
	case given:
		return false
	}
	return t.isRecorded(one.value, records) || other && t.isSaid(one.value) || // "one of your four tickets"
		c.Kind == Found && t.isAsked(one.value)
}

// hasMatch reports whether a value of a slot is matched.
func hasMatch(values []told, of slot) bool {
	return slices.ContainsFunc(values, func(one told) bool { return one.matched && one.slot == of })
}

// hasChange reports whether one of some records may have changed something.
func hasChange(records []*record) bool { return len(keep(records, (*record).changes)) > 0 }

// matches is how many of some values are matched.
func matches(values []told) (n int) {
	for i := range values {
		if values[i].matched {
			n++
		}
	}
	return n
}

// otherSurname is what a record has after a first name that a claim goes on with in another
// way: Anna de Wit, where the claim says Anna Kowalska. It is empty where there is none.
func (c *Claim) otherSurname(values []told, i int, records []*record) string {
	if i == 0 || values[i-1].slot != name || !values[i-1].matched || values[i].value.Start()-values[i-1].value.End() != 1 {
		return ""
	}
	first := values[i-1].value
	for _, r := range records {
		for k := range r.leaves {
			l := &r.leaves[k]
			if len(l.values) < 2 || len(l.values) > maxStateWords || l.values[0].Key != first.Key {
				continue
			}
			if last := &l.values[len(l.values)-1]; isName(last) && last.Key != values[i].value.Key {
				return l.text
			}
		}
	}
	return ""
}

// isInvented reports whether a value stands nowhere: in no record and no message, and no
// arithmetic gives it. Small numbers and spans of time are told of things in general.
func (t *Turn) isInvented(c *Claim, one *told, records []*record) bool {
	switch one.slot {
	case amount:
		if c.unitIsTime(one.value) || one.value.Number <= 12 && !one.value.Has(reading.Money|reading.Percent) {
			return false
		}
	case id, date:
	default:
		return false
	}
	if len(t.source) == t.earlier || roughly.MatchString(c.Text()) {
		return false
	}
	return !t.isSaid(one.value) && !t.isRecorded(one.value, nil) && !t.isReckonedValue(one, c, records)
}

// rival is a value of the records that stands in the place of one that they lack; empty if
// there is none. Given is true where it is an argument.
func (t *Turn) rival(c *Claim, one *told, records []*record) (text string, given bool) {
	said := saidIn(c)
	for _, r := range records {
		if one.slot == weekday && len(records) > 1 {
			break // the day of some other call
		}
		t.spend(len(r.leaves))
		for i := range r.leaves {
			l := &r.leaves[i]
			for k := range l.values {
				v := &l.values[k]
				if said[v.Key] || !l.rivals(c, one, v) {
					continue
				}
				return v.String(), l.given
			}
		}
	}
	return "", false
}

// rivals reports whether a value of a record may be told for that of a claim.
func (l *leaf) rivals(c *Claim, one *told, v *reading.Value) bool {
	if one.slot == weekday {
		return v.Kind == reading.Weekday
	}
	if one.slot == name {
		return l.nearName(c, one.value, v)
	}
	if v.Has(reading.Derived | reading.Merged | reading.Ordinal) {
		return false
	}
	switch one.slot {
	case date:
		return v.Kind == reading.Date
	case clock:
		return v.Kind == reading.Clock
	case id:
		return v.Kind == reading.ID && one.value.Resembles(v)
	case count:
		return v.Kind == reading.Number && !v.Has(reading.Money|reading.Percent) && isCountName(l.name)
	case amount:
		return l.rivalsAmount(c, one.value, v)
	}
	return false
}

// rivalsAmount reports whether a figure of a record may be told for that of a claim.
func (l *leaf) rivalsAmount(c *Claim, said, held *reading.Value) bool {
	if held.Kind != reading.Number || isIdentifierName(l.name) {
		return false
	}
	if l.name != "" && !isFigure(l.text) {
		return l.given && l.restIsSaid(c, held) // 41 Quarry Lane, where the claim has 14
	}
	if c.unitIsTime(said) && !hasListed("times", l.name) {
		return false
	}
	if said.Has(reading.Money) && !held.Has(reading.Money) && !hasListed("amounts", l.name) && !l.given {
		return false
	}
	return said.Resembles(held)
}

// restIsSaid reports whether a claim has all words of a short text but for one figure.
func (l *leaf) restIsSaid(c *Claim, figure *reading.Value) bool {
	said := saidIn(c)
	words := 0
	for i := range l.values {
		v := &l.values[i]
		if v.Start() == figure.Start() || v.Has(reading.Derived|reading.Merged) {
			continue
		}
		if !said[v.Key] {
			return false
		}
		words++
	}
	return words > 0 && words <= maxStateWords
}

// isFigure reports whether a text is a figure, with a currency or a sign at most.
func isFigure(text string) bool {
	rest := strings.Trim(text, "0123456789.,-+ €$£%")
	return len(rest) <= 3
}

// unitIsTime reports whether a number counts days, hours or the like.
func (c *Claim) unitIsTime(v *reading.Value) bool {
	following := following(c.values, v)
	for i := range following {
		if next := &following[i]; next.Kind == reading.Word {
			return next.Entry != nil && next.Entry.Class.Has(lexicon.Time)
		}
	}
	return false
}

// nearName reports whether a name of a record is nearly that of a claim, which makes it
// another one: Hart and Hartley.
func (l *leaf) nearName(c *Claim, said, held *reading.Value) bool {
	const least = 3
	one, other := said.String(), strings.ToLower(held.String())
	if one == strings.ToUpper(one) {
		return false // OOM and OOMKilled
	}
	one = strings.ToLower(one)
	if held.Kind == reading.ID { // b.brandl, anna_de.wit@example.org
		for piece := range strings.FieldsFuncSeq(other, func(r rune) bool { return !unicode.IsLetter(r) }) {
			long := len(piece) > least && len(piece) == len(one) && piece[0] == one[0]
			if long && levenshtein.ComputeDistance(piece, one) == 1 {
				return true
			}
		}
		return false
	}
	if !isName(held) {
		return false
	}
	if len(one) < least || len(other) < least || one == other {
		return false
	}
	if strings.HasPrefix(one, other) || strings.HasPrefix(other, one) {
		apart := len(one) - len(other)
		return apart < -1 || apart > 1 // more than an ending
	}
	return len(one) == len(other) && one[0] == other[0] && levenshtein.ComputeDistance(one, other) == 1
}

// isLinked reports whether another record tells that a value of a claim is what the records
// call otherwise: the name of an entry whose id they were given.
func (t *Turn) isLinked(v *reading.Value, records []*record) bool {
	for number := range t.source {
		r := t.record(number + 1)
		links := func(shown *record) bool { return r.links(v, shown) }
		if r.Succeeded() && r.holds(v) && !slices.Contains(records, r) && slices.ContainsFunc(records, links) {
			return true
		}
	}
	return false
}

// links reports whether an object of a record has both a value and an argument of another
// record.
func (r *record) links(v *reading.Value, other *record) bool {
	r.turn.spend(len(r.leaves))
	objects, said := map[int]bool{}, keys{v.Key: true}
	for i := range r.leaves {
		if r.leaves[i].saysAny(said) {
			objects[r.leaves[i].object] = true
		}
	}
	names := func(one reading.Value) bool {
		named := one.Kind == reading.ID || one.Kind == reading.Number || isName(&one)
		return named && one.Key != v.Key && other.given[one.Key]
	}
	return slices.ContainsFunc(r.leaves, func(l leaf) bool {
		return objects[l.object] && slices.ContainsFunc(l.values, names)
	})
}

// isUUID reports whether an id has the form of a UUID.
func isUUID(id string) bool {
	const length, dashes = 36, 4
	return len(id) == length && strings.Count(id, "-") == dashes
}
