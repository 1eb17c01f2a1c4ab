package screen_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
)

// attacks are titles that would do something to a terminal.
var attacks = []string{
	"\x1b[31mred", "\x1b]0;title\x07", "\x1b]8;;https://evil.example\x07link\x1b]8;;\x07", "\x1b]52;c;Y2F0\x07", "\x1b[2J\x1b[H", "\x1bPq\x1b\\", "\x1b[6n",
	"\u009b31mred", "\u009d0;title\u009c", "\u0090q", "\u0085", "\x9b31m", "\x9d0;x\x9c", "a\rb", "a\bb", "a\x7fb", "a\x00b", "\x0e", "a\u202eb", "a\u2066b", "a\u2028b", "\U000e0041",
}

func TestNothingActsOnTheTerminal(t *testing.T) {
	for _, attack := range attacks {
		var out bytes.Buffer
		fmt.Fprintf(screen.New(&out), "title: %s.\n", attack)
		for _, r := range out.String() {
			if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u2066' || r == '\u2028' || r == '\U000e0041' || r == '\uFFFD' {
				t.Errorf("%q is written as %q", attack, out.String())
			}
		}
		if !strings.HasPrefix(out.String(), "title: ") || !strings.HasSuffix(out.String(), ".\n") {
			t.Errorf("%q is written as %q", attack, out.String())
		}
	}
}

func TestTextPasses(t *testing.T) {
	for _, text := range []string{"", "plain", "two\nlines\tand a tab\n", "é 日本 😀 ─│ “quoted”", "\uFFFD"} {
		var out bytes.Buffer
		s := screen.New(screen.New(&out))
		for i := range len(text) { // a byte at a time, as a buffer may cut it
			if n, err := s.Write([]byte{text[i]}); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		if out.String() != text {
			t.Errorf("%q is written as %q", text, out.String())
		}
	}
}

func TestStylesAreTheProgramsOwn(t *testing.T) {
	var out bytes.Buffer
	s := screen.New(&out)
	fmt.Fprintf(s, "%s %s", s.Style("31", "no\x1b[0m"), "\x1b[1mbold")
	if want := "\x1b[31mno\\u001b[0m\x1b[0m \\u001b[1mbold"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	if _, err := screen.New(broken{}).Write([]byte("x")); err == nil {
		t.Error("a writer that fails is no error")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }
