package resolver

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A phrase is a reference or a title made ready for comparing. It is filled by
// analyse and may be filled again, so that its buffers are reused.
type phrase struct {
	raw    string
	folded []byte // as the folded tier compares it
	plain  []byte // folded, and without accents
	words  []byte // the letters of all tokens, one after the other
	tokens []token
	runes  int    // length of folded, in code points
	ascii  bool   // folded is ASCII
	bag    uint64 // which letters and digits the tokens hold
	sum    uint64 // hash of the content words, in any order
	cuts   uint64 // hash of the first letters of the content words, in any order
	count  int    // number of content words
}

// A token is a word, a number or a symbol of a phrase.
type token struct {
	start, end int32  // in phrase.words
	narrow     int32  // end of the narrow stem
	base       int32  // end of the broad one
	exact      uint64 // hash of the word
	stem       uint64 // hash of its narrow stem
	broad      uint64 // hash of its broad stem
	kind       tokenKind
	knownWord
}

// tokenKind says of what a token consists.
type tokenKind uint8

const (
	hasDigit    tokenKind = 1 << iota
	isSymbol              // an emoji or the like: titles may have more of them
	unsegmented           // a run of a script that writes no spaces
	wide                  // not ASCII
	isContent             // tells titles apart: no little word, no symbol
	isWrapping            // stands around the title in a reference
)

func (t *token) is(kind tokenKind) bool { return t.kind&kind != 0 }

func (p *phrase) text(t *token) []byte { return p.words[t.start:t.end] }

// analyse fills the phrase. Nothing is allocated for ASCII once the buffers
// have grown.
func (p *phrase) analyse(s string) {
	p.raw = s
	p.folded, p.ascii = foldASCII(p.folded[:0], s)
	if p.ascii {
		p.plain = append(p.plain[:0], p.folded...)
		p.runes = len(p.folded)
	} else {
		p.folded = foldUnicode(p.folded[:0], s)
		p.plain = dropAccents(p.plain[:0], p.folded)
		p.runes = utf8.RuneCount(p.folded)
	}
	p.tokenise()
	p.summarise()
}

// summarise marks the content words and computes what filters and indexes need
// to know about all of them. A phrase of nothing but little words consists of
// content words: a title may be "To do".
func (p *phrase) summarise() {
	p.bag, p.sum, p.cuts, p.count = 0, 0, 0, 0
	for i := range p.tokens {
		t := &p.tokens[i]
		if t.kind&isSymbol == 0 && t.class&little == 0 {
			t.kind |= isContent
			p.count++
		}
	}
	all := p.count == 0
	for i := range p.tokens {
		t := &p.tokens[i]
		p.bag |= bagOf(p.text(t))
		if all {
			t.kind |= isContent
			p.count++
		}
		if t.is(isContent) {
			p.sum += t.broad
			p.cuts += hashWord(p.head(t), false)
		}
	}
}

// head returns the first letters of a word, which a cut word must keep.
func (p *phrase) head(t *token) []byte {
	word := p.text(t)
	if !t.is(wide) {
		return word[:min(len(word), cutLetters)]
	}
	end := 0
	for n := 0; n < cutLetters && end < len(word); n++ {
		_, size := utf8.DecodeRune(word[end:])
		end += size
	}
	return word[:end]
}

// bagBits maps a byte to its bit in a bag: one for each letter, whatever its
// case, and each digit; the others share what is left.
var bagBits = func() (table [256]uint64) {
	for i := range table {
		c := asciiFold[i]
		switch {
		case c >= 'a' && c <= 'z':
			table[i] = 1 << (c - 'a')
		case c >= '0' && c <= '9':
			table[i] = 1 << (26 + c - '0')
		case i >= utf8.RuneSelf:
			table[i] = 1 << (36 + i%28)
		}
	}
	return table
}()

// bagOf returns the set of letters and digits in a text.
func bagOf[T []byte | string](text T) (bag uint64) {
	for i := 0; i < len(text); i++ {
		bag |= bagBits[text[i]]
	}
	return bag
}

// equal reports whether two tokens are the same word.
func equal(p *phrase, t *token, q *phrase, u *token) bool {
	return t.exact == u.exact && bytes.Equal(p.text(t), q.text(u))
}

// sameStem reports whether two tokens are forms of one word.
func sameStem(p *phrase, t *token, q *phrase, u *token) bool {
	return t.stem == u.stem && bytes.Equal(p.words[t.start:t.narrow], q.words[u.start:u.narrow])
}

// sameBroadStem reports whether two tokens are forms of one word, "-ing" and
// "-ed" included.
func sameBroadStem(p *phrase, t *token, q *phrase, u *token) bool {
	return t.broad == u.broad && bytes.Equal(p.words[t.start:t.base], q.words[u.start:u.base])
}

// Classes of characters for the tokeniser.
type charClass uint8

const (
	charOther    charClass = iota // separates words
	charLetter                    // letters and marks
	charDigit                     // any number
	charQuote                     // an apostrophe joins "don't"
	charPoint                     // joins digits: 1.5, 10:30
	charSuffix                    // belongs to a word that it ends: C++, C#
	charSymbol                    // a token by itself
	charRun                       // a letter of a script without spaces
	charRegional                  // two make a flag
)

