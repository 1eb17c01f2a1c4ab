package reading

import (
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Part is what a result says of how much it is.
type Part uint8

const (
	// NoPart says nothing of more: it is all there is.
	NoPart Part = iota
	// Ending is the last of several parts: nothing follows, but something was before it.
	Ending
	// MoreFollows is a beginning or a page: what is there is there without a gap.
	MoreFollows
	// CutShort has something left out, nobody knows where.
	CutShort
)

// Partial reads whether a result says that it is not all there is: a member such as
// has_more or next_cursor, fewer lines than it counts, or a note such as "[output
// truncated]", "(12 more lines)" or "lines 1-200 of 900".
func Partial(data []byte, text string) Part {
	const depth = 3
	text = strings.ToLower(text)
	if partialNote(text) {
		return CutShort
	}
	return max(partialMember(data, depth), edgeNote(text))
}

func partialMember(value []byte, depth int) (part Part) {
	counts := extent{-1, -1}
	for name, member := range jsonspan.Members(value) {
		key := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(string(name)))
		if saysMore(key, member) || sayIncomplete(key, string(member)) && hasContent(value) {
			return MoreFollows
		}
		if said, isText := jsonspan.Text(member); isText && len(said) < 40 {
			part = max(part, partOf(strings.ToLower(said)))
		}
		if depth > 1 {
			part = max(part, partialMember(member, depth-1))
		}
		counts.take(key, member)
	}
	if counts.given >= 0 && counts.given < counts.total {
		return MoreFollows
	}
	return part
}

// saysMore reports whether a member says that something follows: has_more, next_cursor.
func saysMore(key string, member []byte) bool {
	said := strings.Trim(string(member), `" `)
	if said == "true" {
		return strings.HasSuffix(key, "truncated") || strings.HasPrefix(key, "hasmore") || strings.HasPrefix(key, "hasnext")
	}
	if !strings.HasPrefix(key, "next") || strings.Trim(said, "0{}[]") == "" || said == "null" || said == "false" {
		return false
	}
	for _, end := range [...]string{"cursor", "token", "page", "offset"} {
		if strings.HasSuffix(key, end) {
			return true
		}
	}
	return false
}

// sayIncomplete: of what holds a content, such a member speaks of that; of a task or a
// refund, it would be a state.
func sayIncomplete(key, said string) bool {
	key = strings.TrimPrefix(key, "is")
	return said == "true" && (key == "partial" || key == "incomplete") ||
		said == "false" && (key == "complete" || key == "eof")
}

// hasContent reports whether an object is a text or a list with what is said about it.
func hasContent(object []byte) bool {
	for name, member := range jsonspan.Members(object) {
		switch string(name) {
		case "content", "text", "body", "data", "output":
			return true
		}
		if jsonspan.KindOf(member) == jsonspan.Array {
			return true
		}
	}
	return false
}

// extent is how many of its lines or entries a result says that it gives.
type extent struct{ given, total int }

// countedUnits are what a total may be one of; a bare "total" may be a price.
var countedUnits = map[string]struct{}{"lines": {}, "count": {}, "items": {}, "results": {}, "rows": {}, "entries": {}}

func (e *extent) take(key string, member []byte) {
	n, err := strconv.Atoi(string(member))
	if err != nil {
		return
	}
	unit := strings.TrimPrefix(key, "total")
	_, counts := countedUnits[unit]
	switch {
	case unit != key && counts:
		e.total = n
	case strings.HasPrefix(key, "returned"), strings.HasPrefix(key, "shown"), strings.HasPrefix(key, "displayed"):
		e.given = n
	}
}

// partialNote finds a note in brackets, or at the end, that something was left out.
func partialNote(text string) bool {
	if leftOut(text, "truncated", false) || leftOut(text, "omitted", true) {
		return true
	}
	const after = 20
	for _, unit := range [...]string{" more line", " more row", " more result", " more item", " lines omitted"} {
		i := strings.LastIndex(text, unit)
		if i > 0 && digits[text[i-1]] && len(text)-i <= after+len(unit) {
			return true
		}
	}
	return false
}

// leftOut finds a word in a note that is in brackets or after the dots of something cut
// off, and that says how much it is where that is asked for: "(may be omitted)" does not.
func leftOut(text, word string, counted bool) bool {
	const around = 60
	for at := 0; ; at += len(word) {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		at += i
		before, after := text[max(0, at-around):at], text[at:min(len(text), at+around)]
		open, shut := strings.LastIndexAny(before, "[(<…"), strings.IndexAny(after, "])>…")
		switch {
		case counted && !strings.ContainsAny(before[max(open, 0):]+after[:max(shut, 0)], "0123456789"):
		case open >= 0 && shut >= 0, strings.HasSuffix(before, "output "), strings.HasSuffix(before, "... "):
			return true
		}
	}
}

// edgeNote finds a note in the first or the last line that tells which part this is:
// "(showing first 200 lines)", "Lines 1-200 of 900".
func edgeNote(text string) (part Part) {
	text = strings.TrimSpace(text)
	const long = 80
	for _, line := range [...]string{text[:lineEnd(text)], text[strings.LastIndexByte(text, '\n')+1:]} {
		note := strings.Trim(line, "[](){}<>.…-=# ")
		rest, shows := strings.CutPrefix(note, "showing ")
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "only "), "the ")
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "first "), "last ")
		bounded := rest != note && leadingNumber(rest) > 0 && !strings.Contains(rest, " of ")
		apart := shows || strings.HasPrefix(note, "lines ") || strings.HasPrefix(line, "(") || strings.HasPrefix(line, "[")
		switch {
		case len(note) > long:
		case shows && bounded:
			return MoreFollows
		case apart:
			part = max(part, partOf(note))
		}
	}
	return part
}

func lineEnd(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// partOf reads "1-200 of 900" and "page 1 of 3".
func partOf(text string) Part {
	before, after, found := strings.Cut(text, " of ")
	words := strings.Fields(strings.NewReplacer("–", "-", "—", "-").Replace(before))
	if !found || len(words) == 0 {
		return NoPart
	}
	from, to, isRange := strings.Cut(words[len(words)-1], "-")
	if !isRange && len(words) > 1 && words[len(words)-2] == "page" {
		to = from
	}
	first, last, total := leadingNumber(from), leadingNumber(to), leadingNumber(after)
	switch {
	case first < 0 || last < first || total < last:
		return NoPart
	case last < total:
		return MoreFollows
	case first > 1:
		return Ending
	}
	return NoPart
}

// leadingNumber is the number that a text begins with; -1 for none.
func leadingNumber(text string) int {
	i := 0
	for i < len(text) && (digits[text[i]] || i > 0 && text[i] == ',') {
		i++
	}
	n, err := strconv.Atoi(strings.ReplaceAll(text[:i], ",", ""))
	if err != nil {
		return -1
	}
	return n
}
