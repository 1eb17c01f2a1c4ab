package policy

import (
	"bytes"
	"slices"
	"strconv"
)

// Canonical writes arguments in their canonical form: keys sorted, no white
// space, as few escapes as possible, whole numbers as plain digits. Two texts
// with the same canonical form mean the same, and the form is a fixed point.
// Numbers with a fraction and numbers beyond 64 bits keep their spelling, since
// no rounding is worth a changed argument.
func Canonical(data []byte) ([]byte, error) {
	args, err := Decode(data)
	if err != nil {
		return nil, err
	}
	return appendCanonical(make([]byte, 0, len(data)), bytes.TrimSpace(args.raw)), nil
}

// field is a key and its value while an object is sorted.
type field struct {
	key     []byte // unescaped
	value   []byte
	keyDone bool // the key needs no escapes
	done    bool // the value is canonical as it is
}

func appendCanonical(dst, value []byte) []byte {
	switch value[0] {
	case '{':
		return appendObject(dst, value)
	case '[':
		return appendArray(dst, value)
	case '"':
		return appendCanonicalString(dst, value)
	case 't', 'f', 'n':
		return append(dst, value...)
	}
	if n := parseInteger(value); n.whole && !n.huge {
		return strconv.AppendInt(dst, n.value, 10)
	}
	return append(dst, value...)
}

func appendObject(dst, object []byte) []byte {
	var few [8]field
	fields := few[:0]
	eachMember(object, func(key, value []byte) bool {
		fields = append(fields, field{key: unescapedKey(key), value: value})
		return true
	})
	return appendFields(dst, fields)
}

func appendArray(dst, array []byte) []byte {
	dst = append(dst, '[')
	first := true
	eachElement(array, func(element []byte) bool {
		dst = appendCanonical(comma(dst, &first), element)
		return true
	})
	return append(dst, ']')
}

func unescapedKey(key []byte) []byte {
	if bytes.IndexByte(key, '\\') < 0 {
		return key
	}
	return appendUnescaped(nil, key)
}

func appendCanonicalString(dst, value []byte) []byte {
	if bytes.IndexByte(value, '\\') < 0 {
		return append(dst, value...)
	}
	return appendString(dst, appendUnescaped(nil, value[1:len(value)-1]))
}

func appendFields(dst []byte, fields []field) []byte {
	var few [fewKeys]int
	order := sortedOrder(fields, few[:0])
	dst = append(dst, '{')
	for n, i := range order {
		if n > 0 {
			dst = append(dst, ',')
		}
		if fields[i].keyDone {
			dst = append(append(append(dst, '"'), fields[i].key...), '"', ':')
		} else {
			dst = append(appendString(dst, fields[i].key), ':')
		}
		if fields[i].done {
			dst = append(dst, fields[i].value...)
		} else {
			dst = appendCanonical(dst, fields[i].value)
		}
	}
	return append(dst, '}')
}

// less compares first letters without a call.
func less(a, b []byte) bool {
	if len(a) > 0 && len(b) > 0 && a[0] != b[0] {
		return a[0] < b[0]
	}
	return bytes.Compare(a, b) < 0
}

// sortedOrder lists the fields by key. Few are sorted by insertion, because a
// call has three arguments, not three hundred.
func sortedOrder(fields []field, order []int) []int {
	for i := range fields {
		order = append(order, i)
		if len(fields) > fewKeys {
			continue
		}
		for j := i; j > 0 && less(fields[order[j]].key, fields[order[j-1]].key); j-- {
			order[j], order[j-1] = order[j-1], order[j]
		}
	}
	if len(fields) > fewKeys {
		slices.SortFunc(order, func(a, b int) int { return bytes.Compare(fields[a].key, fields[b].key) })
	}
	return order
}
