package policy

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// appendUnescaped appends the text of a validated JSON string, given without
// its quotes.
func appendUnescaped(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		r, size := unescape(text[i:])
		dst = utf8.AppendRune(dst, r)
		text = text[i+size:]
	}
}

// unescape reads one validated escape.
func unescape(text []byte) (r rune, size int) {
	switch c := text[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		unit, _ := hex4(text, 2)
		if unit&0xFC00 != 0xD800 {
			return unit, 6
		}
		low, _ := hex4(text, 8)
		return (unit-0xD800)<<10 + (low - 0xDC00) + 0x10000, 12
	default:
		return rune(c), 2
	}
}

const hexDigits = "0123456789abcdef"

// appendString appends text as a JSON string with as few escapes as possible.
func appendString(dst, text []byte) []byte {
	dst = append(dst, '"')
	start := 0
	for i, c := range text {
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(dst, text[start:]...), '"')
}

// invisible reports whether a character leaves nothing on the page: white
// space, controls, format characters and what Unicode calls default ignorable.
// The few format characters that do show, such as the Arabic number sign, are
// left out.
func invisible(r rune) bool {
	switch {
	case r < 0x7F:
		return r <= ' '
	case r == 0x7F || r == 0x2800: // DEL, and the empty Braille cell
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// blank reports whether nothing of the text can be seen.
func blank(text []byte) bool {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c > ' ' && c != 0x7F {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !invisible(r) {
			return false
		}
		i += size
	}
	return true
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

// quote shows a short, escaped piece of a value in a message.
func quote(text []byte) string {
	const shown = 40
	piece, more := firstRunes(text[:min(len(text), 4*shown)], shown)
	quoted := strconv.QuoteToGraphic(strings.ToValidUTF8(string(piece), "\uFFFD"))
	if more || len(piece) < len(text) {
		return quoted + "…"
	}
	return quoted
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
