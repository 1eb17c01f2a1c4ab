package completion

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// scan cuts a text into the tokens that the language's own tokenizer makes of
// it, and looks up the word of each. Plain words are read here, eight letters
// at a time and with one probe for all that is known of them. Everything else
// is handed to the tokenizer: piece by piece or, where a quotation mark makes
// one piece depend on another, as a whole.
func (r *reading) scan(text string) {
	if r.thorough || len(text) > lexicon.MaxText || strings.IndexByte(text, '"') >= 0 || strings.IndexByte(text, '`') >= 0 || !r.scanPlain(text) {
		r.tokens = r.vocabulary.language.Tokenize(r.tokens[:0], text)
		r.words = r.words[:0]
		r.lookUp()
	}
}

// lookUp finds the words of the tokens that have none yet.
func (r *reading) lookUp() {
	for i := len(r.words); i < len(r.tokens); i++ {
		w := noWord
		if t := &r.tokens[i]; t.Kind <= lexicon.Name {
			w = r.vocabulary.find(t.Hash)
		}
		r.words = append(r.words, w)
	}
}

// scanner is the state of one scan.
type scanner struct {
	reading *reading
	text    string
	bytes   []byte        // the text, and room behind it
	end     int           // where the last token ended
	start   lexicon.Flags // SentenceStart until the sentence has a word
}

// scanPlain is false if the text has to be tokenized as a whole.
func (r *reading) scanPlain(text string) bool {
	r.tokens, r.words = r.tokens[:0], r.words[:0]
	r.bytes = append(append(r.bytes[:0], text...), make([]byte, 2*8)...)
	r.reserve(len(text)/3 + 16) // enough for prose with marks
	s := scanner{reading: r, text: text, bytes: r.bytes, start: lexicon.SentenceStart}
	for i := 0; i < len(text); {
		switch byteKinds[text[i]] {
		case byteSpace:
			i++
		case byteLetter:
			if i = s.run(i); i < len(text) && byteKinds[text[i]] == byteLetter {
				if i = s.word(i); i < 0 {
					return false
				}
			}
		case byteComma:
			s.mark(i, lexicon.Comma, 0)
			i++
		case byteSymbol:
			s.mark(i, lexicon.Symbol, 0)
			i++
		default:
			if i = s.other(i); i < 0 {
				return false
			}
		}
	}
	return true
}

// run reads plain words, each with a space behind it, or a mark and a space:
// most of a text. It returns where there is anything else. It is word and mark
// without their other cases, its state in variables, and writes tokens field by
// field: whole ones would be put together elsewhere and copied.
func (s *scanner) run(i int) int {
	r, text, start := s.reading, s.bytes, s.start
	at, tokens, words := len(r.tokens), r.tokens[:cap(r.tokens)], r.words[:cap(r.words)]
	room := min(len(tokens), len(words)) - 2
	known := r.vocabulary.known
	if i == s.end && i > 0 {
		start |= lexicon.Glued
	}
	for at <= room {
		low, n := lettersAt(text, i)
		var high uint64
		if n == 8 {
			high, n = lettersAt(text, i+8)
			n += 8
		}
		end := i + n
		stop := text[end]
		kind := stops[stop]
		if stop != ' ' && (kind == noStop || kind != lexicon.Break && text[end+1] != ' ' && text[end+1] != '\n') {
			break
		}
		k := known.find(spelling{low, high})
		if !k.plain {
			break
		}
		if text[i]&small == 0 {
			start |= capitals(text[i:end])
		}
		words[at] = k.word
		t := &tokens[at]
		t.Start, t.End, t.Kind, t.Flags, t.Hash, t.Entry = int32(i), int32(end), lexicon.Word, start, k.hash, k.entry
		at++
		start, s.end, i = 0, end, end+1
		if stop == ' ' {
			continue
		}
		flags := lexicon.Glued
		switch kind {
		case lexicon.Break:
			start = lexicon.SentenceStart | lexicon.Glued
		case lexicon.End:
			if start = lexicon.SentenceStart; stop == '?' {
				flags |= lexicon.Asking
			}
		}
		words[at] = noWord
		t = &tokens[at]
		t.Start, t.End, t.Kind, t.Flags, t.Hash, t.Entry = int32(end), int32(end+1), kind, flags, 0, nil
		at++
		if s.end = end + 1; text[i] == ' ' && kind != lexicon.Break {
			i++
		}
	}
	r.tokens, r.words, s.start = tokens[:at], words[:at], start&lexicon.SentenceStart
	return i
}

// noStop is what no plain word ends with.
const noStop lexicon.Kind = 255

