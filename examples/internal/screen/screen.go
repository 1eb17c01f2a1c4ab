// Package screen answers one question: what may be written to a terminal?
//
// Titles, results and answers come from users, tools and models. A terminal acts
// on some of the characters that they may hold: it moves the cursor, changes
// its title, opens links, or answers as if the person had typed. A [Screen] is a
// writer that shows such characters instead of obeying them:
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
)

// Screen writes text to a terminal, or to whatever stands in for one. It is not
// safe for concurrent use.
type Screen struct {
	out    io.Writer
	marker string // stands for the beginning of a sequence of our own
	rest   []byte // of a character that was cut off between two writes
}

// Columns is how wide the terminal is that the screen writes to; 0 for anything
// that is no terminal.
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

// Write shows the text. It reports all of it as written, since what is shown has
// another length.
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

// Text is a text as it may be written to a terminal: control characters, those
// that turn the direction of writing, and bytes that are no characters are
// escaped.
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
