package completion

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// recalls reports whether an event names an identifier that an earlier change
// was about, and that this turn's request does not name.
func (j *judge) recalls(e *event) bool {
	from, to := j.subjects(e)
	found := false
	for i := from; i < to; i++ {
		id := j.identifier(i)
		if id == "" {
			continue
		}
		if containsFold(j.turn.User, id) {
			return false
		}
		for _, record := range j.turn.Earlier {
			found = found || record != nil && j.turn.effectOf(record).MayChange() && containsFold(record.Args, id)
		}
	}
	return found
}

// subjects is where an event names what it is about: the whole subject of a
// passive, the object of an active verb up to where it tells with what.
func (j *judge) subjects(e *event) (from, to int) {
	if !e.active() && !(e.shape == fragment && e.subj < j.text.sentences[e.in].first) {
		return e.from, e.chain
	}
	for i := e.verb + 1; i < e.to; i++ {
		switch j.text.token(i) {
		case "to", "with", "using", "from", "via", "under", "by", "so", "because", "since", "which", "matching":
			return e.verb + 1, i
		}
	}
	return e.verb + 1, e.to
}

// identifier is the token as an identifier: letters and digits mixed, or many
// digits. Amounts, dates, times and listed words are none.
func (j *judge) identifier(i int) string {
	t := &j.text.tokens[i]
	if t.Entry != nil || t.Kind > lexicon.Number || t.End-t.Start < 5 || i > 0 && j.text.token(i-1) == "$" {
		return ""
	}
	id := j.text.token(i)
	if kind, _ := idKind(id); kind == noID {
		return ""
	}
	return id
}

// Kinds of identifiers. Two of one kind and length name things of one sort.
const (
	noID = iota
	digitsID
	prefixedID // W8855135: letters, then digits
	mixedID    // XEHM4B
)

// idKind is the kind of an identifier and, for a prefixed one, its prefix.
func idKind(id string) (kind int, prefix string) {
	digits, letters, turns := 0, 0, 0
	for i := range len(id) {
		c := id[i]
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			letters++
			if digits > 0 {
				turns++
			}
		default:
			return noID, ""
		}
	}
	switch {
	case digits == 0 || len(id) > 40:
		return noID, ""
	case letters == 0:
		if digits < 6 {
			return noID, ""
		}
		return digitsID, ""
	case turns == 0:
		return prefixedID, id[:letters]
	}
	if digits+letters < 5 {
		return noID, ""
	}
	return mixedID, ""
}

func sameSort(a, b string) bool {
	kindA, prefixA := idKind(a)
	kindB, prefixB := idKind(b)
	return kindA == kindB && kindA != noID && len(a) == len(b) && strings.EqualFold(prefixA, prefixB)
}

// contradicted reports whether records that fit an event name another thing of
// the sort of id, and none names id itself. A record whose arguments name
// nothing of that sort contradicts nothing; what a call creates has an
// identifier that no argument can hold.
func (j *judge) contradicted(e *event, id string, records []*tooltrack.Record) bool {
	if e.act&actCreate != 0 {
		return false
	}
	contradicts := false
	j.fitting(e, records, func(record *tooltrack.Record, _ *toolInfo) bool {
		contradicts = !containsFold(record.Args, id) && !touches(record, id) && namesSort(record.Args, id)
		return contradicts
	})
	return contradicts
}

func touches(record *tooltrack.Record, id string) bool {
	for _, subject := range record.Touched {
		if strings.EqualFold(subject.ID, id) {
			return true
		}
	}
	return false
}

// namesSort reports whether some string or number in the arguments is an
// identifier of the same sort.
func namesSort(args json.RawMessage, id string) bool {
	for i := 0; i < len(args); {
		if !idByte(args[i]) {
			i++
			continue
		}
		end := i
		for end < len(args) && idByte(args[end]) {
			end++
		}
		if sameSort(string(args[i:end]), id) {
			return true
		}
		i = end
	}
	return false
}

func idByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
}

// subjectUnknown reports whether nothing tells what a call was about.
func subjectUnknown(record *tooltrack.Record) bool {
	return len(record.Touched) == 0 && (len(record.Args) == 0 || string(record.Args) == "null" || string(record.Args) == "{}")
}

