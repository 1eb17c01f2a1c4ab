package match

import (
	"slices"
	"sort"
	"strings"

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
		return v.Has(reading.Worded)
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

// told is a value of a claim, and where else it stands.
type told struct {
	value   *reading.Value
	slot    slot
	matched bool // in the records that are to show the claim
}

// compareValues holds the values of a claim against those of records. One that they have
// backs it. One that they lack contradicts it where they have another of its kind instead.
// Cited are all records that were named: what only links a name to an id may be among them.
func (t *Turn) compareValues(c *Claim, records, cited []*record) Finding {
	values := t.toldOf(c, records)
	any := matches(values) > 0
	if !c.isHedged() {
		for i := range values {
			if values[i].matched {
				continue
			}
			if f := t.unmatched(c, values, i, records); f.Relation == Contradicts {
				return f
			}
		}
		f := contradiction(
			func() Finding { return t.anotherThing(c, values, records) },
			func() Finding { return t.missingPart(c, records) },
			func() Finding { return t.wrongEntry(c, records) },
			func() Finding { return compareDay(t, c, records) },
			func() Finding { return failingCheck(c, records) })
		if f.Relation == Contradicts {
			return f
		}
	}
	if any || sharesWord(c, records) {
		return Finding{Relation: Backs}
	}
	return Finding{}
}

// compareDay finds a day of the month, "on the 16th", where records have dates and none of that
// day.
func compareDay(t *Turn, c *Claim, records []*record) Finding {
	for i := range c.values {
		v := &c.values[i]
		if !v.Has(reading.Ordinal) || v.Has(reading.Merged) || !isListed("onday", lastTwo(wordsBefore(v))) {
			continue
		}
		other := ""
		for _, r := range t.records(t.all()) {
			cited := slices.Contains(records, r)
			t.spend(len(r.leaves))
			for k := range r.leaves {
				for _, held := range r.leaves[k].values {
					switch {
					case held.Kind != reading.Date || held.Has(reading.Derived|reading.Merged):
					case int(held.Number)%100 == int(v.Number):
						return Finding{}
					case cited:
						other = held.String()
					}
				}
			}
		}
		if other != "" {
			return contradicts("date", v.String(), other)
		}
	}
	return Finding{}
}

// lastTwo are the last two words of a text, joined.
func lastTwo(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[max(0, len(words)-2):], "-")
}

// toldOf are the values of a claim that records may hold.
func (t *Turn) toldOf(c *Claim, records []*record) []told {
	news := c.news()
	values := make([]told, len(news))
	for i, v := range news {
		values[i] = told{v, c.slotOf(v), false}
		values[i].matched = anyHolds(records, v)
		if s := values[i].slot; !values[i].matched && (s == count || s == amount) {
			values[i].matched = t.isCounted(v, records) || t.isTotal(v.Number, records) || isRounded(v, records)
		}
	}
	return values
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

// sharesWord reports whether a record has a word of a claim that means something.
func sharesWord(c *Claim, records []*record) bool {
	for _, r := range records {
		if c.verb != 0 && (r.results[c.verb] || r.words[c.verb] && (r.changes() || !c.deedLike)) {
			return true
		}
	}
	return slices.ContainsFunc(c.content(), func(v *reading.Value) bool { return anyHas(records, v) })
}
