package resolver

import (
	"encoding/binary"
	"math/bits"
	"slices"
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

// splitPlain cuts plain into tokens if it consists of ordinary words, and
// reports whether it does.
func (p *phrase) splitPlain() bool {
	for i, ok := 0, true; i < len(p.plain); i++ {
		if i, ok = p.plainWord(p.plain, i); !ok {
			return false
		}
	}
	return true
}

// plainWord adds the word of letters that begins at i and ends before a space.
// It reads the word once, sixteen letters at a time, and gives up on longer ones.
func (p *phrase) plainWord(text []byte, i int) (end int, ok bool) {
	if cap(text)-i < 16 {
		return i, false
	}
	t := text[i : i+16 : cap(text)]
	first, second := binary.LittleEndian.Uint64(t), binary.LittleEndian.Uint64(t[8:])
	n := min(lettersAmongSixteen(first, second), len(text)-i)
	end = i + n
	if n == 0 || n == 16 || end < len(text) && text[end] != ' ' {
		return i, false
	}
	p.put(text[i:end], i, 0, hashSixteen(first, second, n))
	return end, true
}

// split cuts plain into tokens if it is ASCII without apostrophes: then words
// lie in one piece.
func (p *phrase) split() {
	text := p.plain
	for i := 0; i < len(text); {
		start := i
		switch asciiClass[text[i]] {
		case charLetter, charDigit:
			var kind tokenKind
			i, kind = asciiWord(text, start)
			p.token(text, start, i, kind)
		case charSymbol:
			i++
			p.token(text, start, i, isSymbol)
		default:
			i++
		}
	}
}

// asciiWord finds the end of the word that begins at i.
func asciiWord(text []byte, i int) (end int, kind tokenKind) {
	last := charOther
	for ; i < len(text); i++ {
		class := asciiClass[text[i]]
		switch class {
		case charLetter:
		case charDigit:
			kind |= hasDigit
		case charPoint:
			if last != charDigit || i+1 == len(text) || asciiClass[text[i+1]] != charDigit {
				return i, kind
			}
		case charSuffix:
			if last == charDigit || !endsWord(text[i:]) {
				return i, kind
			}
		default:
			return i, kind
		}
		last = class
	}
	return i, kind
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
	text, start := p.plain, len(p.packed)
	var kind tokenKind
	last := charOther
	for i < len(text) {
		if n := asciiRun(text[i:]); n > 0 {
			p.packed = append(p.packed, text[i:i+n]...)
			last = charLetter
			i += n
			continue
		}
		class, size := classify(text[i:])
		switch class {
		case charLetter:
		case charDigit:
			kind |= hasDigit
		case charQuote:
			if next, _ := classify(text[i+1:]); next != charLetter || last != charLetter {
				return p.end(start, i+1, kind)
			}
			if elided(p.packed[start:]) {
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
		p.packed = append(p.packed, text[i:i+size]...)
		last = class
		i += size
	}
	return p.end(start, i, kind)
}

// asciiRun counts the ASCII letters that a folded text begins with. Most words
// end within sixteen letters, which takes no branch to find.
func asciiRun(text []byte) int {
	n := 0
	for cap(text)-n >= 16 && n < len(text) {
		t := text[n : n+16 : cap(text)]
		letters := lettersAmongSixteen(binary.LittleEndian.Uint64(t), binary.LittleEndian.Uint64(t[8:]))
		n += letters
		if letters < 16 {
			return min(n, len(text))
		}
	}
	for n < len(text) && text[n]-'a' <= 'z'-'a' {
		n++
	}
	return min(n, len(text))
}

// lettersAmongSixteen counts the letters that sixteen bytes begin with.
func lettersAmongSixteen(first, second uint64) int {
	n := lettersAmong(first)
	return n + lettersAmong(second)&-(n>>3)
}

// lettersAmong counts the letters that eight bytes begin with.
func lettersAmong(x uint64) int {
	// The top bit of a byte is set in others if it is no letter.
	others := (x | (x+(0x7f-'z')*byteOnes)&^x | ^(x&^byteTops + (0x80-'a')*byteOnes)) & byteTops
	return bits.TrailingZeros64(others) / 8
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
	start := len(p.packed)
	for i < len(p.plain) {
		class, size := classify(p.plain[i:])
		if class != charRun {
			break
		}
		p.packed = append(p.packed, p.plain[i:i+size]...)
		i += size
	}
	return p.end(start, i, unsegmented|wide)
}

func (p *phrase) add(word []byte, kind tokenKind) {
	start := len(p.packed)
	p.packed = append(p.packed, word...)
	p.end(start, 0, kind)
}

// end makes a token of what was packed since start; next is passed through for
// the caller's convenience.
func (p *phrase) end(start, next int, kind tokenKind) int {
	p.token(p.packed, start, len(p.packed), kind)
	return next
}

// token adds the token that lies in words from start to end.
func (p *phrase) token(words []byte, start, end int, kind tokenKind) {
	word := words[start:end]
	p.put(word, start, kind, hashWord(word, false))
}

// put adds a word with its hash.
func (p *phrase) put(word []byte, start int, kind tokenKind, hash uint64) {
	n := len(p.tokens)
	if n == cap(p.tokens) {
		p.tokens = slices.Grow(p.tokens, n+8)
	}
	p.tokens = p.tokens[:n+1]
	t, end := &p.tokens[n], int32(start+len(word))
	// Field by field: a composite literal would be built elsewhere and copied.
	t.start, t.end, t.narrow, t.base = int32(start), end, end, end
	t.exact, t.stem, t.broad = hash, hash, hash
	t.kind, t.knownWord = kind, knownWord{}
	if kind == 0 {
		if inflected(word) {
			t.inflect(word)
		}
		t.knownWord = knownWords.find(hash)
	}
	if t.kind&isSymbol == 0 && t.class&little == 0 {
		t.kind |= isContent
		p.sum += t.broad
		p.count++
	}
}

// inflect finds the stems of a word.
func (t *token) inflect(word []byte) {
	s := stemsOf(word)
	if s.narrow < len(word) {
		t.narrow, t.stem = t.start+int32(s.narrow), hashWord(word[:s.narrow], s.narrowY)
		t.base, t.broad = t.narrow, t.stem
	}
	if s.broad < s.narrow {
		t.base, t.broad = t.start+int32(s.broad), hashWord(word[:s.broad], s.broadY)
	}
}
