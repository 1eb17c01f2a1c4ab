package policy

import "github.com/bonafide-go/bonafide/internal/jsonspan"

// canonicalOf appends the canonical form of JSON that was accepted before.
func canonicalOf(dst, value []byte) []byte {
	form, fault := jsonspan.AppendCanonical(dst, value)
	if fault != nil { // cannot happen: the reader that accepted it is stricter
		return append(dst, value...)
	}
	return form
}

// field is a key, without escapes, and its value.
type field struct {
	key, value []byte
}

// appendFields writes an object, its members in the order given.
func appendFields(dst []byte, fields []field) []byte {
	dst = append(dst, '{')
	for i := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonspan.AppendQuoted(dst, fields[i].key), ':')
		dst = append(dst, fields[i].value...)
	}
	return append(dst, '}')
}
