package match

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// slot is a kind of value that sentences and records have in common.
type slot uint8

const (
	amount slot = iota
	count
	date
	weekday
	clock
	id
	name
	numSlots
)

var slotNames = [...]string{"amount", "count", "date", "date", "time", "id", "name"}

// told is a value of a claim, and whether the calls that are to show the claim have it.
type told struct {
	value   *reading.Value
	slot    slot
	matched bool
}

// toldOf are the values of a claim that records may hold.
func (t *Turn) toldOf(c *Claim, records []*record) []told {
	news := c.news()
	values := make([]told, len(news))
	for i, v := range news {
		values[i] = told{v, c.slotOf(v), anyHolds(records, v)}
		if values[i].matched {
			continue
		}
		switch values[i].slot {
		case count, amount:
			values[i].matched = t.isCounted(v, records) || t.isTotal(v.Number, records) || isRounded(v, records)
		case id, name:
			values[i].matched = t.isLinked(v, records)
		}
	}
	return values
}

// slotOf is the slot of a value of a claim.
func (c *Claim) slotOf(v *reading.Value) slot {
	switch v.Kind {
	case reading.Date:
		return date
	case reading.Weekday:
		return weekday
	case reading.Clock:
		return clock
	case reading.ID:
		return id
	case reading.Number:
		if c.counts(v) {
			return count
		}
		return amount
	}
	return name
}

// counts reports whether a number says how many things there are: "three labels", "both".
func (c *Claim) counts(v *reading.Value) bool {
	const many = 100
	if v.Has(reading.Money|reading.Percent) || v.Number > many || v.Number != float64(int(v.Number)) || isOfMany(v) {
		return false
	}
	const dozen = 12 // more are figures of their own
	if v.Has(reading.Worded) || v.Number > dozen {
		return v.Has(reading.Worded) && !c.unitIsTime(v) && !strings.HasPrefix(v.After(), " o'clock")
	}
	following := following(c.values, v)
	for i := range following {
		if next := &following[i]; !next.Has(reading.Derived | reading.Merged) {
			return next.Kind == reading.Word && next.Start()-v.End() <= 2 && next.Counted()
		}
	}
	return false
}

// following are those of some values that begin after one of them.
func following(values []reading.Value, v *reading.Value) []reading.Value {
	return values[sort.Search(len(values), func(i int) bool { return values[i].Start() > v.End() }):]
}

// isOfMany reports whether a number counts nothing that was done: it tells of how many only
// some are meant ("one of the two debits"), or which one it is ("version 3").
func isOfMany(v *reading.Value) bool {
	before := wordsBefore(v)
	if word := v.String(); word == "couple" || word == "pair" {
		return !strings.HasPrefix(v.After(), " of") // "a couple massage"
	}
	for _, word := range [...]string{"of the", "of your", "of", "version", "step", "room", "no.", "number"} {
		if strings.HasSuffix(" "+before, " "+word) {
			return true
		}
	}
	return false
}

// isClockInWords reports whether a number is an hour as people say it: "a quarter past four".
func isClockInWords(v *reading.Value) bool {
	if v.Kind != reading.Number {
		return false
	}
	before := wordsBefore(v)
	return strings.HasSuffix(before, " past") || strings.HasSuffix(before, "quarter to")
}

// wordsBefore is what a text has just before a value, in lower case.
func wordsBefore(v *reading.Value) string {
	const most = 16 // bytes, more than any word that is looked for
	before := strings.TrimRight(v.Before(), " ")
	return strings.ToLower(before[max(0, len(before)-most):])
}

// compareValues holds the values of a claim that the calls lack against what those have in their
// place.
func compareValues(h *held) Finding {
	for i := range h.values {
		if h.values[i].matched {
			continue
		}
		if f := h.unmatched(&h.values[i]); f != (Finding{}) {
			return f
		}
	}
	return Finding{}
}

