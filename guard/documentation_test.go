package guard_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// publicFolders are the folders of the packages that others import: not of
// programs, examples, tests of their own and internal packages.
func publicFolders(t *testing.T) []string {
	t.Helper()
	var folders []string
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() || name == "." {
			return err
		}
		if base := path.Base(name); strings.HasPrefix(base, ".") || base == "testdata" || base == "internal" || base == "examples" {
			return fs.SkipDir
		}
		if files, err := fs.Glob(root, name+"/*.go"); err != nil || len(files) > 0 {
			folders = append(folders, name)
			return err
		}
		return nil
	})
	if err != nil || len(folders) < 10 {
		t.Fatalf("found only %v: %v", folders, err)
	}
	return folders
}

// documented is a package with its tests, as go/doc sees it.
func documented(t *testing.T, folder string) *doc.Package {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range files {
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	found, err := doc.NewFromFiles(set, parsed, house+"/"+folder)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestEverythingExportedIsDocumented: packages, in a doc.go of their own, and
// every name that others can use, down to fields and methods of interfaces.
func TestEverythingExportedIsDocumented(t *testing.T) {
	for _, folder := range publicFolders(t) {
		if text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(folder), "doc.go")); err != nil || !strings.Contains(string(text), "// Package "+path.Base(folder)+" ") {
			t.Errorf("%s has no doc.go that tells what it is for (%v)", folder, err)
		}
		p := documented(t, folder)
		names := undocumented{t, folder}
		names.values("", p.Consts)
		names.values("", p.Vars)
		names.funcs("", p.Funcs)
		for _, noun := range p.Types {
			names.need(noun.Name, noun.Doc)
			names.values(noun.Name+".", noun.Consts)
			names.values(noun.Name+".", noun.Vars)
			names.funcs("", noun.Funcs)
			names.funcs(noun.Name+".", noun.Methods)
			for _, spec := range noun.Decl.Specs {
				names.parts(noun.Name, spec.(*ast.TypeSpec).Type)
			}
		}
	}
}

type undocumented struct {
	t      *testing.T
	folder string
}

func (u undocumented) need(name, text string) {
	u.t.Helper()
	if strings.TrimSpace(text) == "" {
		u.t.Errorf("%s: %s has no comment", u.folder, name)
	}
}

func (u undocumented) funcs(prefix string, funcs []*doc.Func) {
	for _, f := range funcs {
		u.need(prefix+f.Name, f.Doc)
	}
}

// values may share the comment of their group, or that of the value before them
// if it speaks of them by name.
func (u undocumented) values(prefix string, values []*doc.Value) {
	for _, group := range values {
		before := ""
		for _, spec := range group.Decl.Specs {
			value := spec.(*ast.ValueSpec)
			text := value.Doc.Text() + value.Comment.Text()
			if text != "" {
				before = text
			}
			for _, name := range value.Names {
				if text == "" && strings.Contains(before, name.Name) {
					continue
				}
				if name.IsExported() {
					u.need(prefix+name.Name, group.Doc+text)
				}
			}
		}
	}
}

// parts are fields and methods of interfaces. A field may share the comment of
// the field before it, if no line stands between them, or explain itself by the
// comment of its type where it is called like it.
func (u undocumented) parts(noun string, kind ast.Expr) {
	var list []*ast.Field
	switch k := kind.(type) {
	case *ast.StructType:
		list = k.Fields.List
	case *ast.InterfaceType:
		list = k.Methods.List
	}
	shared := ""
	for _, field := range list {
		text := field.Doc.Text() + field.Comment.Text()
		if text == "" {
			text = shared
		}
		shared = text
		for _, name := range field.Names {
			if !name.IsExported() {
				continue
			}
			if _, isMethod := field.Type.(*ast.FuncType); text == "" && (len(list) == 1 || !isMethod && typeName(field.Type) == name.Name) {
				continue // the only part is what the type's comment speaks of
			}
			u.need(noun+"."+name.Name, text)
		}
	}
}

func typeName(kind ast.Expr) string {
	switch k := kind.(type) {
	case *ast.Ident:
		return k.Name
	case *ast.SelectorExpr:
		return k.Sel.Name
	case *ast.StarExpr:
		return typeName(k.X)
	}
	return ""
}

// TestEveryNounHasAnExample: each type that a package makes for its users, by a
// constructor, has examples that run and show what they print: one in which it is
// made, and one that is about the noun or one of its methods.
func TestEveryNounHasAnExample(t *testing.T) {
	found := 0
	for _, folder := range publicFolders(t) {
		p := documented(t, folder)
		for _, noun := range p.Types {
			if strings.HasPrefix(noun.Name, "Mock") { // generated, and documented by its generator
				continue
			}
			for _, f := range noun.Funcs {
				if !constructs(f) {
					continue
				}
				found++
				about := aboutNoun(noun)
				if !slices.ContainsFunc(about, runs) {
					t.Errorf("%s.%s has no example with an output", folder, noun.Name)
				}
				if !slices.ContainsFunc(append(about, p.Examples...), func(e *doc.Example) bool { return runs(e) && callsFunction(e, f.Name) }) {
					t.Errorf("%s.%s: no example makes one by %s", folder, noun.Name, f.Name)
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d constructors were found", found)
	}
}

// constructs reports a function that makes a noun.
func constructs(f *doc.Func) bool {
	return strings.HasPrefix(f.Name, "New") || f.Name == "Open" || f.Name == "FromTools"
}

func aboutNoun(noun *doc.Type) []*doc.Example {
	about := slices.Clone(noun.Examples)
	for _, f := range append(slices.Clone(noun.Funcs), noun.Methods...) {
		about = append(about, f.Examples...)
	}
	return about
}

// runs reports an example with an output to compare.
func runs(example *doc.Example) bool { return example.Output != "" || example.EmptyOutput }

// callsFunction reports whether an example calls a function of its package.
func callsFunction(example *doc.Example, name string) bool {
	called := false
	ast.Inspect(example.Code, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			function, ok := call.Fun.(*ast.SelectorExpr)
			called = called || ok && function.Sel.Name == name
		}
		return !called
	})
	return called
}
