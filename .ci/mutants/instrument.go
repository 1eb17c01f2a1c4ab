package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// alive is the variable, in the instrumented package, that says which mutant
// is: 0 is none.
const alive = "mutantAlive"

// code is a package and its mutants.
type code struct {
	dir, path, name string
	set             *token.FileSet
	files           []*ast.File
	sources         map[string][]byte
	types           map[ast.Expr]types.TypeAndValue
	cases           []condition
	mutants         []*mutant
	texts           map[string]string // instrumented files
}

// load reads a package and instruments it.
func load(dir string) (*code, error) {
	found, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	list := exec.Command("go", "list", "-f", "{{.ImportPath}}", ".")
	list.Dir = dir
	path, err := list.Output()
	if err != nil {
		return nil, err
	}
	c := &code{
		dir: dir, path: strings.TrimSpace(string(path)), name: found.Name, set: token.NewFileSet(),
		sources: map[string][]byte{}, types: map[ast.Expr]types.TypeAndValue{}, texts: map[string]string{},
	}
	for _, name := range found.GoFiles {
		if err := c.parse(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	if err := os.Chdir(dir); err != nil { // imports are found from here
		return nil, err
	}
	config := types.Config{Importer: importer.ForCompiler(c.set, "source", nil)}
	if _, err := config.Check(c.path, c.set, c.files, &types.Info{Types: c.types}); err != nil {
		return nil, err
	}
	for _, file := range c.files {
		c.cases = conditions(file)
		c.instrument(file)
	}
	return c, nil
}

// condition is the condition of a case. Coverage does not list it: whoever runs
// the switch reaches it.
type condition struct {
	from, to, runs token.Pos
}

// conditions are those of a file, the outer ones first.
func conditions(file *ast.File) (found []condition) {
	ast.Inspect(file, func(node ast.Node) bool {
		choice, ok := node.(*ast.SwitchStmt)
		if !ok {
			return true
		}
		for _, statement := range choice.Body.List {
			for _, expression := range statement.(*ast.CaseClause).List {
				found = append(found, condition{expression.Pos(), expression.End(), choice.Pos()})
			}
		}
		return true
	})
	return found
}

// reached is what a test must run to reach a place.
func (c *code) reached(at token.Pos) token.Position {
	for _, condition := range slices.Backward(c.cases) {
		if condition.from <= at && at < condition.to {
			at = condition.runs
			break
		}
	}
	return c.set.Position(at)
}

func (c *code) parse(path string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(c.set, path, source, parser.ParseComments)
	c.sources[path], c.files = source, append(c.files, file)
	return err
}

// instrument rewrites the bodies of a file's functions.
func (c *code) instrument(file *ast.File) {
	path := c.set.Position(file.Pos()).Filename
	at := c.set.File(file.Pos()).Pos(0)
	var text strings.Builder
	for _, declaration := range file.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok && function.Body != nil {
			text.WriteString(c.raw(at, function.Body.Pos()))
			text.WriteString(c.within(function.Body))
			at = function.Body.End()
		}
	}
	text.WriteString(c.raw(at, file.FileEnd))
	c.texts[path] = text.String()
}

// raw is the source between two places.
func (c *code) raw(from, to token.Pos) string {
	position := c.set.Position(from)
	return string(c.sources[position.Filename][position.Offset:c.set.Position(to).Offset])
}

func (c *code) text(node ast.Node) string { return c.raw(node.Pos(), node.End()) }

// within is the source of a node with the mutants of what is inside it. Only
// one mutant is alive at a time, so those of a mutated operator's operands need
// to be there only where the operator is the original one.
func (c *code) within(node ast.Node) string {
	var out strings.Builder
	at := node.Pos()
	ast.Inspect(node, func(inner ast.Node) bool {
		if inner == nil || inner == node {
			return true
		}
		if constant(inner) {
			return false
		}
		text, mutated := c.mutate(inner)
		if mutated {
			out.WriteString(c.raw(at, inner.Pos()) + text)
			at = inner.End()
		}
		return !mutated
	})
	return out.String() + c.raw(at, node.End())
}

// constant reports whether only constants may stand in a node.
func constant(node ast.Node) bool {
	if declaration, ok := node.(*ast.GenDecl); ok {
		return declaration.Tok == token.CONST
	}
	_, array := node.(*ast.ArrayType)
	return array
}

func (c *code) expression(e ast.Expr) string {
	if text, mutated := c.mutate(e); mutated {
		return text
	}
	return c.within(e)
}

// mutate is the source of a node with its own mutants, if it has any.
func (c *code) mutate(node ast.Node) (string, bool) {
	switch n := node.(type) {
	case *ast.BinaryExpr:
		if c.types[n].Value != nil {
			return "", false
		}
		if _, compares := negations[n.Op]; compares {
			return c.comparison(n), true
		}
		if to, calculates := arithmetic[n.Op]; calculates && !c.isString(n) {
			return c.calculation(n, to), true
		}
	case *ast.UnaryExpr:
		if n.Op == token.SUB && !c.untyped(n) {
			m := c.add(n.OpPos, n.Op, token.ADD, 2)
			return fmt.Sprintf("(func() %s { if %s == %d { return +(%s) }; return -(%s) }())", c.typeOf(n), alive, m.id,
				c.text(n.X), c.expression(n.X)), true
		}
	case *ast.IncDecStmt:
		m := c.add(n.TokPos, n.Tok, steps[n.Tok], 1)
		return fmt.Sprintf("func() { if %s == %d { %s%s } else { %s%s } }()", alive, m.id, c.text(n.X), m.to,
			c.expression(n.X), m.from), true
	}
	return "", false
}

// comparison needs no closure, which keeps loops quick.
func (c *code) comparison(n *ast.BinaryExpr) string {
	var changed []*mutant
	if to, bounded := boundaries[n.Op]; bounded {
		changed = append(changed, c.add(n.OpPos, n.Op, to, 1))
	}
	changed = append(changed, c.add(n.OpPos, n.Op, negations[n.Op], 1))
	original, others := "", ""
	for _, m := range changed {
		original += fmt.Sprintf("%s != %d && ", alive, m.id)
		others += fmt.Sprintf(" || %s == %d && (%s %s %s)", alive, m.id, c.text(n.X), m.to, c.text(n.Y))
	}
	return fmt.Sprintf("(%s(%s %s %s)%s)", original, c.expression(n.X), n.Op, c.expression(n.Y), others)
}

func (c *code) calculation(n *ast.BinaryExpr, to token.Token) string {
	weight := 1
	if n.Op == token.SUB { // gremlins inverts it once as an operator and once as a sign
		weight = 2
	}
	m := c.add(n.OpPos, n.Op, to, weight)
	return fmt.Sprintf("(func() %s { if %s == %d { return (%s) %s (%s) }; return (%s) %s (%s) }())",
		c.typeOf(n), alive, m.id, c.text(n.X), m.to, c.text(n.Y), c.expression(n.X), n.Op, c.expression(n.Y))
}

func (c *code) add(at token.Pos, from, to token.Token, weight int) *mutant {
	place := c.set.Position(at)
	line := bytes.Split(c.sources[place.Filename], []byte("\n"))[place.Line-1]
	m := &mutant{
		id: len(c.mutants) + 1, file: filepath.Base(place.Filename), line: place.Line, column: place.Column,
		reached: c.reached(at),
		from:    from.String(), to: to.String(), source: strings.TrimSpace(string(line)), weight: weight,
	}
	c.mutants = append(c.mutants, m)
	return m
}

func (c *code) isString(e ast.Expr) bool {
	basic, ok := c.types[e].Type.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

func (c *code) untyped(e ast.Expr) bool {
	basic, ok := c.types[e].Type.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

func (c *code) typeOf(e ast.Expr) string {
	return types.TypeString(c.types[e].Type, func(p *types.Package) string {
		if p.Path() == c.path {
			return ""
		}
		return p.Name()
	})
}
