package resolver

import "math/bits"

// A mark is what an Index keeps of a title, so that a few instructions tell
// that most titles cannot be meant.
type mark struct {
	pairs   uint64 // neighbouring letters of its words, one bit for each; several share a bit
	words   uint8  // how many; maxSize stands for more as well
	letters uint8  // in all of them
	gone    bool   // the entry was removed or replaced
}

const maxSize = 255

// mark returns the mark of a phrase.
func (p *phrase) mark() (m mark) {
	words, letters := 0, 0
	for i := range p.tokens {
		t := &p.tokens[i]
		m.pairs |= pairsOf(p.text(t))
		if !t.is(isSymbol) {
			words++
			letters += p.letters(t)
		}
	}
	m.words, m.letters = uint8(min(words, maxSize)), uint8(min(letters, maxSize))
	return m
}

func pairsOf(word []byte) (pairs uint64) {
	for i := 1; i < len(word); i++ {
		pairs |= 1 << ((word[i-1]<<3 ^ word[i]) & 63)
	}
	return pairs
}

// A filter is what a reference asks of the mark of a title. It only ever errs
// by letting a title pass.
type filter struct {
	words  []uint64 // pairs of the required words, as far as their stems go
	errors int      // the most typing errors that any title may have
	least  int      // letters of the required words
	most   int      // letters of all words
	tokens int      // number of all words
	wide   bool     // one of the words is not ASCII
}

// broken counts the required words that a title does not hold as they stand.
func (f *filter) broken(pairs uint64) (n int) {
	for _, word := range f.words {
		if word&^pairs != 0 {
			n++
		}
	}
	return n
}

// lost counts the pairs of the required words that a title lacks.
func (f *filter) lost(pairs uint64) (n int) {
	for _, word := range f.words {
		n += bits.OnesCount64(word &^ pairs)
	}
	return n
}

// isNear reports whether a title may match with typing errors. One of them
// takes three pairs away at most, where it swaps two letters; letters of several
// bytes have more pairs. Another form of a word, which counts as an error,
// changes the number of letters by two.
func (f *filter) isNear(m *mark) bool {
	words, letters := int(m.words), int(m.letters)
	return words <= f.tokens && letters <= f.most+2*f.errors &&
		(words >= len(f.words) || words == maxSize) && (letters >= f.least-2*f.errors || letters == maxSize) &&
		(f.wide || f.lost(m.pairs) <= 3*f.errors)
}
