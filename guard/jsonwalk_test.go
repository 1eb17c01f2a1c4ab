package guard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// jsonFolders leave walking over JSON to internal/jsonspan: every reader of its
// own was wrong in its own way about escapes, duplicates or white space.
var jsonFolders = []string{"tooltrack", "tooltrack/sqltrack", "policy", "guard"}

// TestJSONIsWalkedInOnePlace looks for loops that compare bytes with the
// brackets, braces and quotes of JSON.
func TestJSONIsWalkedInOnePlace(t *testing.T) {
	for _, folder := range jsonFolders {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files (%v)", folder, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			places := token.NewFileSet()
			file, err := parser.ParseFile(places, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range jsonWalks(file) {
				t.Errorf("%s walks over JSON; use internal/jsonspan", places.Position(at))
			}
		}
	}
}

// jsonWalks are the places inside loops where a byte is compared with one that
// gives JSON its shape.
func jsonWalks(file *ast.File) (found []token.Pos) {
	shapes := []string{`'{'`, `'}'`, `'['`, `']'`, `'"'`}
	shape := func(e ast.Expr) bool {
		literal, ok := e.(*ast.BasicLit)
		return ok && literal.Kind == token.CHAR && slices.Contains(shapes, literal.Value)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		var body *ast.BlockStmt
		switch loop := node.(type) {
		case *ast.ForStmt:
			body = loop.Body
		case *ast.RangeStmt:
			body = loop.Body
		default:
			return true
		}
		ast.Inspect(body, func(inner ast.Node) bool {
			switch n := inner.(type) {
			case *ast.BinaryExpr:
				if shape(n.X) || shape(n.Y) {
					found = append(found, n.Pos())
				}
			case *ast.CaseClause:
				if slices.ContainsFunc(n.List, shape) {
					found = append(found, n.Pos())
				}
			}
			return true
		})
		return false
	})
	return found
}
