package guard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const house = "github.com/bonafide-go/bonafide"

// floors are the packages of the core and what each may import of the others.
// Imports point down only; whoever needs a name from above takes it as an
// argument.
var floors = []struct {
	folder  string
	imports []string
	reason  string
	tests   []string // what its tests may import beside that
}{
	{"internal/contain", nil, "whoever may panic is contained in one way", nil},
	{"internal/clip", nil, "a text is cut in one place", nil},
	{"internal/jsonspan", nil, "JSON is walked in one place, below everything that reads it", nil},
	{"internal/lexicon", []string{"internal/hashtable"}, "words are a leaf, so that completion and resolver can read them without knowing intents", nil},
	{"internal/lexicon/wordlist", nil, "a few words for those who need no language", nil},
	{"internal/vector", []string{"internal/hashtable", "internal/lexicon"}, "words point to tools whoever says them", nil},
	{"internal/hashtable", nil, "what is filed under a hash is its owner's business", nil},
	{"internal/toolname", []string{"internal/lexicon", "internal/jsonspan"}, "what a tool does is read from its words alone", nil},
	{"internal/forest", nil, "trees know nothing of what their features mean", nil},
	{"internal/fitting", []string{"internal/vector", "tooltrack"}, "who is fitted does not know who fits", nil},
	{"internal/reading", []string{"internal/hashtable", "internal/lexicon", "internal/jsonspan"}, "a text is read without knowing what it is held against", nil},
	{"internal/match", []string{"internal/lexicon", "internal/jsonspan", "internal/toolname", "internal/reading", "tooltrack"}, "the only place where words meet records", nil},
	{"internal/leak", []string{"internal/reading"}, "a call in a text is found without knowing what a tool does", nil},
	{"tooltrack", []string{"internal/clip", "internal/contain", "internal/jsonspan"}, "the facts must not depend on those who judge them, nor on words: what names imply is handed over", []string{"internal/lexicon", "internal/toolname"}},
	{"tooltrack/tooltracktest", []string{"tooltrack"}, "a suite for stores knows stores only", nil},
	{"resolver", []string{"internal/lexicon/wordlist"}, "which entity is meant does not depend on why it is asked for", nil},
	{"intent", []string{"internal/fitting", "internal/hashtable", "internal/vector", "tooltrack", "internal/lexicon", "internal/jsonspan", "internal/toolname", "internal/reading", "internal/forest"}, "what was asked for must not depend on what was answered", nil},
	{"policy", []string{"tooltrack", "internal/jsonspan", "internal/lexicon/wordlist"}, "whether a call may run must not depend on what a text says", nil},
	{"completion", []string{"internal/fitting", "internal/telling", "internal/leak", "internal/match", "internal/hashtable", "internal/vector", "internal/clip", "tooltrack", "internal/lexicon", "internal/jsonspan", "internal/toolname", "internal/reading", "internal/forest"}, "what was done is judged without knowing how the request was classified", nil},
	{"guard", []string{"internal/clip", "internal/contain", "tooltrack", "internal/lexicon", "internal/jsonspan", "internal/toolname", "internal/reading", "internal/match", "resolver", "intent", "policy", "completion", "guard/confirm", "guard/proof"}, "guard wires the parts, and must not know a vendor's wire format", nil},
	{"guard/confirm", []string{"internal/clip", "internal/jsonspan", "tooltrack"}, "whether a change is there is told without knowing turns", nil},
	{"guard/proof", []string{"internal/clip", "tooltrack", "internal/jsonspan", "internal/match"}, "an answer is held against records by match alone, whoever asked for it", nil},
	{"guard/guardtest", []string{"tooltrack", "guard", "guard/internal/provider", "intent", "completion", "resolver", "policy"}, "fakes for guard's interfaces, and suites for those who implement them", nil},
	{"guard/chatwire", []string{"internal/clip", "internal/contain", "tooltrack", "policy", "guard", "internal/jsonspan"}, "a shell over guard without logic of its own", []string{"intent", "resolver", "completion", "guard/guardtest", "guard/internal/provider"}},
}

// forTests are packages that any test may import.
var forTests = []string{"internal/golden", "internal/benchbound", "internal/sampling", "internal/promisetable"}

// libraries are the modules that the core may use, and why.
var libraries = map[string]string{
	"github.com/agnivade/levenshtein":          "the nearest known name in configuration errors, and the reference of the resolver's fast path",
	"github.com/google/uuid":                   "names for turns and calls that have none",
	"github.com/santhosh-tekuri/jsonschema/v6": "tests compare with it how policy reads JSON Schema",
	"github.com/stretchr/testify":              "assertions in tests, and in the suite for stores",
	"golang.org/x/net":                         "UTS 46 mapping of host names (idna)",
	"golang.org/x/text":                        "Unicode normal forms and case folding",
	"golang.org/x/time":                        "rate limits",
}

