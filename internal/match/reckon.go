package match

import (
	"math"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// maxFigures is how many figures are reckoned with. Of more, nearly any number is a sum.
const maxFigures = 24

func appendFigures(figures []float64, values []reading.Value) []float64 {
	for i := range values {
		v := &values[i]
		if v.Kind == reading.Number && !v.Has(reading.Derived|reading.Merged|reading.Ordinal) && len(figures) < maxFigures {
			figures = append(figures, v.Number)
		}
	}
	return figures
}

// isReckoned reports whether a number follows from the figures of some records and of the
// conversation: a sum, a difference, a product, a share, or what a column comes to.
func (t *Turn) isReckoned(number float64, records []*record) bool {
	t.conversation()
	figures := t.figures[:len(t.figures):len(t.figures)]
	for _, r := range records {
		if r.isTotal(number) {
			return true
		}
		for i := range r.leaves {
			figures = appendFigures(figures, r.leaves[i].values)
		}
	}
	if isTotalOf(number, records) {
		return true
	}
	for i, a := range figures {
		for _, b := range figures[i+1:] {
			if followsFrom(number, a, b) || followsFrom(number, b, a) {
				return true
			}
		}
	}
	return false
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.005+math.Abs(b)*1e-9 }

// followsFrom reports whether a number is what two others make in this order.
func followsFrom(number, a, b float64) bool {
	return near(number, a+b) || near(number, a-b) || near(number, a*b) || b != 0 && near(number, a/b) ||
		near(number, a*b/100) || near(number, a*(100-b)/100) || near(number, a*(100+b)/100)
}

// isTotal reports whether a number is the length of a list of a record, or what the figures
// of one name in it come to.
func (r *record) isTotal(number float64) bool {
	for _, length := range r.lengths {
		if number == float64(length) {
			return true
		}
	}
	return isTotalOf(number, []*record{r})
}

// isTotalOf reports whether the figures of one name in some records come to a number.
func isTotalOf(number float64, records []*record) bool {
	sums := map[string]float64{}
	for _, r := range records {
		for i := range r.leaves {
			l := &r.leaves[i]
			if l.name != "" && len(l.values) == 1 && l.values[0].Kind == reading.Number {
				sums[l.name] += l.values[0].Number
			}
		}
	}
	for _, sum := range sums {
		if near(sum, number) || near(sum, number*100) {
			return true
		}
	}
	return false
}
