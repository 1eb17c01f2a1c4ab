package reading

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// longDigits is how many digits a number has that is told by its end: a telephone
// number without the code of its country; endDigits is how many the end has at least.
const longDigits, endDigits = 7, 4

// HoldsJoined reports whether an object of JSON, however deep, holds a number that a text
// writes in another way: in groups, as "(555) 010-1234" for 5550101234 and "1 250"
// for 1250, by its last digits alone, or without its zeros, as "2.4k".
func HoldsJoined(data []byte, v *Value) bool {
	text, start, end := v.Source(), v.Start(), v.End()
	const most = 4096 // of longer arguments nobody tells a number
	if len(data) > most {
		return false
	}
	if scale := zerosAt(text, end); scale > 0 {
		figure, err := strconv.ParseFloat(text[start:end], 64)
		return err == nil && holdsDigits(data, strconv.FormatFloat(figure*scale, 'f', -1, 64), "")
	}
	written := groupsAround(text, start, end)
	if digitsIn(written) == written { // it stands alone
		return len(written) >= endDigits && written[0] == '0' && holdsDigits(data, written, "")
	}
	joined, cents := digitsIn(written), strings.LastIndexAny(written, ",.") == len(written)-len(",00")
	if len(joined) <= 2 {
		return false
	}
	whole := joined
	if cents {
		whole = joined[:len(joined)-2] // "1.250,00"
	}
	return holdsDigits(data, joined, whole)
}

// zerosAt is by how much the letter at i multiplies the figure before it, 0 if it is no such letter.
func zerosAt(text string, i int) float64 {
	if i >= len(text) || i+1 < len(text) && (unicode.IsLetter(rune(text[i+1])) || digits[text[i+1]]) {
		return 0
	}
	switch text[i] {
	case 'k', 'K':
		return 1e3
	case 'm', 'M':
		return 1e6
	}
	return 0
}

var (
	// groups are digits that single marks join, scalars what has a value in JSON.
	groups  = pattern(`[0-9]+(?:[ .,/()-]{1,2}[0-9]+)*`)
	scalars = pattern(`"[^"]*"|[0-9][0-9.]*`)
)

// groupsAround is a place with the groups of digits that are joined to it; empty where something else stands in it.
func groupsAround(text string, start, end int) string {
	const around = 40
	from := max(0, start-around)
	near := text[from:min(len(text), end+around)]
	for _, at := range groups().FindAllStringIndex(near, -1) {
		if from+at[0] <= start && end <= from+at[1] {
			return near[at[0]:at[1]]
		}
	}
	return ""
}

func digitsIn(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// holdsDigits reports whether a scalar has just these digits, or ends in them.
func holdsDigits(data []byte, joined, whole string) bool {
	return slices.ContainsFunc(scalars().FindAll(data, -1), func(scalar []byte) bool {
		held := digitsIn(string(scalar))
		return held != "" && (held == joined || held == whole || len(held) >= longDigits && endsAlike(held, joined))
	})
}

// endsAlike reports whether a long number ends in what is told of it, or like it where both
// are long: codes and zeros before it are told or not.
func endsAlike(held, told string) bool {
	short := min(len(held), len(told), longDigits)
	return short >= endDigits && held[len(held)-short:] == told[len(told)-short:]
}

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