func TestImportsPointDown(t *testing.T) {
	for _, floor := range floors {
		if _, err := os.Stat(filepath.Join("..", floor.folder)); os.IsNotExist(err) {
			continue
		}
		for file, imports := range importsOf(t, filepath.Join("..", filepath.FromSlash(floor.folder))) {
			for _, imported := range imports {
				ours, isOurs := strings.CutPrefix(imported, house+"/")
				testOnly := strings.HasSuffix(file, "_test.go")
				self := ours == floor.folder || testOnly && strings.HasPrefix(ours, floor.folder+"/")
				if testOnly && (slices.Contains(floor.tests, ours) || slices.Contains(forTests, ours)) {
					continue
				}
				if isOurs && !self && !slices.Contains(floor.imports, ours) {
					t.Errorf("%s imports %s, but %s may import %v only: %s", file, ours, floor.folder, floor.imports, floor.reason)
				}
			}
		}
	}
}

func TestCoreLibrariesAreFew(t *testing.T) {
	for _, floor := range floors {
		for file, imports := range importsOf(t, filepath.Join("..", filepath.FromSlash(floor.folder))) {
			for _, imported := range imports {
				first, _, _ := strings.Cut(imported, "/")
				if !strings.Contains(first, ".") || imported == house || strings.HasPrefix(imported, house+"/") {
					continue // the standard library, or ours
				}
				if !slices.ContainsFunc(knownLibraries(), func(known string) bool { return imported == known || strings.HasPrefix(imported, known+"/") }) {
					t.Errorf("%s imports %s; a new library of the core needs a reason in the table of this test and in the changelog", file, imported)
				}
			}
		}
	}
}

func knownLibraries() []string {
	var known []string
	for library := range libraries {
		known = append(known, library)
	}
	return known
}

// importsOf returns the imports of each Go file of one folder.
func importsOf(t *testing.T, folder string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	entries, err := fs.ReadDir(os.DirFS(folder), ".")
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() || path.Ext(entry.Name()) != ".go" {
			continue
		}
		name := filepath.Join(folder, entry.Name())
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			found[name] = append(found[name], strings.Trim(spec.Path.Value, `"`))
		}
	}
	return found
}

// TestNoTestLooksAtAClock: what a test says must not depend on what else the machine
// does. Waiting is tested in a bubble of testing/synctest, whose clock is its own; growth
// and overhead are benchmarks (internal/benchbound).
func TestNoTestLooksAtAClock(t *testing.T) {
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil || slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"testing/synctest"` }) {
			return err
		}
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if ok && strings.HasPrefix(function.Name.Name, "Test") && readsClock(function) {
				t.Errorf("%s: %s looks at a clock", name, function.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// readsClock reports whether a function measures how long something takes.
func readsClock(function *ast.FuncDecl) bool {
	found := false
	ast.Inspect(function, func(node ast.Node) bool {
		if call, ok := node.(*ast.SelectorExpr); ok {
			pkg, isName := call.X.(*ast.Ident)
			found = found || isName && (pkg.Name == "time" && call.Sel.Name == "Since" || pkg.Name == "syscall" && call.Sel.Name == "Getrusage")
		}
		return !found
	})
	return found
}

// TestTheArchitectureIsTold: the table of the house lists what each package imports, and
// every file and folder that the page names is there.
func TestTheArchitectureIsTold(t *testing.T) {
	page, err := os.ReadFile("../.github/docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([a-z0-9/]+(?:\\.go|\\.txt)?)`")
	told := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		for _, name := range quoted.FindAllStringSubmatch(line, -1) {
			if _, err := os.Stat(filepath.Join("..", name[1])); err != nil && strings.Contains(name[1], "/") {
				t.Errorf("there is no %s", name[1])
			}
		}
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			continue // no row of the house
		}
		folder := strings.Trim(cells[1], " `")
		told[folder] = true
		listed := map[string]bool{}
		for _, name := range quoted.FindAllStringSubmatch(cells[3], -1) {
			listed[name[1]] = true
		}
		for file, imports := range importsOf(t, filepath.Join("..", folder)) {
			for _, imported := range imports {
				ours, isOurs := strings.CutPrefix(imported, house+"/")
				if isOurs && !strings.HasSuffix(file, "_test.go") && !listed[ours] && ours != folder {
					t.Errorf("%s imports %s, which the page does not tell", file, ours)
				}
			}
		}
	}
	for _, room := range []string{"guard", "guard/proof", "guard/chatwire", "completion", "intent", "policy", "resolver", "tooltrack", "internal/match", "internal/reading"} {
		if !told[room] {
			t.Errorf("%s is not told", room)
		}
	}
}
