package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is the number of bytes that [Language.Tokenize] reads. Longer texts
// are cut: offsets must fit a token, and no message is that long.
const maxText = 1 << 28

// Tokenize appends the tokens of a text to dst and returns the longer slice.
// It allocates only when dst has to grow, takes time linear in the text, and
// accepts any bytes. Each word has been looked up: see [Token.Entry].
func (l *Language) Tokenize(dst []Token, text string) []Token {
	if len(text) > maxText {
		text = text[:maxText]
	}
	dst = slices.Grow(dst, len(text)/5+2) // for ordinary words it is about enough
	s := scanner{language: l, text: text, tokens: dst, first: true, opened: [quoteKinds]int{-1, -1, -1, -1, -1}}
	for i := 0; i < len(text); {
		switch known := ascii[text[i]]; {
		case known&letter != 0:
			i = s.word(i)
		case known&space != 0:
			i++
		case known&digit != 0:
			i = s.number(i)
		default:
			i = s.mark(i)
		}
	}
	return s.tokens
}

// scanner is the state of one Tokenize.
type scanner struct {
	language *Language
	text     string
	tokens   []Token
	end      int  // where the last token ended
	first    bool // no word of the sentence yet
	opened   [quoteKinds]int
}

// emit appends a token. Only words take the sentence's start.
func (s *scanner) emit(start, end int, kind Kind, flags Flags, hash uint64, entry *Entry) {
	if start == s.end && start > 0 {
		flags |= Glued
	}
	if kind <= Name && s.first {
		flags |= SentenceStart
		s.first = false
	}
	s.end = end
	s.tokens = append(s.tokens, Token{int32(start), int32(end), kind, flags, hash, entry})
}

// word reads a word from start and returns where reading goes on.
func (s *scanner) word(start int) int {
	hash, end, flags := letters(s.text, hashSeed, start)
	if end < len(s.text) && s.text[end] == ' ' {
		s.emit(start, end, Word, flags, hash, s.language.LookupHash(hash))
		return end + 1
	}
	for size := s.joint(end); size > 0; size = s.joint(end) {
		sign := byte('\'')
		if s.text[end] == '-' {
			sign = '-'
		}
		joined, stop, _ := letters(s.text, (hash^uint64(sign))*hashPrime, end+size)
		if sign != '-' {
			if ending := s.ending(end+size, stop); ending != nil {
				s.emit(start, end, Word, flags, hash, s.language.LookupHash(hash))
				s.emit(end, stop, Word, 0, Hash(ending.Word), ending)
				return stop
			}
		} else if s.language.LookupHash(joined) == nil {
			s.emit(start, end, Word, flags, hash, s.language.LookupHash(hash))
			s.end = end + 1 // the next word is glued to this one
			return s.end
		}
		hash, end, flags = joined, stop, flags&^Plain
	}
	if s.isInName(start, end, flags) {
		if s.text[end] == '.' && end-start == 1 {
			return s.dotted(start, end, flags&^Plain)
		}
		return s.name(start, end, flags&^Plain)
	}
	entry := s.language.LookupHash(hash)
	short := strings.HasPrefix(s.text[end:], ". ") && (entry != nil && entry.abbreviation || s.isInitial(start, end))
	s.emit(start, end, Word, flags, hash, entry)
	if short {
		end++
	}
	return end
}

// isInitial reports whether a word before a dot is the first letter of a name: "to J.
// Farrow". What begins a line may count a list, and a word that the language knows may
// begin a sentence: "plan B. Then".
func (s *scanner) isInitial(start, end int) bool {
	if end-start != 1 || s.first || ascii[s.text[start]]&greatLetter == 0 || s.text[start] == 'I' {
		return false
	}
	next := end + len(". ")
	hash, stop, flags := letters(s.text, hashSeed, next)
	if stop-next == 1 {
		return strings.HasPrefix(s.text[stop:], ". ")
	}
	return flags&Capital != 0 && s.language.LookupHash(hash) == nil
}

