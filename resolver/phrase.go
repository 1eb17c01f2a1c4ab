package resolver

import (
	"bytes"
	"unicode/utf8"
)

// A phrase is a reference or a title made ready for comparing. It is filled by
// analyse and may be filled again, so that its buffers are reused.
type phrase struct {
	raw    string
	folded []byte // as the folded tier compares it
	plain  []byte // folded, and without accents
	words  []byte // where the tokens lie: plain, or packed without apostrophes
	tokens []token
	runes  int    // length of folded, in code points
	ascii  bool   // folded is ASCII
	packs  bool   // words is not plain
	sum    uint64 // hash of the content words, in any order
	count  int    // number of content words
	bare   []byte // buffer of plain, where it differs from folded
	packed []byte // buffer of words, where it differs from plain
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

// letters counts the code points of a token.
func (p *phrase) letters(t *token) int {
	if t.is(wide) {
		return utf8.RuneCount(p.text(t))
	}
	return int(t.end - t.start)
}

// analyse fills the phrase. Nothing is allocated for ASCII once the buffers
// have grown.
func (p *phrase) analyse(s string) {
	p.fold(s)
	p.cut()
}

// fold is the first half of analyse.
func (p *phrase) fold(s string) {
	p.raw = s
	p.folded, p.ascii = foldASCII(p.folded, s)
	if p.ascii {
		p.plain, p.runes = p.folded, len(p.folded)
		return
	}
	var common bool
	if p.folded, p.bare, common = foldCommon(p.folded[:0], p.bare[:0], s); !common {
		p.folded = foldUnicode(p.folded[:0], s)
		p.bare = dropAccents(p.bare[:0], p.folded)
	}
	p.plain, p.runes = p.bare, utf8.RuneCount(p.folded)
}

// cut is the second half: it finds the tokens.
func (p *phrase) cut() {
	p.restart()
	if !p.ascii || !p.splitPlain() {
		p.cutOdd()
	}
	p.settle()
}

// restart drops the tokens.
func (p *phrase) restart() {
	p.tokens, p.sum, p.count, p.packs, p.words = p.tokens[:0], 0, 0, false, p.plain
}

// cutOdd finds the tokens of anything but ordinary words.
func (p *phrase) cutOdd() {
	p.restart()
	if p.ascii && bytes.IndexByte(p.plain, '\'') < 0 {
		p.split()
		return
	}
	p.packs, p.packed = true, p.packed[:0]
	p.tokenise()
	p.words = p.packed
}

// settle lets all words be content words if none is: a title may be "To do".
func (p *phrase) settle() {
	if p.count > 0 {
		return
	}
	for i := range p.tokens {
		t := &p.tokens[i]
		t.kind |= isContent
		p.sum += t.broad
		p.count++
	}
}

// cuts sums up the first letters of the content words, in any order.
func (p *phrase) cuts() (sum uint64) {
	for i := range p.tokens {
		if t := &p.tokens[i]; t.is(isContent) && !t.is(isWrapping) {
			sum += hashWord(p.head(t), false)
		}
	}
	return sum
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
