package resolver

// marks are what is kept of titles for ruling them out. A scan reads one kind
// of them after the other, so each lies by itself.
type marks struct {
	pairs   []uint64
	letters []tally  // only in an Index
	sizes   []uint16 // only in an Index: the number of words, and that of the letters in them
}

// add appends the marks of a title.
func (m *marks) add(p *phrase) {
	pairs, letters, size := p.marks()
	m.pairs, m.letters, m.sizes = append(m.pairs, pairs), append(m.letters, letters), append(m.sizes, size)
}

// newMarks makes room for n titles.
func newMarks(n int) marks {
	return marks{make([]uint64, 0, n), make([]tally, 0, n), make([]uint16, 0, n)}
}

// marks returns the marks of a phrase.
func (p *phrase) marks() (pairs uint64, letters tally, size uint16) {
	words, length := 0, 0
	for i := range p.tokens {
		t := &p.tokens[i]
		word := p.text(t)
		pairs |= pairsIn(word)
		letters = letters.plus(tallyWord(word))
		if !t.is(isSymbol) {
			words++
			length += p.letters(t)
		}
	}
	return pairs, letters, uint16(min(words, maxSize)<<8 | min(length, maxSize))
}

// maxSize is the largest number of words, and of letters in them, that a size
// tells; it stands for more as well.
const maxSize = 255
