package guard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// What only one package may do is found by reading the code of all others.

// sources are the Go files of the repository that are not tests, by their path
// from its root.
func sources(t *testing.T, visit func(name string, places *token.FileSet, file *ast.File)) {
	t.Helper()
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (name != "." && strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return skipped(entry, err)
		}
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		places := token.NewFileSet()
		file, err := parser.ParseFile(places, filepath.Join("..", filepath.FromSlash(name)), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err == nil {
			visit(name, places, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func skipped(entry fs.DirEntry, err error) error {
	if err == nil && entry.IsDir() {
		return fs.SkipDir
	}
	return err
}

// exception is a file that may do what others leave to one package.
type exception struct{ file, reason string }

// allowed finds the exception for a file, and remembers that it is needed.
func allowed(exceptions []exception, used map[string]bool, file string) bool {
	for _, e := range exceptions {
		if e.file == file || strings.HasSuffix(e.file, "/") && strings.HasPrefix(file, e.file) {
			used[e.file] = true
			return true
		}
	}
	return false
}

// stale refuses exceptions that nothing needs any more.
func stale(t *testing.T, exceptions []exception, used map[string]bool) {
	t.Helper()
	for _, e := range exceptions {
		if !used[e.file] {
			t.Errorf("%s needs no exception any more: take it out of the table", e.file)
		}
	}
}
