package requestfit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// evidence are the names of what package intent weighs, in order, and where a fit finds what
// it fills in itself.
type evidence struct {
	names                                           []string
	score, share, ahead, place, sure, near, wording int
}

// evidenceOf reads the names from the table in intent/evidence.go: the fitted models may be
// of another one.
func evidenceOf(root string) (e evidence, err error) {
	path := filepath.Join(root, "intent", "evidence.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return e, err
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok && len(spec.Names[0].Name) > 1 && spec.Names[0].Name[0] == 'e' {
			word := capitals.ReplaceAllString(strings.Replace(spec.Names[0].Name[1:], "ID", "Id", 1), "-$0")
			e.names = append(e.names, strings.ToLower(word[1:]))
		}
		return true
	})
	for name, at := range map[string]*int{
		"score": &e.score, "share": &e.share, "ahead": &e.ahead, "place": &e.place, "sure": &e.sure,
		"near": &e.near, "wording": &e.wording,
	} {
		if *at = slices.Index(e.names, name); *at < 0 {
			return e, fmt.Errorf("%s has no evidence %q", path, name)
		}
	}
	return e, nil
}

var capitals = regexp.MustCompile("[A-Z]")