// PlainWord reads a [Plain] word at i, and what is known of it; the end is i where none stands.
func (l *Language) PlainWord(text string, i int) (end int, entry *Entry) {
	hash, end, flags := letters(text, hashSeed, i)
	if flags&Plain == 0 {
		return i, nil
	}
	return end, l.LookupHash(hash)
}

// joint is the size of an apostrophe or hyphen at i that a word may go on after;
// 0 if there is none.
func (s *scanner) joint(i int) int {
	size := 0
	switch {
	case i >= len(s.text):
	case s.text[i] == '\'', s.text[i] == '-':
		size = 1
	case strings.HasPrefix(s.text[i:], "’"):
		size = len("’")
	}
	if size > 0 && s.isWordStart(i+size) {
		return size
	}
	return 0
}

// isInName reports whether what stands after a word makes it the beginning of a
// name or an abbreviation: me@, https://, main.go, p.m.
func (s *scanner) isInName(start, end int, flags Flags) bool {
	if end+1 >= len(s.text) {
		return false
	}
	switch s.text[end] {
	case '@':
		return s.isWordStart(end + 1)
	case ':':
		return strings.HasPrefix(s.text[end:], "://")
	case '.':
		return s.isWordStart(end+1) && (end-start == 1 || flags&Upper != 0 || ascii[s.text[end+1]]&greatLetter == 0)
	default:
		return false
	}
}

// letters hashes letters and digits from i on.
func letters(text string, hash uint64, i int) (uint64, int, Flags) {
	begin, first, rest := i, uint16(0), uint16(0)
	if i < len(text) && ascii[text[i]]&inWord != 0 {
		first = ascii[text[i]]
		hash = (hash ^ uint64(byte(first))) * hashPrime
		i++
	}
	for ; i < len(text); i++ {
		known := ascii[text[i]]
		if known&inWord == 0 {
			break
		}
		rest |= known
		hash = (hash ^ uint64(byte(known))) * hashPrime
	}
	var flags Flags
	if first&greatLetter != 0 {
		flags = Capital
	}
	if i < len(text) && text[i] >= utf8.RuneSelf {
		if more, end, flags := wideLetters(text, hash, begin, i, flags); end > i {
			return more, end, flags
		}
	}
	switch {
	case first&(line|digit) == 0 && rest&^0xFF&^smallLetter == 0:
		flags |= Plain
	case first&greatLetter != 0 && rest&^0xFF == greatLetter:
		flags |= Upper
	}
	return hash, i, flags
}

