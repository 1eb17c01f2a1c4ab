package guard_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestErrorsHaveOneStyle: each exported struct of an error is some sentinel for
// errors.Is, and what an error says begins with a small letter and ends without a stop,
// so that it can stand behind another.
func TestErrorsHaveOneStyle(t *testing.T) {
	structs, sentinels := 0, 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "guardtest" || entry.Name() == "provider" || entry.Name() == "examples" || entry.Name() == ".git"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.TypeSpec:
				if _, is := node.Type.(*ast.StructType); is && node.Name.IsExported() && strings.HasSuffix(node.Name.Name, "Error") {
					structs++
					require.True(t, hasSentinel(t, filepath.Dir(path), node.Name.Name), "%s: %s is no sentinel; give it a method Is", path, node.Name.Name)
				}
			case *ast.CallExpr:
				if said, is := newError(node); is {
					sentinels++
					first, _, _ := strings.Cut(said, " ")
					names := strings.ContainsAny(first, ".[%") || len(first) > 1 && unicode.IsUpper(rune(first[1])) // "Turn.Fail", "JSON"
					require.True(t, names || !unicode.IsUpper(rune(first[0])), "%s: %q begins with a capital", path, said)
					require.False(t, strings.HasSuffix(said, ".") || strings.HasSuffix(said, "\n"), "%s: %q ends with a stop", path, said)
				}
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, structs, 10)
	require.Greater(t, sentinels, 100)
}

// newError is the text of errors.New or fmt.Errorf.
func newError(call *ast.CallExpr) (said string, is bool) {
	selector, is := call.Fun.(*ast.SelectorExpr)
	if !is || len(call.Args) == 0 {
		return "", false
	}
	from, is := selector.X.(*ast.Ident)
	if !is || from.Name+"."+selector.Sel.Name != "errors.New" && from.Name+"."+selector.Sel.Name != "fmt.Errorf" {
		return "", false
	}
	text, is := call.Args[0].(*ast.BasicLit)
	if !is {
		return "", false
	}
	said, err := strconv.Unquote(text.Value)
	return said, err == nil && said != ""
}

// hasSentinel reports whether an error of a package has a method by which it is one, or
// unwraps to one.
func hasSentinel(t *testing.T, folder, name string) bool {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	for _, file := range files {
		source, err := os.ReadFile(file) // #nosec G304 -- a file of ours
		require.NoError(t, err)
		is := strings.Contains(string(source), "*"+name+") Is(target error) bool")
		unwraps := strings.Contains(string(source), "*"+name+") Unwrap() error { return Err")
		if is || unwraps {
			return true
		}
	}
	return false
}

// TestErrorsSayWhatToDo: those of a wrong input name it, and the nearest right one.
func TestErrorsSayWhatToDo(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.Modes = []guard.Mode{{Mode: policy.Mode{Name: "fast", Calls: 3}}} })
	input := ask("hello")
	input.Mode = "fst"
	_, err := g.Begin(t.Context(), input)
	require.ErrorIs(t, err, guard.ErrUnknownMode)
	require.EqualError(t, err, `there is no such mode: "fst"; did you mean "fast"?`)
	input.Mode = "thorough and slow"
	_, err = g.Begin(t.Context(), input)
	require.EqualError(t, err, `there is no such mode: "thorough and slow"; define it in Options.Modes`)

	request := guard.Request{Tools: []tooltrack.Tool{{Name: "fly"}}, Messages: []guard.Message{{Role: guard.RoleUser, Text: "hello"}}}
	_, err = g.Wrap(guardtest.Script(guardtest.Say("Hello!"))).Generate(t.Context(), request)
	require.ErrorIs(t, err, guard.ErrUnknownTool)
	require.ErrorContains(t, err, `"fly"`)

	broken := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		return guard.Response{}, errors.New("no route to host")
	})
	_, err = g.Run(t.Context(), broken, w, ask("delete Read book"))
	require.ErrorIs(t, err, guard.ErrProvider)
	require.Contains(t, guard.AccountOf(err), "Nothing was changed in this turn")
}
