package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
)

// terminal writes text in colour where somebody can see it, and plain in a
// pipe.
type terminal struct {
	*screen.Screen // titles and answers are shown, not obeyed
	colour         bool
	width          int
}

func newTerminal(out io.Writer) *terminal {
	t := &terminal{Screen: screen.New(out), width: 100}
	if file, ok := out.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			t.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		}
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns >= 60 {
		t.width = min(columns, 120)
	}
	return t
}

const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	blue   = "34"
)

func (t *terminal) paint(style, text string) string {
	if !t.colour || style == "" || text == "" {
		return text
	}
	return t.Style(style, text)
}

// wrap breaks a text into lines of at most width characters. Line breaks in the
// text stay.
func wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			for utf8.RuneCountInString(word) > width { // a word longer than a line
				runes := []rune(word)
				if line != "" {
					lines, line = append(lines, line), ""
				}
				lines, word = append(lines, string(runes[:width])), string(runes[width:])
			}
			switch {
			case line == "":
				line = word
			case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
				line += " " + word
			default:
				lines, line = append(lines, line), word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// pad fills a text up to a number of characters.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}
