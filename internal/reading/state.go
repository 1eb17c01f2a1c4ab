package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Opposite reports whether two states exclude each other: on and off, locked and unlocked.
func (r *Reader) Opposite(one, other string) bool {
	return denies(one, other) || denies(other, one) || slices.ContainsFunc(r.opposites, func(pair string) bool {
		return len(pair) == len(one)+len("=")+len(other) && (pair == one+"="+other || pair == other+"="+one)
	})
}

// denies reports whether a word is another one with a prefix that denies it.
func denies(word, state string) bool {
	rest, found := strings.CutSuffix(word, state)
	return found && slices.Contains([]string{"un", "in", "dis", "not ", "not_"}, rest)
}

// ContainsFold reports whether a word stands in a text, in any letter case.
func ContainsFold(text []byte, word string) bool {
	for i := 0; word != "" && i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0]|0x20 && jsonspan.EqualFoldASCII(text[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
