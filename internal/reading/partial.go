package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Partial reports whether a result says that it is not all there is: a member such as
// has_more or next_cursor, or a note such as "[output truncated]" or "(12 more lines)".
func Partial(data []byte, text string) bool {
	const depth = 3
	return partialMember(data, depth) || partialNote(strings.ToLower(text))
}

func partialMember(value []byte, depth int) bool {
	for name, member := range jsonspan.Members(value) {
		key := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(string(name)))
		said := strings.Trim(string(member), `" `)
		next := strings.HasPrefix(key, "next") && strings.Trim(said, "0{}[]") != "" && said != "null" && said != "false"
		switch {
		case said == "true" && (strings.HasSuffix(key, "truncated") || key == "hasmore" || key == "hasnextpage"):
			return true
		case next && (strings.HasSuffix(key, "cursor") || strings.HasSuffix(key, "token") || strings.HasSuffix(key, "page") ||
			strings.HasSuffix(key, "offset")):
			return true
		case depth > 1 && partialMember(member, depth-1):
			return true
		}
	}
	return false
}

// partialNote finds a note in brackets, or at the end, that something was left out.
func partialNote(text string) bool {
	const before, after = 60, 20
	for at := 0; ; {
		i := strings.Index(text[at:], "truncated")
		if i < 0 {
			break
		}
		at += i
		open := strings.LastIndexAny(text[max(0, at-before):at], "[(<…")
		shut := strings.IndexAny(text[at:min(len(text), at+before)], "])>…")
		if open >= 0 && shut >= 0 || strings.HasSuffix(text[:at], "output ") || strings.HasSuffix(text[:at], "... ") {
			return true
		}
		at += len("truncated")
	}
	for _, unit := range [...]string{" more line", " more row", " more result", " more item", " lines omitted"} {
		i := strings.LastIndex(text, unit)
		if i > 0 && digits[text[i-1]] && len(text)-i <= after+len(unit) {
			return true
		}
	}
	return false
}
