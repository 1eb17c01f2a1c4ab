package resolver

import (
	"strconv"
	"strings"
)

// Listing prints entries for people and models, one numbered line each and
// without ids:
//
//  1. Read book (Status: pending, Priority: high)
//  2. Buy milk
//  3. Buy milk (2)
//
// Entries with equal titles are told apart by a number. The position of a line
// is what [Ordinal] counts.
func Listing(entries []Entry) string {
	var b strings.Builder
	seen := make(map[string]int, len(entries))
	for i, entry := range entries {
		b.WriteString(strconv.Itoa(i + 1))
		b.WriteString(". ")
		title := oneLine(entry.Title)
		b.WriteString(title)
		if seen[title]++; seen[title] > 1 {
			b.WriteString(" (" + strconv.Itoa(seen[title]) + ")")
		}
		writeDetails(&b, entry.Details)
		b.WriteByte('\n')
	}
	return b.String()
}

func writeDetails(b *strings.Builder, details []Detail) {
	separator := " ("
	for _, detail := range details {
		if detail.Value == "" {
			continue
		}
		b.WriteString(separator)
		if detail.Name != "" {
			b.WriteString(oneLine(detail.Name) + ": ")
		}
		b.WriteString(oneLine(detail.Value))
		separator = ", "
	}
	if separator == ", " {
		b.WriteByte(')')
	}
}
