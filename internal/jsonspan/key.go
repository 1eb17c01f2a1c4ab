package jsonspan

import (
	"bytes"
)

// key is the place of an object's key in the text, without its quotes. A plain
// key is ASCII without escapes.
type key struct {
	start, end int32
	plain      bool
}

// fewKeys is the number of keys up to which comparing each with each is
// cheaper than a map.
const fewKeys = 16

// keySet holds the keys of one object once it has many or unusual ones. It
// keeps places, not texts: a text would move the whole scanner to the heap.
type keySet map[string]key

// duplicate looks for an earlier key of the same object that is equal to k, or
// that a lenient decoder could take for it.
func (s *Scanner) duplicate(base int, k key, seen *keySet) (twin key, found bool) {
	earlier := s.keys[base:]
	if *seen == nil && k.plain && len(earlier) < fewKeys {
		text := s.data[k.start:k.end]
		for _, other := range earlier {
			if other.end-other.start == k.end-k.start && s.isSameKey(text, s.data[other.start:other.end]) {
				return other, true
			}
		}
		return key{}, false
	}
	if *seen == nil {
		*seen = make(keySet, 2*fewKeys)
		for _, other := range earlier {
			(*seen)[s.folded(other)] = other
		}
	}
	folded := s.folded(k)
	if twin, found = (*seen)[folded]; !found {
		(*seen)[folded] = k
	}
	return twin, found
}

// isSameKey compares two keys of equal length.
func (s *Scanner) isSameKey(a, b []byte) bool {
	if s.Fold == nil {
		return bytes.Equal(a, b)
	}
	return EqualFoldASCII(a, b)
}

func (s *Scanner) folded(k key) string {
	text := s.data[k.start:k.end]
	switch {
	case k.plain && s.Fold == nil:
		return string(text)
	case k.plain:
		return string(bytes.ToLower(text))
	case s.Fold == nil:
		return string(AppendUnquoted(nil, text))
	}
	return s.Fold(AppendUnquoted(nil, text))
}

// EqualFoldASCII compares two texts, upper and lower case letters of ASCII alike.
func EqualFoldASCII[T string | []byte](a []byte, b T) bool {
	if len(a) != len(b) {
		return false
	}
	for i, c := range a {
		if c == b[i] {
			continue
		}
		if c|0x20 != b[i]|0x20 || c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}
