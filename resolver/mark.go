package resolver

// A mark is what an Index keeps of a title for ruling it out.
type mark struct {
	letters tally
	pairs   uint64
	size    uint16 // the number of words, and that of the letters in them
}

// mark returns the mark of a phrase.
func (p *phrase) mark() (m mark) {
	tokens, letters := 0, 0
	for i := range p.tokens {
		t := &p.tokens[i]
		word := p.text(t)
		m.letters, m.pairs = m.letters.plus(tallyWord(word)), m.pairs|pairsIn(word)
		if !t.is(isSymbol) {
			tokens++
			letters += p.letters(t)
		}
	}
	m.size = uint16(min(tokens, maxSize)<<8 | min(letters, maxSize))
	return m
}

// maxSize is the largest number of words, and of letters in them, that a size
// tells; it stands for more as well.
const maxSize = 255
