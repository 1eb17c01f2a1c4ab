package reading

import (
	"bytes"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// longDigits is how many digits a number has that is told by its end: a telephone
// number without the code of its country.
const longDigits = 7

// HoldsJoined reports whether an object of JSON, however deep, holds the number whose
// groups of digits stand around a place in a text: people write "(555) 010-1234" and
// "1 250", and tools take 5550101234 and 1250.
func HoldsJoined(data []byte, text string, start, end int) bool {
	from, to := groupsAround(text, start, end)
	written := text[from:to]
	if strings.IndexFunc(written, joint) < 0 || strings.IndexFunc(written, unlikeGroups) >= 0 {
		return false // it stands alone, or is none
	}
	joined := digitsIn(written)
	whole := joined
	if cut := strings.LastIndexAny(written, ",."); cut >= 0 && len(written)-cut-1 == len("00") {
		whole = joined[:len(joined)-2] // "1.250,00"
	}
	const most = 4096 // of longer arguments nobody tells a number
	return len(joined) > 2 && len(data) <= most && holdsDigits(data, joined, whole)
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
		told := strings.TrimLeft(joined, "0")
		return held == joined || held == whole || len(told) >= longDigits && strings.HasSuffix(held, told) ||
			len(held) >= longDigits && strings.HasSuffix(joined, strings.TrimLeft(held, "0"))
	}
	return false
}