// unmatched looks at a value that the calls lack.
func (h *held) unmatched(one *told) Finding {
	said, slot := one.value.String(), slotNames[one.slot]
	rival, given := h.rival(one)
	other := h.hasMatch(one.slot)
	switch {
	case one.slot == id && isUUID(said) && !h.turn.isAsked(one.value):
		return Finding{} // people are shown titles in its place
	case h.Kind == Did && other && h.isJoined(one):
		return contradicts(slot, said, cmp.Or(rival, Nothing))
	case one.slot == name:
		if rival == "" {
			return Finding{}
		}
	case h.Kind == Did && one.slot == count && !other && one.value.Number >= 2:
		return contradicts("count", said, cmp.Or(rival, strconv.Itoa(len(h.calls))))
	case rival == "" && !other && h.isInvented(one):
		return lacks(slot, said)
	case rival == "" || h.isExcused(one, other, given):
		return Finding{}
	}
	return contradicts(slot, said, rival)
}

// isExcused reports whether a value that calls have otherwise is told for something else: it was
// reckoned, another one of the claim is theirs, or some other record has it.
func (h *held) isExcused(one *told, other, given bool) bool {
	t, v := h.turn, one.value
	given = given && hasChange(h.calls) // what a change was given, it has done
	switch {
	case h.isReckonedValue(one) && (other || !given):
		return true
	case one.slot == id && matches(h.values) > 1 && t.isSaid(v):
		return true // "(matching order W8277957)"
	case given:
		return false
	}
	return t.isRecorded(v, h.calls) || other && t.isSaid(v) || h.Kind == Found && t.isAsked(v)
}

// isReckonedValue reports whether a sum or a number follows from others.
func (h *held) isReckonedValue(one *told) bool {
	if one.slot != amount && (one.slot != count || h.Kind == Did) {
		return false
	}
	return reckons(h.turn, one.value, h.calls, h.smallNumbers(one.value)...)
}

// isInvented reports whether a value stands nowhere: in no record and no message, and no
// arithmetic gives it. Small numbers and spans of time are told of things in general.
func (h *held) isInvented(one *told) bool {
	v, t := one.value, h.turn
	small := v.Number <= 12 && !v.Has(reading.Money|reading.Percent)
	switch {
	case one.slot == amount && (small || h.unitIsTime(v)), one.slot != amount && one.slot != id && one.slot != date:
		return false
	case len(t.source) == t.earlier, roughly.MatchString(h.Text()):
		return false
	}
	return !t.isSaid(v) && !t.isRecorded(v, nil) && !h.isReckonedValue(one)
}

// hasMatch reports whether a value of a slot is matched.
func (h *held) hasMatch(of slot) bool {
	return slices.ContainsFunc(h.values, func(one told) bool { return one.matched && one.slot == of })
}

// matches is how many of some values are matched.
func matches(values []told) (n int) {
	for i := range values {
		if values[i].matched {
			n++
		}
	}
	return n
}

// isJoined reports whether a value stands in one enumeration with one that is matched:
// "5510, 5511 and 5512".
func (h *held) isJoined(one *told) bool {
	const most = 40 // bytes between them
	return slices.ContainsFunc(h.values, func(other told) bool {
		if !other.matched || other.slot != one.slot {
			return false
		}
		from, to := other.value.End(), one.value.Start()
		if from > to {
			from, to = one.value.End(), other.value.Start()
		}
		return from <= to && to-from <= most && h.joins(from, to, one.slot == name)
	})
}

