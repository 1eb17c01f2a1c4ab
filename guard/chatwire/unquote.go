package chatwire

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// unquote decodes what stands between the quotes of a valid JSON string. The standard
// decoder replaces half a surrogate pair silently, which turns one argument into another;
// here a half stays what it is, in the three-byte form that is no valid UTF-8. Pieces of a
// stream may hold the two halves of one character: joinHalves puts them together again.
func unquote(inner []byte) string {
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	out := make([]byte, 0, len(inner))
	for i := 0; i < len(inner); {
		if inner[i] != '\\' {
			out = append(out, inner[i])
			i++
			continue
		}
		if inner[i+1] != 'u' {
			out = append(out, unescaped[inner[i+1]])
			i += 2
			continue
		}
		unit, _ := strconv.ParseUint(string(inner[i+2:i+6]), 16, 16)
		out = appendUnit(out, rune(unit))
		i += 6
	}
	return string(joinHalves(out))
}

var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendUnit writes one UTF-16 unit; utf8.AppendRune would replace a half.
func appendUnit(out []byte, unit rune) []byte {
	if unit < 0xD800 || unit > 0xDFFF {
		return utf8.AppendRune(out, unit)
	}
	return append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
}

// joinHalves replaces each high half followed by a low one by the character
// they mean.
func joinHalves(text []byte) []byte {
	out := text[:0]
	for i := 0; i < len(text); i++ {
		high, isHigh := half(text, i, 0xA0)
		low, isLow := half(text, i+3, 0xB0)
		if isHigh && isLow {
			out = utf8.AppendRune(out, 0x10000+(high&0x3FF)<<10+low&0x3FF)
			i += 5
			continue
		}
		out = append(out, text[i])
	}
	return out
}

// half reads a surrogate at i whose second byte lies in the sixteen from base.
func half(text []byte, i int, base byte) (rune, bool) {
	if i+2 >= len(text) || text[i] != 0xED || text[i+1]&0xF0 != base {
		return 0, false
	}
	return 0xD000 | rune(text[i+1]&0x3F)<<6 | rune(text[i+2]&0x3F), true
}
