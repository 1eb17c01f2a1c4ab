package proof

import (
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// foreign reports whether most words of a text are in no list: it is in another
// language, where capital letters and negations mean something else.
func (k *knowledge) foreign(text string) bool { return mostlyUnlisted(k.reader.Values(nil, text)) }

func mostlyUnlisted(values []reading.Value) bool {
	listed, unlisted := 0, 0
	for _, v := range values {
		switch {
		case v.Kind != reading.Word || v.Has(reading.Derived):
		case v.Entry != nil:
			listed++
		default:
			unlisted++
		}
	}
	return unlisted > listed
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
