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

// quote reads a quotation mark and, when it closes a quotation, flags the
// tokens between.
func (s *scanner) quote(i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	if r == '`' { // a fence is one mark
		for i+size < len(s.text) && s.text[i+size] == '`' {
			size++
		}
	}
	kind, opens, closes := s.direction(r, i, i+size)
	if !opens && !closes {
		s.emit(i, i+size, Symbol, 0, 0, nil)
		return i + size
	}
	at := len(s.tokens)
	first := s.first
	s.emit(i, i+size, Quote, 0, 0, nil)
	s.first = first
	if closes && s.opened[kind] >= 0 {
		for j := s.opened[kind] + 1; j < at; j++ {
			s.tokens[j].Flags |= Quoted
		}
		s.opened[kind] = -1
	} else if opens {
		s.opened[kind] = at
	}
	return i + size
}

// direction tells which kind of mark stands at [i,j) and whether it may open
// or close. A single straight or right quote is an apostrophe more often than
// not, so it closes only what was opened, and opens only before a word.
func (s *scanner) direction(r rune, i, j int) (kind int, opens, closes bool) {
	switch r {
	case '"':
		return straightDouble, s.opened[straightDouble] < 0, true
	case '`':
		return backquote, s.opened[backquote] < 0, true
	case '“', '„', '«', '「', '『':
		if r == '“' && s.opened[curlyDouble] >= 0 { // „German“
			return curlyDouble, false, true
		}
		return curlyDouble, true, false
	case '”', '»', '」', '』':
		return curlyDouble, false, s.opened[curlyDouble] >= 0
	case '‘':
		return curlySingle, true, false
	case '’':
		return curlySingle, false, s.opened[curlySingle] >= 0
	}
	if s.opened[straightSingle] >= 0 && (i == s.end || !s.startsWord(j)) {
		return straightSingle, false, true
	}
	return straightSingle, (i > s.end || i == 0 || !s.afterWord()) && s.startsWord(j), false
}

// afterWord reports whether the last token is a word that ends right here.
func (s *scanner) afterWord() bool {
	return len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].IsWord()
}
