package policy

import (
	"bytes"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
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

// keySet holds the folded keys of one object once it has many or unusual ones.
// It keeps places, not texts: a text would move the whole scanner to the heap.
type keySet map[string]key

// duplicate looks for an earlier key of the same object that a decoder could
// take for k: equal, or equal but for case or Unicode folding, as
// encoding/json matches struct fields.
func (s *scanner) duplicate(base int, k key, seen *keySet) (twin key, found bool) {
	earlier := s.keys[base:]
	if *seen == nil && k.plain && len(earlier) < fewKeys {
		text := s.data[k.start:k.end]
		for _, other := range earlier {
			if other.end-other.start == k.end-k.start && equalFoldASCII(text, s.data[other.start:other.end]) {
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

func (s *scanner) folded(k key) string {
	text := s.data[k.start:k.end]
	if k.plain {
		return string(bytes.ToLower(text))
	}
	return foldKey(appendUnescaped(nil, text))
}

// foldKey maps a key to the form under which lenient decoders may confuse it:
// NFKC, full case folding, and no invisible characters.
func foldKey(text []byte) string {
	if isASCII(text) {
		return string(bytes.ToLower(text))
	}
	visible := bytes.Map(func(r rune) rune {
		if invisible(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	return string(norm.NFKC.Bytes(cases.Fold().Bytes(norm.NFKC.Bytes(visible))))
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// equalFoldASCII compares two texts of equal length.
func equalFoldASCII[T string | []byte](a []byte, b T) bool {
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