// wideLetters goes on with a word at i, where a rune beyond ASCII stands.
func wideLetters(text string, hash uint64, begin, i int, flags Flags) (uint64, int, Flags) {
	for i < len(text) {
		c := text[i]
		if known := ascii[c]; known&inWord != 0 {
			hash = (hash ^ uint64(byte(known))) * hashPrime
			i++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if isInvisible(r) {
			i += size
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			break
		}
		if i == begin && unicode.IsUpper(r) {
			flags = Capital
		}
		hash = hashRune(hash, r)
		i += size
	}
	return hash, i, flags
}

// ending finds a listed ending such as 's or 've in the letters after an apostrophe.
func (s *scanner) ending(from, to int) *Entry {
	if to-from > 3 {
		return nil
	}
	hash, _, _ := letters(s.text, Hash("'"), from)
	if entry := s.language.LookupHash(hash); entry != nil && entry.Word[0] == '\'' {
		return entry
	}
	return nil
}

// name reads an address, a path or a file name: all up to white space or a
// mark that cannot belong to it.
func (s *scanner) name(start, i int, flags Flags) int {
	for i < len(s.text) && ascii[s.text[i]]&space == 0 && strings.IndexByte("\n\"'`,;()<>[]{}|", s.text[i]) < 0 {
		i++
	}
	for i > start+1 && strings.IndexByte(".!?:*", s.text[i-1]) >= 0 {
		i--
	}
	s.emit(start, i, Name, flags, Hash(s.text[start:i]), nil)
	return i
}

// dotted reads an abbreviation of single letters: p.m., e.g., U.S.
func (s *scanner) dotted(start, i int, flags Flags) int {
	for i+1 < len(s.text) && s.text[i] == '.' && ascii[s.text[i+1]]&letter != 0 {
		i += 2
	}
	if i < len(s.text) && ascii[s.text[i]]&letter != 0 { // x.label is a name after all
		return s.name(start, i, flags)
	}
	hash := Hash(s.text[start:i])
	s.emit(start, i, Word, flags, hash, s.language.LookupHash(hash))
	if i+1 < len(s.text) && s.text[i] == '.' && s.text[i+1] != '\n' {
		i++
	}
	return i
}

func (s *scanner) number(start int) int {
	hash, i, _ := letters(s.text, hashSeed, start)
	for i+1 < len(s.text) && strings.IndexByte(".,:/-", s.text[i]) >= 0 && ascii[s.text[i+1]]&digit != 0 {
		hash, i, _ = letters(s.text, (hash^uint64(s.text[i]))*hashPrime, i+1)
	}
	s.emit(start, i, Number, 0, hash, s.language.LookupHash(hash))
	return i
}

// mark reads what begins no word of ASCII letters.
func (s *scanner) mark(i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	next := i + size
	switch r {
	case '\n':
		s.emit(i, next, Break, 0, 0, nil)
		s.first = true
		return next
	case ',', ';', ':', '–', '—', '、', '，', '；', '：', '،':
		s.emit(i, next, Comma, 0, 0, nil)
		return next
	case '"', '\'', '`', '“', '”', '„', '«', '»', '‘', '’', '「', '」', '『', '』':
		return s.quote(i)
	case '/', '~':
		begins := next < len(s.text) && (ascii[s.text[next]]&letter != 0 || r == '~' && s.text[next] == '/')
		if begins && (i == 0 || i != s.end) {
			return s.name(i, next, 0)
		}
	case '-':
		if i > s.end && strings.HasPrefix(s.text[next:], " ") && !s.first {
			s.emit(i, next, Comma, 0, 0, nil)
			return next
		}
	}
	switch ends, _ := stops(r); {
	case ends:
		return s.stop(i)
	case unicode.IsLetter(r):
		return s.word(i)
	case unicode.IsDigit(r):
		return s.number(i)
	case !unicode.IsSpace(r) && !isInvisible(r):
		s.emit(i, next, Symbol, 0, 0, nil)
	}
	return next
}

// stops reports whether a rune ends a sentence, and whether it asks.
func stops(r rune) (ends, asks bool) {
	switch r {
	case '?', '？', '؟', '\u037e':
		return true, true
	case '.', '!', '…', '。', '！', '．', '।':
		return true, false
	}
	return false, false
}

// stop reads a run of sentence ends as one token.
func (s *scanner) stop(start int) int {
	i, flags := start, Flags(0)
	for i < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[i:])
		ends, asks := stops(r)
		if !ends {
			break
		}
		if asks {
			flags = Asking
		}
		i += size
	}
	s.emit(start, i, End, flags, 0, nil)
	s.first = true
	return i
}

// isWordStart reports whether a letter or digit stands at i.
func (s *scanner) isWordStart(i int) bool {
	if i >= len(s.text) {
		return false
	}
	if c := s.text[i]; c < utf8.RuneSelf {
		return ascii[c]&inWord != 0
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	return unicode.IsLetter(r)
}

// isInvisible runes do not separate words and are not part of them.
func isInvisible(r rune) bool {
	return r >= 0x200B && r <= 0x200D || r == 0x2060 || r == 0xFEFF || r == 0xAD
}
