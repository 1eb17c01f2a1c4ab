package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

const maxWord = 64

func startsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// wordFacts is what is known of a word.
type wordFacts struct {
	roles    Role
	traits   trait
	key      uint64 // of its lemma, or its stem
	calendar calendarWord
	numeral  uint8 // the number that it is a word for
}

// unlisted is what is known of a word that the lexicon does not list, but for its
// roles.
func (r *Reader) unlisted(word string) wordFacts {
	known := r.facts.Find(lexicon.Hash(word))
	return wordFacts{key: stemKey(word), numeral: known.numeral, calendar: known.calendar}
}

// stemKey is the key of a word that the lexicon does not list.
func stemKey(word string) uint64 {
	var buffer [maxWord]byte
	small := true
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return lexicon.Hash(word)
		}
		small = small && (c < 'A' || c > 'Z')
	}
	if !small {
		folded := append(buffer[:0], word...)
		for i, c := range folded {
			if c >= 'A' && c <= 'Z' {
				folded[i] = c + 'a' - 'A'
			}
		}
		return lexicon.Hash(stem(string(folded)))
	}
	return lexicon.Hash(stem(word))
}

// stem cuts the endings that an unlisted word most often has.
func stem(word string) string {
	if word == "" || strings.IndexByte("gsde", word[len(word)-1]) < 0 {
		return strings.TrimSuffix(word, "y")
	}
	for _, ending := range [...]string{"ings", "ing", "ies", "ied", "ed", "es", "s", "e"} {
		if kept, found := strings.CutSuffix(word, ending); found && len(kept) >= 3 {
			if ending == "s" && strings.HasSuffix(kept, "s") {
				return word
			}
			if n := len(kept); n > 3 && kept[n-1] == kept[n-2] && ending != "s" && ending != "e" {
				kept = kept[:n-1]
			}
			return strings.TrimSuffix(kept, "y")
		}
	}
	return word
}

// StemKey is the key that a word has as a value.
func (r *Reader) StemKey(word string) uint64 {
	if entry := r.language.Lookup(word); entry != nil {
		return r.words[entry.Number].key
	}
	return stemKey(word)
}