var asciiClass = func() (table [utf8.RuneSelf]charClass) {
	for i := range table {
		switch c := byte(i); {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			table[i] = charLetter
		case c >= '0' && c <= '9':
			table[i] = charDigit
		}
	}
	table['\''] = charQuote
	table['.'], table[','], table[':'] = charPoint, charPoint, charPoint
	table['+'], table['#'] = charSuffix, charSuffix
	// Wildcards are literal: what a reference says with one, a title must hold.
	table['*'], table['%'] = charSymbol, charSymbol
	return table
}()

// classify gives the class of the first character of text and its size.
func classify(text []byte) (charClass, int) {
	if len(text) == 0 {
		return charOther, 0
	}
	if text[0] < utf8.RuneSelf {
		return asciiClass[text[0]], 1
	}
	r, size := utf8.DecodeRune(text)
	switch {
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return charRegional, size
	case writesNoSpaces(r):
		return charRun, size
	case unicode.IsLetter(r), unicode.IsMark(r):
		return charLetter, size
	case unicode.IsNumber(r):
		return charDigit, size
	case unicode.IsSymbol(r):
		return charSymbol, size
	}
	return charOther, size
}

// writesNoSpaces reports whether r is a letter of a script that does not
// separate words: Han, Kana, Thai, Lao, Burmese, Khmer.
func writesNoSpaces(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case r <= 0x0eff, r >= 0x1000 && r <= 0x109f, r >= 0x1780 && r <= 0x17ff,
		r >= 0x3005 && r <= 0x3007, r >= 0x3040 && r <= 0x30ff && r != '・', r >= 0x31f0 && r <= 0x31ff,
		r >= 0x3400 && r <= 0x4dbf, r >= 0x4e00 && r <= 0x9fff, r >= 0xf900 && r <= 0xfaff,
		r >= 0x20000 && r <= 0x3ffff:
		return unicode.IsLetter(r) || unicode.IsMark(r)
	}
	return false
}

// tokenise cuts plain into tokens.
func (p *phrase) tokenise() {
	p.words, p.tokens = p.words[:0], p.tokens[:0]
	text := p.plain
	for i := 0; i < len(text); {
		class, size := classify(text[i:])
		switch class {
		case charLetter, charDigit:
			i = p.word(i)
		case charRun:
			i = p.run(i)
		case charRegional:
			end := i + size
			if next, size := classify(text[end:]); next == charRegional {
				end += size
			}
			p.add(text[i:end], isSymbol|wide)
			i = end
		case charSymbol:
			kind := isSymbol
			if size > 1 {
				kind |= wide
			}
			p.add(text[i:i+size], kind)
			i += size
		default:
			i += size
		}
	}
}

// word adds the word that begins at i and returns where it ends.
func (p *phrase) word(i int) int {
	text, start := p.plain, len(p.words)
	var kind tokenKind
	last := charOther
	for i < len(text) {
		class, size := classify(text[i:])
		switch class {
		case charLetter:
		case charDigit:
			kind |= hasDigit
		case charQuote:
			if next, _ := classify(text[i+1:]); next != charLetter || last != charLetter {
				return p.end(start, i+1, kind)
			}
			if elided(p.words[start:]) {
				return p.end(start, i+1, kind)
			}
			i++
			continue
		case charPoint:
			if next, _ := classify(text[i+1:]); next != charDigit || last != charDigit {
				return p.end(start, i+1, kind)
			}
		case charSuffix:
			if last == charDigit || !endsWord(text[i:]) {
				return p.end(start, i+1, kind)
			}
		default:
			return p.end(start, i, kind)
		}
		if size > 1 {
			kind |= wide
		}
		p.words = append(p.words, text[i:i+size]...)
		last = class
		i += size
	}
	return p.end(start, i, kind)
}

// elided reports whether what stands before an apostrophe is a word of its
// own, as in "l'eau" and "qu'il".
func elided(word []byte) bool {
	switch string(word) {
	case "c", "d", "j", "l", "m", "n", "s", "t", "qu":
		return true
	}
	return false
}

// endsWord reports whether a row of "+" and "#" at the beginning of text is
// not followed by a letter or digit.
func endsWord(text []byte) bool {
	for {
		class, size := classify(text)
		if class != charSuffix {
			return class != charLetter && class != charDigit && class != charRun
		}
		text = text[size:]
	}
}

// run adds the run of an unsegmented script that begins at i.
func (p *phrase) run(i int) int {
	start := len(p.words)
	for i < len(p.plain) {
		class, size := classify(p.plain[i:])
		if class != charRun {
			break
		}
		p.words = append(p.words, p.plain[i:i+size]...)
		i += size
	}
	return p.end(start, i, unsegmented|wide)
}

func (p *phrase) add(word []byte, kind tokenKind) {
	start := len(p.words)
	p.words = append(p.words, word...)
	p.end(start, 0, kind)
}

// end makes a token of what was appended to words since start; next is passed
// through for the caller's convenience.
func (p *phrase) end(start, next int, kind tokenKind) int {
	word := p.words[start:]
	t := token{start: int32(start), end: int32(len(p.words)), kind: kind, exact: hashWord(word, false)}
	t.narrow, t.base, t.stem, t.broad = t.end, t.end, t.exact, t.exact
	if kind == 0 {
		s := stemsOf(word)
		if s.narrow < len(word) {
			t.narrow, t.stem = t.start+int32(s.narrow), hashWord(word[:s.narrow], s.narrowY)
			t.base, t.broad = t.narrow, t.stem
		}
		if s.broad < s.narrow {
			t.base, t.broad = t.start+int32(s.broad), hashWord(word[:s.broad], s.broadY)
		}
		t.knownWord = knownWords[t.exact]
	}
	p.tokens = append(p.tokens, t)
	return next
}
