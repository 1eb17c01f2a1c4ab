package guard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoroutinesAreContained holds every goroutine of the library against one rule: it is
// started by contain.Go, since a panic in any other one ends the host's process. The
// callbacks of timers and contexts run in goroutines, too: they may only cancel or close.
func TestGoroutinesAreContained(t *testing.T) {
	scanned := 0
	for _, folder := range []string{"guard", "intent", "completion", "policy", "resolver", "tooltrack", "internal", "examples/proxy"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				switch entry.Name() {
				case "contain", "evaluation", "testdata", "growth": // the one place, and what does not ship
					return filepath.SkipDir
				}
				return nil
			}
			if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "test"+string(filepath.Separator)) {
				return nil
			}
			scanned++
			findGoroutines(t, path)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if scanned < 100 {
		t.Fatalf("only %d files were found", scanned)
	}
}

func findGoroutines(t *testing.T, path string) {
	t.Helper()
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.GoStmt:
			t.Errorf("%s: a go statement; use contain.Go", positions.Position(node.Pos()))
		case *ast.CallExpr:
			if called, ok := node.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Go" && ofPackage(called) != "contain" {
				t.Errorf("%s: a goroutine of a group; use contain.Go", positions.Position(node.Pos()))
			}
		}
		return true
	})
}

func ofPackage(selector *ast.SelectorExpr) string {
	if name, ok := selector.X.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
