package main

import (
	"slices"
	"testing"
)

func mustParse(t *testing.T, name, content string) *source {
	t.Helper()
	s, err := parse(name, content)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCompare(t *testing.T) {
	a := mustParse(t, "a.go", "package p\n\nfunc A() int { return 1 }\nfunc B() int {\n\treturn 2\n}\nfunc Own() {}\n")
	b := mustParse(t, "b.go", "package p\n\n// two is B.\nfunc two() int { /* here */ return 2 }\nfunc one() int { return 1 }\nfunc three() int { return 3 }\n")
	got := compare(a, b)
	if !slices.Equal(got.Same, []string{"A = one", "B = two"}) || got.Similarity != 4.0/6 {
		t.Errorf("the same are %v, and the similarity is %v", got.Same, got.Similarity)
	}
	if !slices.Equal(got.OnlyA, []string{"Own"}) || !slices.Equal(got.OnlyB, []string{"three"}) {
		t.Errorf("only in the first: %v, only in the second: %v", got.OnlyA, got.OnlyB)
	}
	if same := compare(a, a); same.Similarity != 1 {
		t.Errorf("a file is like itself by %v", same.Similarity)
	}
}

func TestComplexity(t *testing.T) {
	for _, test := range []struct {
		name, body          string
		cyclomatic, nesting int
	}{
		{"straight", "return 1", 1, 0},
		{"if and else", "if a { return 1 } else { return 2 }", 2, 1},
		{"and, or", "if a && b || a { return 1 }; return 2", 4, 1},
		{"loop in an if", "if a { for b { } }; return 0", 3, 2},
		{"switch with default", "switch { case a: return 1; case b: return 2; default: return 3 }", 3, 1},
		{"range with a function", "for range 3 { func() { if a { } }() }; return 0", 3, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := mustParse(t, "x.go", "package p\n\nfunc f(a, b bool) int { "+test.body+" }\n")
			if got := measureAll(s)[0]; got.Cyclomatic != test.cyclomatic || got.Nesting != test.nesting {
				t.Errorf("got %+v, want cyclomatic %d and nesting %d", got, test.cyclomatic, test.nesting)
			}
		})
	}
}

func TestImportImpact(t *testing.T) {
	target := mustParse(t, "orders/key.go", shop["orders/key.go"])
	renamed := mustParse(t, "x.go", "package shop\n\nimport o \"example.com/shop/orders\"\n\nvar K = o.Key(1) + o.Key(2)\n")
	other := mustParse(t, "y.go", "package shop\n\nimport \"example.com/shop/store\"\n\nvar L = store.Key(1)\n")
	got := importImpact(modulePath(shop["go.mod"]), target, []*source{renamed, other})
	if got.Package != "example.com/shop/orders" || !slices.Equal(got.Imports, []string{"fmt"}) {
		t.Errorf("got %+v", got)
	}
	if len(got.Importers) != 1 || got.Importers[0].Path != "x.go" || !slices.Equal(got.Importers[0].Uses, []string{"Key"}) {
		t.Errorf("the importers are %+v", got.Importers)
	}
}
