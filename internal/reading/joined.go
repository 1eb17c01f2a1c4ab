package reading

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
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
	from, to := groupsAround(text, start, end)
	written := text[from:to]
	if strings.IndexFunc(written, unlikeGroups) >= 0 {
		return false
	}
	joined := digitsIn(written)
	if strings.IndexFunc(written, joint) < 0 { // it stands alone
		return len(joined) >= endDigits && written[0] == '0' && holdsDigits(data, joined, "")
	}
	whole := joined
	if cut := strings.LastIndexAny(written, ",."); cut >= 0 && len(written)-cut-1 == len("00") {
		whole = joined[:len(joined)-2] // "1.250,00"
	}
	return len(joined) > 2 && holdsDigits(data, joined, whole)
}

// zerosAt is by how much the letter at i multiplies the figure before it, 0 if it is no
// such letter.
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

func joint(r rune) bool { return strings.ContainsRune(joints, r) }

func unlikeGroups(r rune) bool { return !joint(r) && (r < '0' || r > '9') }

const joints = " .,-/()"

// mostGroups is how many groups are looked at on each side: no number has more.
const mostGroups = 6

// groupsAround widens a place to the groups of digits that single marks join to it.
func groupsAround(text string, start, end int) (from, to int) {
	from, to = start, end
	for range mostGroups {
		gap := 0
		for gap < 2 && gap < from && joint(rune(text[from-gap-1])) {
			gap++
		}
		if gap == 0 || gap == from || !digits[text[from-gap-1]] {
			break
		}
		for from -= gap; from > 0 && digits[text[from-1]]; from-- {
		}
	}
	for range mostGroups {
		gap := 0
		for gap < 2 && to+gap < len(text) && joint(rune(text[to+gap])) {
			gap++
		}
		if gap == 0 || to+gap == len(text) || !digits[text[to+gap]] {
			break
		}
		for to += gap; to < len(text) && digits[text[to]]; to++ {
		}
	}
	return from, to
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
	switch jsonspan.KindOf(data) {
	case jsonspan.Object:
		for _, value := range jsonspan.Members(data) {
			if holdsDigits(value, joined, whole) {
				return true
			}
		}
	case jsonspan.Array:
		for value := range jsonspan.Elements(data) {
			if holdsDigits(value, joined, whole) {
				return true
			}
		}
	case jsonspan.String, jsonspan.Number:
		if len(data) > 64 || bytes.IndexFunc(data, func(r rune) bool { return r >= '0' && r <= '9' }) < 0 {
			return false
		}
		held := digitsIn(jsonspan.Scalar(data))
		return held == joined || held == whole || len(held) >= longDigits && endsAlike(held, joined)
	}
	return false
}

// endsAlike reports whether a long number ends in what is told of it, or like it where both
// are long: codes and zeros before it are told or not.
func endsAlike(held, told string) bool {
	short := min(len(held), len(told), longDigits)
	return short >= endDigits && held[len(held)-short:] == told[len(told)-short:]
}