// stops are the kinds of the marks that end plain words.
var stops = func() (kinds [256]lexicon.Kind) {
	for c := range kinds {
		kinds[c] = noStop
	}
	kinds['\n'] = lexicon.Break
	for _, c := range ",;:" {
		kinds[c] = lexicon.Comma
	}
	for _, c := range ".!?" {
		kinds[c] = lexicon.End
	}
	return kinds
}()

// word reads a word of ASCII letters from i on, and returns where reading goes
// on. Words that do not end with their letters are left to the tokenizer.
func (s *scanner) word(i int) int {
	text := s.text
	low, n := lettersAt(s.bytes, i)
	var high uint64
	if n == 8 {
		high, n = lettersAt(s.bytes, i+8)
		if n += 8; n == maxKnown {
			return s.piece(i)
		}
	}
	end := i + n
	dot := false
	if end < len(text) {
		switch byteKinds[text[end]] {
		case byteJoins:
			return s.piece(i)
		case byteStop:
			if dot = text[end] == '.'; dot && end+1 < len(text) && (byteKinds[text[end+1]] == byteLetter || byteKinds[text[end+1]] == byteDigit || byteKinds[text[end+1]] == byteJoins) {
				return s.piece(i) // x.go
			}
		case byteDigit:
			return s.piece(i)
		case byteComma:
			if text[end] == ':' && end+1 < len(text) && text[end+1] == '/' {
				return s.piece(i) // https://
			}
		}
	}
	flags := s.start
	s.start = 0
	if i == s.end && i > 0 {
		flags |= lexicon.Glued
	}
	if text[i]&small == 0 {
		flags |= capitals(s.bytes[i:end])
	}
	s.end = end
	r := s.reading
	k := r.vocabulary.known.find(spelling{low, high})
	hash := k.hash
	if k.word == nil {
		k, hash = unknownWord, lexicon.Hash(text[i:end])
	}
	t := r.next(k.word)
	t.Start, t.End, t.Kind, t.Flags, t.Hash, t.Entry = int32(i), int32(end), lexicon.Word, flags, hash, k.entry
	if dot && k.abbreviation && end+1 < len(text) && text[end+1] == ' ' {
		return end + 1
	}
	return end
}

// mark emits a mark of one byte.
func (s *scanner) mark(at int, kind lexicon.Kind, flags lexicon.Flags) {
	if at == s.end && at > 0 {
		flags |= lexicon.Glued
	}
	s.end = at + 1
	t := s.reading.next(noWord)
	t.Start, t.End, t.Kind, t.Flags, t.Hash, t.Entry = int32(at), int32(at+1), kind, flags, 0, nil
}

// next makes room for one more token with its word.
func (r *reading) next(w *word) *lexicon.Token {
	n := len(r.tokens)
	if n == cap(r.tokens) || n == cap(r.words) {
		r.reserve(n + 16)
	}
	r.tokens, r.words = r.tokens[:n+1], r.words[:n+1]
	r.words[n] = w
	return &r.tokens[n]
}

// reserve makes room for n more tokens.
func (r *reading) reserve(n int) {
	r.tokens, r.words = slices.Grow(r.tokens, n), slices.Grow(r.words, n)
}

// other reads what is neither a word nor a mark that is always the same; -1 if
// the text has to be tokenized as a whole.
func (s *scanner) other(i int) int {
	text := s.text
	switch c := text[i]; byteKinds[c] {
	case byteStop:
		if i+1 < len(text) && (byteKinds[text[i+1]] == byteStop || text[i+1] >= utf8.RuneSelf) {
			return s.piece(i)
		}
		var flags lexicon.Flags
		if c == '?' {
			flags = lexicon.Asking
		}
		s.mark(i, lexicon.End, flags)
		s.start = lexicon.SentenceStart
	case byteBreak:
		s.mark(i, lexicon.Break, 0)
		s.start = lexicon.SentenceStart
	case byteSlash:
		if i != s.end || i == 0 {
			return s.piece(i) // a path
		}
		s.mark(i, lexicon.Symbol, 0)
	case byteDigit:
		return s.piece(i)
	default:
		switch {
		case c == '-':
			kind := lexicon.Symbol
			if i > s.end && i+1 < len(text) && text[i+1] == ' ' && s.start == 0 {
				kind = lexicon.Comma
			}
			s.mark(i, kind, 0)
		case c == '_' || c == '@':
			return s.piece(i)
		case c == '\'' || c == '"' || c == '`':
			return -1
		default:
			return s.piece(i)
		}
	}
	return i + 1
}

