package completion

import (
	"strconv"
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
	end := i
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(text))
	raw := text[i:end]
	if !strings.ContainsAny(raw, " 0123456789") {
		raw = strings.ReplaceAll(raw, "_", " ")
	}
	for len(raw) > 0 {
		at := strings.IndexByte(raw, '\\')
		if at < 0 || at+1 >= len(raw) {
			prose.WriteString(raw)
			break
		}
		prose.WriteString(raw[:at])
		raw = raw[at+unescape(prose, raw[at:]):]
	}
	return end + 1
}

// unescape writes the character that an escape stands for, and returns the
// length of the escape.
func unescape(prose *strings.Builder, escape string) int {
	switch c := escape[1]; c {
	case 'n', 'r':
		prose.WriteByte('\n')
	case 't':
		prose.WriteByte(' ')
	case 'u':
		if len(escape) >= 6 {
			if code, err := strconv.ParseUint(escape[2:6], 16, 32); err == nil {
				prose.WriteRune(rune(code))
				return 6
			}
		}
	default:
		prose.WriteByte(c)
	}
	return 2
}
