package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
)

// terminal writes text in colour where somebody can see it, and plain in a
// pipe, in lines that fit.
type terminal struct {
	*screen.Screen // titles and answers are shown, not obeyed
	colour         bool
	width          int  // in cells
	seen           bool // somebody looks at it, so that it may stop between pages
}

// The widths between which a text is laid out. Narrower terminals break lines
// themselves; wider ones would make them hard to read.
const (
	narrowest  = 40
	usualWidth = 80
	widest     = 200
)

// newTerminal asks the terminal for its width. In a pipe, COLUMNS says it.
func newTerminal(out io.Writer) *terminal {
	t := &terminal{Screen: screen.New(out), width: usualWidth}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		t.width = columns
	}
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		t.seen = true
		t.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 0 {
			t.width = columns
		}
	}
	t.width = min(max(t.width, narrowest), widest)
	return t
}

// typed reports whether somebody types what is read.
func typed(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
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

// print writes a text in lines that fit, the first after a lead, the others
// below its end.
func (t *terminal) print(lead, style, text string) {
	for i, line := range wrap(text, t.width-1-cells(lead)) {
		if i > 0 {
			lead = strings.Repeat(" ", cells(lead))
		}
		_, _ = io.WriteString(t, strings.TrimRight(lead+t.paint(style, line), " ")+"\n") // a reader that has left sees nothing
	}
}

// cells is how wide a text is on the screen: two for wide characters, none for
// marks that stand on the one before.
func cells(text string) int {
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

// wrap breaks a text into lines of at most a number of cells. Line breaks in the
// text stay; a word longer than a line is cut.
func wrap(text string, most int) []string {
	most = max(most, 2)
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			for cells(word) > most {
				if line != "" {
					lines, line = append(lines, line), ""
				}
				head := cut(word, most)
				lines, word = append(lines, head), word[len(head):]
			}
			switch {
			case line == "":
				line = word
			case cells(line)+1+cells(word) <= most:
				line += " " + word
			default:
				lines, line = append(lines, line), word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// cut is the beginning of a text that fits.
func cut(text string, most int) string {
	n := 0
	for i, r := range text {
		if n += cellsOf(r); n > most {
			return text[:i]
		}
	}
	return text
}

// pad fills a text up to a number of cells.
func pad(text string, most int) string {
	return text + strings.Repeat(" ", max(0, most-cells(text)))
}

// keyboard reads lines. Unlike a plain reader it lets go when the context ends,
// so that Ctrl-C ends a prompt.
type keyboard struct {
	lines <-chan string
	err   error // why there are no more lines; read it after the channel was closed
}

func newKeyboard(ctx context.Context, in io.Reader) *keyboard {
	lines := make(chan string)
	k := &keyboard{lines: lines}
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxMessage+1)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
		k.err = scanner.Err()
	}()
	return k
}

// next is the next line; false at the end of the input or of the context.
func (k *keyboard) next(ctx context.Context) (string, bool) {
	select {
	case line, more := <-k.lines:
		return strings.TrimSpace(line), more
	case <-ctx.Done():
		return "", false
	}
}
