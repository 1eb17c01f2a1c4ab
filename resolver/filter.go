package resolver

import "math/bits"

// A filter tells in a few nanoseconds that a title cannot match, from the
// letters that it holds. It only ever errs by letting a title pass.
type filter struct {
	words   []uint64           // pairs of the required words, as far as their stems go
	errors  int                // the most typing errors that any title may have
	least   int                // letters of the required words
	most    int                // letters of all words
	tokens  int                // number of all words
	wide    bool               // one of the words is not ASCII
	longest [2]int             // errors that the two longest words may have
	counted bool               // what follows is filled; see tally
	needs   tally              // letters of the required words
	all     tally              // letters of all words
	lost    [manyWords + 1]int // letters that so many mistyped words may lose
	gained  [manyWords + 1]int // and letters that they may gain
}

// clear empties the filter. What tally fills it clears itself.
func (f *filter) clear() {
	f.words, f.errors, f.least, f.most, f.tokens = f.words[:0], 0, 0, 0, 0
	f.wide, f.counted = false, false
}

// add notes the stem of a required word.
func (f *filter) add(stem []byte) {
	f.words = append(f.words, pairsIn(stem))
}

// allow fills lost and gained.
//
// It mirrors what the typing-error tier forgives: one error more in a word that
// is alone or beside enough intact ones, and but one in each of many mistyped
// words. A longer word of the title may permit more errors than that of the
// reference, but these are letters gained, not lost.
func (f *filter) allow() {
	first, second := f.longest[0], f.longest[1]
	lost, gained := [...]int{0, first + 1, first + second, f.tokens}, [...]int{0, first + 2, first + second + 2, f.tokens}
	if f.tokens-1 >= assured {
		gained[1]++
	}
	switch {
	case f.tokens-2 >= assured:
		lost[2] += 2
		gained[2] += 4
	case len(f.words) == 2:
		lost[2] = 2 // one in each
	}
	lost[2], gained[2] = max(lost[1], lost[2]), max(gained[1], gained[2])
	for i := range lost {
		f.lost[i], f.gained[i] = min(lost[i], f.errors), min(gained[i], f.errors)
	}
}

// typed reports whether a title with these letters may match with typing errors
// in at most n words.
func (q *query) typed(letters tally, n int) bool {
	f := &q.filter
	q.tally()
	n = min(n, manyWords)
	return f.needs.lacking(letters) <= f.lost[n] && letters.lacking(f.all) <= f.gained[n]
}

// tally counts the letters of the words, which only few references need.
func (q *query) tally() {
	f := &q.filter
	if f.counted {
		return
	}
	f.counted, f.needs, f.all = true, 0, 0
	f.allow()
	for i := range q.tokens {
		t := &q.tokens[i]
		letters := tallyWord(q.text(t))
		f.all = f.all.plus(letters)
		if q.must(t) {
			if t.base < t.end {
				letters = tallyWord(q.words[t.start:t.base])
			}
			f.needs = f.needs.plus(letters)
		}
	}
}

// broken counts the required words that a title with these pairs of letters
// does not hold as they stand.
func (f *filter) broken(pairs uint64) int {
	n := uint64(0)
	for _, word := range f.words {
		n += lacks(word, pairs)
	}
	return int(n)
}

// lacks is one if a title lacks pairs of a word, without a branch that the
// processor could not predict.
func lacks(word, pairs uint64) uint64 {
	missing := word &^ pairs
	return (missing | -missing) >> 63
}

// bruised reports whether a title with these pairs of letters may hold all
// required words with one error at most in each, which takes three pairs away if
// it swaps two letters. Letters of several bytes have more.
func (f *filter) bruised(pairs uint64) bool {
	if f.wide {
		return true
	}
	for _, word := range f.words {
		if fourOf(word&^pairs) != 0 {
			return false
		}
	}
	return true
}

// fourOf is zero if a set has less than four members.
func fourOf(set uint64) uint64 {
	set &= set - 1
	set &= set - 1
	return set & (set - 1)
}

// hardest returns the pairs of the longest required word, which rules out the
// most titles.
func (f *filter) hardest() (hardest uint64) {
	for _, word := range f.words {
		if bits.OnesCount64(word) > bits.OnesCount64(hardest) {
			hardest = word
		}
	}
	if f.wide {
		return 0
	}
	return hardest
}

// fits reports whether a title of a size has as many words and letters as one
// with typing errors may have. Another form of a word, which counts as an error,
// changes the number of letters by two.
func (f *filter) fits(size uint16) bool {
	tokens, letters := int(size>>8), int(size&0xff)
	return tokens <= f.tokens && letters <= f.most+2*f.errors &&
		(tokens >= len(f.words) || tokens == maxSize) && (letters >= f.least-2*f.errors || letters == maxSize)
}
