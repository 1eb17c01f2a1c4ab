package resolver

import "unicode/utf8"

// A bag is the set of letters and digits of a text: one bit for each ASCII
// letter and digit, the others share what is left. Bags decide in a few
// instructions that most titles are not worth a closer look.
const (
	asciiBag   = 1<<36 - 1
	sharedAt   = 36 // the first of the shared bits
	sharedBits = 26
	// foreign marks in bagBits a byte that is not ASCII, joined one that words
	// are put together without.
	foreign = 1 << 63
	joined  = 1 << 62
)

var bagBits = func() (table [256]uint64) {
	for i := range table {
		c := asciiFold[i]
		switch {
		case c >= 'a' && c <= 'z':
			table[i] = 1 << (c - 'a')
		case c >= '0' && c <= '9':
			table[i] = 1 << (26 + c - '0')
		case c == foldOther:
			table[i] = foreign
		case c == '\'' || c == foldDrop:
			table[i] = joined
		}
	}
	return table
}()

// bagOfASCII returns the bag of a raw text; foreign is set in it if the text
// is not ASCII, and the rest means nothing then.
func bagOfASCII(text string) (bag uint64) {
	if len(text) < 8 {
		for i := 0; i < len(text); i++ {
			bag |= bagBits[text[i]]
		}
		return bag
	}
	end := text[len(text)-8:] // may overlap: a set does not mind
	for ; len(text) > 8; text = text[8:] {
		bag |= bagOfEight(text[:8])
	}
	return bag | bagOfEight(end)
}

func bagOfEight(t string) uint64 {
	_ = t[7]
	return bagBits[t[0]] | bagBits[t[1]] | bagBits[t[2]] | bagBits[t[3]] |
		bagBits[t[4]] | bagBits[t[5]] | bagBits[t[6]] | bagBits[t[7]]
}

// bagOfWords returns the bag of folded words.
func bagOfWords(words []byte) (bag uint64) {
	for i := 0; i < len(words); {
		if words[i] < utf8.RuneSelf {
			bag |= bagBits[words[i]] &^ joined
			i++
			continue
		}
		r, size := utf8.DecodeRune(words[i:])
		bag |= 1 << (sharedAt + uint64(r)*mixA>>32%sharedBits)
		i += size
	}
	return bag
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

// lettersOf returns bag and pairs of a folded word at once.
func lettersOf(word []byte) (bag, pairs uint64) {
	last := byte(0)
	for i, c := range word {
		if c >= utf8.RuneSelf {
			return bagOfWords(word), pairsIn(word)
		}
		bag |= bagBits[c]
		if i > 0 {
			pairs |= pairBit(last, c)
		}
		last = c
	}
	return bag &^ joined, pairs
}

// A mark is what an Index keeps of a title for ruling it out.
type mark struct {
	bag   uint64
	pairs uint64
	size  uint16 // the number of words, and that of the letters in them
}

// mark returns the mark of a phrase.
func (p *phrase) mark() (m mark) {
	tokens, letters := 0, 0
	m.bag = bagOfWords(p.words)
	for i := range p.tokens {
		t := &p.tokens[i]
		word := p.text(t)
		m.pairs |= pairsIn(word)
		if !t.is(isSymbol) {
			tokens++
			letters += len(word)
		}
	}
	m.size = uint16(min(tokens, maxSize)<<8 | min(letters, maxSize))
	return m
}

// maxSize is the largest number of words, and of letters in them, that a size
// tells; it stands for more as well.
const maxSize = 255

// pairsIn returns the neighbouring letters of a folded word.
func pairsIn(word []byte) (pairs uint64) {
	for i := 1; i < len(word); i++ {
		pairs |= pairBit(word[i-1], word[i])
	}
	return pairs
}
