package jsonspan

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may nest, the outermost included. It
// is wide for any honest text and small enough that a hostile one is refused
// quickly and cannot exhaust the stack.
const MaxDepth = 64

// Kind is the JSON type of a value. The zero value is one that is not there.
type Kind uint8

// The kinds of values.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// KindOf is the kind of a value by its first byte.
func KindOf(value []byte) Kind {
	if len(value) == 0 {
		return Missing
	}
	switch value[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Fault says why a text was refused. Reason is written for the model that sent
// it as the arguments of a call; whoever reads other texts has Rule.
type Fault struct {
	// Rule is "json", "utf8", "nul", "duplicate_key", "depth" or "size".
	Rule string
	// Offset is the byte at which reading stopped.
	Offset int
	// Reason tells what is wrong and what to send instead.
	Reason string
}

// Error is the reason and the place.
func (f *Fault) Error() string { return fmt.Sprintf("%s (byte %d)", f.Reason, f.Offset) }

// Member is a key of an object and its value, as offsets into the text.
type Member struct {
	KeyStart, KeyEnd     int32 // without the quotes
	ValueStart, ValueEnd int32
	Kind                 Kind
	KeyEscaped           bool // the key holds a backslash
	Escaped              bool // the value is a string that holds one
}

// Scanner reads one JSON text strictly. It is written by hand because every
// reader at hand is lenient where it matters: duplicate keys, lone surrogates
// and invalid UTF-8 all pass unseen. The zero value is ready, and keeps its
// memory from one text to the next; it is not safe for concurrent use.
type Scanner struct {
	// MaxBytes is the longest text that is read; 0 is 2 GiB.
	MaxBytes int
	// AllowNUL lets strings hold the character NUL.
	AllowNUL bool
	// Fold maps a key to the form under which a lenient decoder may confuse it
	// with another; keys that fold alike are duplicates. ASCII letters always
	// fold when it is set. Nil: only equal keys are.
	Fold func(key []byte) string

	data    []byte
	pos     int
	depth   int
	members []Member
	keys    []key // of the objects that are open, innermost last
	fault   *Fault
}

// Object reads the text as one object and returns its members, in order. They
// are valid until the next call.
func (s *Scanner) Object(data []byte) ([]Member, *Fault) {
	s.reset(data)
	if !s.object() {
		return nil, s.fault
	}
	return s.members, nil
}

// Value reads the text as one value of any kind and returns it without the
// white space around it.
func (s *Scanner) Value(data []byte) ([]byte, *Fault) {
	s.reset(data)
	if !s.fits() {
		return nil, s.fault
	}
	s.space()
	start := s.pos
	if _, _, ok := s.value(); !ok {
		return nil, s.fault
	}
	end := s.pos
	if !s.atEnd() {
		return nil, s.fault
	}
	return data[start:end], nil
}

// Room is how many members and open keys the scanner has memory for, so that a
// pool can let go of one that has grown.
func (s *Scanner) Room() int { return max(cap(s.members), cap(s.keys)) }

// Forget lets go of the text that was read last.
func (s *Scanner) Forget() { s.data, s.fault = nil, nil }

func (s *Scanner) reset(data []byte) {
	s.data, s.pos, s.depth, s.fault = data, 0, 0, nil
	s.members, s.keys = s.members[:0], s.keys[:0]
}

func (s *Scanner) fits() bool {
	limit := s.MaxBytes
	if limit <= 0 {
		limit = math.MaxInt32 // offsets have 32 bits
	}
	if len(s.data) > limit {
		return s.fail("size", "the arguments have %d bytes; at most %d are allowed", len(s.data), limit)
	}
	return true
}

func (s *Scanner) atEnd() bool {
	s.space()
	if s.pos < len(s.data) {
		return s.fail("json", "there is text after the arguments; %s", sendOneObject)
	}
	return true
}

func (s *Scanner) fail(rule, format string, args ...any) bool {
	if s.fault == nil {
		s.fault = &Fault{Rule: rule, Offset: s.pos, Reason: fmt.Sprintf(format, args...)}
	}
	return false
}

const sendOneObject = "send exactly one JSON object"

// object reads the whole text as one object.
func (s *Scanner) object() bool {
	if !s.fits() {
		return false
	}
	s.space()
	if s.pos >= len(s.data) {
		return s.fail("json", "the arguments are empty; %s", sendOneObject)
	}
	if s.data[s.pos] != '{' {
		return s.fail("json", "the arguments are %s; %s", describeStart(s.data[s.pos:]), sendOneObject)
	}
	return s.openObject(true) && s.atEnd()
}

func describeStart(data []byte) string {
	switch data[0] {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f', 'n', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return "not an object"
	}
	return "not JSON"
}

func (s *Scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// openObject reads an object from its brace on. Keys are compared within their
// object only.
func (s *Scanner) openObject(top bool) bool {
	if s.depth++; s.depth > MaxDepth {
		return s.tooDeep()
	}
	base := len(s.keys)
	var seen keySet
	s.pos++
	s.space()
	if s.pos < len(s.data) && s.data[s.pos] == '}' {
		s.pos++
		s.depth--
		return true
	}
	for {
		if !s.member(base, &seen, top) {
			return false
		}
		more, ok := s.separator('}')
		if !ok {
			return false
		}
		if !more {
			s.keys = s.keys[:base]
			s.depth--
			return true
		}
	}
}

func (s *Scanner) tooDeep() bool {
	return s.fail("depth", "the arguments nest deeper than %d levels; send them flatter", MaxDepth)
}

func (s *Scanner) member(base int, seen *keySet, top bool) bool {
	if s.pos >= len(s.data) || s.data[s.pos] != '"' {
		return s.unexpected("a key in double quotes")
	}
	k := key{start: int32(s.pos + 1)}
	escaped, ascii, ok := s.str()
	if !ok {
		return false
	}
	k.end, k.plain = int32(s.pos-1), ascii && !escaped
	if twin, found := s.duplicate(base, k, seen); found {
		return s.fail("duplicate_key", "the key %s is there twice (also as %s); send it once, spelled as declared",
			Quote(s.data[k.start:k.end]), Quote(s.data[twin.start:twin.end]))
	}
	s.keys = append(s.keys, k)
	if !s.colon() {
		return false
	}
	start := s.pos
	kind, valueEscaped, ok := s.value()
	if ok && top {
		s.members = append(s.members, Member{k.start, k.end, int32(start), int32(s.pos), kind, escaped, valueEscaped})
	}
	return ok
}

func (s *Scanner) colon() bool {
	s.space()
	if s.pos >= len(s.data) || s.data[s.pos] != ':' {
		return s.unexpected("a colon")
	}
	s.pos++
	s.space()
	return true
}

// separator reads what stands between two members or elements: it reports
// whether another one follows.
func (s *Scanner) separator(end byte) (more, ok bool) {
	s.space()
	if s.pos < len(s.data) {
		switch s.data[s.pos] {
		case end:
			s.pos++
			return false, true
		case ',':
			s.pos++
			s.space()
			return true, true
		}
	}
	return false, s.unexpected("a comma or the end")
}

func (s *Scanner) unexpected(wanted string) bool {
	if s.pos >= len(s.data) {
		return s.fail("json", "the arguments break off; send the whole JSON object")
	}
	return s.fail("json", "the arguments are not valid JSON: %s was expected at %s", wanted,
		Quote(s.data[s.pos:min(len(s.data), s.pos+8)]))
}

func (s *Scanner) value() (kind Kind, escaped, ok bool) {
	if s.pos >= len(s.data) {
		return 0, false, s.unexpected("a value")
	}
	switch c := s.data[s.pos]; {
	case c == '"':
		escaped, _, ok = s.str()
		return String, escaped, ok
	case c == '{':
		return Object, false, s.openObject(false)
	case c == '[':
		return Array, false, s.array()
	case c == '-' || c-'0' <= 9:
		return Number, false, s.number()
	case c == 't':
		return Bool, false, s.literal("true")
	case c == 'f':
		return Bool, false, s.literal("false")
	case c == 'n':
		return Null, false, s.literal("null")
	}
	return 0, false, s.unexpected("a value")
}

func (s *Scanner) literal(word string) bool {
	if end := s.pos + len(word); end <= len(s.data) && string(s.data[s.pos:end]) == word {
		s.pos = end
		return true
	}
	return s.unexpected(word)
}

func (s *Scanner) array() bool {
	if s.depth++; s.depth > MaxDepth {
		return s.tooDeep()
	}
	s.pos++
	s.space()
	if s.pos < len(s.data) && s.data[s.pos] == ']' {
		s.pos++
		s.depth--
		return true
	}
	for {
		if _, _, ok := s.value(); !ok {
			return false
		}
		more, ok := s.separator(']')
		if !ok {
			return false
		}
		if !more {
			s.depth--
			return true
		}
	}
}

func (s *Scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && s.data[s.pos]-'0' <= 9 {
		s.pos++
	}
	return s.pos > start
}

func (s *Scanner) number() bool {
	if s.data[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.data) && s.data[s.pos] == '0' {
		s.pos++
		if s.pos < len(s.data) && s.data[s.pos]-'0' <= 9 {
			return s.fail("json", "a number begins with 0; write it without leading zeros")
		}
	} else if !s.digits() {
		return s.unexpected("a digit")
	}
	if s.pos < len(s.data) && s.data[s.pos] == '.' {
		s.pos++
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	if s.pos < len(s.data) && s.data[s.pos]|0x20 == 'e' {
		s.pos++
		if s.pos < len(s.data) && (s.data[s.pos] == '+' || s.data[s.pos] == '-') {
			s.pos++
		}
		if !s.digits() {
			return s.unexpected("a digit")
		}
	}
	return true
}

// str reads a string from its opening quote on. It reports whether it holds
// escapes and whether all of it is ASCII.
func (s *Scanner) str() (escaped, ascii, ok bool) {
	ascii = true
	data := s.data
	i := s.pos + 1
	for {
		i = skipPlain(data, i)
		s.pos = i
		if i >= len(data) {
			return escaped, ascii, s.fail("json", "the arguments break off inside a string; send the whole JSON object")
		}
		switch c := data[i]; {
		case c == '"':
			s.pos = i + 1
			return escaped, ascii, true
		case c == '\\':
			escaped = true
			if !s.escape() {
				return escaped, ascii, false
			}
			i = s.pos
		case c < 0x20:
			return escaped, ascii, s.fail("json",
				"a string holds the control character %#02x; write it as an escape such as \\n", c)
		default:
			ascii = false
			r, size := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && size == 1 {
				return escaped, ascii, s.fail("utf8", "the arguments are not valid UTF-8; send UTF-8 text")
			}
			i += size
		}
	}
}

// skipPlain returns the index of the next byte of a string that needs a closer
// look: a quote, a backslash, a control character or the start of a multi-byte
// character. It looks at eight bytes at a time.
func skipPlain(data []byte, i int) int {
	for ; i+8 <= len(data); i += 8 {
		if odd := oddBytes(binary.LittleEndian.Uint64(data[i:])); odd != 0 {
			return i + bits.TrailingZeros64(odd)>>3
		}
	}
	for i < len(data) && data[i] >= 0x20 && data[i] < utf8.RuneSelf && data[i] != '"' && data[i] != '\\' {
		i++
	}
	return i
}

// oddBytes sets the high bit of every byte that is not plain. A borrow may
// raise false alarms, but only above a true one, so the lowest is right.
func oddBytes(w uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quotes, slashes := w^ones*'"', w^ones*'\\'
	return (w | (w - ones*0x20) | (quotes-ones)&^quotes | (slashes-ones)&^slashes) & high
}

// escape reads from a backslash on.
func (s *Scanner) escape() bool {
	if s.pos+1 >= len(s.data) {
		s.pos = len(s.data)
		return s.unexpected("an escape")
	}
	switch s.data[s.pos+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos += 2
		return true
	case 'u':
		return s.unicodeEscape()
	}
	return s.unexpected("a valid escape")
}

func (s *Scanner) unicodeEscape() bool {
	unit, ok := hex4(s.data, s.pos+2)
	if !ok {
		return s.unexpected("four hexadecimal digits")
	}
	switch {
	case unit == 0 && !s.AllowNUL:
		return s.fail("nul", "a string holds the character NUL (\\u0000); leave it out")
	case unit&0xFC00 == 0xDC00:
		return s.fail("utf8", "a string holds half of a surrogate pair; send whole characters")
	case unit&0xFC00 == 0xD800:
		low, ok := hex4(s.data, s.pos+8)
		if !ok || s.data[s.pos+6] != '\\' || s.data[s.pos+7] != 'u' || low&0xFC00 != 0xDC00 {
			return s.fail("utf8", "a string holds half of a surrogate pair; send whole characters")
		}
		s.pos += 12
		return true
	}
	s.pos += 6
	return true
}

// hex4 reads four hexadecimal digits at i.
func hex4(data []byte, i int) (rune, bool) {
	if i+4 > len(data) {
		return 0, false
	}
	var unit rune
	for _, c := range data[i : i+4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}