// sharesValue reports whether two arguments share an identifier or a string.
func sharesValue(a, b json.RawMessage) bool {
	for value, key := range stringsIn(a) {
		if !key && len(value) > 0 && bytes.Contains(b, []byte(`"`+string(value)+`"`)) {
			return true
		}
	}
	return false
}

// stringsIn are the strings of a JSON text, each with whether it is a key.
func stringsIn(text []byte) iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		for i := 0; i < len(text); i++ {
			if text[i] != '"' {
				continue
			}
			end := stringEnd(text, i)
			after := bytes.TrimLeft(text[min(end+1, len(text)):], " \t\r\n")
			if end > i && !yield(text[i+1:min(end, len(text))], len(after) > 0 && after[0] == ':') {
				return
			}
			i = end
		}
	}
}

// inTitles reports whether a word stands in a value of several words.
func inTitles(args json.RawMessage, word string) bool {
	for value, key := range stringsIn(args) {
		if !key && bytes.IndexByte(value, ' ') >= 0 && containsFold(value, word) {
			return true
		}
	}
	return false
}

// inValues reports whether a word stands in some value.
func inValues(args json.RawMessage, word string) bool {
	for value, key := range stringsIn(args) {
		if !key && containsFold(value, word) {
			return true
		}
	}
	return false
}

// longText reports whether some value is too long to be told in a sentence.
func longText(args json.RawMessage) bool {
	const long = 80
	for value, key := range stringsIn(args) {
		if !key && len(value) > long {
			return true
		}
	}
	return false
}

// longestList is the length of the longest list in a JSON text.
func longestList(args json.RawMessage) int {
	longest, depth := 0, 0
	var counts [16]int
	for i := 0; i < len(args); i++ {
		switch c := args[i]; c {
		case '"':
			i = stringEnd(args, i)
			if depth > 0 && counts[depth-1] == 0 {
				counts[depth-1] = 1
			}
		case '[', '{':
			if depth > 0 && counts[depth-1] == 0 {
				counts[depth-1] = 1
			}
			if depth < len(counts) {
				counts[depth] = 0
				depth++
			}
			if c == '{' && depth > 0 {
				counts[depth-1] = -1 << 20 // members of an object are no list
			}
		case ']', '}':
			if depth > 0 {
				depth--
				longest = max(longest, counts[depth])
			}
		case ',':
			if depth > 0 {
				counts[depth-1]++
			}
		}
	}
	return longest
}

// holdsNumber reports whether some value in the arguments is the number.
func holdsNumber(args json.RawMessage, n int) bool {
	for i := 0; i < len(args); i++ {
		if args[i] < '0' || args[i] > '9' || i > 0 && (idByte(args[i-1]) || args[i-1] == '.' || args[i-1] == '-') {
			continue
		}
		value, end := 0, i
		for end < len(args) && args[end] >= '0' && args[end] <= '9' && value < 1000 {
			value = value*10 + int(args[end]-'0')
			end++
		}
		if value == n && (end == len(args) || !idByte(args[end]) && args[end] != '-') {
			return true
		}
		i = end
	}
	return false
}

// hasKey reports whether an argument has the word in its name.
func hasKey(args json.RawMessage, word string) bool {
	word = singular(word)
	for value, key := range stringsIn(args) {
		if key && containsFold(value, word) {
			return true
		}
	}
	return false
}

// inArguments reports whether a word stands in the arguments of a call, as a
// key or in a value, or in the titles of what it touched.
func inArguments(record *tooltrack.Record, word string) bool {
	word = singular(word)
	if len(word) < 3 {
		return false
	}
	if containsFold(record.Args, word) {
		return true
	}
	for _, subject := range record.Touched {
		if containsFold(subject.Title, word) {
			return true
		}
	}
	return false
}

// containsFold reports whether s holds substr in any letter case (ASCII).
func containsFold[S ~string | ~[]byte](s S, substr string) bool {
	if substr == "" {
		return true
	}
	first := substr[0] | 0x20
next:
	for i := 0; i+len(substr) <= len(s); i++ {
		if s[i]|0x20 != first {
			continue
		}
		for k := 1; k < len(substr); k++ {
			a, b := s[i+k], substr[k]
			if a != b && (a|0x20 != b|0x20 || a|0x20 < 'a' || a|0x20 > 'z') {
				continue next
			}
		}
		return true
	}
	return false
}
