// Package screen answers one question: what may be written to a terminal?
//
// Titles, results and answers come from users, tools and models. A terminal acts on some of the
// characters that they may hold: it moves the cursor, changes its title, opens links, or answers as if
// the person had typed. A [Screen] is a writer that shows such characters instead of obeying them:
//
//	out := screen.New(os.Stdout)
//	fmt.Fprintln(out, reply.Text)
//
// Line breaks and tabs pass. Colours are the program's own: [Screen.Style]. Lines
// are made to fit by [Wrap], within [Screen.Columns].
package screen

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// Screen writes text to a terminal, or to whatever stands in for one. It is not safe for concurrent use.
type Screen struct {
	out    io.Writer
	marker string // stands for the beginning of a sequence of our own
	rest   []byte // of a character that was cut off between two writes
}

// Columns is how wide the terminal is that the screen writes to; 0 for anything that is no terminal.
func (s *Screen) Columns() int {
	switch out := s.out.(type) {
	case *Screen:
		return out.Columns()
	case *os.File:
		if columns, _, err := term.GetSize(int(out.Fd())); err == nil {
			return columns
		}
	}
	return 0
}

// New returns a screen that writes to out. A screen on a screen is fine.
func New(out io.Writer) *Screen {
	// Nobody who writes a title can guess the marker, so nobody else can style.
	return &Screen{out: out, marker: "\uE000" + rand.Text() + ":"}
}

// Style marks a text to be shown in a style of the terminal, such as "31" for
// red. It is for writing to this screen only.
func (s *Screen) Style(style, text string) string {
	return s.marker + style + "m" + text + s.marker + "0m"
}

// Write shows the text. It reports all of it as written, since what is shown has another length.
func (s *Screen) Write(text []byte) (int, error) {
	whole := append(s.rest, text...)
	end := len(whole) - cut(whole)
	s.rest = append([]byte(nil), whole[end:]...)
	shown := strings.ReplaceAll(Text(string(whole[:end])), s.marker, "\x1b[")
	if _, err := io.WriteString(s.out, shown); err != nil {
		return 0, err
	}
	return len(text), nil
}

// cut is how many bytes at the end begin a character that goes on.
func cut(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if first := text[len(text)-n]; utf8.RuneStart(first) {
			if first >= utf8.RuneSelf && !utf8.FullRune(text[len(text)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// Text is a text as it may be written to a terminal: control characters, those that turn the direction
// of writing, and bytes that are no characters are escaped.
func Text(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, acts) < 0 {
		return text
	}
	var shown strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&shown, `\x%02x`, text[0])
		case acts(r):
			fmt.Fprintf(&shown, `\u%04x`, r)
		default:
			shown.WriteString(text[:size])
		}
		text = text[size:]
	}
	return shown.String()
}

// acts reports whether a terminal does something at r rather than showing it.
func acts(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Bidi_Control, r):
		return true
	}
	return r == 0x2028 || r == 0x2029 || r == 0xFEFF || r >= 0xE0000 && r <= 0xE007F // separators, marks and tags
}

// Cells is how wide a text is on the screen: two for wide characters, none for marks that stand on the one before.
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

// Layout sets a text in lines of at most a number of cells. Lines that follow one another and hold
// tabs are the rows of a table, whose last cells are wrapped. Any other line is prose, which is
// wrapped below its own beginning.
func Layout(text string, most int) string {
	var out strings.Builder
	var columns []int
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if i == 0 || !strings.Contains(lines[i-1], "\t") {
			columns = columnsOf(lines[i:])
		}
		cells := strings.Split(line, "\t")
		lead, last := "", cells[len(cells)-1]
		for column, cell := range cells[:len(cells)-1] {
			lead += Pad(cell, columns[column]+2)
		}
		if lead == "" {
			lead = line[:len(line)-len(strings.TrimLeft(line, " "))]
		}
		for _, piece := range Wrap(last, most-Cells(lead)) {
			out.WriteString(strings.TrimRight(lead+piece, " ") + "\n")
			lead = strings.Repeat(" ", Cells(lead))
		}
	}
	return out.String()
}

// columnsOf are the widths of the columns of the table that some lines begin with.
func columnsOf(lines []string) (columns []int) {
	for _, line := range lines {
		cells := strings.Split(line, "\t")
		if len(cells) == 1 {
			break
		}
		for i, cell := range cells {
			if i == len(columns) {
				columns = append(columns, 0)
			}
			columns[i] = max(columns[i], Cells(cell))
		}
	}
	return columns
}

// Pad fills a text up to a number of cells.
func Pad(text string, most int) string {
	return text + strings.Repeat(" ", max(0, most-Cells(text)))
}
