package resolver

import (
	"unicode"
	"unicode/utf8"
)

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

var asciiClass = func() (table [256]charClass) {
	for i := range utf8.RuneSelf {
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
	case isUnspaced(r):
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

// isUnspaced reports whether r is a letter of a script that does not
// separate words: Han, Kana, Thai, Lao, Burmese, Khmer.
func isUnspaced(r rune) bool {
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
			if isElided(p.words[start:]) {
				return p.end(start, i+1, kind)
			}
			i++
			continue
		case charPoint:
			if next, _ := classify(text[i+1:]); next != charDigit || last != charDigit {
				return p.end(start, i+1, kind)
			}
		case charSuffix:
			if last == charDigit || !isWordEnd(text[i:]) {
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

// isElided reports whether what stands before an apostrophe is a word of its
// own, as in "l'eau" and "qu'il".
func isElided(word []byte) bool {
	switch string(word) {
	case "c", "d", "j", "l", "m", "n", "s", "t", "qu":
		return true
	}
	return false
}

// isWordEnd reports whether a row of "+" and "#" at the beginning of text is
// not followed by a letter or digit.
func isWordEnd(text []byte) bool {
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

// end makes a token of what was added to words since start; next is passed
// through for the caller's convenience.
func (p *phrase) end(start, next int, kind tokenKind) int {
	word, end := p.words[start:], int32(len(p.words))
	t := token{start: int32(start), end: end, narrow: end, broad: end, kind: kind}
	if kind == 0 { // a word of ASCII letters
		t.inflect(word)
		t.knownWord = knownWords[string(word)]
	}
	if !t.is(isSymbol) && t.class&little == 0 {
		t.kind |= isContent
		p.count++
	}
	p.tokens = append(p.tokens, t)
	return next
}

// inflect finds the stems of a word.
func (t *token) inflect(word []byte) {
	s := stemsOf(word)
	t.narrow, t.narrowY = t.start+int32(s.narrow), s.narrowY
	t.broad, t.broadY = t.narrow, t.narrowY
	if s.broad < s.narrow {
		t.broad, t.broadY = t.start+int32(s.broad), s.broadY
	}
}
