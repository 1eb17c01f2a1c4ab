package completion

import (
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/intent/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// partFault says what part of a claim the records lack: a subject, or some of
// a number of them. Every claimed part needs its own evidence.
func (j *judge) partFault(e *event, records []*tooltrack.Record) string {
	from, to := j.subjects(e)
	for i := from; i < to; i++ {
		if id := j.identifier(i); id != "" && j.contradicted(e, id, records) {
			return faultSubject
		}
	}
	return ""
}

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
			found = found || record != nil && j.turn.effectOf(record).MayChange() && containsFold(string(record.Args), id)
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
// digits. Amounts, dates and times are none.
func (j *judge) identifier(i int) string {
	t := &j.text.tokens[i]
	if t.Kind > lexicon.Number || t.End-t.Start < 5 || i > 0 && j.text.token(i-1) == "$" {
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
	for _, record := range records {
		if record == nil || !j.turn.effectOf(record).MayChange() || !j.proves(e, record) {
			continue
		}
		info := j.tools.of(record)
		if j.relation(e, &info, record) == none {
			continue
		}
		if containsFold(string(record.Args), id) || touches(record, id) {
			return false
		}
		if !namesSort(record.Args, id) {
			return false
		}
		contradicts = true
	}
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

// hasKey reports whether an argument has the word in its name.
func hasKey(args json.RawMessage, word string) bool {
	word = singular(word)
	for i := 0; i+1 < len(args); i++ {
		if args[i] != '"' {
			continue
		}
		end := i + 1
		for end < len(args) && args[end] != '"' {
			if args[end] == '\\' {
				end++
			}
			end++
		}
		if end+1 < len(args) && args[end+1] == ':' && containsFold(string(args[i+1:end]), word) {
			return true
		}
		i = end
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
	if containsFold(string(record.Args), word) {
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
func containsFold(s, substr string) bool {
	if substr == "" {
		return true
	}
	first := substr[0] | 0x20
	for i := 0; i+len(substr) <= len(s); i++ {
		if s[i]|0x20 == first && strings.EqualFold(s[i:i+len(substr)], substr) {
			return true
		}
	}
	return false
}
