package chatwire

import "unicode/utf8"

// joinHalves replaces each high half followed by a low one by the character that they mean:
// pieces of a stream may hold the two halves of one. See [jsonspan.AppendUnquoted].
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
