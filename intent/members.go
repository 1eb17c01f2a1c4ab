package intent

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf8"
)

// members are the names in a JSON object and what they name, in their order;
// none in any other value. The text must be valid JSON, as that of validated
// tools is.
func members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		i := gap(object, 0)
		if i == len(object) || object[i] != '{' {
			return
		}
		i = gap(object, i+1)
		for object[i] == '"' {
			end := stringEnd(object, i)
			from := gap(object, gap(object, end)+1) // behind the colon
			to := valueEnd(object, from)
			if !yield(unquote(object[i:end]), object[from:to]) {
				return
			}
			if i = gap(object, to); object[i] == ',' {
				i = gap(object, i+1)
			}
		}
	}
}

// gap is where white space at i ends.
func gap(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// valueEnd is where the JSON value ends that begins at i.
func valueEnd(text []byte, i int) int {
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // of what the value stands in
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			if i = stringEnd(text, i) - 1; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// stringEnd is where the JSON string ends that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// unquote is the text of a JSON string.
func unquote(quoted []byte) (text string) {
	if bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return string(quoted[1 : len(quoted)-1])
	}
	_ = json.Unmarshal(quoted, &text) // valid, as the whole is
	return text
}
