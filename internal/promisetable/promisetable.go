// Package promisetable keeps .github/docs/promises.md what the tests have seen.
// The tests of each module check the columns of their own ways in; with -update
// they write them. go generate runs them all, one after the other.
package promisetable

//go:generate go test -count=1 -p 1 -run TestAdapters ../../guard/guardtest ../../guard/chatwire -update
//go:generate go test -count=1 -p 1 -run TestAdapters ../../guard/openaiguard ../../guard/anthropicguard ../../guard/genaiguard -update
//go:generate go test -count=1 -p 1 -run TestAdapters ../../guard/mcpguard -update

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/golden"
)

const (
	begin = "<!-- promises -->\n"
	end   = "<!-- /promises -->"
)

// Row is a promise: its name in tests, and what the table says.
type Row = struct {
	Name, Text string
}

// Column is a way in, and what was seen of it, by the names of rows.
type Column = struct {
	Name  string
	Cells map[string]string
}

// Check compares columns of the table with what was seen.
func Check(t testing.TB, rows []Row, seen []Column) {
	t.Helper()
	for up := range 8 { // a module of the repository lies less deep
		top := strings.Repeat("../", up)
		if _, err := os.Stat(top + "go.work"); err == nil {
			CheckIn(t, filepath.FromSlash(top+".github/docs/promises.md"), rows, seen)
			return
		}
	}
	t.Log("there is no table of promises here") // outside of the repository
}

// CheckIn is Check for the table of another file.
func CheckIn(t testing.TB, file string, rows []Row, seen []Column) {
	t.Helper()
	for _, column := range seen {
		if err := check(file, rows, column, golden.Update()); err != nil {
			t.Error(err)
		}
	}
}

// check holds one column against the file, or writes it: in its place or, if it is new, as the
// last one.
func check(file string, rows []Row, seen Column, write bool) error {
	data, err := os.ReadFile(file) // #nosec G304 -- a file of the repository
	if err != nil {
		return err
	}
	before, rest, opened := strings.Cut(string(data), begin)
	inside, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		return fmt.Errorf("%s has no table between %s and %s", file, strings.TrimSpace(begin), end)
	}
	if want := withColumn(inside, rows, seen); write {
		return os.WriteFile(file, []byte(before+begin+want+end+after), 0o600)
	} else if inside != want {
		return fmt.Errorf("%s: %s\nthe table says\n%s\nthe tests saw\n%s\nuse -update", file, seen.Name, inside, want)
	}
	return nil
}

// withColumn is a table with what was seen of one column. What it says of the others stays.
func withColumn(table string, rows []Row, seen Column) string {
	known := map[string][]string{} // cells by the text of their row
	heads := []string{""}
	for i, line := range strings.Split(table, "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if known[cells[0]] = cells; i == 0 {
			heads = cells
		}
	}
	head := "`" + strings.ReplaceAll(seen.Name, ", ", "`, `") + "`"
	at := slices.Index(heads, head)
	if at < 0 {
		at, heads = len(heads), append(heads, head)
	}
	out := "| | " + strings.Join(heads[1:], " | ") + " |\n|" + strings.Repeat("---|", len(heads)) + "\n"
	for _, row := range rows {
		cells := append([]string{row.Text}, make([]string, len(heads)-1)...)
		copy(cells, known[row.Text])
		cells[at] = seen.Cells[row.Name]
		out += "| " + strings.Join(cells, " | ") + " |\n"
	}
	return out
}
