package jsonspan

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is the content of a JSON string, quotes included in the argument. It reports false for any
// other value, for a string that was cut off, and for escapes that no character stands for.
func Text(value []byte) (string, bool) {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return "", false
	}
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), true
	}
	if _, fault := (&Scanner{AllowNUL: true}).Value(value); fault != nil {
		return "", false
	}
	return string(AppendUnquoted(nil, inner)), true
}

// Scalar is a string or a number as text, as an id may be either; anything else is empty.
func Scalar(value []byte) string {
	switch KindOf(value) {
	case String:
		text, _ := Text(value)
		return text
	case Number:
		if c := value[0]; c == '-' || c >= '0' && c <= '9' {
			return string(value)
		}
	}
	return ""
}

// AppendUnquoted appends the content of a valid JSON string, given without its quotes. Half a
// surrogate pair, which no [Scanner] accepts, stays what it is, in the three-byte form that is
// no valid UTF-8: replaced, it would turn one text into another.
func AppendUnquoted(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		r, size := unescape(text[i:])
		if utf16.IsSurrogate(r) {
			dst = append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		text = text[i+size:]
	}
}

// unescape reads one escape: the character that it stands for, or half of one, and its length.
// What is none is a backslash by itself.
func unescape(text []byte) (r rune, size int) {
	if len(text) < 2 {
		return '\\', len(text)
	}
	if at := strings.IndexByte(`"\/bfnrt`, text[1]); at >= 0 {
		return rune("\"\\/\b\f\n\r\t"[at]), 2
	}
	unit, isUnit := hex4(text, 2)
	switch low, isPair := hex4(text, 8); {
	case text[1] != 'u' || !isUnit:
		return '\\', 1
	case isPair && unit&0xFC00 == 0xD800 && low&0xFC00 == 0xDC00 && string(text[6:8]) == `\u`:
		return utf16.DecodeRune(unit, low), 12
	}
	return unit, 6
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends text as a JSON string with as few escapes as possible.
func AppendQuoted[T string | []byte](dst []byte, text T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := range len(text) {
		c := text[i]
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

// Quote shows a short, escaped piece of a text in a message.
func Quote(text []byte) string {
	const shown = 40
	piece, runes := text[:min(len(text), 4*shown)], 0
	for i := range string(piece) {
		if runes == shown {
			piece = piece[:i]
			break
		}
		runes++
	}
	quoted := strconv.QuoteToGraphic(strings.ToValidUTF8(string(piece), "\uFFFD"))
	if len(piece) < len(text) {
		return quoted + "…"
	}
	return quoted
}

// EqualFoldASCII compares two texts, upper and lower case letters of ASCII alike.
func EqualFoldASCII[T string | []byte](a []byte, b T) bool {
	if len(a) != len(b) {
		return false
	}
	for i, c := range a {
		if c == b[i] {
			continue
		}
		if c|0x20 != b[i]|0x20 || c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}
