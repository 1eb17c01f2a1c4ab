package completion

import (
	"encoding/json"
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
	var prose strings.Builder
	prose.Grow(len(trimmed))
	for i := 0; i < len(trimmed); {
		switch c := trimmed[i]; c {
		case '"':
			i = unwrapString(&prose, trimmed, i+1)
			continue
		case '{', '}', '[', ']', ',':
			prose.WriteByte('\n')
		case ':':
			prose.WriteString(": ")
		case '\n', '\r', '\t':
		default:
			prose.WriteByte(c)
		}
		i++
	}
	return prose.String()
}

// unwrapString writes a JSON string that begins at i, and returns where the
// reading goes on. In words without spaces "_" stands for one.
func unwrapString(prose *strings.Builder, text string, i int) int {
	end := stringEnd(text, i-1)
	raw := text[i:end]
	if !strings.ContainsAny(raw, " 0123456789") {
		raw = strings.ReplaceAll(raw, "_", " ")
	}
	var said string
	if json.Unmarshal([]byte(`"`+raw+`"`), &said) != nil {
		said = raw
	}
	prose.WriteString(said)
	return end + 1
}
