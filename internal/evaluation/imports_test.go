package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNothingShippedImportsThisModule: the turns are larger than the library, and whoever uses
// it must not download them. Examples are run from a clone; their tests may play turns.
func TestNothingShippedImportsThisModule(t *testing.T) {
	root, err := repository()
	require.NoError(t, err)
	files := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "internal/evaluation" || name == ".git" || entry.Name() == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		case strings.HasPrefix(name, "examples/") && strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imported := range file.Imports {
			if strings.Contains(imported.Path.Value, "bonafide/internal/evaluation") {
				t.Errorf("%s imports %s", name, imported.Path.Value)
			}
		}
		return nil
	}))
	require.Greater(t, files, 500)
}
