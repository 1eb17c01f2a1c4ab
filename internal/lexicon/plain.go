package lexicon

import (
	"math/bits"
	"unicode/utf8"
)

// plain reads the common case: words of ASCII letters with a space behind each.
// It is word and emit without their other cases, its state in variables, and
// writes tokens field by field: whole ones would be put together elsewhere and
// copied. What comes behind such words is left to last.
func (s *scanner) plain(start int) int {
	text, tokens, at, i := s.text, s.tokens[:cap(s.tokens)], len(s.tokens), start
	var flags Flags
	if s.first {
		flags = SentenceStart
	}
	if i == s.end && i > 0 {
		flags |= Glued
	}
	for at < len(tokens) && i+8 <= len(text) {
		var key uint64
		var end int
		bytes := eight(text[i : i+8])
		if other := others(bytes); other != 0 {
			key = spelling{low: lettersBefore(bytes, other)}.key()
			end = i + bits.TrailingZeros64(other)/8
		} else {
			high, n := letters(eightAt(text, i+8))
			key = spelling{bytes | allSmall, high}.key()
			end = i + 8 + n
		}
		if end >= len(text) || text[end] != ' ' || uint(end-i-1) >= maxSpelled-1 {
			break
		}
		if text[i]&0x20 == 0 {
			flags |= capitals(text[i:end])
		}
		t := &tokens[at]
		t.Start, t.End, t.Kind, t.Flags = int32(i), int32(end), Word, flags
		if t.Entry = s.language.findSpelled(key); t.Entry != nil {
			t.Hash = t.Entry.hash
		} else {
			t.Hash = Hash(text[i:end])
		}
		at++
		flags, i = 0, end+1
	}
	if i > start {
		s.tokens, s.end, s.first = tokens[:at], i-1, false
	}
	return s.last(i)
}

// capitals are the flags of a word of ASCII letters that begins with a capital.
func capitals(word string) Flags {
	for i := 1; i < len(word); i++ {
		if !isUpper(word[i]) {
			return Capital
		}
	}
	if len(word) == 1 {
		return Capital
	}
	return Capital | Upper
}

// last reads a word of ASCII letters, if there is one, that has another end than
// a space. Words that do not end with their letters are left to word.
func (s *scanner) last(i int) int {
	text := s.text
	if i == len(text) || class[text[i]] != letter {
		return i
	}
	var word spelling
	var n int
	word.low, n = letters(eightAt(text, i))
	if n == 8 {
		word.high, n = letters(eightAt(text, i+8))
		n += 8
	}
	if uint(n-1) >= maxSpelled-1 || i+n < len(text) && s.goesOn(i+n) {
		return s.word(i)
	}
	entry := s.language.findSpelled(word.key())
	if entry == nil || entry.traits&abbreviation != 0 {
		return s.word(i)
	}
	var flags Flags
	if isUpper(text[i]) {
		flags = capitals(text[i : i+n])
	}
	s.emit(i, i+n, Word, flags, entry.hash, entry)
	return i + n
}

// goesOn reports whether a word may go on with what stands at i, behind its
// letters: don't, to-do, b2b, café, main.go, https://.
func (s *scanner) goesOn(i int) bool {
	switch c := s.text[i]; {
	case c == '.' || c == ':':
		return i+1 < len(s.text) && s.text[i+1] != ' ' && s.text[i+1] != '\n'
	case c == '\'' || c == '-' || c == '@' || c >= utf8.RuneSelf:
		return true
	default:
		return class[c] == letter || class[c] == digit
	}
}
