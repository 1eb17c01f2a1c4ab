package jsonspan

import (
	"encoding/json"
	"strings"
)

// MaxPrinted bounds the text that [FromPrinted] reads.
const MaxPrinted = 256 << 10

// FromPrinted turns a value as Python prints it into JSON: quotes of either kind,
// True, False, None, and the numbers that JSON does not know, which become null.
// It is for finding out what such a text says, never for running it. False is a
// text that is nothing of the kind, or longer than [MaxPrinted].
func FromPrinted(text string) ([]byte, bool) {
	if len(text) > MaxPrinted {
		return nil, false
	}
	out := make([]byte, 0, len(text)+16)
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'', c == '"':
			end := skipString(text, i) // one without an end leaves its object open, which is no JSON
			out = appendQuoted(out, text[i+1:max(i+1, end-1)], c)
			i = end
		case isLetter(c):
			end := i
			for end < len(text) && isLetter(text[end]) {
				end++
			}
			word, known := literals[text[i:end]]
			if !known {
				return nil, false
			}
			out = append(out, word...)
			i = end
		case c == '-' && (strings.HasPrefix(text[i+1:], "Infinity") || strings.HasPrefix(text[i+1:], "inf")):
			i++ // what is left is read as a word
		default:
			out = append(out, c)
			i++
		}
	}
	return out, json.Valid(out)
}

var literals = map[string]string{
	"True": "true", "False": "false", "None": "null", "true": "true", "false": "false", "null": "null", "e": "e", "E": "E",
	"NaN": "null", "nan": "null", "Infinity": "null", "inf": "null", "undefined": "null",
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// appendQuoted writes what stood between quotes as a JSON string.
func appendQuoted(out []byte, inside string, quote byte) []byte {
	out = append(out, '"')
	for i := 0; i < len(inside); i++ {
		switch c := inside[i]; {
		case c == '\\' && i+1 < len(inside) && inside[i+1] == '\'':
			// an escape that JSON does not know, and does not need
		case c == '\\' && i+1 < len(inside):
			out = append(out, c, inside[i+1])
			i++
		case c == '"' && quote == '\'':
			out = append(out, '\\', '"')
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}
