package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const table = `# room | goal | ceiling | paths
kitchen | 10 | 30 | kitchen
larder | 10 | 0 | kitchen/larder kitchen/jar*.go
`

func house2(t *testing.T, lines ...int) (house, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "rooms.txt")
	if err := os.WriteFile(name, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := readHouse(name)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range lines {
		h[i].lines = n
	}
	return h, name
}

func TestAFileBelongsToOneRoom(t *testing.T) {
	h, _ := house2(t)
	for file, want := range map[string]string{"kitchen/stove.go": "kitchen", "kitchen/larder/shelf.go": "larder", "kitchen/jars.go": "larder", "cellar/wine.go": ""} {
		got := ""
		if r := h.roomOf(file); r != nil {
			got = r.name
		}
		if got != want {
			t.Errorf("%s is in %q, want %q", file, got, want)
		}
	}
}

func TestRoomsAreHeldToTheirCeilings(t *testing.T) {
	for _, c := range []struct {
		kitchen, larder int
		want            string // of the fault, or "" for none
	}{
		{30, 10, ""}, {31, 10, "kitchen: 31 lines"}, {30, 11, "larder: 11 lines"}, {0, 0, ""},
	} {
		h, _ := house2(t, c.kitchen, c.larder)
		if got := strings.Join(h.faults(), "; "); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d and %d: %q, want %q", c.kitchen, c.larder, got, c.want)
		}
	}
	h, _ := house2(t, 30, 10)
	h[0].ceiling = 30 + slack + 1
	if got := h.faults(); len(got) != 1 || !strings.Contains(got[0], "lower it") {
		t.Errorf("a ceiling that is not needed: %q", got)
	}
}

func TestLoweringNeverRaises(t *testing.T) {
	for lines, want := range map[int]string{20: "20", 5: "10", 99: "30"} {
		h, name := house2(t, lines, 7)
		if err := h.lower(name); err != nil {
			t.Fatal(err)
		}
		again, err := readHouse(name)
		if err != nil || again[0].ceiling != h[0].ceiling || !strings.HasSuffix(strings.TrimSpace(again[0].name), "kitchen") {
			t.Fatalf("%+v, %v", again[0], err)
		}
		if got := rowOf(t, name, "kitchen")[2]; got != want {
			t.Errorf("at %d lines the ceiling is %s, want %s", lines, got, want)
		}
	}
}

func rowOf(t *testing.T, name, title string) []string {
	t.Helper()
	all, err := rows(name, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all {
		if cells[0] == title {
			return cells
		}
	}
	return nil
}

func TestTypesAreHeldToTheirExceptions(t *testing.T) {
	types := map[string]size{"a.Small": {3, 4}, "a.Wide": {20, 0}, "a.Tall": {1, 30}}
	for name, c := range map[string]struct {
		known map[string]size
		want  []string
	}{
		"known":      {map[string]size{"a.Wide": {20, 0}, "a.Tall": {1, 30}}, nil},
		"unknown":    {map[string]size{"a.Wide": {20, 0}}, []string{"a.Tall: 1 fields and 30 methods, 15 and 25 allowed"}},
		"grown":      {map[string]size{"a.Wide": {19, 0}, "a.Tall": {1, 30}}, []string{"a.Wide: 20 fields and 0 methods; its exception says 19 and 0"}},
		"not needed": {map[string]size{"a.Small": {20, 0}, "a.Wide": {20, 0}, "a.Tall": {1, 30}}, []string{"the exception of a.Small, which needs none; delete its row of exceptions.txt"}},
	} {
		got := compare(types, c.known)
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestTypesAreMeasured(t *testing.T) {
	folder := t.TempDir()
	code := "package a\n\ntype T[K any] struct {\n\tx, y int\n\tfmt.Stringer\n}\n\nfunc (t *T[K]) A() {}\nfunc (T[K]) B() {}\n\ntype I interface{ C(); D() }\n"
	if err := os.WriteFile(filepath.Join(folder, "a.go"), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	types, err := measureTypes(folder, []string{"a.go"})
	if err != nil {
		t.Fatal(err)
	}
	if types["..T"] != (size{3, 2}) || types["..I"] != (size{0, 2}) {
		t.Errorf("measured %+v", types)
	}
}
