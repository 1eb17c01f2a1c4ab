package policy

import "github.com/bonafide-go/bonafide/internal/jsonspan"

// Canonical writes arguments in their canonical form: keys sorted, no white
// space, as few escapes as possible, numbers of equal value alike. Two texts
// with the same canonical form mean the same, and the form is a fixed point. It
// is the form by which the ledger tells calls apart, too. No number is rounded.
func Canonical(data []byte) ([]byte, error) {
	args, err := Decode(data)
	if err != nil {
		return nil, err
	}
	return canonicalOf(make([]byte, 0, len(data)), args.raw), nil
}

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
