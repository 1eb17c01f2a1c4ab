package formats

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Value is one JSON value of a file: a line, an element of an array, or a document.
type Value struct {
	// Line is where it begins.
	Line int
	// Data are its bytes.
	Data []byte

	members map[string]json.RawMessage
	read    bool
}

// Members are the members of an object; nil for anything else, and for what is not JSON.
func (v *Value) Members() map[string]json.RawMessage {
	if !v.read {
		v.read = true
		v.members = object(v.Data)
	}
	return v.members
}

// Has reports whether the value is an object with all of these members.
func (v *Value) Has(names ...string) bool {
	members := v.Members()
	for _, name := range names {
		if _, ok := members[name]; !ok {
			return false
		}
	}
	return members != nil
}

// text is a member that is a string; empty for anything else.
func (v *Value) text(name string) string { return text(v.Members()[name]) }

// object reads an object; nil for anything else.
func object(data []byte) map[string]json.RawMessage {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return nil
	}
	return members
}

// list reads an array; nil for anything else.
func list(data []byte) []json.RawMessage {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '[' {
		return nil
	}
	var elements []json.RawMessage
	if json.Unmarshal(data, &elements) != nil {
		return nil
	}
	return elements
}

// isArray tells an array by its first byte: one that cannot be read is damage of its format, not another one.
func isArray(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '['
}

// text is a JSON string; empty for anything else.
func text(data json.RawMessage) string {
	var said string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &said) != nil {
		return ""
	}
	return said
}

// name is an identifier, whether it is a string or a number.
func name(candidates ...json.RawMessage) string {
	for _, raw := range candidates {
		if said := text(raw); said != "" {
			return said
		}
		if len(raw) > 0 && (raw[0] >= '0' && raw[0] <= '9') {
			return string(raw)
		}
	}
	return ""
}

// unquoted undoes one layer of string encoding around an object or an array: some logs keep bodies as text.
func unquoted(data json.RawMessage) json.RawMessage {
	if said := strings.TrimSpace(text(data)); said != "" && (said[0] == '{' || said[0] == '[') &&
		json.Valid([]byte(said)) {
		return json.RawMessage(said)
	}
	return data
}

// isNull reports whether a member is absent or null.
func isNull(data json.RawMessage) bool { return len(data) == 0 || string(data) == "null" }

// decode reads data into a struct. The fault is in words for people.
func decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	if err == nil {
		return nil
	}
	return readable(err)
}

func readable(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%q has the wrong type (%s)", kind.Field, kind.Value)
	}
	return fmt.Errorf("not valid JSON: %w", err)
}

// marshal is a value as JSON, without the escapes that only HTML needs.
func marshal(value any) json.RawMessage {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return nil
	}
	return bytes.TrimSpace(buffer.Bytes())
}

// maxShape bounds the members that a shape names.
const maxShape = 8

// Shape describes a value by its members and their types, and holds nothing that should not leave the log.
func Shape(v *Value) string {
	data := strings.TrimSpace(string(v.Data[:min(len(v.Data), 1<<20)]))
	switch members := v.Members(); {
	case members != nil:
		names := slices.Sorted(maps.Keys(members))
		parts := []string{}
		for _, name := range names[:min(len(names), maxShape)] {
			parts = append(parts, fmt.Sprintf("%.40q: %s", name, kindOf(members[name])))
		}
		if len(names) > maxShape {
			parts = append(parts, "…")
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case data == "":
		return "nothing"
	case data[0] == '{' || data[0] == '[':
		return "JSON that cannot be read"
	default:
		return "a " + kindOf([]byte(data))
	}
}

// kindOf is the type of a JSON value by its first byte.
func kindOf(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	return cmp.Or(kinds[raw[0]], "number")
}

var kinds = map[byte]string{
	'{': "object", '[': "array", '"': "string", 't': "true or false", 'f': "true or false", 'n': "null",
}

//go:embed hints.txt
var hints string

// Hint says what can be done about a value that no format knows, by a member that gives it away.
func Hint(v *Value) string {
	for line := range strings.Lines(hints) {
		if member, hint, _ := strings.Cut(strings.TrimSpace(line), "\t"); v.Has(member) {
			return hint
		}
	}
	return "an entry should be a conversation, a message, a request with its response, a run or a span; " +
		"the README lists the shapes"
}
