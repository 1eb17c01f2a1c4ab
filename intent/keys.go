package intent

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// keys are the names in a JSON object, in their order; what they name is left
// unread. Other values have none.
type keys []string

// UnmarshalJSON takes one value, which the caller has found to be valid.
func (k *keys) UnmarshalJSON(value []byte) error {
	depth, name := 0, false // name: a string here would be a name of the outermost object
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '{':
			depth++
			name = depth == 1
		case '[':
			depth++
			name = false
		case '}', ']':
			depth--
			name = false
		case ',':
			name = depth == 1 && value[0] == '{'
		case '"':
			end := stringEnd(value, i)
			if name {
				key, err := unquote(value[i:end])
				if err != nil {
					return err
				}
				*k = append(*k, key)
			}
			name = false
			i = end - 1
		}
	}
	return nil
}

// stringEnd is where the JSON string ends that begins at i.
func stringEnd(value []byte, i int) int {
	for i++; value[i] != '"'; i++ {
		if value[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// unquote is the text of a JSON string.
func unquote(quoted []byte) (text string, err error) {
	if bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return string(quoted[1 : len(quoted)-1]), nil
	}
	err = json.Unmarshal(quoted, &text)
	return text, err
}
