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
	bare   []byte // buffer of plain, where it differs from folded
	words  []byte // the tokens, one right after the other, without apostrophes
	room   []byte // for a key
	tokens []token
	runes  int // length of folded, in code points
	count  int // number of content words
}

// A token is a word, a number or a symbol of a phrase.
type token struct {
	start, end      int32 // in phrase.words
	narrow, broad   int32 // ends of its stems
	narrowY, broadY bool  // see stems
	kind            tokenKind
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

func (p *phrase) text(t *token) []byte      { return p.words[t.start:t.end] }
func (p *phrase) stem(t *token) []byte      { return p.words[t.start:t.narrow] }
func (p *phrase) broadStem(t *token) []byte { return p.words[t.start:t.broad] }

// key is what titles are filed under by a word: its broad stem, and whether that
// is marked. It is good until the next one.
func (p *phrase) key(t *token) []byte {
	p.room = append(p.room[:0], p.broadStem(t)...)
	if t.broadY {
		p.room = append(p.room, 0)
	}
	return p.room
}

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
	p.raw, p.words, p.tokens, p.count = s, p.words[:0], p.tokens[:0], 0
	ascii := false
	if p.folded, ascii = foldASCII(p.folded[:0], s); ascii {
		p.plain, p.runes = p.folded, len(p.folded)
	} else {
		p.folded = foldUnicode(p.folded[:0], s)
		p.bare = dropAccents(p.bare[:0], p.folded)
		p.plain, p.runes = p.bare, utf8.RuneCount(p.folded)
	}
	p.tokenise()
	p.settle()
}

// settle lets all words be content words if none is: a title may be "To do".
func (p *phrase) settle() {
	if p.count > 0 {
		return
	}
	for i := range p.tokens {
		p.tokens[i].kind |= isContent
	}
	p.count = len(p.tokens)
}

// isSameWord reports whether two tokens are the same word.
func isSameWord(p *phrase, t *token, q *phrase, u *token) bool {
	return bytes.Equal(p.text(t), q.text(u))
}

// hasSameStem reports whether two tokens are forms of one word.
func hasSameStem(p *phrase, t *token, q *phrase, u *token) bool {
	return t.narrowY == u.narrowY && bytes.Equal(p.stem(t), q.stem(u))
}

// hasSameBroadStem reports whether two tokens are forms of one word, "-ing" and
// "-ed" included.
func hasSameBroadStem(p *phrase, t *token, q *phrase, u *token) bool {
	return t.broadY == u.broadY && bytes.Equal(p.broadStem(t), q.broadStem(u))
}
