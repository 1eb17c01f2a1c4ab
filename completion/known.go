package completion

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
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

// newKnownWords lays out the plain forms of a vocabulary. Those that texts are
// full of, short words of grammar, come first: each is then found in the first
// slot that is looked into.
func newKnownWords(v *vocabulary, forms map[string]bool) *knownWords {
	known := &knownWords{words: make([]knownWord, 1, len(forms)+1)}
	var common, rare []knownWord
	for _, form := range slices.SortedFunc(maps.Keys(forms), shorterFirst) {
		if !plainForm(form) {
			continue
		}
		hash := lexicon.Hash(form)
		k := knownWord{spelling: spell(form), hash: hash, entry: v.language.Lookup(form), word: v.find(hash)}
		tokens := v.language.Tokenize(nil, form+". x")
		k.abbreviation = len(tokens) == 2
		k.plain = !k.abbreviation
		if k.word.role != 0 || k.entry != nil && k.entry.Class != 0 {
			common = append(common, k)
		} else {
			rare = append(rare, k)
		}
	}
	for _, k := range slices.Concat(common, rare) {
		known.add(k)
	}
	return known
}

func shorterFirst(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// add puts a word into the first free slot. What does not fit is found by the
// tokenizer.
func (k *knownWords) add(w knownWord) {
	if len(k.words) > len(k.slots)/2 {
		return
	}
	i := w.spelling.slot()
	for k.slots[i] != 0 {
		i++
	}
	k.slots[i] = uint16(len(k.words))
	k.words = append(k.words, w)
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
	return uint16((s.low ^ bits.RotateLeft64(s.high, 31)) * odd >> 48)
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
	low, n := lettersAt(text, 0)
	var high uint64
	if n == 8 {
		high, _ = lettersAt(text, 8)
	}
	return spelling{low, high}
}
