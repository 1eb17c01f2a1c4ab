package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// What a reader can hold.
const (
	maxFields  = 15
	maxMethods = 25
)

// size is what a type has.
type size struct{ fields, methods int }

func (s size) isTooLarge() bool { return s.fields > maxFields || s.methods > maxMethods }

// measureTypes counts the fields and methods of each type, by its folder and name.
func measureTypes(top string, files []string) (map[string]size, error) {
	found := map[string]size{}
	add := func(name string, more size) {
		found[name] = size{found[name].fields + more.fields, found[name].methods + more.methods}
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		folder := filepath.Dir(file) + "."
		ast.Inspect(parsed, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.TypeSpec:
				add(folder+node.Name.Name, sizeOf(node.Type))
			case *ast.FuncDecl:
				if node.Recv != nil {
					add(folder+receiver(node.Recv.List[0].Type), size{methods: 1})
				}
			}
			return true
		})
	}
	return found, nil
}

// sizeOf counts what stands in a type itself.
func sizeOf(expression ast.Expr) size {
	switch expression := expression.(type) {
	case *ast.StructType:
		return size{fields: names(expression.Fields)}
	case *ast.InterfaceType:
		return size{methods: names(expression.Methods)}
	}
	return size{}
}

func names(list *ast.FieldList) int {
	count := 0
	for _, field := range list.List {
		count += max(1, len(field.Names)) // one that is embedded has no name
	}
	return count
}

func receiver(expression ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.StarExpr:
		return receiver(expression.X)
	case *ast.IndexExpr:
		return receiver(expression.X)
	case *ast.IndexListExpr:
		return receiver(expression.X)
	case *ast.Ident:
		return expression.Name
	}
	return ""
}

// readExceptions reads which types may be larger, and how large.
func readExceptions(name string) (map[string]size, error) {
	table, err := rows(name, 4)
	if err != nil {
		return nil, err
	}
	known := map[string]size{}
	for _, cells := range table {
		fields, err := strconv.Atoi(cells[1])
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, cells[0], err)
		}
		methods, err := strconv.Atoi(cells[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, cells[0], err)
		}
		if len(strings.Fields(cells[3])) < 3 {
			return nil, fmt.Errorf("%s: %s: why is it larger?", name, cells[0])
		}
		known[cells[0]] = size{fields, methods}
	}
	return known, nil
}

// lowerExceptions writes the exceptions anew: with what each type has, and without those
// that need none any more.
func lowerExceptions(name string, types map[string]size) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, " | ")
		if is := types[cells[0]]; strings.HasPrefix(line, "#") || len(cells) != 4 {
			out.WriteString(line)
		} else if is.isTooLarge() {
			fmt.Fprintf(&out, "%s | %s | %s | %s", cells[0], lowered(cells[1], is.fields), lowered(cells[2], is.methods), cells[3])
		}
	}
	return os.WriteFile(name, []byte(out.String()), 0o644)
}

func lowered(before string, now int) string {
	if was, err := strconv.Atoi(before); err == nil {
		now = min(was, now)
	}
	return strconv.Itoa(now)
}

// compare holds the types against the exceptions.
func compare(types, known map[string]size) []string {
	var faults []string
	for name, is := range types {
		may, has := known[name]
		switch {
		case !has && is.isTooLarge():
			faults = append(faults, fmt.Sprintf("%s: %d fields and %d methods, %d and %d allowed", name, is.fields, is.methods, maxFields, maxMethods))
		case has && is.isTooLarge() && (is.fields > max(may.fields, maxFields) || is.methods > max(may.methods, maxMethods)):
			faults = append(faults, fmt.Sprintf("%s: %d fields and %d methods; its exception says %d and %d", name, is.fields, is.methods, may.fields, may.methods))
		}
	}
	for name := range known {
		if !types[name].isTooLarge() {
			faults = append(faults, fmt.Sprintf("the exception of %s, which needs none; delete its row of %s", name, exceptionsFile))
		}
	}
	slices.Sort(faults)
	return faults
}
