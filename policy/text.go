package policy

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// isInvisible reports whether a character leaves nothing on the page: white space, controls,
// format characters but the few that do show, such as the Arabic number sign, and what Unicode
// calls default ignorable.
func isInvisible(r rune) bool {
	switch {
	case r < 0x7F:
		return r <= ' '
	case r == 0x7F || r == 0x2800: // DEL, and the empty Braille cell
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.IsSpace(r) ||
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// trim takes away what cannot be seen around a text. A variation selector at the
// end stays: it belongs to the character before it.
func trim(text []byte) []byte {
	text = bytes.TrimLeftFunc(text, isInvisible)
	return bytes.TrimRightFunc(text, func(r rune) bool {
		return isInvisible(r) && !unicode.Is(unicode.Variation_Selector, r)
	})
}

// firstRunes returns the first n characters of text, and whether there were
// more.
func firstRunes(text []byte, n int) (first []byte, more bool) {
	for i := range string(text) {
		if n == 0 {
			return text[:i], true
		}
		n--
	}
	return text, false
}

// list joins names for a sentence, and bounds how many are told.
func list(names []string) string {
	const shown = 40
	if len(names) == 0 {
		return "none"
	}
	if len(names) > shown {
		return strings.Join(names[:shown], ", ") + " and " + strconv.Itoa(len(names)-shown) + " more"
	}
	return strings.Join(names, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// faults are all that is wrong with what a host gave.
type faults []error

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Errorf(format, args...)) }

func (f *faults) when(isWrong bool, format string, args ...any) {
	if isWrong {
		f.add(format, args...)
	}
}

// foldKey maps a key to the form under which lenient decoders may confuse it:
// NFKC, full case folding, and no invisible characters. Each character is put in
// upper and then in lower case first, since decoders that compare by one of them
// take the two Turkish letters for an i, which folding keeps apart.
func foldKey(text []byte) string {
	if isASCII(text) {
		return string(bytes.ToLower(text))
	}
	visible := bytes.Map(func(r rune) rune {
		if isInvisible(r) && !unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, text)
	return string(norm.NFKC.Bytes(cases.Fold().Bytes(norm.NFKC.Bytes(visible))))
}

func isASCII[T string | []byte](text T) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
