package guard_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// jsonWalkExceptions are those who compare bytes with the marks of JSON for
// another reason.
var jsonWalkExceptions = []exception{
	{"internal/leak/leak.go", "looks for calls written into prose: JSON that is broken, cut off or glued together"},
	{"internal/reading/unwrap.go", "makes prose of a text that only looks like JSON"},
}

// TestJSONIsWalkedInOnePlace looks for loops that compare bytes with the
// brackets, braces and quotes of JSON. Walking over it is left to
// internal/jsonspan: every reader of its own was wrong in its own way about
// escapes, duplicates or white space.
func TestJSONIsWalkedInOnePlace(t *testing.T) {
	used := map[string]bool{}
	sources(t, func(name string, places *token.FileSet, file *ast.File) {
		if strings.HasPrefix(name, "internal/jsonspan/") {
			return
		}
		for _, at := range jsonWalks(file) {
			if !allowed(jsonWalkExceptions, used, name) {
				t.Errorf("%s walks over JSON; use internal/jsonspan", places.Position(at))
			}
		}
	})
	stale(t, jsonWalkExceptions, used)
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
				if shape(n.X) && walks(n.Y) || shape(n.Y) && walks(n.X) {
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

// walks reports whether an expression is a byte that a loop comes to: neither
// what a method says of a value, nor the first byte of one.
func walks(e ast.Expr) bool {
	switch n := e.(type) {
	case *ast.CallExpr:
		return false
	case *ast.IndexExpr:
		_, fixed := n.Index.(*ast.BasicLit)
		return !fixed
	}
	return true
}
