package logfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// read returns the pieces of a text as "line/group: value" or "line! fault".
func read(t testing.TB, text string) []string {
	t.Helper()
	var got []string
	err := Read(bufio.NewReader(strings.NewReader(text)), func(p Piece) bool {
		if p.Fault != nil {
			got = append(got, fmt.Sprintf("%d! %v", p.Line, p.Fault))
		} else {
			got = append(got, fmt.Sprintf("%d/%d: %s", p.Line, p.Group, p.Data))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPieces(t *testing.T) {
	cases := []struct {
		name, text string
		want       []string
	}{
		{"an empty file", "", nil},
		{"only blank lines", "\n \n\n", nil},
		{"JSON Lines", "{\"a\":1}\n{\"a\":2}\n", []string{`1/0: {"a":1}`, `2/0: {"a":2}`}},
		{"windows line ends, blank lines, no last line end", "\r\n{\"a\":1}\r\n\r\n{\"a\":2}", []string{`2/0: {"a":1}`, `4/0: {"a":2}`}},
		{"a byte order mark", "\ufeff{\"a\":1}\n{\"a\":2}\n", []string{`1/0: {"a":1}`, `2/0: {"a":2}`}},
		{"a damaged line among others", "{\"a\":1}\n{\"a\":\n{\"a\":3}\n", []string{`1/0: {"a":1}`, `2/0: {"a":`, `3/0: {"a":3}`}},
		{"a damaged first line", "{\"a\":\"x\n{\"a\":2}\n", []string{`1/0: {"a":"x`, `2/0: {"a":2}`}},
		{"rubbish before JSON Lines", "started\n{\"a\":2}\n", []string{`1/0: started`, `2/0: {"a":2}`}},
		{"lists of messages, one a line", "[1,2]\n[3]\n", []string{`1/0: [1,2]`, `2/0: [3]`}},
		{"an object over several lines", "{\n \"a\": 1\n}\n", []string{"1/0: {\n \"a\": 1\n}"}},
		{"objects over several lines", "{\n\"a\": 1\n}\n{\n\"a\": 2\n}\n", []string{"1/0: {\n\"a\": 1\n}", "4/0: {\n\"a\": 2\n}"}},
		{"an array over several lines", "[\n  {\"a\":1},\n\n  {\"a\":\n2}\n]\n", []string{`2/1: {"a":1}`, "4/1: {\"a\":\n2}"}},
		{"an array on one line", `[{"a":1},{"a":2}]`, []string{`1/1: {"a":1}`, `1/1: {"a":2}`}},
		{"an empty array", `[]`, nil},
		{"damage inside a document", "[\n{\"a\":1},\n{\"a\":oops},\n{\"a\":3}\n]", []string{`2/1: {"a":1}`, `3! not valid JSON: invalid character 'o' looking for beginning of value; the rest of the file was skipped`}},
		{"a document that is cut off", "[\n{\"a\":1},\n{\"a\":", []string{`2/1: {"a":1}`, `3! not valid JSON: unexpected EOF; the rest of the file was skipped`}},
		{"an array without an end", "[\n{\"a\":1}", []string{`2/1: {"a":1}`, `2! not valid JSON: unexpected EOF; the rest of the file was skipped`}},
		{"a NUL in a document", "[\n1]\n\x00[2]", []string{`2/1: 1`, `3! not valid JSON: invalid character '\x00' looking for beginning of value; the rest of the file was skipped`}},
		{"a single damaged line", `{"a":`, []string{`1! not valid JSON: unexpected EOF; the rest of the file was skipped`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := read(t, c.text); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestPiecesStopWhenNobodyListens(t *testing.T) {
	for _, text := range []string{"{}\n{}\n{}\n", "[{},\n{},\n{}]"} {
		seen := 0
		if err := Read(bufio.NewReader(strings.NewReader(text)), func(Piece) bool { seen++; return false }); err != nil || seen != 1 {
			t.Errorf("%q: %d pieces, error %v", text, seen, err)
		}
	}
}

func TestAHugeLineCostsItselfOnly(t *testing.T) {
	huge := `{"a":"` + strings.Repeat("x", MaxValue) + `"}`
	for name, text := range map[string]string{
		"first": huge + "\n{\"a\":2}\n", "later": "{\"a\":1}\n" + huge + "\n{\"a\":2}\n", "last": "{\"a\":2}\n" + huge,
	} {
		got := strings.Join(read(t, text), "\n")
		if !strings.Contains(got, "! longer than the 16 MiB that a conversation may have") || !strings.Contains(got, `{"a":2}`) || len(got) > 300 {
			t.Errorf("%s: got %.300q", name, got)
		}
	}
}

func TestAHugeElementEndsItsDocument(t *testing.T) {
	text := "[{\"a\":1},\n{\"a\":\"" + strings.Repeat("x", 3*MaxValue) + "\"},{\"a\":3}]"
	got := read(t, text)
	if len(got) != 2 || !strings.Contains(got[1], "longer than") {
		t.Errorf("got %d pieces, the last %.200q", len(got), got[len(got)-1])
	}
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := gzip.NewWriter(&buffer)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes()
}

func TestGzipIsKnownByItsContent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log.txt") // whatever it is called
	if err := os.WriteFile(file, packed(t, "{\"a\":1}\n{\"a\":2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reader, closer, err := Open(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	lines := 0
	if err := Read(reader, func(Piece) bool { lines++; return true }); err != nil || lines != 2 {
		t.Errorf("%d lines, error %v", lines, err)
	}
}

type brokenReader struct{ inner *strings.Reader }

var errDisk = errors.New("the disk is on fire")

func (r *brokenReader) Read(into []byte) (int, error) {
	if r.inner.Len() == 0 {
		return 0, errDisk
	}
	return r.inner.Read(into)
}

func TestReadErrorsAreTold(t *testing.T) {
	for _, text := range []string{"{\"a\":1}\n{\"a\":2}\n", "{\"a\"", "[{\"a\":1},\n", "[\n", ""} {
		err := Read(bufio.NewReader(&brokenReader{strings.NewReader(text)}), func(Piece) bool { return true })
		if !errors.Is(err, errDisk) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestACutGzipFileIsALossNotAnEnd(t *testing.T) {
	whole := packed(t, strings.Repeat("{\"a\":1}\n", 10_000))
	for name, data := range map[string][]byte{"lines": whole, "document": packed(t, "[\n"+strings.Repeat("{\"a\":1},\n", 10_000)+"{}]")} {
		file := filepath.Join(t.TempDir(), "log.gz")
		if err := os.WriteFile(file, data[:len(data)-20], 0o600); err != nil {
			t.Fatal(err)
		}
		reader, closer, err := Open(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		if err := Read(reader, func(Piece) bool { return true }); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func FuzzPieces(f *testing.F) {
	for _, seed := range []string{"{\"a\":1}\n{\"a\":2}\n", "[\n{},\n{}]", "{\n}\n{}", "[[1],[2]]", "{\"messages\":[", "\n\n[", "[1]\n[2]\n", "{}{}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last, lines := 0, strings.Count(text, "\n")+1
		err := Read(bufio.NewReaderSize(strings.NewReader(text), 16), func(p Piece) bool {
			if p.Line < last || p.Line > lines || p.Line < 1 {
				t.Errorf("a piece on line %d behind one on line %d, of %d", p.Line, last, lines)
			}
			if (p.Fault == nil) == (len(p.Data) == 0) {
				t.Errorf("data %q with fault %v", p.Data, p.Fault)
			}
			last = p.Line
			return true
		})
		if err != nil {
			t.Error(err)
		}
	})
}
