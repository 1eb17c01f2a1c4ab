package jsonspan

import "strings"

// WithoutLastCommas is a JSON text without the commas after the last elements and members
// of its values, which some models write.
func WithoutLastCommas(text string) string {
	var kept strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\' && i+1 < len(text):
			kept.WriteByte(c)
			i++
			c = text[i]
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted && isClosed(text[i+1:]):
			continue
		}
		kept.WriteByte(c)
	}
	return kept.String()
}

// isClosed reports whether a text goes on with a closing bracket.
func isClosed(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return text[i] == '}' || text[i] == ']'
		}
	}
	return false
}
