package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/telling"
)

// mentions count the values of one kind in a clause by where they are known. Of words, names alone are values.
type mentions [named + 1]int32

const (
	inChanged = iota // where a value may stand, and not counted: in a change, or a look, of this turn
	inRead
	inFailed // in failed records of this turn, not in successful ones
	inEarly  // in earlier records or the text before, not in this turn's
	userOnly // in the user's words only
	nowhere  // in no record, and in neither message
	conflict // nowhere, while the best record has other values of the kind
	against  // not in the best record, which has other values of the kind
	named    // all of them
)

// backed is how many of the values a success of this turn has.
func (m *mentions) backed() int32 {
	return m[named] - m[nowhere] - m[userOnly] - m[inFailed] - m[inEarly]
}

// readMentions looks for the values that a clause names.
func (c *conversation) readMentions(a *assertion) {
	best := a.bestRecord()
	values := c.text.ValuesIn(a.clause)
	for i := range values {
		v := &values[i]
		switch {
		case v.Has(reading.Derived | reading.Merged), v.Kind == reading.ID && v.End()-v.Start() >= long:
		case v.Kind == reading.Number:
			c.readNumber(a, i, best)
		case v.Kind != reading.Word || c.isName(a, v):
			c.place(a, i, best)
		}
	}
	c.readSums(a, best)
	for _, m := range a.values {
		for where, n := range m {
			a.total[where] += n
		}
	}
	c.readSwaps(a)
	if c.text.SaysAll(a.clause) && a.count == 0 { // all of them, or twice
		a.count, a.uncounted = 2, true
	}
}

// readSwaps looks for values where the arguments of the best change have another one
// of the kind that the text does not name: 2.10 is told, and 2.01 was entered. A
// value of the user's counts if the other one is not the user's as well.
func (c *conversation) readSwaps(a *assertion) {
	best := a.best[fateChanged]
	if best == nil {
		return
	}
	for _, slot := range c.slotsOf(best) {
		v, m := &slot, &a.values[slot.Kind]
		if m[named] == 0 || a.swapped[v.Kind] || v.Kind == reading.Word && !a.told() || c.known.Holds(ofText, v) {
			continue
		}
		invented := m[nowhere] > 0 && a.told()
		switch v.Kind {
		case reading.Number: // "from 5 to 7": one of them is on record, the other follows
			invented = invented && m.backed() == 0 && c.plain(best) && reading.StandFor(c.text.ValuesIn(a.clause), v.Number)
		case reading.ID: // "NW101 was changed to NW105" names the record's id as well
			if m[against] < m[named] {
				continue
			}
		case reading.Word:
			invented = invented && c.plain(best)
		}
		a.swapped[v.Kind] = invented || m[userOnly] > 0 && !c.known.Holds(ofUser, v)
	}
}

// long is the length of ids that no person reads: they are redacted elsewhere.
const long = 30

// bestRecord is the record that a clause is most likely about.
func (a *assertion) bestRecord() *fact {
	for _, g := range [...]fate{fateChanged, fateRead, fateEarlier} {
		if a.best[g] != nil && a.cover[g]+a.fit[g] > 0 {
			return a.best[g]
		}
	}
	return nil
}

// isName: a capital letter inside a sentence, or a word that no list holds at its beginning.
func (c *conversation) isName(a *assertion, v *reading.Value) bool {
	first := v.Start() == c.text.Sentences[a.clause.Sentence].Start
	listed := v.Entry != nil && (first || v.Entry.Class != 0)
	return v.End()-v.Start() >= 2 && !listed && (first || v.Has(reading.Capital))
}

// readNumber: a number that heads a plural says how many. "Both are paid", by two calls, counts those.
func (c *conversation) readNumber(a *assertion, nth int, best *fact) {
	v, after := &c.text.Values[a.clause.FirstValue+nth], c.text.Values[a.clause.FirstValue+nth+1:]
	worded := v.Has(reading.Worded)
	if worded && v.Number == 1 {
		return
	}
	if a.count == 0 && v.Number >= 2 && v.Number <= 200 && !v.Has(reading.Money|reading.Percent) {
		i := slices.IndexFunc(after, func(other reading.Value) bool { return other.Start() > v.Start() })
		if i >= 0 && after[i].Counted() {
			a.count, a.uncounted = v.Number, !c.known.Holds(reading.Source(fateChanged), v) && !c.joined(v, best)
		}
	}
	calls := c.sum.changed
	if a.looks() {
		calls = c.sum.read
	}
	if !worded || a.count != 0 && v.Number != float64(calls) {
		c.place(a, nth, best)
	}
}

// place counts where the nth value of a clause is known.
func (c *conversation) place(a *assertion, nth int, best *fact) {
	v := &c.text.Values[a.clause.FirstValue+nth]
	contrasted := reading.Contrasted(v.Before()) // "order 551, not 552"
	if !contrasted && c.tally(&a.values[v.Kind], v, c.each(a, v, best), 1) {
		a.explained |= 1 << min(nth, 63)
	}
}

// each is the record that a value is of: where a clause tells of several changes by a tool,
// "17 and 18 are paid", each has its own.
func (c *conversation) each(a *assertion, v *reading.Value, best *fact) *fact {
	const most = 16 // of a clause with more values, nobody knows what they are of
	values := c.text.ValuesIn(a.clause)
	if best == nil || len(values) > most || len(c.made) > maxTold ||
		c.known.Holds(best.itself, v) || !c.known.Holds(reading.Source(fateChanged), v) {
		return best
	}
	beside := func(other reading.Value) bool { return other.Kind == v.Kind && c.known.Holds(best.itself, &other) }
	if i := slices.IndexFunc(c.made, func(f fact) bool {
		return f.tool == best.tool && f.fate == fateChanged && c.known.Holds(f.itself, v)
	}); i >= 0 && slices.ContainsFunc(values, beside) {
		return &c.made[i]
	}
	return best
}

