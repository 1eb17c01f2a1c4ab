package match

import (
	"math"
	"slices"
	"strconv"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// Bounds of what is reckoned with. Of many whole numbers, nearly any other is a sum: among
// more than a few, only those with a fraction are.
const (
	fewFigures = 24
	maxFigures = 512
)

func appendFigures(figures []float64, values []reading.Value) []float64 {
	for i := range values {
		v := &values[i]
		if v.Kind == reading.Number && !v.Has(reading.Derived|reading.Merged|reading.Ordinal) && len(figures) < maxFigures {
			figures = append(figures, v.Number)
		}
	}
	return figures
}

// isReckoned reports whether a number follows from the figures of some records, of the
// conversation, and small ones of the sentence itself ("seven days of that"): a sum, a
// difference, a product, a share, or what a column comes to.
func (t *Turn) isReckoned(number float64, records []*record, own ...float64) bool {
	t.conversation()
	figures := append(t.figures[:len(t.figures):len(t.figures)], own...)
	for _, r := range records {
		if r.isTotal(number) {
			return true
		}
		for i := 0; i < len(r.leaves) && len(figures) < maxFigures; i++ {
			figures = appendFigures(figures, r.leaves[i].values)
		}
	}
	if t.isTotal(number, records) {
		return true
	}
	if len(figures) > fewFigures {
		return number != math.Trunc(number) && isSumOfTwo(number, figures)
	}
	is := func(x float64) bool { return near(number, x) }
	for i, a := range figures {
		for _, b := range figures[i+1:] {
			if reading.FromTwo(a, b, is) || reading.FromTwo(b, a, is) {
				return true
			}
		}
	}
	return false
}

// reckons reports whether what a value tells is reckoned: "133.5k" is 133500.
func reckons(t *Turn, v *reading.Value, records []*record, own ...float64) bool {
	thousands := v.Kind == reading.Number && isThousands(v.After()) && t.isReckoned(v.Number*1000, records, own...)
	return thousands || t.isReckoned(v.Number, records, own...)
}

// isSumOfTwo reports whether a number is the sum or the difference of two figures.
func isSumOfTwo(number float64, figures []float64) bool {
	cents := func(f float64) int64 { return int64(math.Round(f * 100)) }
	seen := make(map[int64]bool, len(figures))
	for _, f := range figures {
		seen[cents(f)] = true
	}
	return slices.ContainsFunc(figures, func(f float64) bool {
		return seen[cents(number-f)] || seen[cents(f-number)] || seen[cents(number+f)]
	})
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.005+math.Abs(b)*1e-9 }

// isTotal reports whether a number is the length of a list of a record, or what the figures
// of one name in it come to.
func (r *record) isTotal(number float64) bool {
	length := func(n int) bool { return number == float64(n) }
	return slices.ContainsFunc(r.lengths, length) || r.turn.isTotal(number, []*record{r})
}

// isTotal reports whether the figures of one name in some records come to a number.
func (m *memory) isTotal(number float64, records []*record) bool {
	known := &m.totals
	if len(records) == 1 {
		known = &records[0].totals
	}
	if *known == nil || !slices.Equal((*known).of, records) {
		*known = totalsOf(records)
	}
	return (*known).has(number)
}

// totals are what the figures of one name, or of one row, in some records come to, and what
// they are on average, in ascending order.
type totals struct {
	of          []*record
	sums, means []float64
}

func totalsOf(records []*record) *totals {
	sums, counts := map[string]float64{}, map[string]int{}
	for number, r := range records {
		for i := range r.leaves {
			l := &r.leaves[i]
			if l.name == "" || len(l.values) != 1 || l.values[0].Kind != reading.Number {
				continue
			}
			for _, column := range [...]string{l.name, strconv.Itoa(number) + "#" + strconv.Itoa(l.object)} { // or a row
				sums[column] += l.values[0].Number
				counts[column]++
			}
		}
	}
	all := &totals{of: records}
	for name, sum := range sums {
		all.sums = append(all.sums, sum)
		all.means = append(all.means, math.Round(100*sum/float64(counts[name]))/100)
	}
	slices.Sort(all.sums)
	slices.Sort(all.means)
	return all
}

// has reports whether a number is one of them, if only in cents.
func (t *totals) has(number float64) bool {
	return hasNear(t.sums, number) || hasNear(t.sums, number*100) || hasNear(t.means, number)
}

func hasNear(sorted []float64, number float64) bool {
	at, _ := slices.BinarySearch(sorted, number)
	return at < len(sorted) && near(sorted[at], number) || at > 0 && near(sorted[at-1], number)
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
