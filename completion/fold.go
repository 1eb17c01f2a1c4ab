package completion

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold takes signs of emphasis from a text and undoes disguises of Latin letters:
// compatibility forms (full width, mathematical, circled) and Cyrillic or Greek
// letters inside a Latin word. Most texts come back as they are.
func fold(text string) string {
	text = unmark(text)
	if utf8.RuneCountInString(text) == len(text) {
		return text
	}
	if strings.ContainsFunc(text, compatibility) {
		text = norm.NFKC.String(text)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return lookalike(r) != 0 }) {
		text = unmix(text)
	}
	return text
}

// compatibility reports whether a character is a full-width, mathematical, circled
// or letter-like form of another.
func compatibility(r rune) bool {
	return r >= 0xFF01 && r <= 0xFF5E || r >= 0x1D400 && r <= 0x1D7FF ||
		r >= 0x2460 && r <= 0x24FF || r >= 0x2100 && r <= 0x214F
}

// Cyrillic and Greek letters, and the Latin ones that they look like.
var (
	foreignLetters = []rune("аαеεоορрсхуіιѕԁѵνІΙ")
	latinLetters   = "aaeeooppcxyiisdvvII"
)

// lookalike is the Latin letter that a Cyrillic or Greek one looks like; 0 if
// it looks like none.
func lookalike(r rune) rune {
	if r < 0x370 { // before the first Greek letter
		return 0
	}
	if i := slices.Index(foreignLetters, r); i >= 0 {
		return rune(latinLetters[i])
	}
	return 0
}

// unmix replaces lookalikes next to Latin letters. Words of one script stay.
func unmix(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	latin := false // the letter before is a Latin one
	for i, r := range text {
		if like := lookalike(r); like != 0 && (latin || latinAt(text[i+utf8.RuneLen(r):])) {
			out.WriteRune(like)
			latin = true
			continue
		}
		out.WriteRune(r)
		latin = r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return out.String()
}

// latinAt reports whether a Latin letter begins the text, lookalikes skipped.
func latinAt(text string) bool {
	for _, r := range text {
		if lookalike(r) == 0 {
			return r|0x20 >= 'a' && r|0x20 <= 'z'
		}
	}
	return false
}
