package reading

import (
	"math"
	"slices"
)

// Follows reports whether a figure follows from two others by one step of arithmetic:
// "408 (340 plus 68 VAT)", "238, which is 280 less 15 %".
func Follows(figure float64, from []float64) bool {
	near := func(x float64) bool { return math.Abs(x-figure) <= 0.006 }
	for i, a := range from {
		if a == figure {
			continue
		}
		if slices.ContainsFunc(from[i+1:], func(b float64) bool {
			return b != figure && (FromTwo(a, b, near) || FromTwo(b, a, near))
		}) {
			return true
		}
	}
	return false
}

// FromTwo reports whether a number follows from two others in this order: as their sum,
// difference or product, as one with or without a percentage of the other, as that
// percentage of what it was before, or as a share or a percentage.
func FromTwo(a, b float64, near func(x float64) bool) bool {
	if near(a+b) || near(a-b) || near(a*b) || near(a*b/100) || near(a*(1+b/100)) || near(a*(1-b/100)) {
		return true
	}
	if b == 0 {
		return false
	}
	return near(a/b) || near(100*a/b) || near(100*(a-b)/b) || near(100*(b-a)/b) || b > 0 && near(a*b/(100+b))
}
