// Package clip answers one question: how much of a text may stand in a message? What users, models
// and servers write may be of any length, and every message that quotes it has a bound.
package clip

import "unicode/utf8"

// Text is a text of at most so many bytes. A longer one is cut before a
// character, and an ellipsis stands for the rest.
func Text(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
