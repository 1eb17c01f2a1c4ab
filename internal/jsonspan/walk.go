package jsonspan

import (
	"bytes"
	"iter"
	"slices"
	"strings"
)

// The walks of this file are for JSON that a reader has accepted. On anything else they end early:
// they never fail and never leave the text, and what they find there means nothing.

// Members are the keys of an object, without quotes and still escaped, and
// their values, in order; none for any other value. [Key] reads a key.
func Members(object []byte) iter.Seq2[[]byte, []byte] { return childrenOf(object, "{") }

// Elements are the values of an array, in order; none for any other value.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		for _, element := range childrenOf(array, "[") {
			if !yield(element) {
				return
			}
		}
	}
}

// Children are the members of an object, or the elements of an array with nil keys; none for any
// other value.
func Children(value []byte) iter.Seq2[[]byte, []byte] { return childrenOf(value, "{[") }

func childrenOf(value []byte, opened string) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		i := SkipSpace(value, 0)
		if i >= len(value) || strings.IndexByte(opened, value[i]) < 0 {
			return
		}
		hasKeys, key := value[i] == '{', []byte(nil)
		for more := true; more && i < len(value); {
			from := SkipSpace(value, i+1)
			if hasKeys {
				if from >= len(value) || value[from] != '"' {
					return
				}
				end := skipString(value, from)
				colon := SkipSpace(value, end)
				if end-from < 2 || value[end-1] != '"' || colon >= len(value) || value[colon] != ':' {
					return
				}
				key, from = value[from+1:end-1], SkipSpace(value, colon+1)
			}
			to := SkipValue(value, from)
			if to == from || !yield(key, value[from:to]) {
				return
			}
			i = SkipSpace(value, to)
			more = i < len(value) && value[i] == ','
		}
	}
}

// Place is where a value that a walk has found begins in its text.
func Place(text, value []byte) int { return cap(text) - cap(value) } // it is a slice of it

// Member is the value of a member of an object, the last where the key stands twice; nil if
// there is none.
func Member(object []byte, name string) (value []byte) {
	for key, member := range Members(object) {
		if string(Key(key)) == name {
			value = member
		}
	}
	return value
}

// Key is a key of [Members] as it reads: without its escapes.
func Key(escaped []byte) []byte {
	if bytes.IndexByte(escaped, '\\') < 0 {
		return escaped
	}
	if text, ok := Text(slices.Concat([]byte{'"'}, escaped, []byte{'"'})); ok {
		return []byte(text)
	}
	return escaped // no reader accepted it
}

// SkipSpace returns the index after the white space at i.
func SkipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n') {
		i++
	}
	return i
}

// SkipValue returns the index after the value that begins at i.
func SkipValue(data []byte, i int) int {
	if i >= len(data) {
		return len(data)
	}
	switch data[i] {
	case '"':
		return skipString(data, i)
	case '{', '[':
		return skipNested(data, i)
	}
	for i < len(data) {
		switch data[i] {
		case ' ', '\t', '\r', '\n', ',', ':', ']', '}', '{', '[', '"':
			return i
		}
		i++
	}
	return i
}

// skipString returns the index after the string that begins at i, with either kind of quote.
func skipString[T string | []byte](data T, i int) int {
	quote := data[i]
	for i++; i < len(data); i++ {
		switch data[i] {
		case quote:
			return i + 1
		case '\\':
			i++
		}
	}
	return len(data)
}

func skipNested(data []byte, i int) int {
	for depth := 0; i < len(data); {
		switch data[i] {
		case '"':
			i = skipString(data, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		i++
		if depth == 0 {
			return i
		}
	}
	return i
}
