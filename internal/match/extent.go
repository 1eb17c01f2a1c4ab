package match

import (
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// compareRequest holds what the user asked for against the calls that a bare claim ("it's set")
// tells of: another time, date, sum or id was given to them, and none that was asked for.
func (t *Turn) compareRequest(c *Claim, records []*record) Finding {
	if !c.isBare() || !t.words.Acting {
		return Finding{}
	}
	text := reading.English().Read(nil, t.words.User)
	asked := &Claim{Kind: Did, text: text, values: text.Values, at: -1, notes: notes{whole: &sentence{}}}
	if len(text.Clauses) > 0 {
		asked.clause = &text.Clauses[0]
	}
	values := t.toldOf(asked, records)
	for i := range values {
		one := &values[i]
		if one.matched || one.slot == name || one.slot == count || one.slot == weekday {
			continue
		}
		if rival, given := t.rival(asked, one, records); rival != "" && given && !hasMatch(values, one.slot) &&
			!reckons(t, one.value, records) && !t.isLinked(one.value, records) {
			return contradicts(slotNames[one.slot], one.value.String(), rival)
		}
	}
	return Finding{}
}

func actsOf(records []*record) (acts lexicon.Families) {
	for _, r := range records {
		acts = acts.Union(r.acts())
	}
	return acts
}

// countsFailures is how the output of a check counts what did not pass.
var countsFailures = regexp.MustCompile(`(?i)\b[1-9][0-9]* (?:failed|failing|failures?|errors?)\b`)

// failingCheck finds a check whose output counts failures, where a claim says that it passed.
func failingCheck(c *Claim, records []*record) Finding {
	if c.clause == nil || c.clause.Roles&reading.RolePass == 0 {
		return Finding{}
	}
	for _, r := range records {
		if counted := countsFailures.FindString(r.Result.Text()); counted != "" {
			return contradicts("state", c.Text(), counted)
		}
	}
	return Finding{}
}

// isCounted reports whether there are as many records as a number says, a list or a result
// of that length in one, or a text that may have as many places.
func (t *Turn) isCounted(v *reading.Value, records []*record) bool {
	return v.Number == float64(len(records)) || slices.ContainsFunc(records, func(r *record) bool {
		return countsIn(r).endless || countsIn(r).things[v.Number]
	})
}

// counts are the numbers of things that a record may be told as.
type counts struct {
	endless bool             // an argument is a text with as many places as somebody likes
	things  map[float64]bool // the lengths of lists, and how often a state comes
	rounded map[float64]bool // what figures with a fraction come to
}

// countsIn are the counts of a record, which are read once.
func countsIn(r *record) *counts {
	const aText = 40 // bytes
	if r.counts != nil {
		return r.counts
	}
	r.counts = &counts{things: map[float64]bool{}, rounded: map[float64]bool{}}
	for _, length := range r.lengths {
		r.counts.things[float64(length)] = true
	}
	states := map[string]int{}
	for i := range r.leaves {
		l := &r.leaves[i]
		r.counts.endless = r.counts.endless || l.given && len(l.text) > aText
		if !l.given {
			states[l.text]++
		}
		for k := range l.values {
			if held := &l.values[k]; held.Kind == reading.Number && held.Number != math.Trunc(held.Number) {
				r.counts.rounded[math.Round(held.Number)] = true
			}
		}
	}
	for _, n := range states {
		if n > 1 {
			r.counts.things[float64(n)] = true // "front_door":"locked","back_door":"locked"
		}
	}
	return r.counts
}

// isRounded reports whether a figure of a record comes to a whole number of a claim.
func isRounded(v *reading.Value, records []*record) bool {
	return v.Number >= 2 && slices.ContainsFunc(records, func(r *record) bool { return countsIn(r).rounded[v.Number] })
}

// isSaidTime reports whether a number counts days or the like, and the user said it: what
// was asked for may stand in the call as a date.
func (t *Turn) isSaidTime(c *Claim, v *reading.Value) bool {
	if v.Number < 2 {
		return true
	}
	next := following(c.values, v)
	return len(next) > 0 && next[0].Entry != nil && next[0].Entry.Class.Has(lexicon.Time) && t.isSaid(v)
}

func (t *Turn) isReckonedValue(one *told, c *Claim, records []*record) bool {
	if one.slot != amount && one.slot != count || c.Kind == Did && one.slot == count {
		return false
	}
	return reckons(t, one.value, records, c.smallNumbers(one.value)...)
}

// smallNumbers are the counts that a sentence itself gives, but for one value.
func (c *Claim) smallNumbers(but *reading.Value) (numbers []float64) {
	const most = 31
	for i := range c.text.Values {
		v := &c.text.Values[i]
		whole := v.Kind == reading.Number && v.Number == math.Trunc(v.Number) && v.Number > 1 && v.Number <= most
		if whole && v.Start() != but.Start() && !v.Has(reading.Derived|reading.Merged|reading.Ordinal|reading.Money) {
			numbers = append(numbers, v.Number)
		}
	}
	return numbers
}

// compareExtent relates how much a claim says was done to how much was: all of it, where a
// call of the same kind did not succeed, or more than a result counts.
func (t *Turn) compareExtent(c *Claim, changes []*record) Finding {
	if c.isHedged() || len(changes) == 0 {
		return Finding{}
	}
	failed := t.failedBeside(changes)
	if c.clause.Roles&reading.RoleAll != 0 && failed > 0 {
		return contradicts("count", c.Text(), "#"+strconv.Itoa(failed)+" "+t.record(failed).fate())
	}
	for i := range c.values {
		v := &c.values[i]
		counted := v.Kind == reading.Number && !v.Has(reading.Derived|reading.Merged|reading.Ordinal) && c.slotOf(v) == count
		if !counted || v.Number < 2 {
			continue
		}
		if failed > 0 && v.Number > float64(len(changes)) {
			return contradicts("count", v.String(), "#"+strconv.Itoa(failed)+" "+t.record(failed).fate())
		}
		for _, r := range changes {
			if n, counted := r.countOf(c.acts); counted && n < v.Number && len(changes) == 1 {
				return contradicts("count", v.String(), strconv.FormatFloat(n, 'f', -1, 64))
			}
		}
	}
	return Finding{}
}

// failedBeside is the number of a call of this turn that is like some changes, did not succeed,
// and was not mended; 0 if there is none.
func (t *Turn) failedBeside(changes []*record) int {
	for number := t.earlier + 1; number <= len(t.source); number++ {
		r := t.record(number)
		if r.Tool == changes[0].Tool && r.isUndone() && !t.isMendedLater(number) && !slices.Contains(changes, r) {
			return number
		}
	}
	return 0
}

// isMendedLater reports whether the tool of a call that did not succeed was called again for
// the same thing, and did.
func (t *Turn) isMendedLater(number int) bool {
	mended, known := t.mended[number]
	for later := number + 1; later <= len(t.source) && !known && !mended; later++ {
		r := t.record(later)
		mended = r.Tool == t.source[number-1].Tool && r.isOver() && !t.record(number).namesOther(r)
	}
	if t.mended == nil {
		t.mended = map[int]bool{}
	}
	t.mended[number] = mended
	return mended
}

// namesOther reports whether a call names a thing by an id or a name that another lacks.
func (r *record) namesOther(other *record) bool {
	for i := range r.leaves {
		l := &r.leaves[i]
		if !l.given || len(l.values) == 0 || len(l.values) > maxStateWords {
			continue
		}
		for k := range l.values {
			v := &l.values[k]
			names := v.Kind == reading.ID || isName(v) || v.Kind == reading.Number && isIdentifierName(l.name)
			if names && !hasValue(other.given, v) {
				return true
			}
		}
	}
	return false
}

// countOf is how many things the result of a call says that it did: "removed": 2.
func (r *record) countOf(acts lexicon.Families) (n float64, counted bool) {
	for i := range r.leaves {
		l := &r.leaves[i]
		if l.given || len(l.values) != 1 || l.values[0].Kind != reading.Number {
			continue
		}
		tokens := lexicon.English().Tokenize(nil, l.name)
		if len(tokens) == 1 && tokens[0].Form().Has(lexicon.Participle) && tokens[0].Families().Overlaps(acts) {
			return l.values[0].Number, true
		}
	}
	return 0, false
}
