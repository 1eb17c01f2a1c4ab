package resolver

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/google/uuid"
)

// Redact takes ids out of a text that people or models will read. The id of an
// entry becomes its title, in quotes; where the title stands right before it
// ("Read book (id: 7f3c…)"), and for UUIDs that belong to no entry, the id goes
// without replacement, together with its label and brackets.
//
// Ids are found as whole words of ASCII letters, digits and the characters that
// are usual in them, and in the spellings that models and URLs give them: with
// another kind of hyphen, with %2D, UUIDs without hyphens or in another letter
// case. One that may well be something else, such as "7" or "home", counts only
// after a label: "id: 7", "task_id=7".
func Redact(text string, entries []Entry) string {
	titles := make(map[string]string, len(entries))
	for _, entry := range entries {
		if entry.ID != "" {
			titles[entry.ID] = entry.Title
		}
	}
	return redact(text, func(id string) (string, bool) {
		title, ok := titles[id]
		return title, ok
	})
}

// redact is Redact with any way to look up an id.
func redact(text string, lookUp func(id string) (title string, ok bool)) string {
	out := make([]byte, 0, len(text))
	for {
		start := strings.IndexFunc(text, isIDRune)
		if start < 0 {
			return string(append(out, text...))
		}
		out, text = append(out, text[:start]...), text[start:]
		// An id may hold a slash and the like; more often they separate words,
		// which are looked at piece by piece then.
		path, done := spanOf(text, isPathRune), false // the longest that may be one
		if out, text, done = replace(out, text, path, lookUp); done {
			continue
		}
		for end := len(text) - path; len(text) > end; {
			piece := spanOf(text, isIDRune)
			if piece < path {
				if out, text, done = replace(out, text, piece, lookUp); done {
					continue
				}
			}
			if colon := strings.IndexByte(text[:piece], ':'); colon >= 0 {
				piece = colon + 1 // in "id:7" and {"id":7} the id stands after it
			}
			piece = max(piece, 1)
			out, text = append(out, text[:piece]...), text[piece:]
		}
	}
}

// replace replaces the id that text begins with, and reports whether it is one.
func replace(out []byte, text string, n int, lookUp func(string) (string, bool)) ([]byte, string, bool) {
	word := strings.TrimRight(text[:n], ".:-/=@+~\u2010\u2011\u2012\u2013\u2014\u2212")
	id := plainHyphens(word)
	title, known := lookUpAny(id, lookUp)
	switch {
	case known && (isDistinctive(id) || label(out) > 0):
		out, text = putTitle(out, title, text[len(word):])
	case !known && isUUID(id):
		out, text = dropID(out, text[len(word):])
	default:
		return out, text, false
	}
	return out, text, true
}

// spanOf returns the length of the characters of a kind at the beginning,
// hyphens of any kind among them.
func spanOf(text string, kind func(rune) bool) int {
	for at := 0; ; {
		end := strings.IndexFunc(text[at:], func(r rune) bool { return !kind(r) && !isOddHyphen(r) })
		if end < 0 {
			return len(text)
		}
		at += end
		if !isEscapedHyphen(text[at:]) {
			return at
		}
		at += len("%2D")
	}
}

// isOddHyphen reports whether r is a hyphen or dash that is not in ASCII, or a
// minus sign, as models and word processors put them in the place of one.
func isOddHyphen(r rune) bool {
	return r >= 0x2010 && r <= 0x2015 || r == 0x2212 || r == 0xFE58 || r == 0xFE63 || r == 0xFF0D || r == 0xAD
}

func isEscapedHyphen(text string) bool { return len(text) >= 3 && strings.EqualFold(text[:3], "%2D") }

// plainHyphens writes the hyphens of an id as they usually are.
func plainHyphens(word string) string {
	if strings.IndexFunc(word, func(r rune) bool { return r == '%' || r >= 0x80 }) < 0 {
		return word
	}
	word = strings.Map(func(r rune) rune {
		if isOddHyphen(r) {
			return '-'
		}
		return r
	}, word)
	return strings.ReplaceAll(strings.ReplaceAll(word, "%2D", "-"), "%2d", "-")
}

