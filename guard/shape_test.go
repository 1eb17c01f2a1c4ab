package guard_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// What a reader can take in: a function on one screen with no more ways through
// it than can be tried, lines that stand beside each other in a review, and
// files of one concept.
const (
	maxLines      = 60
	maxComplexity = 20
	maxColumns    = 120
	maxFileLines  = 600
)

// TestShape holds these sizes for all code that is written by hand, but for
// tests.
func TestShape(t *testing.T) {
	sources(t, func(name string, places *token.FileSet, file *ast.File) {
		if ast.IsGenerated(file) {
			return
		}
		for place, size := range tooLarge(name, places, file) {
			t.Errorf("%s: %s", place, size)
		}
		if line := tooWide(t, name, places, file); line != 0 {
			t.Errorf("%s:%d: more than %d columns", name, line, maxColumns)
		}
	})
}

// tooLarge are the sizes that are too large, by file or by file and function.
func tooLarge(name string, places *token.FileSet, file *ast.File) map[string]string {
	found := map[string]string{}
	if lines := places.Position(file.End()).Line; lines > maxFileLines {
		found[name] = fmt.Sprintf("%d lines; at most %d", lines, maxFileLines)
	}
	for _, declared := range file.Decls {
		function, ok := declared.(*ast.FuncDecl)
		if !ok {
			continue
		}
		place := name + " " + function.Name.Name
		lines := places.Position(function.End()).Line - places.Position(function.Pos()).Line + 1
		if lines > maxLines {
			found[place] = fmt.Sprintf("%d lines; at most %d", lines, maxLines)
		}
		if n := complexity(function); n > maxComplexity {
			found[place] = fmt.Sprintf("cyclomatic complexity %d; at most %d", n, maxComplexity)
		}
	}
	return found
}

// tooWide is the number of the first line that is too long, or 0. Directives and
// what is in backquotes cannot be cut.
func tooWide(t *testing.T, name string, places *token.FileSet, file *ast.File) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	require.NoError(t, err)
	raw := rawLines(places, file)
	for i, line := range strings.Split(string(text), "\n") {
		if utf8.RuneCountInString(line) > maxColumns && !raw[i+1] && !strings.HasPrefix(line, "//go:") {
			return i + 1
		}
	}
	return 0
}

// rawLines are the lines on which a text in backquotes stands: schemas, regular
// expressions, prompts.
func rawLines(places *token.FileSet, file *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		if text, ok := node.(*ast.BasicLit); ok && text.Kind == token.STRING && text.Value[0] == '`' {
			for line := places.Position(text.Pos()).Line; line <= places.Position(text.End()).Line; line++ {
				lines[line] = true
			}
		}
		return true
	})
	return lines
}

// complexity is the number of ways through a function, as gocyclo counts them.
func complexity(function *ast.FuncDecl) int {
	ways := 1
	ast.Inspect(function, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			ways++
		case *ast.CaseClause:
			if n.List != nil {
				ways++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				ways++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				ways++
			}
		}
		return true
	})
	return ways
}
