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
}

// spelling is a word of less than maxKnown ASCII letters.
type spelling struct{ low, high uint64 }

// unknownWord stands for a form that nobody listed.
var unknownWord = &knownWord{word: noWord}

// knownWords finds plain words by their letters: one probe, no hash of bytes
// one by one, no word taken for another.
type knownWords struct {
	slots []uint32 // places in words; 0 is an empty slot
	words []knownWord
	shift int
}

// newKnownWords lays out the plain forms of a vocabulary.
func newKnownWords(v *vocabulary, forms map[string]bool) *knownWords {
	size := 1
	for size < 4*len(forms) {
		size *= 2
	}
	known := &knownWords{slots: make([]uint32, size), words: make([]knownWord, 1, len(forms)+1), shift: 64 - bits.TrailingZeros(uint(size))}
	for form := range forms {
		if !plainForm(form) {
			continue
		}
		hash := lexicon.Hash(form)
		letters := spell(form)
		k := knownWord{spelling: letters, hash: hash, entry: v.language.Lookup(form), word: v.find(hash)}
		tokens := v.language.Tokenize(nil, form+". x")
		k.abbreviation = len(tokens) == 2
		known.words = append(known.words, k)
		i := known.slot(letters)
		for known.slots[i] != 0 {
			i = (i + 1) & (size - 1)
		}
		known.slots[i] = uint32(len(known.words) - 1)
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

func (k *knownWords) slot(s spelling) int {
	const odd = 0x9E3779B97F4A7C15
	h := (s.low ^ bits.RotateLeft64(s.high*odd, 31)) * odd
	return int(h >> (k.shift & 63))
}

// find is the word of a spelling; the first of all, which is empty, if there is
// none.
func (k *knownWords) find(s spelling) *knownWord {
	for i := k.slot(s); ; i = (i + 1) & (len(k.slots) - 1) {
		at := k.slots[i&(len(k.slots)-1)]
		if known := &k.words[at]; at == 0 || known.spelling == s {
			return known
		}
	}
}

// folded is a spelling of n letters in lower case.
func (s spelling) folded(n uint) spelling {
	s.low |= allSmall >> (64 - 8*min(n, 8))
	if n > 8 {
		s.high |= allSmall >> (128 - 8*n)
	}
	return s
}

// spell is the spelling of a plain form.
func spell(form string) spelling {
	text := append([]byte(form), make([]byte, 2*8)...)
	low, n := lettersAt(text, 0)
	var high uint64
	if n == 8 {
		high, _ = lettersAt(text, 8)
	}
	return spelling{low, high}.folded(uint(len(form)))
}