// lookUpAny looks an id up as it is spelled, and then in the spellings that mean
// the same: a UUID with and without hyphens, and whatever is long and hardly
// anything but an id in either letter case.
func lookUpAny(id string, lookUp func(string) (string, bool)) (title string, ok bool) {
	if title, ok = lookUp(id); ok || len(id) < shortestFolded || !isDistinctive(id) {
		return title, ok
	}
	spellings := []string{id}
	if parsed, err := uuid.Parse(id); err == nil && (len(id) == 36 || len(id) == 32) {
		spellings = []string{parsed.String(), strings.ReplaceAll(parsed.String(), "-", "")}
	}
	for _, spelling := range spellings {
		for _, folded := range []string{strings.ToLower(spelling), strings.ToUpper(spelling)} {
			if title, ok = lookUp(folded); ok {
				return title, true
			}
		}
	}
	return "", false
}

// shortestFolded is how long an id is at least that is found in another letter
// case: shorter ones may be two.
const shortestFolded = 10

// isIDRune reports whether r is common in ids.
func isIDRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		r == '-' || r == '_' || r == '.' || r == ':'
}

// isPathRune reports whether r may be part of an id at all.
func isPathRune(r rune) bool {
	return isIDRune(r) || r == '/' || r == '@' || r == '+' || r == '=' || r == '~'
}

// isDistinctive reports whether a word is hardly anything but an id: letters and
// digits mixed, or many digits.
func isDistinctive(word string) bool {
	digits := 0
	for i := 0; i < len(word); i++ {
		if word[i] >= '0' && word[i] <= '9' {
			digits++
		}
	}
	return digits >= 8 || digits > 0 && digits < len(word) && len(word) >= 4
}

// label returns the length of a label such as `id: `, `"task_id": ` or `ID #`
// at the end of a text.
func label(text []byte) int {
	trimmed := bytes.TrimRight(text, " \t:=#\"'")
	word := trimmed[bytes.LastIndexFunc(trimmed, func(r rune) bool { return !isIDRune(r) })+1:]
	if len(word) > maxLabel {
		return 0
	}
	lower := strings.ToLower(string(word))
	camel := bytes.HasSuffix(word, []byte("Id")) || bytes.HasSuffix(word, []byte("ID"))
	if camel || lower == "id" || lower == "uuid" || strings.HasSuffix(lower, "_id") || strings.HasSuffix(lower, "-id") {
		return len(text) - len(trimmed) + len(word)
	}
	return 0
}

// maxLabel bounds the names that are taken for a label of an id.
const maxLabel = 40

// putTitle writes a title in place of an id, or nothing if the title stands
// right before it. It returns the text before and the rest after the id.
func putTitle(out []byte, title, rest string) ([]byte, string) {
	title = oneLine(title)
	n := label(out)
	head := bytes.TrimRight(out[:len(out)-n], " \t([{<")
	if bytes.HasSuffix(bytes.TrimRight(head, "\"'*`"), []byte(title)) {
		return dropID(out, rest)
	}
	quoted, _ := json.Marshal(title) // a string always marshals
	switch {
	case bytes.HasSuffix(out, []byte(`"`)) && strings.HasPrefix(rest, `"`): // may be JSON
		return append(out, quoted[1:len(quoted)-1]...), rest
	case isAfterKey(out): // a number in JSON
		return append(out, quoted...), rest
	}
	out = append(out[:len(out)-n], '"')
	return append(append(out, title...), '"'), rest
}

// dropID takes the label and the brackets of an id off both sides, and the
// space that would be left over.
func dropID(out []byte, rest string) ([]byte, string) {
	if inner, quoted := bytes.CutSuffix(out, []byte(`"`)); quoted && strings.HasPrefix(rest, `"`) &&
		(isAfterKey(inner) || isInList(inner)) {
		return out, rest // an empty string keeps JSON whole
	}
	out = out[:len(out)-label(out)]
	for len(out) > 0 && rest != "" && brackets[out[len(out)-1]] == rest[0] {
		out, rest = out[:len(out)-1], rest[1:]
	}
	if rest == "" || strings.ContainsAny(rest[:1], " .,;:!?)\n") {
		out = bytes.TrimRight(out, " ")
	}
	return out, rest
}

// isAfterKey reports whether a text ends where JSON has the value of a key.
func isAfterKey(text []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(text, " \t\r\n"), []byte(`":`))
}

// isInList reports whether a text ends where JSON has the next string of a list.
func isInList(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n")
	return bytes.HasSuffix(text, []byte("[")) || bytes.HasSuffix(text, []byte(`",`))
}

// brackets maps what opens around an id to what closes. The zero byte closes
// nothing: it is not in the map.
var brackets = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>', '"': '"', '\'': '\'', '`': '`'}

// isUUID reports whether a word is a UUID in its usual form.
func isUUID(word string) bool {
	return len(word) == 36 && uuid.Validate(word) == nil
}
