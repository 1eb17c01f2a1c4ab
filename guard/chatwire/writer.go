package chatwire

import (
	"bytes"
	"encoding/json"
)

// writer writes an object member by member.
type writer []byte

func (w *writer) add(name string, value []byte) {
	if len(*w) > 1 {
		*w = append(*w, ',')
	}
	*w = append(append(append(append(*w, '"'), name...), `":`...), value...)
}

// object writes an object from the names and values of its members, in this order. Members
// without a value (nil, an empty raw one) are left out.
func object(pairs ...any) json.RawMessage {
	w := writer{'{'}
	for i := 0; i+1 < len(pairs); i += 2 {
		if value := pairs[i+1]; value != nil {
			if raw := rawBlock(value); len(raw) > 0 {
				w.add(pairs[i].(string), raw)
			}
		}
	}
	return json.RawMessage(append(w, '}'))
}

// when is a value that a member only has under a condition.
func when(condition bool, value any) any {
	if !condition {
		return nil
	}
	return value
}

// given is a text as the value of a member; none for an empty one.
func given(text string) any { return when(text != "", text) }

// listOrNone is a list as the value of a member; none for an empty one.
func listOrNone(list []json.RawMessage) any { return when(len(list) > 0, list) }

// rawBlock writes a value. What is JSON already is kept byte for byte; in any other, <, >
// and & are not turned into escapes: models read it.
func rawBlock(value any) json.RawMessage {
	switch value := value.(type) {
	case json.RawMessage:
		return value
	case []json.RawMessage:
		return marshalList(value)
	}
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil { // cannot happen: strings and valid JSON always marshal
		return json.RawMessage(`"-"`)
	}
	return bytes.TrimRight(buffer.Bytes(), "\n")
}

// marshalList writes an array of values that are JSON already, byte for byte.
func marshalList(values []json.RawMessage) []byte {
	list := []byte{'['}
	for i, value := range values {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, value...)
	}
	return append(list, ']')
}

// providersTools are tools that a host adds: only those that the provider runs by itself,
// since the guard has to know all others.
func providersTools(list span) []json.RawMessage {
	tools := list.objects()
	for _, tool := range tools {
		if form, kind := formOf(tool); form != serverTool {
			list.failf("a tool of the type %q is not run by the provider; describe it to the guard", clipped(kind))
		}
	}
	return rawList(tools)
}
