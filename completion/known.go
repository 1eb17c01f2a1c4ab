package completion

import (
	"math/bits"

	"github.com/bonafide-go/bonafide/intent/lexicon"
)

// maxKnown is the number of letters from which on a word is left to the
// tokenizer.
const maxKnown = 16

// knownWord is all that is known of a plain written form: what the lexicon
// says, what part it plays in a report, and its hash.
type knownWord struct {
	spelling     spelling
	hash         uint64
	entry        *lexicon.Entry
	word         *word
	abbreviation bool // a dot behind it does not end the sentence
	plain        bool // known, and no abbreviation
}

// spelling is a word of less than maxKnown ASCII letters.
type spelling struct{ low, high uint64 }

// unknownWord stands for a form that nobody listed.
var unknownWord = &knownWord{word: noWord}

// knownWords finds plain words by their letters: one probe, no hash of bytes
// one by one, no word taken for another.
type knownWords struct {
	slots [1 << 16]uint16 // places in words; 0 is an empty slot
	words []knownWord
}

// newKnownWords lays out the plain forms of a vocabulary.
func newKnownWords(v *vocabulary, forms map[string]bool) *knownWords {
	known := &knownWords{words: make([]knownWord, 1, len(forms)+1)}
	for form := range forms {
		if !plainForm(form) || len(known.words) > len(known.slots)/2 { // what does not fit is found by the tokenizer
			continue
		}
		hash := lexicon.Hash(form)
		letters := spell(form)
		k := knownWord{spelling: letters, hash: hash, entry: v.language.Lookup(form), word: v.find(hash)}
		tokens := v.language.Tokenize(nil, form+". x")
		k.abbreviation = len(tokens) == 2
		k.plain = !k.abbreviation
		known.words = append(known.words, k)
		i := letters.slot()
		for known.slots[i] != 0 {
			i++
		}
		known.slots[i] = uint16(len(known.words) - 1)
	}
	return known
}

func plainForm(form string) bool {
	if form == "" || len(form) >= maxKnown {
		return false
	}
	for i := range len(form) {
		if form[i] < 'a' || form[i] > 'z' {
			return false
		}
	}
	return true
}

func (s spelling) slot() uint16 {
	const odd = 0x9E3779B97F4A7C15
	return uint16((s.low ^ bits.RotateLeft64(s.high*odd, 31)) * odd >> 48)
}

// find is the word of a spelling; the first of all, which is empty, if there is
// none.
func (k *knownWords) find(s spelling) *knownWord {
	for i := s.slot(); ; i++ {
		at := k.slots[i]
		if known := &k.words[at]; known.spelling == s || at == 0 {
			return known
		}
	}
}

// spell is the spelling of a plain form.
func spell(form string) spelling {
	text := append([]byte(form), make([]byte, 2*8)...)
	low, _, n := lettersAt(text, 0)
	var high uint64
	if n == 8 {
		high, _, _ = lettersAt(text, 8)
	}
	return spelling{low, high}
}
