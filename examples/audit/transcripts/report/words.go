package report

import (
	"fmt"
	"strings"
)

// OneLine is a text on one line, without control characters: what a log holds
// must not move the cursor of whoever reads the report.
func OneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r <= ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069
	}), " ")
}

// Thousands groups the digits of a number.
func Thousands(n int) string {
	digits := fmt.Sprint(n)
	var out strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// Plural is a number of things.
func Plural(n int, noun string) string {
	if n != 1 {
		if noun = strings.TrimSuffix(noun, "y") +
			map[bool]string{true: "ies", false: "s"}[strings.HasSuffix(noun, "y")]; n == 0 {
			return "no " + noun
		}
	}
	return Thousands(n) + " " + noun
}