// piece has the tokenizer read all up to the next space. What is behind the
// piece counts for a dot at its end, so one byte more is shown. It returns -1
// for a quotation, which may go on in other pieces.
func (s *scanner) piece(start int) int {
	end := start
	for end < len(s.text) && byteKinds[s.text[end]] != byteSpace && s.text[end] != '\n' {
		end++
	}
	if quotes(s.text[start:end]) {
		return -1
	}
	r := s.reading
	from := len(r.tokens)
	r.tokens = r.vocabulary.language.Tokenize(r.tokens, s.text[start:min(end+1, len(s.text))])
	s.place(r.tokens[from:], start)
	r.lookUp()
	return max(s.end, end)
}

// place moves the tokens of a piece to where it stands in the text.
func (s *scanner) place(tokens []lexicon.Token, start int) {
	for i := range tokens {
		t := &tokens[i]
		if t.Start == 0 && start == s.end && start > 0 {
			t.Flags |= lexicon.Glued
		}
		t.Start += int32(start)
		t.End += int32(start)
		switch {
		case t.Kind <= lexicon.Name:
			t.Flags = t.Flags&^lexicon.SentenceStart | s.start
			s.start = 0
		case t.Kind == lexicon.End || t.Kind == lexicon.Break:
			s.start = lexicon.SentenceStart
		case s.text[t.Start] == '-' && s.start == 0 && !t.Has(lexicon.Glued) && strings.HasPrefix(s.text[t.End:], " "): // a dash within a sentence
			t.Kind = lexicon.Comma
		}
		s.end = int(t.End)
	}
}

// quotes reports whether a piece may open or close a quotation. An apostrophe
// within a word that begins the piece does not.
func quotes(piece string) bool {
	i := 0
	for i < len(piece) && byteKinds[piece[i]] == byteLetter {
		i++
	}
	if i > 0 && i+1 < len(piece) { // I've, I’ve
		if piece[i] == '\'' && byteKinds[piece[i+1]] == byteLetter {
			i++
		} else if strings.HasPrefix(piece[i:], "’") && i+3 < len(piece) && byteKinds[piece[i+3]] == byteLetter {
			i += 3
		}
	}
	for ; i < len(piece); i++ {
		switch c := piece[i]; {
		case c == '\'' || c == '"' || c == '`':
			return true
		case c < utf8.RuneSelf:
		case c == 0xE2 && strings.HasPrefix(piece[i:], "\xE2\x80") && i+2 < len(piece) && piece[i+2] >= 0x98 && piece[i+2] <= 0x9F,
			c == 0xC2 && i+1 < len(piece) && (piece[i+1] == 0xAB || piece[i+1] == 0xBB),
			c == 0xE3 && strings.HasPrefix(piece[i:], "\xE3\x80") && i+2 < len(piece) && piece[i+2] >= 0x8C && piece[i+2] <= 0x8F:
			return true
		}
	}
	return false
}

// Kinds of bytes.
const (
	byteSymbol = iota // a mark by itself
	byteSpace
	byteLetter
	byteDigit
	byteComma
	byteStop
	byteBreak
	byteSlash // may begin a path
	byteJoins // may join what stands before and behind it
)

var byteKinds = func() (kinds [256]uint8) {
	for c := range kinds {
		switch b := byte(c); {
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			kinds[c] = byteLetter
		case b >= '0' && b <= '9':
			kinds[c] = byteDigit
		case b >= utf8.RuneSelf || strings.IndexByte("_@-'\"`", b) >= 0:
			kinds[c] = byteJoins
		}
	}
	for kind, all := range map[uint8]string{byteSpace: " \t\r\v\f", byteComma: ",;:", byteStop: ".!?", byteBreak: "\n", byteSlash: "/~"} {
		for i := range len(all) {
			kinds[all[i]] = kind
		}
	}
	return kinds
}()

const (
	small    = 0x20 // the bit that small letters have and capitals lack
	allSmall = 0x2020202020202020
	allHigh  = 0x8080808080808080
)

// lettersAt are the ASCII letters from i on, at most eight, in lower case and
// the first lowest, and how many there are. All eight are looked at in one go:
// where a word ends is hard to foresee, and a wrong guess costs more than the
// whole word. Eight bytes must be there.
func lettersAt(text []byte, i int) (letters uint64, n int) {
	const ones = 0x0101010101010101
	raw := binary.LittleEndian.Uint64(text[i : i+8])
	folded := (raw | allSmall) &^ allHigh
	other := ((folded + ones*(0x7F-'z')) | (ones*(0x7F+'a') - folded) | raw) & allHigh
	before := (other&-other)>>7 - 1 // all bits of the letters
	return folded & before, bits.TrailingZeros64(other) / 8
}

// capitals are the flags of a word of ASCII letters that begins with a capital.
func capitals(word []byte) lexicon.Flags {
	for _, c := range word {
		if c&small != 0 {
			return lexicon.Capital
		}
	}
	if len(word) > 1 {
		return lexicon.Capital | lexicon.Upper
	}
	return lexicon.Capital
}
