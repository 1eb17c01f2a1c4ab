package guard_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// nameSplitExceptions are those who cut names into words and do not ask which of
// them is the verb.
var nameSplitExceptions = []exception{
	{"internal/reading/redact.go", "cuts ids"},
	{"completion/facts.go", "compares all words of a name with those of a claim"},
	{"internal/telling/portion.go", "reads off the names of arguments which part they ask for"},
	{"internal/reading/unwrap.go", "puts spaces into a text that has none"},
	{"examples/", "an example prints and simulates its own names"},
	{"guard/mcpguard/subject.go", "spells the names of arguments alike"},
	{"internal/match/", "compares all words of names and members with those of a sentence"},
	{"intent/profile.go", "compares all words of names and arguments with those of a request"},
	{"internal/evaluation/", "learns which words ask for which names and arguments"},
}

// TestToolNamesAreReadInOnePlace: what a tool's name says is known to
// internal/toolname. Whoever cuts a name by itself reads it in a way of its own.
func TestToolNamesAreReadInOnePlace(t *testing.T) {
	used := map[string]bool{}
	sources(t, func(name string, places *token.FileSet, file *ast.File) {
		if strings.HasPrefix(name, "internal/toolname/") {
			return
		}
		for _, at := range nameSplits(file) {
			if !allowed(nameSplitExceptions, used, name) {
				t.Errorf("%s cuts a name into words; ask internal/toolname", places.Position(at))
			}
		}
	})
	stale(t, nameSplitExceptions, used)
}

// nameSplits are the places where a name is cut at its underscores, or into all
// of its words.
func nameSplits(file *ast.File) (found []token.Pos) {
	cutters := []string{"Split", "SplitN", "SplitSeq", "SplitAfter", "Cut", "Replace", "ReplaceAll", "Index", "LastIndex", "FieldsFunc", "FieldsFuncSeq"}
	ast.Inspect(file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		of, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		from, _ := of.X.(*ast.Ident)
		switch {
		case from == nil:
		case from.Name == "toolname" && of.Sel.Name == "Words":
			found = append(found, call.Pos())
		case from.Name == "strings" && len(call.Args) > 1 && slices.Contains(cutters, of.Sel.Name) && hasUnderscore(call.Args[1]):
			found = append(found, call.Pos())
		}
		return true
	})
	return found
}

// hasUnderscore reports whether an underscore stands in what a text is cut at: a
// text, or a function of characters.
func hasUnderscore(e ast.Expr) (has bool) {
	ast.Inspect(e, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok {
			has = has || slices.Contains([]string{`"_"`, `"__"`, `'_'`}, literal.Value)
		}
		return true
	})
	return has
}
