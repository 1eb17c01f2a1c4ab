package jsonspan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deep objects and arrays may nest, the outermost included. It is wide for any
// honest text and small enough that a hostile one is refused quickly and cannot exhaust the stack.
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

// Scanner reads one JSON text strictly: the standard library says whether it is JSON, and
// this what that lets pass unseen, such as duplicate keys and lone surrogates. The zero
// value is ready, and may be used by several goroutines.
type Scanner struct {
	// MaxBytes is the longest text that is read; 0 is no limit.
	MaxBytes int
	// AllowNUL lets strings hold the character NUL.
	AllowNUL bool
	// Fold maps a key to the form under which a lenient decoder may confuse it
	// with another; keys that fold alike are duplicates. Nil: only equal keys are.
	Fold func(key []byte) string
}

const sendOneObject = "send exactly one JSON object"

// Object checks that the text is one object.
func (s *Scanner) Object(data []byte) *Fault {
	start := SkipSpace(data, 0)
	switch {
	case start == len(data):
		return &Fault{"json", start, "the arguments are empty; " + sendOneObject}
	case data[start] != '{':
		return &Fault{"json", start, "the arguments are " + describeStart(data[start]) + "; " + sendOneObject}
	}
	_, fault := s.Value(data)
	return fault
}

func describeStart(first byte) string {
	switch {
	case first == '[':
		return "an array"
	case first == '"':
		return "a string"
	case strings.IndexByte("tfn-0123456789", first) >= 0:
		return "not an object"
	}
	return "not JSON"
}

// Value reads the text as one value of any kind and returns it without the white space around it.
func (s *Scanner) Value(data []byte) ([]byte, *Fault) {
	switch {
	case s.MaxBytes > 0 && len(data) > s.MaxBytes:
		return nil, &Fault{"size", 0,
			fmt.Sprintf("the arguments have %d bytes; at most %d are allowed", len(data), s.MaxBytes)}
	case !utf8.Valid(data):
		return nil, &Fault{"utf8", 0, "the arguments are not valid UTF-8; send UTF-8 text"}
	}
	if fault := s.inspect(data); fault != nil {
		return nil, fault
	}
	if !json.Valid(data) {
		return nil, syntaxFault(data)
	}
	return bytes.Trim(data, " \t\r\n"), nil
}

// syntaxReasons are what the standard library says of some faults, and what helps a model more.
var syntaxReasons = []struct{ ending, reason string }{
	{"unexpected end of JSON input", "the arguments break off; send the whole JSON object"},
	{"after top-level value", "there is text after the arguments; " + sendOneObject},
	{"in string literal", `a string holds a control character; write it as an escape such as \n`},
}

func syntaxFault(data []byte) *Fault {
	err := json.Unmarshal(data, new(json.RawMessage))
	fault := &Fault{"json", 0, fmt.Sprintf("the arguments are not valid JSON: %v", err)}
	if syntax, is := err.(*json.SyntaxError); is {
		fault.Offset = int(syntax.Offset)
	}
	for _, known := range syntaxReasons {
		if strings.HasSuffix(fault.Reason, known.ending) {
			fault.Reason = known.reason
		}
	}
	return fault
}

// key is one of an object: in the form under which it is compared, and as it is written.
type key struct{ folded, written []byte }

// inspect looks for values that nest too deep, keys that stand twice and escapes that stand
// for no character. It reads each byte once, in any text.
func (s *Scanner) inspect(data []byte) *Fault {
	var few [32]key
	var begins [MaxDepth]int // where the keys of each open value begin
	keys, depth := few[:0], 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			if depth == MaxDepth {
				return &Fault{"depth", i, fmt.Sprintf("the arguments nest deeper than %d levels; send them flatter", MaxDepth)}
			}
			begins[depth] = len(keys)
			depth++
		case '}', ']':
			if depth > 0 {
				depth--
				if a, b := duplicate(keys[begins[depth]:]); a != nil {
					return &Fault{"duplicate_key", i, fmt.Sprintf(
						"the key %s is there twice (also as %s); send it once, spelled as declared", Quote(a), Quote(b))}
				}
				keys = keys[:begins[depth]]
			}
		case '"':
			end := skipString(data, i)
			text := data[i+1 : max(i+1, end-1)]
			if rule, reason := s.inspectText(text); rule != "" {
				return &Fault{rule, i, reason}
			}
			if colon := SkipSpace(data, end); colon < len(data) && data[colon] == ':' {
				keys = append(keys, key{s.folded(text), text})
			}
			i = end - 1
		}
	}
	return nil
}

// duplicate finds two keys that are taken for the same.
func duplicate(keys []key) (a, b []byte) {
	slices.SortFunc(keys, func(a, b key) int { return bytes.Compare(a.folded, b.folded) })
	for i := 1; i < len(keys); i++ {
		if bytes.Equal(keys[i-1].folded, keys[i].folded) {
			return keys[i].written, keys[i-1].written
		}
	}
	return nil, nil
}

func (s *Scanner) folded(text []byte) []byte {
	switch {
	case s.Fold == nil:
		return Key(text)
	case isFolded(text):
		return text
	}
	return []byte(s.Fold(Key(text)))
}

// isFolded reports a key that is nearly every key: no Fold changes it.
func isFolded(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf || c == '\\' || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

// inspectText looks at the characters that the escapes of a string stand for.
func (s *Scanner) inspectText(text []byte) (rule, reason string) {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return "", ""
		}
		r, size := unescape(text[i:])
		switch {
		case r == 0 && !s.AllowNUL:
			return "nul", `a string holds the character NUL (\u0000); leave it out`
		case utf16.IsSurrogate(r):
			return "utf8", "a string holds half of a surrogate pair; send whole characters"
		}
		text = text[i+size:]
	}
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
