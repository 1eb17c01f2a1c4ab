package jsonspan

import (
	"bytes"
	"iter"
	"slices"
)

// The walks of this file are for JSON that a reader has accepted. On anything
// else they end early: they never fail and never leave the text, and what they
// find there means nothing.

// Members are the keys of an object, without quotes and still escaped, and
// their values, in order; none for any other value. [Key] reads a key.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		i := SkipSpace(object, 0)
		if i >= len(object) || object[i] != '{' {
			return
		}
		for i = SkipSpace(object, i+1); i < len(object) && object[i] == '"'; {
			end := skipString(object, i)
			if end-i < 2 || object[end-1] != '"' {
				return
			}
			colon := SkipSpace(object, end)
			if colon >= len(object) || object[colon] != ':' {
				return
			}
			from := SkipSpace(object, colon+1)
			to := SkipValue(object, from)
			if to == from || !yield(object[i+1:end-1], object[from:to]) {
				return
			}
			if i = SkipSpace(object, to); i >= len(object) || object[i] != ',' {
				return
			}
			i = SkipSpace(object, i+1)
		}
	}
}

// Elements are the values of an array, in order; none for any other value.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		i := SkipSpace(array, 0)
		if i >= len(array) || array[i] != '[' {
			return
		}
		for i = SkipSpace(array, i+1); i < len(array) && array[i] != ']'; {
			to := SkipValue(array, i)
			if to == i || !yield(array[i:to]) {
				return
			}
			if i = SkipSpace(array, to); i >= len(array) || array[i] != ',' {
				return
			}
			i = SkipSpace(array, i+1)
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
