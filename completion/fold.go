package completion

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold takes signs of emphasis from a text and undoes disguises of Latin letters:
// compatibility forms (full width, mathematical, circled) and Cyrillic or Greek
// letters inside a Latin word. Most texts come back as they are.
func fold(text string) string {
	text = unmark(text)
	plain := plainPrefix(text)
	if plain == len(text) {
		return text
	}
	compatible, foreign := false, false
	for i := plain; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		compatible = compatible || compatibility(r)
		foreign = foreign || lookalike(r) != 0
		i += size
	}
	if compatible {
		text = norm.NFKC.String(text)
	}
	if foreign {
		text = unmix(text)
	}
	return text
}

// allHigh are the high bits of eight bytes: those that ASCII never sets.
const allHigh = 0x8080808080808080

// compatibility reports whether a character is a full-width, mathematical, circled
// or letter-like form of another.
func compatibility(r rune) bool {
	return r >= 0xFF01 && r <= 0xFF5E || r >= 0x1D400 && r <= 0x1D7FF ||
		r >= 0x2460 && r <= 0x24FF || r >= 0x2100 && r <= 0x214F
}

// plainPrefix is how many bytes of a text are ASCII before the first that is
// not, short of at most seven.
func plainPrefix(text string) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		b := text[i : i+8]
		eight := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56 // one load
		if eight&allHigh != 0 {
			return i
		}
	}
	for ; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return i
		}
	}
	return i
}

// lookalike is the Latin letter that a Cyrillic or Greek one looks like; 0 if
// it looks like none.
func lookalike(r rune) rune {
	switch r {
	case 'а', 'α':
		return 'a'
	case 'е', 'ε':
		return 'e'
	case 'о', 'ο':
		return 'o'
	case 'р', 'ρ':
		return 'p'
	case 'с':
		return 'c'
	case 'х':
		return 'x'
	case 'у':
		return 'y'
	case 'і', 'ι':
		return 'i'
	case 'ѕ':
		return 's'
	case 'ԁ':
		return 'd'
	case 'ѵ', 'ν':
		return 'v'
	case 'І', 'Ι':
		return 'I'
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
