package reading

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Values appends the values of a text to dst: of an answer, or of the arguments and the result of a call.
func (r *Reader) Values(dst []Value, text string) []Value {
	if strings.IndexByte(text, '\\') >= 0 {
		text = unescape(text)
	}
	s := valueScan{reader: r, text: text, values: dst, from: len(dst)}
	s.scan(0, len(text))
	return s.values
}

// valueScan is the state of one reading of values.
type valueScan struct {
	reader *Reader
	text   string
	values []Value
	from   int // the first value of this text
}

// scan reads the values that begin between two places, and says where the last one ends.
func (s *valueScan) scan(i, to int) int {
	for i < to {
		c := s.text[i]
		switch {
		case letters[c]:
			if end, entry := s.reader.language.PlainWord(s.text, i); end > i && s.join(end, i) == 0 {
				s.oneWord(i, end, entry)
				i = end
				continue
			}
			i = s.piece(i)
		case digits[c]:
			i = s.piece(i)
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(s.text[i:])
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				i = s.piece(i)
			} else {
				i += size
			}
		}
	}
	return i
}

var letters, digits = func() (letters, digits [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		letters[c], letters[c-'a'+'A'] = true, true
	}
	for c := '0'; c <= '9'; c++ {
		digits[c] = true
	}
	return letters, digits
}()

// piece reads one run of letters and digits, with the marks that may join them.
func (s *valueScan) piece(start int) int {
	end, hasDigit, hasLetter, joiners := s.extent(start)
	run := s.text[start:end]
	switch {
	case !hasDigit && joiners == 0:
		s.word(start, end)
	case !hasDigit:
		s.named(start, end, joiners)
	case !hasLetter:
		s.figures(start, end, run, joiners)
	default:
		s.mixed(start, end, run, joiners)
	}
	return end
}

// The marks that may join letters and digits, as a set.
const (
	joinHyphen = 1 << iota
	joinUnder
	joinDot
	joinSlash
	joinColon
	joinAt
	joinComma
)

// extent is where a run ends and what it is made of.
func (s *valueScan) extent(start int) (end int, hasDigit, hasLetter bool, joiners int) {
	i := start
	for i < len(s.text) {
		c := s.text[i]
		switch {
		case letters[c]:
			hasLetter = true
			i++
			continue
		case digits[c]:
			hasDigit = true
			i++
			continue
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s.text[i:])
			switch {
			case unicode.IsLetter(r) || unicode.IsMark(r):
				hasLetter = true
			case unicode.IsDigit(r):
				hasDigit = true
			default:
				return i, hasDigit, hasLetter, joiners
			}
			i += size
			continue
		}
		join := s.join(i, start)
		if join == 0 {
			break
		}
		joiners |= join
		i++
	}
	return i, hasDigit, hasLetter, joiners
}

// join is the mark at i if it joins what stands around it; 0 if it does not.
func (s *valueScan) join(i, start int) int {
	if i+1 >= len(s.text) || i == start || inRun(s.text[i]) || !inRun(s.text[i-1]) || !s.goesOn(i+1) {
		return 0
	}
	switch s.text[i] {
	case '-':
		return joinHyphen
	case '_':
		return joinUnder
	case '/':
		return joinSlash
	case '@':
		return joinAt
	case '.':
		return joinDot
	case ':':
		if digits[s.text[i-1]] && digits[s.text[i+1]] {
			return joinColon
		}
	case ',':
		if digits[s.text[i-1]] && s.startsThousands(i+1) {
			return joinComma
		}
	}
	return 0
}

