package lexicon

import (
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/hashtable"
)

// Words from shortestSlip to longestSlip letters are taken for misspelt ones.
// Most shorter words are one letter away from another.
const shortestSlip, longestSlip = 4, 24

// slips are the numbers of entries + 1, by how they may be misspelt. They are listed when a
// word is met that may be one: that takes longer than to read the language.
type slips struct {
	once   sync.Once
	listed hashtable.Table[int32]
}

// listSlips lists the entries by what is left of their words when one letter is dropped, so that a
// slip of the fingers is found without trying every letter. Of two words with the same rest the
// first in the alphabet counts, wherever they are listed.
func (l *Language) listSlips() {
	l.slips.listed = hashtable.New[int32](6 * len(l.entries)) // many share a key
	byWord := func(a, b *Entry) int { return strings.Compare(a.Word, b.Word) }
	for _, entry := range slices.SortedFunc(slices.Values(l.entries), byWord) {
		if len(entry.Word) < shortestSlip || entry.Form == 0 && entry.Class == 0 {
			continue
		}
		for dropped := range len(entry.Word) {
			l.slips.listed.Put(slipKey(entry.Word, dropped), entry.Number+1)
		}
	}
}

// slipKey is the key of a word without one of its letters. The first letter is
// never dropped: 0 is the key of the whole word.
func slipKey(word string, dropped int) uint64 {
	if dropped == 0 {
		return Hash(word)
	}
	return HashMore(Hash(word[:dropped]), word[dropped+1:])
}

// Nearest finds the listed word that an unlisted one in lower case is most
// likely a misspelling of: one letter too many, too few, another, or two
// swapped, but never the first. It is nil if there is none.
func (l *Language) Nearest(word string) *Entry {
	if len(word) < shortestSlip || len(word) > longestSlip {
		return nil
	}
	for i := range len(word) {
		if ascii[word[i]]&smallLetter == 0 {
			return nil
		}
	}
	l.slips.once.Do(l.listSlips)
	for dropped := range len(word) {
		if near := l.slips.listed.Find(slipKey(word, dropped)); near != 0 && isOneSlip(word, l.entries[near-1].Word) {
			return l.entries[near-1]
		}
	}
	return nil
}

// isOneSlip reports whether one letter too many, too few, another, or two swapped make one word of
// the other. Both have a key in common, so their lengths differ by one at most.
func isOneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
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
