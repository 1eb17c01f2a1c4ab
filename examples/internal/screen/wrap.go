package screen

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Cells is how wide a text is on the screen: two for wide characters, none for
// marks that stand on the one before.
func Cells(text string) int {
	n := 0
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	switch {
	case r < 0x300: // nothing below it is wide or stands on another
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Wrap breaks a text into lines of at most a number of cells. Line breaks in the
// text stay; a word longer than a line is cut.
func Wrap(text string, most int) []string {
	most = max(most, 2)
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			for Cells(word) > most {
				if line != "" {
					lines, line = append(lines, line), ""
				}
				head := beginning(word, most)
				lines, word = append(lines, head), word[len(head):]
			}
			switch {
			case line == "":
				line = word
			case Cells(line)+1+Cells(word) <= most:
				line += " " + word
			default:
				lines, line = append(lines, line), word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// beginning is as much of a text as fits.
func beginning(text string, most int) string {
	n := 0
	for i, r := range text {
		if n += cellsOf(r); n > most {
			return text[:i]
		}
	}
	return text
}

// Pad fills a text up to a number of cells.
func Pad(text string, most int) string {
	return text + strings.Repeat(" ", max(0, most-Cells(text)))
}
