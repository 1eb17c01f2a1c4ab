package resolver

import (
	"math"
	"math/bits"
)

// A filter tells in a few nanoseconds that a title cannot match, from the
// letters that it holds. It only ever errs by letting a title pass.
type filter struct {
	needs   uint64 // letters that every title has that matches without typing errors
	pairs   uint64 // neighbouring letters that it has
	errors  int    // the most typing errors that any title may have
	words   []damage
	least   int                // letters of the required words
	most    int                // letters of all words
	tokens  int                // number of all words
	all     []byte             // the whole reference
	letters uint64             // its letters; see count
	supply  [letterKinds]int16 // how often it holds each letter; see count
	counted bool
}

// damage is how many letters of a required word a title may lack.
type damage struct {
	bag   uint64
	pairs uint64
	most  int
}

func (f *filter) clear() {
	f.needs, f.pairs, f.errors, f.words = 0, 0, 0, f.words[:0]
	f.least, f.most, f.tokens, f.all, f.counted = 0, 0, 0, nil, false
}

// add notes a required word. Each typing error in it takes at most one of its
// letters away. Words of many letters come first: they rule out the most.
func (f *filter) add(word []byte, most int) {
	bag, pairs := lettersOf(word)
	f.needs |= bag
	f.pairs |= pairs
	f.words = append(f.words, damage{})
	letters, i := bits.OnesCount64(bag), len(f.words)-1
	for ; i > 0 && letters > bits.OnesCount64(f.words[i-1].bag); i-- {
		f.words[i] = f.words[i-1]
	}
	w := &f.words[i]
	w.bag, w.pairs, w.most = bag, pairs, most
}

// certain reports whether a title with these letters may match without typing
// errors.
func (f *filter) certain(bag uint64) bool { return f.needs&^bag == 0 }

// sieve returns up to four words, of which a title must hold all but n as they
// stand to match with typing errors in at most n words.
func (f *filter) sieve(n int) (words [4]damage) {
	if n == 0 || len(f.words) == 0 {
		words[0] = damage{bag: f.needs, pairs: f.pairs}
		return words
	}
	copy(words[:], f.words)
	return words
}

// typed reports whether a title with these letters may match with typing
// errors in at most n words. It mirrors what the typing-error tier forgives
// word by word: one more letter may be lost in a word if it is the only one,
// or if enough others are intact, and but one if none is.
func (f *filter) typed(bag uint64, n int) bool {
	if n >= manyWords {
		return f.typedMany(bag)
	}
	lost, damaged, worst, weak := 0, 0, 0, false
	for i := range f.words {
		w := &f.words[i]
		missing := bits.OnesCount64(w.bag &^ bag)
		if missing == 0 {
			continue
		}
		damaged++
		if missing > w.most+1 || damaged > n {
			return false
		}
		weak = weak || missing > w.most
		worst = max(worst, missing)
		lost += missing
	}
	if damaged > 1 && damaged == len(f.words) {
		return worst <= 1 && lost <= f.errors
	}
	return lost <= f.errors && (!weak || damaged == 1 || len(f.words)-damaged >= assured)
}

// typedMany is typed for many mistyped words, where titles with fewer of them
// are out of the question: no word may have lost more than a letter.
func (f *filter) typedMany(bag uint64) bool {
	lost := 0
	for i := range f.words {
		missing := bits.OnesCount64(f.words[i].bag &^ bag)
		if missing > 1 {
			return false
		}
		lost += missing
	}
	return lost <= f.errors
}

// lostTwice reports whether a title lacks letters of both required words, and of
// one of them more than a single error takes. It says in no time what typed
// says in little.
func (f *filter) lostTwice(bag uint64) bool {
	if len(f.words) != 2 {
		return false
	}
	a, b := f.words[0].bag&^bag, f.words[1].bag&^bag
	return a != 0 && b != 0 && (a&(a-1) != 0 || b&(b-1) != 0)
}

// broken counts the required words that a title with these pairs of letters
// does not hold as they stand.
func (f *filter) broken(pairs uint64) (n int) {
	for i := range f.words {
		if f.words[i].pairs&^pairs != 0 {
			n++
		}
	}
	return n
}

// limit is the number of errors in a title of at most n mistyped words, of
// which so many are known to be broken.
func (f *filter) limit(n, broken int) int {
	switch {
	case n == 2 && broken == 2 && len(f.words) == 2:
		return min(2, f.errors)
	case broken >= manyWords:
		return min(f.tokens, f.errors) // one in each
	}
	return f.errors
}

// foreigner reports whether a title has more letters that the reference lacks
// altogether than typing errors can add.
func (f *filter) foreigner(bag uint64) bool {
	f.count()
	return bits.OnesCount64(bag&^f.letters&(asciiBag&^freeLetters)) > f.errors
}

// fits reports whether a title of a size has as many words and letters as one
// with so many typing errors may have. An error changes the number of letters
// by one; another form of a word, which counts as an error, by two.
func (f *filter) fits(size uint16, errors int) bool {
	tokens, letters := int(size>>8), int(size&0xff)
	return tokens <= f.tokens && letters <= f.most+2*errors &&
		(tokens >= len(f.words) || tokens == maxSize) && (letters >= f.least-2*errors || letters == maxSize)
}

// Kinds of letters that are counted: ASCII letters, digits, all others.
const (
	letterKinds = 26 + 10 + 1
	otherLetter = letterKinds - 1
	// countable bounds the titles whose letters are counted, so that no
	// counter overflows.
	countable = math.MaxInt16
)

// freeLetters come and go with the forms of a word, and are not counted.
const freeLetters = 1<<('e'-'a') | 1<<('i'-'a') | 1<<('s'-'a') | 1<<('y'-'a')

var letterKind = func() (table [256]uint8) {
	for i := range table {
		bit := bagBits[i]
		table[i] = otherLetter
		if bit&(asciiBag&^freeLetters) != 0 {
			table[i] = uint8(bits.TrailingZeros64(bit))
		}
	}
	return table
}()

// count fills supply and letters, which only references with several errors need.
func (f *filter) count() {
	if f.counted {
		return
	}
	f.counted, f.letters = true, bagOfWords(f.all)
	f.supply = [letterKinds]int16{otherLetter: countable}
	for _, c := range f.all[:min(len(f.all), countable)] {
		if kind := letterKind[c]; kind != otherLetter {
			f.supply[kind]++
		}
	}
}

// exceeds reports whether a title has more letters that the reference lacks
// than so many typing errors can add.
func (f *filter) exceeds(title string, errors int) bool {
	if len(title) >= countable || len(f.all) >= countable {
		return false
	}
	f.count()
	supply, over := f.supply, 0
	for i := 0; i < len(title); i++ {
		kind := letterKind[title[i]]
		supply[kind]--
		if supply[kind] < 0 {
			if over++; over > errors {
				return true
			}
		}
	}
	return false
}
