package lexicon

// slips finds listed words by what is left of them when one letter is dropped,
// so that a slip of the fingers is found without trying every letter.
type slips struct {
	keys    []uint64
	entries []uint32 // numbers of entries + 1; open addressing, a power of two
}

// shortestSlip is the length from which on a word is taken for a misspelt one:
// most short words are one letter away from another.
const shortestSlip = 4

func newSlips(entries []Entry) slips {
	n := 0
	for i := range entries {
		n += len(entries[i].Word) + 1
	}
	size := 16
	for size < 2*n {
		size *= 2
	}
	s := slips{make([]uint64, size), make([]uint32, size)}
	for i := range entries {
		word := entries[i].Word
		if len(word) < shortestSlip || !isASCII(word) || entries[i].Form == 0 && entries[i].Class == 0 {
			continue
		}
		slipKeys(word, func(key uint64) bool {
			s.put(key, uint32(i+1))
			return true
		})
	}
	return s
}

// put keeps the first entry of a key.
func (s *slips) put(key uint64, number uint32) {
	mask := uint64(len(s.keys) - 1)
	i := key >> 20 & mask
	for ; s.entries[i] != 0; i = (i + 1) & mask {
		if s.keys[i] == key {
			return
		}
	}
	s.keys[i], s.entries[i] = key, number
}

func (s *slips) find(key uint64) uint32 {
	mask := uint64(len(s.keys) - 1)
	for i := key >> 20 & mask; s.entries[i] != 0; i = (i + 1) & mask {
		if s.keys[i] == key {
			return s.entries[i]
		}
	}
	return 0
}

// A word's hash is a polynomial of its letters, so that the hash of a word
// without one of them takes a few steps.
const (
	slipBase    = 0x9E3779B97F4A7C15
	slipInverse = 0xF1DE83E19937733D // slipBase × slipInverse = 1
)

func mix(hash uint64) uint64 { return (hash^hash>>29)*0xBF58476D1CE4E5B9 | 1 }

// slipKeys calls visit with the keys of a word: as it is, and without each of its
// letters but the first. It stops when visit returns false.
func slipKeys(word string, visit func(key uint64) bool) {
	var whole uint64
	power := uint64(1)
	for i := range len(word) {
		whole += uint64(word[i]) * power
		power *= slipBase
	}
	if !visit(mix(whole)) {
		return
	}
	before := uint64(word[0])
	power = slipBase
	for i := 1; i < len(word); i++ {
		letter := uint64(word[i]) * power
		if !visit(mix(before + (whole-before-letter)*slipInverse)) {
			return
		}
		before += letter
		power *= slipBase
	}
}

// Nearest finds the listed word that an unlisted one in lower case is most
// likely a misspelling of: one letter too many, too few, another, or two
// swapped, but never the first. It is nil if there is none.
func (l *Language) Nearest(word string) *Entry {
	if len(word) < shortestSlip || len(word) > maxSlip || len(l.slips.keys) == 0 {
		return nil
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return nil
		}
	}
	var found *Entry
	slipKeys(word, func(key uint64) bool {
		if at := l.slips.find(key); at != 0 && oneSlip(word, l.entries[at-1].Word) {
			found = &l.entries[at-1]
		}
		return found == nil
	})
	return found
}

const maxSlip = 24

// oneSlip reports whether one letter too many, too few, another, or two swapped
// make one word of the other.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) == 0 || a[0] != b[0] {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]:
		return true
	default:
		return i < len(a) && a[i+1:] == b[i+1:]
	}
}
