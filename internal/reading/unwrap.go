package reading

import (
	"encoding/json"
	"strings"
)

// Unwrap makes prose of a text that is a JSON value, as some models answer: every string becomes a line. Other
// texts are returned as they are. It is lenient, since what is to be read is what the model said, not whether its
// JSON is valid.
func Unwrap(text string) string {
	trimmed := strings.TrimSpace(text)
	if head, rest, found := strings.Cut(trimmed, "\n"); found && strings.HasPrefix(head, "#") {
		trimmed = strings.TrimSpace(rest) // a heading over it
	}
	if trimmed == "" || trimmed[0] != '{' && trimmed[0] != '[' || !strings.Contains(trimmed, `"`) {
		return text
	}
	var prose strings.Builder
	prose.Grow(len(trimmed))
	for i := 0; i < len(trimmed); i++ {
		switch c := trimmed[i]; c {
		case '"':
			end := StringEnd(trimmed, i)
			prose.WriteString(unquote(trimmed[i+1 : end]))
			i = end
		case '{', '}', '[', ']', ',':
			prose.WriteByte('\n')
		case ':':
			prose.WriteString(": ")
		case '\n', '\r', '\t':
		default:
			prose.WriteByte(c)
		}
	}
	return prose.String()
}

// unquote is what a JSON string says. In words without spaces "_" stands for one.
func unquote(raw string) string {
	if !strings.ContainsAny(raw, " 0123456789") {
		raw = strings.ReplaceAll(raw, "_", " ")
	}
	var said string
	if json.Unmarshal([]byte(`"`+raw+`"`), &said) != nil {
		return raw
	}
	return said
}

// StringEnd is the place of the quote that ends the JSON string beginning at i;
// the end of the text if there is none.
func StringEnd(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}
