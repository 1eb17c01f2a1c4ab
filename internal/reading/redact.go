package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Details are the arguments that decide what a call did, a few: amounts, dates, and what else
// the user named. "Added: Ann Miller" may be a guest or a charge; "amount: 81" says which. All
// other texts are left out, since they may be secrets, and so is what the titles say already.
func Details(args []byte, titles, user string, inWords func(name string) string) (details []string) {
	const most, longest = 3, 40
	isMoment := func(v Value) bool { return v.Kind == Date || v.Kind == Clock }
	for key, value := range jsonspan.Members(args) {
		name, text := inWords(string(jsonspan.Key(key))), jsonspan.Scalar(value)
		if len(details) == most || len(text) > longest || strings.HasSuffix(" "+name, " id") || WithoutIDs(text) != text ||
			strings.Contains(text, "_") || strings.Contains(titles, text) { // also what has no text at all
			continue
		}
		said := strings.Contains(strings.ToLower(user), strings.ToLower(text)) || jsonspan.KindOf(value) == jsonspan.Number
		if said || slices.ContainsFunc(English().Values(nil, text), isMoment) {
			details = append(details, name+": "+text) // as secrets are told, which are then hidden
		}
	}
	return details
}

// WithoutIDs drops what looks like an id: a UUID, or a long mix of letters and
// digits. Quotes and brackets around it go with it.
func WithoutIDs(text string) string {
	fields := strings.Fields(text)
	kept := fields[:0]
	for _, field := range fields {
		if !idLike(strings.Trim(field, `"'()[]{}<>.,;:#`)) {
			kept = append(kept, field)
		}
	}
	if len(kept) == len(fields) {
		return text
	}
	return strings.Join(kept, " ")
}

func idLike(word string) bool {
	if len(word) == 36 && strings.Count(word, "-") == 4 {
		return true
	}
	if _, value, found := strings.Cut(word, "="); found {
		word = value
	}
	parts := strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '_' || r == ':' })
	return slices.ContainsFunc(parts, func(part string) bool { // "page-3f2a91bc07de-0" holds one
		return isID(part, len(parts) == 1)
	})
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// isID reports whether a word of letters and digits is an id. One that stands
// alone needs less to be one: "page-20260601" has a date.
func isID(word string, alone bool) bool {
	const digits = "0123456789"
	first := strings.IndexAny(word, digits)
	if first < 0 || len(word) > 40 || strings.Trim(word, alphanumeric) != "" {
		return false
	}
	switch {
	case strings.TrimLeft(word[first:], digits) != "": // 3f2a91bc07de
		return len(word) >= 8
	case first == 0: // 20260601
		return len(word) >= 12 || alone && len(word) >= 8
	}
	return alone && len(word) >= 16 // W8855135: letters, then digits
}

// Phrase is where a phrase stands in a text of small letters as whole words; -1 if it does not.
func Phrase(text, phrase string) int {
	phrase = strings.ToLower(strings.TrimSpace(phrase))
	at := strings.Index(text, phrase)
	if at < 0 || phrase == "" {
		return -1
	}
	end := at + len(phrase)
	if at > 0 && isAlphanumeric(text[at-1]) || end < len(text) && isAlphanumeric(text[end]) {
		return -1
	}
	return at
}

func isAlphanumeric(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