// goesOn reports whether a word or a figure begins at i: after the stop of “as needed.” it does not.
func (s *valueScan) goesOn(i int) bool {
	if s.text[i] < utf8.RuneSelf {
		return inRun(s.text[i])
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// inRun reports whether a byte belongs to a word or a figure.
func inRun(c byte) bool { return letters[c] || digits[c] || c >= utf8.RuneSelf }

// startsThousands reports whether exactly three digits begin at i: "1,250".
func (s *valueScan) startsThousands(i int) bool {
	const group = 3
	if i+group > len(s.text) {
		return false
	}
	for k := i; k < i+group; k++ {
		if !digits[s.text[k]] {
			return false
		}
	}
	return i+group == len(s.text) || !digits[s.text[i+group]]
}

// word adds a word; names in camel case are cut.
func (s *valueScan) word(start, end int) {
	for i := start + 1; i < end; i++ {
		if c := s.text[i]; c >= 'A' && c <= 'Z' && s.text[i-1] >= 'a' && s.text[i-1] <= 'z' {
			s.oneWord(start, i, s.reader.language.Lookup(s.text[start:i]))
			start = i
		}
	}
	s.oneWord(start, end, s.reader.language.Lookup(s.text[start:end]))
}

// oneWord adds a word, with what the lexicon knows of it.
func (s *valueScan) oneWord(start, end int, entry *lexicon.Entry) {
	word := s.text[start:end]
	if isContracted(s.text, end) {
		return
	}
	if entry != nil && len(word) <= maxWord {
		if known := &s.reader.words[entry.Number]; known.calendar == 0 && known.numeral == 0 {
			s.plain(start, end, entry, known.key)
			return
		}
	}
	if len(word) > maxWord {
		return
	}
	v := Value{Span: s.span(start, end), Kind: Word, Entry: entry}
	if c := word[0]; c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf && startsUpper(word) {
		v.Flags |= Capital
	}
	known := s.reader.known(word, entry)
	v.Key = known.key
	named := v.Flags&Capital != 0 || len(word) > 5 // not "sat", "may"
	if known.calendar > namedTimes || known.calendar != 0 && (named || s.besideDay(word, end, &known)) {
		s.calendar(v, known.calendar)
		return
	}
	if n := float64(known.numeral); n > 0 {
		v.Kind, v.Number, v.Key, v.Flags = Number, n, KeyOf(Number, n), v.Flags|Worded
	}
	s.values = append(s.values, v)
}

// isContracted reports whether the letters before end are half of a word: the "hadn" of "hadn't" names nothing.
func isContracted(text string, end int) bool {
	rest := text[end:]
	return text[end-1] == 'n' && len(rest) > 1 && (strings.HasPrefix(rest, "'t") || strings.HasPrefix(rest, "’t"))
}

// plain adds a listed word that is no more than that, as most are. Its fields are
// written one by one, which takes half the time of a whole value.
func (s *valueScan) plain(start, end int, entry *lexicon.Entry, key uint64) {
	n := len(s.values)
	if n == cap(s.values) {
		s.values = slices.Grow(s.values, n+16)
	}
	s.values = s.values[:n+1]
	v := &s.values[n]
	v.Span, v.Kind, v.Flags, v.Key, v.Number, v.Entry = s.span(start, end), Word, 0, key, 0, entry
	if c := s.text[start]; c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf && startsUpper(s.text[start:end]) {
		v.Flags = Capital
	}
}

// named reads letters that marks join: an address, a path, or plain words.
func (s *valueScan) named(start, end, joiners int) {
	if joiners == joinDot && end-start == len("i.e") { // or e.g., a.m.
		return
	}
	switch {
	case joiners&joinAt != 0, joiners&joinDot != 0 && (joiners&joinSlash != 0 || !s.gluedSentence(start, end)):
		s.id(start, end)
	case joiners&joinUnder != 0:
		s.id(start, end)
		s.values[len(s.values)-1].Flags |= Derived
	}
	var flags Flags
	if joiners&(joinAt|joinDot) != 0 {
		flags = Derived
	}
	s.wordsOf(start, end, flags)
}

// gluedSentence: "done.Next" lacks a space; a file or host is in lower case after its dot.
func (s *valueScan) gluedSentence(start, end int) bool {
	dot := strings.LastIndexByte(s.text[start:end], '.')
	return dot >= 0 && start+dot+1 < end && s.text[start+dot+1] >= 'A' && s.text[start+dot+1] <= 'Z'
}

// wordsOf adds the words between the joining marks.
func (s *valueScan) wordsOf(start, end int, flags Flags) {
	from := start
	for i := start; i <= end; i++ {
		if i < end && (letters[s.text[i]] || s.text[i] >= utf8.RuneSelf) {
			continue
		}
		if i-from > 1 {
			first := len(s.values)
			s.word(from, i)
			for k := first; k < len(s.values); k++ {
				s.values[k].Flags |= flags
			}
		}
		from = i + 1
	}
}

var escapes = pattern(`(?s)\\(u[0-9a-fA-F]{4}|.?)`)

// unescape undoes the escapes of JSON strings, as far as words are concerned.
func unescape(text string) string {
	return escapes().ReplaceAllStringFunc(text, func(escape string) string {
		switch {
		case escape == `\/`:
			return "/"
		case len(escape) == len(`\u0000`):
			if code, err := strconv.ParseUint(escape[2:], 16, 32); err == nil && utf8.ValidRune(rune(code)) {
				return string(rune(code))
			}
		}
		return " "
	})
}

func (s *valueScan) span(start, end int) Span {
	return Span{source: s.text, start: int32(start), end: int32(end)}
}
