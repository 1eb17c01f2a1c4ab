package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
)

// terminal writes text in colour where somebody can see it, and plain in a pipe, in lines that fit.
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
	if columns := t.Columns(); columns > 0 {
		t.seen, t.width = true, columns
		t.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
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

// print writes a text in lines that fit, the first after a lead, the others below its end.
func (t *terminal) print(lead, style, text string) {
	for i, line := range screen.Wrap(text, t.width-1-screen.Cells(lead)) {
		if i > 0 {
			lead = strings.Repeat(" ", screen.Cells(lead))
		}
		// a reader that has left sees nothing
		_, _ = io.WriteString(t, strings.TrimRight(lead+t.paint(style, line), " ")+"\n")
	}
}

// table writes names and what is said of them in two columns.
func (t *terminal) table(rows [][2]string) {
	var text strings.Builder
	for _, row := range rows {
		text.WriteString("  " + row[0] + "\t" + row[1] + "\n")
	}
	_, _ = io.WriteString(t, screen.Layout(text.String(), t.width-1))
}

// keyboard reads the lines that somebody types, and lets go when the context ends, so that Ctrl-C ends a prompt.
type keyboard struct {
	in  *bufio.Reader
	err error // why there is no more, if not for the end of the input
}

func newKeyboard(in io.Reader) *keyboard {
	return &keyboard{in: bufio.NewReaderSize(in, maxMessage+1)}
}

// next is the next line; false at the end of the input or of the context.
func (k *keyboard) next(ctx context.Context) (string, bool) {
	var line []byte
	done := make(chan error, 1)
	go func() {
		var err error
		line, err = k.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			err = bufio.ErrTooLong
		case errors.Is(err, io.EOF) && len(line) > 0: // the last line may have no end
			err = nil
		}
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, io.EOF) {
			k.err = err
		}
		return strings.TrimSpace(string(line)), err == nil
	case <-ctx.Done():
		return "", false
	}
}
