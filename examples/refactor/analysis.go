package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// source is a parsed Go file.
type source struct {
	path, content string
	set           *token.FileSet
	file          *ast.File
	funcs         []*ast.FuncDecl
}

func parse(name, content string) (*source, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, content, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%s is not Go: %w", name, err)
	}
	s := &source{path: name, content: content, set: set, file: file}
	for _, declaration := range file.Decls {
		if function, is := declaration.(*ast.FuncDecl); is && function.Body != nil {
			s.funcs = append(s.funcs, function)
		}
	}
	return s, nil
}

// body is the code of a function as its tokens, so that neither layout nor
// comments count.
func (s *source) body(function *ast.FuncDecl) string {
	from, to := s.set.Position(function.Body.Pos()).Offset, s.set.Position(function.Body.End()).Offset
	code := []byte(s.content[from:to])
	var scan scanner.Scanner
	scan.Init(token.NewFileSet().AddFile("", -1, len(code)), code, nil, 0)
	var text strings.Builder
	for {
		_, found, literal := scan.Scan()
		switch {
		case found == token.EOF:
			return text.String()
		case found == token.SEMICOLON: // most are put in by the scanner, by layout
		case literal != "":
			text.WriteString(literal + " ")
		default:
			text.WriteString(found.String() + " ")
		}
	}
}

// comparison is what two files have in common.
type comparison struct {
	Same  []string `json:"same_body"` // "Total = Sum"
	OnlyA []string `json:"only_in_first"`
	OnlyB []string `json:"only_in_second"`
	// Similarity is the part of all functions that have a twin.
	Similarity float64 `json:"similarity"`
}

func compare(a, b *source) comparison {
	found := comparison{Same: []string{}, OnlyA: []string{}, OnlyB: []string{}}
	twins := map[*ast.FuncDecl]bool{}
	for _, f := range a.funcs {
		at := slices.IndexFunc(b.funcs, func(g *ast.FuncDecl) bool { return !twins[g] && b.body(g) == a.body(f) })
		if at < 0 {
			found.OnlyA = append(found.OnlyA, f.Name.Name)
			continue
		}
		twins[b.funcs[at]] = true
		found.Same = append(found.Same, f.Name.Name+" = "+b.funcs[at].Name.Name)
	}
	for _, g := range b.funcs {
		if !twins[g] {
			found.OnlyB = append(found.OnlyB, g.Name.Name)
		}
	}
	if all := len(a.funcs) + len(b.funcs); all > 0 {
		found.Similarity = float64(2*len(found.Same)) / float64(all)
	}
	return found
}

// impact is who depends on the package of a file.
type impact struct {
	Package   string     `json:"package"`
	Imports   []string   `json:"imports"`
	Importers []importer `json:"imported_by"`
}

type importer struct {
	Path string   `json:"path"`
	Uses []string `json:"uses"`
}

// importImpact looks through all files of the module for those that import the
// package of one of them.
func importImpact(module string, target *source, files []*source) impact {
	found := impact{Package: path.Join(module, path.Dir(target.path)), Imports: []string{}, Importers: []importer{}}
	for _, spec := range target.file.Imports {
		found.Imports = append(found.Imports, unquote(spec))
	}
	for _, file := range files {
		for _, spec := range file.file.Imports {
			if unquote(spec) != found.Package {
				continue
			}
			name := path.Base(found.Package)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			found.Importers = append(found.Importers, importer{file.path, file.uses(name)})
		}
	}
	return found
}

func unquote(spec *ast.ImportSpec) string {
	name, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value // the parser has accepted it: it is quoted
	}
	return name
}

// uses are the names of a package that a file selects, sorted.
func (s *source) uses(name string) []string {
	used := []string{}
	ast.Inspect(s.file, func(node ast.Node) bool {
		if selector, is := node.(*ast.SelectorExpr); is {
			if from, is := selector.X.(*ast.Ident); is && from.Name == name {
				used = append(used, selector.Sel.Name)
			}
		}
		return true
	})
	slices.Sort(used)
	return slices.Compact(used)
}

// measure is how complex a function is.
type measure struct {
	Function   string `json:"function"`
	Cyclomatic int    `json:"cyclomatic"`
	Nesting    int    `json:"nesting"`
	Lines      int    `json:"lines"`
}

// measureAll measures the functions of a file, the most complex first.
func measureAll(s *source) []measure {
	all := make([]measure, 0, len(s.funcs))
	for _, function := range s.funcs {
		lines := s.set.Position(function.End()).Line - s.set.Position(function.Pos()).Line + 1
		all = append(all, measure{function.Name.Name, cyclomatic(function.Body), nesting(function.Body), lines})
	}
	slices.SortStableFunc(all, func(a, b measure) int { return cmp.Compare(b.Cyclomatic, a.Cyclomatic) })
	return all
}

// cyclomatic is one more than the number of decisions.
func cyclomatic(body *ast.BlockStmt) int {
	decisions := 1
	ast.Inspect(body, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			decisions++
		case *ast.CaseClause:
			if n.List != nil { // default is no decision
				decisions++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				decisions++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				decisions++
			}
		}
		return true
	})
	return decisions
}

// nesting is how many branches and loops lie within one another.
func nesting(node ast.Node) int {
	deepest := 0
	ast.Inspect(node, func(inner ast.Node) bool {
		if inner == node {
			return true
		}
		switch inner.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			deepest = max(deepest, 1+nesting(inner))
			return false
		}
		return true
	})
	return deepest
}

// modulePath reads the name of the module from its go.mod.
func modulePath(gomod string) string {
	for line := range strings.Lines(gomod) {
		if name, is := strings.CutPrefix(strings.TrimSpace(line), "module "); is {
			return strings.TrimSpace(name)
		}
	}
	return ""
}
