package telling

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Holds reports whether a value is one of the arguments, at any depth, or a word of a
// short one where parts count.
func Holds(args []byte, value string, parts bool) bool {
	for _, member := range jsonspan.Members(args) {
		if Holds(member, value, parts) {
			return true
		}
	}
	for element := range jsonspan.Elements(args) {
		if Holds(element, value, parts) {
			return true
		}
	}
	const short = 100
	text, isText := jsonspan.Text(args)
	if !isText {
		one, fault := jsonspan.AppendCanonical(nil, args) // 7 and 7.0 are the same argument
		other, fault2 := jsonspan.AppendCanonical(nil, []byte(value))
		return fault == nil && fault2 == nil && bytes.Equal(one, other)
	}
	return strings.EqualFold(text, value) ||
		parts && len(text) <= short && hasWords(strings.ToLower(text), strings.ToLower(value))
}

// hasWords reports whether a text has some words, with nothing of a word around them.
func hasWords(text, words string) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before, after, found := strings.Cut(text, words)
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return found && words != "" && (!inWord(last) && !inWord(first) || hasWords(after, words))
}

// FillsPage reports whether a call asked for a page, and the result has no room left on
// it, or is not the first one.
func FillsPage(record *tooltrack.Record, text string) bool {
	limit, offset := 0, 0
	for key, value := range jsonspan.Members(record.Args) {
		n, _ := strconv.Atoi(strings.Trim(string(value), `"`))
		switch strings.ToLower(string(key)) {
		case "limit", "page_size", "pagesize":
			limit = n
		case "offset", "skip":
			offset = n
		}
	}
	entries := strings.Count(strings.TrimSpace(text), "\n") + 1
	if list, isList := Listed(record.Result.Data); isList {
		entries = len(list)
	}
	return limit > 0 && entries >= limit || offset > 1
}
