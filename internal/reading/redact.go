package reading

import (
	"slices"
	"strings"
)

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
