package completion

import (
	"encoding/json"
	"regexp"
	"strings"
)

// unwrap makes prose of a text that is a JSON value, as some models answer:
// every string becomes a line. Other texts are returned as they are. It is
// lenient, since what is to be read is what the model said, not whether its
// JSON is valid.
func unwrap(text string) string {
	trimmed := strings.TrimSpace(text)
	if head, rest, found := strings.Cut(trimmed, "\n"); found && strings.HasPrefix(head, "#") {
		trimmed = strings.TrimSpace(rest) // a heading over it
	}
	if trimmed == "" || trimmed[0] != '{' && trimmed[0] != '[' || !strings.Contains(trimmed, `"`) {
		return text
	}
	return jsonPieces.ReplaceAllStringFunc(trimmed, func(piece string) string {
		switch piece[0] {
		case '"':
			return unquote(strings.TrimSuffix(piece[1:], `"`))
		case ':':
			return ": "
		case '\n', '\r', '\t':
			return ""
		}
		return "\n"
	})
}

// jsonPieces are the strings of a JSON text, of which the last may lack its end, and
// the signs between them.
var jsonPieces = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"?|[{}\[\],:\n\r\t]`)

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
