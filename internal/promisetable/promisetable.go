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

// columns are the ways in, in the order of the table. A new one is added here.
var columns = []string{
	"Run, Begin", "Wrap", "chatwire.Middleware", "chatwire.Transport", "openaiguard.Model", "openaiguard.Middleware",
	"anthropicguard.Model", "anthropicguard.Middleware", "genaiguard.Model", "genaiguard.HTTPClient",
	"mcpguard.Executor", "mcpguard.Middleware", "mcpguard.ServerMiddleware",
}

// Row is a promise: its name in tests, and what the table says.
type Row = struct {
	Name, Text string
}

// Column is a way in, and what was seen of it, by the names of rows.
type Column = struct {
	Name  string
	Cells map[string]string
}

// Check compares columns of the table with what was seen. Outside of the
// repository there is nothing to compare.
func Check[R ~Row, C ~Column](t testing.TB, rows []R, seen []C) {
	t.Helper()
	file, found := find()
	if !found {
		t.Log("there is no table of promises here")
		return
	}
	CheckIn(t, file, columns, rows, seen)
}

// CheckIn is Check for another file, and a table with other columns.
func CheckIn[R ~Row, C ~Column](t testing.TB, file string, columns []string, rows []R, seen []C) {
	t.Helper()
	plain := make([]Row, len(rows))
	for i, row := range rows {
		plain[i] = Row(row)
	}
	for _, column := range seen {
		if err := check(file, columns, plain, Column(column), golden.Update()); err != nil {
			t.Error(err)
		}
	}
}

// CheckColumns checks that the table has every column.
func CheckColumns(t testing.TB) {
	t.Helper()
	file, found := find()
	if !found || golden.Update() {
		return
	}
	table, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range columns {
		if table.cells[column] == nil {
			t.Errorf("the table of promises has no column for %s; run its tests with -update", column)
		}
	}
}

// find looks for the table's file below the folder of go.work, here and above.
func find() (string, bool) {
	folder, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(folder, "go.work")); err == nil {
			return filepath.Join(folder, ".github", "docs", "promises.md"), true
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "", false
		}
		folder = above
	}
	return "", false
}

// table is the table as its file has it.
type table struct {
	before, after string
	cells         map[string]map[string]string // by column and text of the row
}

func check(file string, columns []string, rows []Row, seen Column, write bool) error {
	if !slices.Contains(columns, seen.Name) {
		return fmt.Errorf("the table has no place for %s; add it to the columns", seen.Name)
	}
	t, err := read(file)
	if err != nil {
		return err
	}
	if write {
		t.cells[seen.Name] = map[string]string{}
		for _, row := range rows {
			t.cells[seen.Name][row.Text] = seen.Cells[row.Name]
		}
		return os.WriteFile(file, []byte(t.before+begin+t.lines(columns, rows)+end+t.after), 0o600)
	}
	for _, row := range rows {
		if got := t.cells[seen.Name][row.Text]; got != seen.Cells[row.Name] {
			return fmt.Errorf("%s, %q: the table says %q, and the tests saw %q; run them with -update",
				seen.Name, row.Text, got, seen.Cells[row.Name])
		}
	}
	if n := len(t.cells[seen.Name]); n != len(rows) {
		return fmt.Errorf("the table of promises has %d rows, and there are %d promises; run the tests with -update",
			n, len(rows))
	}
	return nil
}

func read(file string) (*table, error) {
	data, err := os.ReadFile(file) // #nosec G304 -- a file of the repository
	if err != nil {
		return nil, err
	}
	before, rest, opened := strings.Cut(string(data), begin)
	inside, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		return nil, fmt.Errorf("%s has no table between %s and %s", file, strings.TrimSpace(begin), end)
	}
	t := &table{before, after, map[string]map[string]string{}}
	var heads []string
	for line := range strings.Lines(inside) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case heads == nil:
			for _, head := range cells {
				head = strings.ReplaceAll(head, "`", "")
				heads = append(heads, head)
				t.cells[head] = map[string]string{}
			}
		case !strings.HasPrefix(cells[0], "-") && len(cells) == len(heads):
			for i, head := range heads {
				t.cells[head][cells[0]] = cells[i]
			}
		}
	}
	return t, nil
}

// lines is the table as text.
func (t *table) lines(columns []string, rows []Row) string {
	var out strings.Builder
	out.WriteString("| |")
	known := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return t.cells[c] == nil })
	for _, column := range known {
		out.WriteString(" `" + strings.ReplaceAll(column, ", ", "`, `") + "` |")
	}
	out.WriteString("\n|---|" + strings.Repeat("---|", len(known)) + "\n")
	for _, row := range rows {
		out.WriteString("| " + row.Text + " |")
		for _, column := range known {
			out.WriteString(" " + t.cells[column][row.Text] + " |")
		}
		out.WriteString("\n")
	}
	return out.String()
}
