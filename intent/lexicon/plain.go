package lexicon

import (
	"slices"
	"unicode/utf8"
)

// plain reads the common case: words of ASCII letters, each with a space behind
// it, or a mark and a space. It returns where there is anything else. It is word,
// mark and emit without their other cases, its state in variables, and writes
// tokens field by field: whole ones would be put together elsewhere and copied.
func (s *scanner) plain(i int) int {
	text, tokens, last, ordinary := s.text, s.tokens, s.end, true
	var flags Flags // of the next word
	if s.first {
		flags = SentenceStart
	}
	if i == last && i > 0 {
		flags |= Glued
	}
	for begin := i; i < len(text); {
		bytes := uint64(0)
		if i+8 <= len(text) {
			bytes = eight(text[i : i+8])
		} else {
			bytes = lastAt(text, i)
		}
		low, smalls, n := letters(bytes)
		word, more := spelling{low: low}, uint64(0)
		if n == 8 {
			word.high, more, n = letters(eightAt(text, i+8))
			n += 8
		} else if n == 0 && i > begin {
			break
		}
		end := i + n
		stop, next := spaceStop, byte(' ')
		if end < len(text) {
			if stop = stops[text[end]]; end+1 < len(text) {
				next = text[end+1]
			}
		}
		entry := s.language.findSpelled(word.key())
		if stop == noStop || stop&opens != 0 && (next != ' ' && next != '\n' || entry != nil && entry.traits&abbreviation != 0) || n-1 >= maxSpelled-1 {
			ordinary = false
			break
		}
		if smalls&0x20 == 0 {
			if flags |= Capital; n > 1 && smalls|more == 0 {
				flags |= Upper
			}
		}
		at := len(tokens)
		if at+2 > cap(tokens) {
			tokens = slices.Grow(tokens, 16)
		}
		tokens = tokens[:at+2] // the second one for a mark
		t := &tokens[at]
		t.Start, t.End, t.Kind, t.Flags, t.Entry = int32(i), int32(end), Word, flags, entry
		if entry != nil {
			t.Hash = entry.hash
		} else {
			t.Hash = Hash(text[i:end])
		}
		flags, last, i = 0, end, end
		if stop&^opens <= otherStop || next != ' ' {
			tokens = tokens[:at+1]
			if stop == spaceStop {
				i++
				continue
			}
			break
		}
		t = &tokens[at+1]
		t.Start, t.End, t.Kind, t.Flags, t.Hash, t.Entry = int32(end), int32(end+1), Comma, Glued, 0, nil
		if stop&^opens == endStop {
			t.Kind, flags = End, SentenceStart
			if text[end] == '?' {
				t.Flags |= Asking
			}
		}
		last, i = end+1, end+2
	}
	s.tokens, s.end, s.first = tokens, last, flags&SentenceStart != 0
	if !ordinary {
		return s.word(i)
	}
	return min(i, len(text))
}

// What stands behind the letters of a word.
const (
	noStop    uint8 = iota // the word may go on: don't, to-do, b2b, café
	spaceStop              // a space, or the end of the text
	otherStop              // some other end
	commaStop              // a token of its own: , ; :
	endStop                // the end of the sentence: . ! ?
	opens     uint8 = 8    // the mark may be part of a name: main.go, https://
)

var stops = func() (stops [256]uint8) {
	for i := range stops {
		switch c := byte(i); {
		case class[c] == letter, class[c] == digit, c == '\'', c == '-', c == '@', c >= utf8.RuneSelf:
			stops[c] = noStop
		case c == ' ':
			stops[c] = spaceStop
		case c == ',', c == ';':
			stops[c] = commaStop
		case c == ':':
			stops[c] = commaStop | opens
		case c == '!', c == '?':
			stops[c] = endStop
		case c == '.':
			stops[c] = endStop | opens
		default:
			stops[c] = otherStop
		}
	}
	return stops
}()