// tally adds a value to the mentions of its kind, or takes it back. It reports whether a
// success has the value in other words, or in parts.
func (c *conversation) tally(m *mentions, v *reading.Value, best *fact, n int32) (explained bool) {
	m[named] += n
	where, rival := c.standing(v), best != nil && best.kinds[v.Kind] > 0 && !c.known.Holds(best.itself, v)
	if where > inRead && (v.Kind == reading.ID && c.spelled(v) || c.joined(v, best)) {
		return true
	}
	if m[against] += n * int32(is(rival)); where > inRead {
		m[where] += n
	}
	if where == nowhere {
		m[conflict] += n * int32(is(rival))
	}
	return false
}

// standings are where a value may be known, the best places first.
var standings = [...][]reading.Source{
	inChanged: {reading.Source(fateChanged)}, inRead: {reading.Source(fateRead)},
	inFailed: {reading.Source(fateFailed), reading.Source(fatePending)},
	inEarly:  {reading.Source(fateEarlier), ofAnswer}, userOnly: {ofUser},
}

// standing is where a value is known.
func (c *conversation) standing(v *reading.Value) int {
	where := slices.IndexFunc(standings[:], func(any []reading.Source) bool {
		return slices.ContainsFunc(any, func(from reading.Source) bool { return c.known.Holds(from, v) })
	})
	if where < 0 {
		return nowhere
	}
	return where
}

// joined reports whether a record holds a number that the text writes in groups, of
// which this is one, or in another unit, or has a part in one that is told as a total.
func (c *conversation) joined(v *reading.Value, best *fact) bool {
	if len(c.text.Source) <= maxRead/4 && v.SaysUnit() {
		told := v.Figure()
		for i := range c.made[:min(len(c.made), maxTold)] {
			f := &c.made[i]
			if f.worked() && (f == best || f.tool.changes) && c.converted(f, told) == reading.Converts {
				return true
			}
		}
	}
	number := v.Kind == reading.Number
	return best != nil && best.record.Succeeded() && (number || v.Kind == reading.ID) &&
		(reading.HoldsJoined(best.record.Args, v) || number && telling.Totals(c.turn.Records, best.record.Tool, v.Number))
}

// converted says whether a figure of a text is one of a call's in another unit.
func (c *conversation) converted(f *fact, told *reading.Figure) reading.Conversion {
	if f.measures == nil {
		f.measures = c.reader.Measures(f.record.Args, f.record.Result.Data)
	}
	return f.measures.Converted(told)
}

// mayConvert reports whether a figure of a clause may be one of the best change's in another
// unit, even if one of them leaves that out, and no value of another kind is wrong.
func (c *conversation) mayConvert(a *assertion) bool {
	const most = 16 // of a clause with more values, nobody knows what they are of
	best, figures := a.best[fateChanged], is(a.swapped[reading.Number])+is(a.swapped[reading.Clock])
	if best == nil || a.swaps() > figures || a.values[reading.ID][against] > 0 {
		return false
	}
	values := c.text.Values[a.clause.FirstValue:min(a.clause.LastValue, a.clause.FirstValue+most)]
	return slices.ContainsFunc(values, func(v reading.Value) bool {
		return !c.known.Holds(best.itself, &v) && c.converted(best, v.Figure()) != reading.NotConverted
	})
}

// readSums forgets figures that explain the one of the record, where the clause tells
// that one, too: "a quote of 408 (340 plus 68 VAT)", "by 10 % to 2,420".
func (c *conversation) readSums(a *assertion, best *fact) {
	m := &a.values[reading.Number]
	if m[against] == 0 || m.backed() == 0 {
		return
	}
	var room [24]float64
	figures, values := room[:0], c.text.ValuesIn(a.clause)
	for _, v := range slices.Concat(values, c.user.Values[:min(len(c.user.Values), 2*len(room))]) {
		if v.Kind == reading.Number && len(figures) < len(room) && !slices.Contains(figures, v.Number) {
			figures = append(figures, v.Number)
		}
	}
	for i := range values {
		v := &values[i]
		if v.Kind != reading.Number || v.Has(reading.Derived|reading.Merged|reading.Worded) ||
			c.known.Holds(best.itself, v) || reading.Contrasted(v.Before()) {
			continue
		}
		if v.Has(reading.Percent) && c.known.Holds(ofUser, v) || reading.Follows(v.Number, figures) {
			c.tally(m, v, best, -1)
			a.explained |= 1 << min(i, 63)
		}
	}
}

// spelled reports whether a successful record of this turn holds an id as a part of a longer word, or in parts:
// example.com/x in example.com/x@v2, or www.example.com as the host www of example.com.
func (c *conversation) spelled(v *reading.Value) bool {
	id := v.String()
	return slices.ContainsFunc(c.made, func(f fact) bool {
		part := func(v reading.Value) bool {
			part := v.String()
			return v.Kind == reading.ID && strings.ContainsAny(part, ".-/_@") && strings.Contains(id, part)
		}
		return f.record.Succeeded() && (reading.ContainsFold(f.record.Args, id) ||
			reading.ContainsFold(f.record.Result.Data, id) || slices.ContainsFunc(c.slotsOf(&f), part))
	})
}