// comparePart finds a thing that the user asked about and that a claim names in one breath with one
// that changes have, while none of them has it: "desk lamp and aquarium".
func comparePart(h *held) Finding {
	const most = 24 // bytes between them
	if h.Kind == Unread || len(keep(h.calls, (*record).changes)) < len(h.calls) {
		return Finding{}
	}
	words := h.content()
	for _, v := range words {
		plain := v.Entry == nil || v.Entry.Class == 0 && v.Entry.Families.Empty()
		if !plain || anyHas(h.calls, v) || !h.turn.isAsked(v) || h.turn.isLinked(v, h.calls) {
			continue
		}
		for _, other := range words {
			from, to := min(other.End(), v.End()), max(other.Start(), v.Start())
			if from < to && to-from < most && anyHas(h.calls, other) && h.joins(from, to, true) {
				if isName(v) {
					return contradicts("name", v.String(), Nothing)
				}
				return lacks("name", v.String())
			}
		}
	}
	return Finding{}
}

// joins reports whether "and" or a comma stands between two places, and beside it only names, or
// only what is no word.
func (c *Claim) joins(from, to int, names bool) bool {
	joined := false
	for i := tokenFrom(c, from); i < c.end() && int(c.text.Tokens[i].End) <= to; i++ {
		token := &c.text.Tokens[i]
		switch {
		case token.Kind == lexicon.Comma, isListed("joining", strings.ToLower(c.text.Word(i))):
			joined = true
		case (token.Kind == lexicon.Word) != names, names && token.Entry != nil:
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

// rival is a value of the calls that stands in the place of one that they lack; empty if
// there is none. Given is true where it is an argument.
func (h *held) rival(one *told) (text string, given bool) {
	said := saidIn(h.Claim)
	for _, r := range h.calls {
		if one.slot == weekday && len(h.calls) > 1 {
			break // the day of some other call
		}
		h.turn.spend(len(r.leaves))
		for i := range r.leaves {
			l := &r.leaves[i]
			for k := range l.values {
				if v := &l.values[k]; !said[v.Key] && !isOffset(l.text, v) && l.rivals(h.Claim, one, v) {
					return v.String(), l.given
				}
			}
		}
	}
	return "", false
}

// rivals reports whether a value of a record may be told for that of a claim.
func (l *leaf) rivals(c *Claim, one *told, v *reading.Value) bool {
	switch {
	case one.slot == weekday:
		return v.Kind == reading.Weekday
	case one.slot == name:
		return isNearName(one.value.String(), v)
	case v.Has(reading.Derived | reading.Merged | reading.Ordinal):
		return false
	}
	switch one.slot {
	case date, clock, id:
		return v.Kind == one.value.Kind && (one.slot != id || one.value.Resembles(v))
	case count:
		return v.Kind == reading.Number && !v.Has(reading.Money|reading.Percent) &&
			(isCountName(l.name) || l.given && saidIn(c)[reading.English().StemKey(l.name)])
	}
	return l.rivalsAmount(c, one.value, v)
}

// rivalsAmount reports whether a figure of a record may be told for that of a claim.
func (l *leaf) rivalsAmount(c *Claim, said, held *reading.Value) bool {
	switch {
	case held.Kind != reading.Number, isIdentifierName(l.name), l.name != "" && !isFigure(l.text):
		return false
	case c.unitIsTime(said) && !hasListed("times", l.name):
		return false
	case said.Has(reading.Money) && !held.Has(reading.Money) && !hasListed("amounts", l.name) && !l.given:
		return false
	}
	return said.Resembles(held)
}

// isFigure reports whether a text is a figure, with a currency or a sign at most.
func isFigure(text string) bool {
	rest := strings.Trim(text, "0123456789.,-+ €$£%")
	return len(rest) <= 3
}

// unitIsTime reports whether a number counts days, hours or the like.
func (c *Claim) unitIsTime(v *reading.Value) bool {
	following := following(c.values, v)
	word := slices.IndexFunc(following, func(next reading.Value) bool { return next.Kind == reading.Word })
	return word >= 0 && following[word].Entry != nil && following[word].Entry.Class.Has(lexicon.Time)
}

// isNearName reports whether a name of a record is nearly that of a claim, which makes it
// another one: Hart and Hartley.
func isNearName(said string, held *reading.Value) bool {
	const least = 3
	one, other := strings.ToLower(said), strings.ToLower(held.String())
	switch {
	case !isName(held), said == strings.ToUpper(said): // OOM and OOMKilled
		return false
	case len(one) < least || len(other) < least || one == other:
		return false
	case strings.HasPrefix(one, other) || strings.HasPrefix(other, one):
		apart := len(one) - len(other)
		return apart < -1 || apart > 1 // more than an ending
	}
	return len(one) == len(other) && one[0] == other[0] && levenshtein.ComputeDistance(one, other) == 1
}

// isLinked reports whether another record tells that a value of a claim is what the records
// call otherwise: the name of an entry whose id they were given.
func (t *Turn) isLinked(v *reading.Value, records []*record) bool {
	return slices.ContainsFunc(t.records(t.all()), func(r *record) bool {
		links := func(shown *record) bool { return r.links(v, shown) }
		return r.Succeeded() && r.holds(v) && !slices.Contains(records, r) && slices.ContainsFunc(records, links)
	})
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

// saysAny reports whether a leaf has one of some values.
func (l *leaf) saysAny(said keys) bool {
	return slices.ContainsFunc(l.values, func(v reading.Value) bool { return said[v.Key] })
}

// compareDay finds a day of the month, "on the 16th", where calls have dates and no record has one
// of that day.
func compareDay(h *held) Finding {
	for i := range h.Claim.values {
		v := &h.Claim.values[i]
		if !v.Has(reading.Ordinal) || v.Has(reading.Merged) || !isListed("onday", lastTwo(wordsBefore(v))) {
			continue
		}
		other := ""
		for _, r := range h.turn.records(h.turn.all()) {
			held, cited := r.dates(), slices.Contains(h.calls, r)
			for _, day := range held {
				if int(day.Number)%100 == int(v.Number) {
					return Finding{}
				}
				if cited {
					other = day.String()
				}
			}
		}
		if other != "" {
			return contradicts("date", v.String(), other)
		}
	}
	return Finding{}
}

// isOffset reports whether a time of a record is that of its zone: 02:00 in "17:00+02:00".
func isOffset(text string, v *reading.Value) bool {
	at := v.Start() - 1
	return v.Kind == reading.Clock && at > 0 && at < len(text) && (text[at] == '+' || text[at] == '-') &&
		text[at-1] >= '0' && text[at-1] <= '9'
}

// dates are the dates of a record.
func (r *record) dates() (dates []*reading.Value) {
	r.turn.spend(len(r.leaves))
	for i := range r.leaves {
		for k := range r.leaves[i].values {
			if v := &r.leaves[i].values[k]; v.Kind == reading.Date && !v.Has(reading.Derived|reading.Merged) {
				dates = append(dates, v)
			}
		}
	}
	return dates
}

// lastTwo are the last two words of a text, joined.
func lastTwo(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[max(0, len(words)-2):], "-")
}

// compareThing finds that a claim names a thing that no call has: one that nobody has spoken of, where
// the act alone is shared, or one that the user asks about, in whose place a call has a name that
// nobody has spoken of: the water on the south field, where the call was for the north one. What the
// claim calls "it", where calls of earlier turns are to show it, is what the user asks about.
func compareThing(h *held) Finding {
	t, words := h.turn, h.content()
	if !hasChange(h.calls) || h.Kind == Unread {
		return Finding{}
	}
	if !t.words.Acting && h.calls[len(h.calls)-1].earlier && h.hasWord("it", max(h.at, h.clause0())) {
		words = (&Claim{values: reading.English().Values(nil, t.words.User), verb: h.verb}).content()
	}
	found := sortThings(h, words)
	switch {
	case found.asked != nil && isInPlace(h, found.held):
		return lacks("name", found.asked.String())
	case found.unheard != nil && found.asked == nil && !found.held && h.did && h.Kind == Did:
		return contradicts("name", found.unheard.String(), Nothing)
	}
	return Finding{}
}

// things are what a claim names: whether the calls have any of it, and of what they lack one that the
// user asks about, and one where nobody has spoken of any.
type things struct {
	held           bool
	asked, unheard *reading.Value
}

func sortThings(h *held, words []*reading.Value) things {
	found, heard := things{held: matches(h.values) > 0}, false
	for _, v := range words {
		switch {
		case isVerb(v) || v.Entry != nil && v.Entry.Class != 0:
		case anyHas(h.calls, v) || h.turn.isLinked(v, h.calls):
			found.held = true
		case h.turn.isAsked(v):
			found.asked = v
		default:
			found.unheard, heard = v, heard || h.turn.isSaid(v)
		}
	}
	if heard {
		found.unheard = nil
	}
	return found
}

// isInPlace reports whether calls have another thing in the place of one that the user asks about: a
// name that nobody has spoken of, or nothing but other names.
func isInPlace(h *held, held bool) bool {
	same := func(r *record) bool { return !hasOtherName(h, r) }
	foreign := func(r *record) bool { return hasForeignName(h, r) }
	return slices.ContainsFunc(h.calls, foreign) || h.did && !held && !slices.ContainsFunc(h.calls, same)
}

// compareKind finds a thing of the same kind: the garage door, where a call was for the cellar door.
func compareKind(h *held) Finding {
	words := h.content()
	for i := 1; i < len(words); i++ {
		v, kind := words[i-1], words[i]
		next := kind.Start()-v.End() == 1 && !isVerb(v) && h.turn.isAsked(v)
		if !next || anyHas(h.calls, v) || h.turn.isLinked(v, h.calls) {
			continue
		}
		for _, r := range keep(h.calls, (*record).changes) {
			for _, l := range r.leaves {
				last := len(l.values) - 1
				short := l.given && last > 0 && last < maxStateWords && l.values[0].Kind == reading.Word
				if short && l.values[last].Key == kind.Key {
					return contradicts("name", v.String(), l.text)
				}
			}
		}
	}
	return Finding{}
}

// hasOtherName reports whether a call was given a name, or a few words, that the claim does not have.
func hasOtherName(h *held, r *record) bool {
	return slices.ContainsFunc(r.leaves, func(l leaf) bool {
		words := slices.ContainsFunc(l.values, func(v reading.Value) bool { return v.IsContent() })
		return l.given && len(l.values) <= maxStateWords && words && !l.saysAny(saidIn(h.Claim))
	})
}

// hasForeignName reports whether a call was given a name, or a few words, that neither the claim nor the
// conversation has.
func hasForeignName(h *held, r *record) bool {
	return r.changes() && slices.ContainsFunc(r.leaves, func(l leaf) bool {
		short := l.given && len(l.values) <= maxStateWords && !isListed("prose", l.name)
		if !short || strings.ContainsAny(l.text, "0123456789") {
			return false
		}
		words := 0
		for i := range l.values {
			v := &l.values[i]
			if v.Kind == reading.ID || isName(v) && (matches(h.values) > 0 || l.text == strings.ToUpper(l.text)) {
				return false
			}
			if v.IsContent() {
				if saidIn(h.Claim)[v.Key] || h.turn.isSaid(v) || h.turn.isRecorded(v, h.calls) {
					return false
				}
				words++
			}
		}
		return words > 0
	})
}

func anyHolds(records []*record, v *reading.Value) bool {
	return slices.ContainsFunc(records, func(r *record) bool { return r.holds(v) })
}

func allOf(values []*reading.Value, fits func(*reading.Value) bool) bool {
	return !slices.ContainsFunc(values, func(v *reading.Value) bool { return !fits(v) })
}

func anyHas(records []*record, v *reading.Value) bool {
	return slices.ContainsFunc(records, func(r *record) bool { return r.has(v) })
}

// isUUID reports whether an id has the form of a UUID.
func isUUID(id string) bool {
	const length, dashes = 36, 4
	return len(id) == length && strings.Count(id, "-") == dashes
}
