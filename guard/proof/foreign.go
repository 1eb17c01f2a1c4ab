package proof

import (
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// foreign reports whether a text is in a language without a word list, where capital
// letters and negations mean something else.
func (k *knowledge) foreign(text string) bool {
	return k.clauses(text).Foreign()
}

// alike reports whether an item may be about what a text in another language tells.
// No list has its stems, and not every script puts spaces between words, so it is
// enough that they share a piece of a word.
func alike(what, text string) bool {
	text = strings.ToLower(text)
	between := func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }
	for word := range strings.FieldsFuncSeq(strings.ToLower(what), between) {
		for start := range word {
			if piece := pieceOf(word[start:]); piece != "" && strings.Contains(text, piece) {
				return true
			}
		}
	}
	return false
}

// pieceOf is the beginning of a word that says as much as five Latin letters: two
// Chinese characters do. It is empty where the word is shorter.
func pieceOf(word string) string {
	const enough = 5
	for end := range word {
		if reading.Size(word[:end]) >= enough {
			return word[:end]
		}
	}
	if reading.Size(word) < enough {
		return ""
	}
	return word
}
