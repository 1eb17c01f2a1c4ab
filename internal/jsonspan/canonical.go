package jsonspan

import (
	"bytes"
	"slices"
)

// AppendCanonical appends the canonical form of one JSON value: keys sorted, no white space, as few
// escapes as possible, numbers as [AppendNumber] writes them. Two texts mean the same exactly if
// their canonical forms are equal, and the form is a fixed point. A text that a strict reader would
// refuse has none: where a key stands twice, or half of a character, readers disagree about the
// meaning. Then dst is returned as it was.
func AppendCanonical(dst, data []byte) ([]byte, *Fault) {
	value, fault := (&Scanner{AllowNUL: true}).Value(data)
	if fault != nil {
		return dst, fault
	}
	return appendCanonical(dst, value), nil
}

// appendCanonical writes a value that was accepted.
func appendCanonical(dst, value []byte) []byte {
	switch KindOf(value) {
	case Object:
		return appendObject(dst, value)
	case Array:
		dst = append(dst, '[')
		first := true
		for element := range Elements(value) {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = appendCanonical(dst, element)
		}
		return append(dst, ']')
	case String:
		return append(append(append(dst, '"'), canonicalText(value[1:len(value)-1])...), '"')
	case Number:
		return AppendNumber(dst, value)
	}
	return append(dst, value...)
}

// canonicalText is the inside of a string with as few escapes as possible.
func canonicalText(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	quoted := AppendQuoted(nil, AppendUnquoted(nil, text))
	return quoted[1 : len(quoted)-1]
}

// field is a member of an object, with its key as it is written.
type field struct{ key, value []byte }

func appendObject(dst, object []byte) []byte {
	var few [8]field // a call has three arguments, not three hundred
	fields := few[:0]
	for key, value := range Members(object) {
		fields = append(fields, field{canonicalText(key), value})
	}
	slices.SortFunc(fields, func(a, b field) int { return bytes.Compare(a.key, b.key) })
	dst = append(dst, '{')
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), f.key...), `":`...)
		dst = appendCanonical(dst, f.value)
	}
	return append(dst, '}')
}
