package resolver

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Classes of ASCII bytes in asciiFold that are not plain characters.
const (
	foldDrop  = 0x00 // control characters: invisible
	foldOther = 0xff // no ASCII: the long way
)

// asciiFold maps a byte to its folded form, or to one of the classes above.
var asciiFold = func() (table [256]byte) {
	for i := range table {
		c := byte(i)
		switch {
		case c >= utf8.RuneSelf:
			table[i] = foldOther
		case c == ' ' || c >= '\t' && c <= '\r':
			table[i] = ' '
		case c < ' ' || c == 0x7f:
			table[i] = foldDrop
		case c >= 'A' && c <= 'Z':
			table[i] = c + 'a' - 'A'
		default:
			table[i] = c
		}
	}
	return table
}()

// foldASCII appends the folded form of s: lower case, single spaces, no control
// characters. It reports false if s is not ASCII.
func foldASCII(dst []byte, s string) ([]byte, bool) {
	space := true // drops leading space
	for i := 0; i < len(s); i++ {
		switch c := asciiFold[s[i]]; c {
		case foldOther:
			return dst, false
		case foldDrop:
		case ' ':
			if !space {
				dst = append(dst, ' ')
				space = true
			}
		default:
			dst = append(dst, c)
			space = false
		}
	}
	if space && len(dst) > 0 {
		dst = dst[:len(dst)-1]
	}
	return dst, true
}

// foldUnicode is foldASCII for any text: NFKC, full case folding, single
// spaces, straight quotes and dashes, nothing invisible.
func foldUnicode(dst []byte, s string) []byte {
	visible := straighten(nil, []byte(s))
	folded := norm.NFKC.Bytes(caseFold.Bytes(norm.NFKC.Bytes(visible)))
	// Compatibility forms may decompose to spaces and fillers.
	return straighten(dst, folded)
}

// caseFold is stateless, and documented to be safe for concurrent use.
var caseFold = cases.Fold()

// straighten appends src without invisible characters, with single spaces and
// with ASCII quotes and dashes.
func straighten(dst, src []byte) []byte {
	start := len(dst)
	space := true
	for len(src) > 0 {
		r, size := utf8.DecodeRune(src)
		src = src[size:]
		switch {
		case unicode.IsSpace(r):
			if !space {
				dst = append(dst, ' ')
				space = true
			}
			continue
		case isInvisible(r):
			continue
		}
		dst = utf8.AppendRune(dst, straight(r))
		space = false
	}
	if space && len(dst) > start {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// straight maps typographic quotes and dashes to those on every keyboard. The
// spacing accents are here because people type them as apostrophes, and
// because NFKC would tear them into a space and a mark.
func straight(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', '′', '‵', 'ʹ', 'ʻ', 'ʼ', 'ʽ', '´', '‹', '›', '＇', '՚', '׳':
		return '\''
	case '“', '”', '„', '‟', '″', '‶', '«', '»', '〝', '〞', '〟', '＂', '״':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−', '⸺', '⸻', '﹘', '﹣', '－', '⁃', '־':
		return '-'
	}
	// Small Cherokee letters fold to the capital ones, which are the older; the
	// case folder swaps the two.
	switch {
	case r >= 0xab70 && r <= 0xabbf:
		return r - 0xab70 + 0x13a0
	case r >= 0x13f8 && r <= 0x13fd:
		return r - 8
	}
	return r
}

// isInvisible reports whether r leaves no mark on a screen: control characters
// and Default_Ignorable_Code_Point, which holds the bidirectional controls, the
// variation selectors and the tags. It is derived as in DerivedCoreProperties
// of the Unicode Character Database.
func isInvisible(r rune) bool {
	switch {
	case r < 0xa0:
		return r < ' ' || r >= 0x7f
	case r == 0x00ad:
		return true
	case r < 0x0300:
		return false
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Variation_Selector, r):
		return true
	case unicode.Is(unicode.Cf, r):
		annotation := r >= 0xfff9 && r <= 0xfffb
		hieroglyph := r >= 0x13430 && r <= 0x13440
		return !annotation && !hieroglyph && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return false
}

// dropAccents appends folded without the marks on Latin, Greek and Cyrillic
// letters. Marks of other scripts are letters in their own right and stay.
func dropAccents(dst, folded []byte) []byte {
	decomposed := norm.NFD.Bytes(folded)
	bare := decomposed[:0:0]
	accentable := false
	for len(decomposed) > 0 {
		r, size := utf8.DecodeRune(decomposed)
		switch {
		case r == 'ı': // the Turkish dotless i: upper case gives it its dot
			bare = append(bare, 'i')
			accentable = true
		case !unicode.Is(unicode.Mn, r):
			accentable = r < utf8.RuneSelf || unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
			fallthrough
		case !accentable:
			bare = append(bare, decomposed[:size]...)
		}
		decomposed = decomposed[size:]
	}
	return norm.NFC.Append(dst, bare...)
}
