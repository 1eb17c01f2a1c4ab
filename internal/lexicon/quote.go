package lexicon

import "unicode/utf8"

// Kinds of quotation marks, each opened and closed for itself.
const (
	straightDouble = iota
	straightSingle
	backquote
	curlyDouble
	curlySingle
	quoteKinds
)

// quote reads a quotation mark and, when it closes a quotation, flags the tokens between.
func (s *scanner) quote(i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	for r == '`' && i+size < len(s.text) && s.text[i+size] == '`' { // a fence is one mark
		size++
	}
	kind, opens, closes := s.direction(r, i, i+size)
	mark := Quote
	switch {
	case closes && s.opened[kind] >= 0:
		for j := s.opened[kind] + 1; j < len(s.tokens); j++ {
			s.tokens[j].Flags |= Quoted
		}
		s.opened[kind] = -1
	case opens:
		s.opened[kind] = len(s.tokens)
	default:
		mark = Symbol
	}
	s.emit(i, i+size, mark, 0, 0, nil)
	return i + size
}

// direction tells which kind of mark stands at [i,j) and whether it may open or close; what can do
// both closes what is open. A single straight or right quote is an apostrophe more often than not,
// so it closes only what was opened, and opens only before a word.
func (s *scanner) direction(r rune, i, j int) (kind int, opens, closes bool) {
	switch r {
	case '"':
		return straightDouble, true, true
	case '`':
		return backquote, true, true
	case '“': // it may close, too: „German“
		return curlyDouble, true, true
	case '„', '«', '「', '『':
		return curlyDouble, true, false
	case '”', '»', '」', '』':
		return curlyDouble, false, true
	case '‘':
		return curlySingle, true, false
	case '’':
		return curlySingle, false, true
	}
	afterWord := i > 0 && i == s.end && len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].IsWord()
	return straightSingle, !afterWord && s.isWordStart(j), i == s.end || !s.isWordStart(j)
}
