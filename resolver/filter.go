package resolver

import (
	"math"
	"math/bits"
)

// A filter tells in a few nanoseconds that a title cannot match, from the
// letters that it holds. It only ever errs by letting a title pass.
type filter struct {
	needs  uint64 // letters that every title has that matches without typing errors
	pairs  uint64 // neighbouring letters that it has
	errors int    // the most typing errors that any title may have
	words  []damage
	all    []byte             // the whole reference
	supply [letterKinds]int16 // how often it holds each letter; see count
}

// damage is how many letters of a required word a title may lack.
type damage struct {
	bag   uint64
	pairs uint64 // of letters; see pairsOf
	most  int
}

func (f *filter) clear() {
	f.needs, f.pairs, f.errors, f.words, f.all = 0, 0, 0, f.words[:0], nil
}

// add notes a required word. Each typing error in it takes at most one of its
// letters away. Words of many letters come first: they rule out the most.
func (f *filter) add(word []byte, most int) {
	d := damage{bag: bagOfWords(word), most: most}
	for i := 1; i < len(word); i++ {
		d.pairs |= pairBit(word[i-1], word[i])
	}
	f.needs |= d.bag
	f.pairs |= d.pairs
	f.words = append(f.words, d)
	for i := len(f.words) - 1; i > 0 && bits.OnesCount64(d.bag) > bits.OnesCount64(f.words[i-1].bag); i-- {
		f.words[i], f.words[i-1] = f.words[i-1], f.words[i]
	}
}

// pairBit is the bit of two neighbouring letters.
func pairBit(a, b byte) uint64 { return 1 << ((a*7 + b) & 63) }

// pairsOf returns the set of neighbouring letters in an ASCII title. It tells
// far better than a bag whether a title holds a word, and costs more.
func pairsOf(title string) (pairs uint64) {
	last := byte(0)
	for ; len(title) >= 4; title = title[4:] {
		t := title[:4]
		a, b, c, d := asciiFold[t[0]], asciiFold[t[1]], asciiFold[t[2]], asciiFold[t[3]]
		pairs |= pairBit(last, a) | pairBit(a, b) | pairBit(b, c) | pairBit(c, d)
		last = d
	}
	for i := 0; i < len(title); i++ {
		c := asciiFold[title[i]]
		pairs |= pairBit(last, c)
		last = c
	}
	return pairs
}

// intact reports whether an ASCII title may hold all required words but n as
// they stand. It cannot tell if words have to be joined first.
func (f *filter) intact(title string, bag uint64, n int) bool {
	if bag&joined != 0 {
		return true
	}
	pairs, damaged := pairsOf(title), 0
	if f.pairs&^pairs == 0 {
		return true
	}
	for i := range f.words {
		if f.words[i].pairs&^pairs != 0 {
			damaged++
		}
	}
	return damaged <= n
}

// freeLetters come and go with the forms of a word.
const freeLetters = 1<<('e'-'a') | 1<<('i'-'a') | 1<<('s'-'a') | 1<<('y'-'a')

// certain reports whether a title with these letters may match without typing
// errors.
func (f *filter) certain(bag uint64) bool { return f.needs&^bag == 0 }

// anchors returns three sets of letters, one of which a title must hold
// entirely to match with typing errors in at most n words: of any n+1 words one
// is intact.
func (f *filter) anchors(n int) (a, b, c uint64) {
	switch {
	case n == 0 || len(f.words) == 0:
		return f.needs, f.needs, f.needs
	case n >= len(f.words) || n > 2:
		return 0, 0, 0
	case n == 1:
		return f.words[0].bag, f.words[1].bag, f.words[1].bag
	}
	return f.words[0].bag, f.words[1].bag, f.words[2].bag
}

// typed reports whether a title with these letters may match with typing
// errors in at most n words. It mirrors what the typing-error tier forgives
// word by word: one more letter may be lost in a word if it is the only one,
// or if enough others are intact.
func (f *filter) typed(bag uint64, n int) bool {
	lost, damaged, weak := 0, 0, false
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
		lost += missing
	}
	return lost <= f.errors && (!weak || damaged == 1 || len(f.words)-damaged >= assured)
}

// Kinds of letters that are counted: ASCII letters, digits, all others.
const (
	letterKinds = 26 + 10 + 1
	otherLetter = letterKinds - 1
	// countable bounds the titles whose letters are counted, so that no
	// counter overflows.
	countable = math.MaxInt16
)

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

// count fills the supply. It is left to those who look at many titles.
func (f *filter) count() {
	f.supply = [letterKinds]int16{otherLetter: countable}
	for _, c := range f.all[:min(len(f.all), countable)] {
		if kind := letterKind[c]; kind != otherLetter {
			f.supply[kind]++
		}
	}
}

// exceeds reports whether a title has more letters that the reference lacks
// than typing errors can add.
func (f *filter) exceeds(title string) bool {
	if len(title) >= countable || len(f.all) >= countable {
		return false
	}
	supply, over := f.supply, 0
	for i := 0; i < len(title); i++ {
		kind := letterKind[title[i]]
		supply[kind]--
		if supply[kind] < 0 {
			if over++; over > f.errors {
				return true
			}
		}
	}
	return false
}
