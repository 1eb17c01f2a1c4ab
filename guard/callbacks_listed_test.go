package guard_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// callbackFolders hold what hosts supply callbacks to.
var callbackFolders = []string{"completion", "guard", "guard/anthropicguard", "guard/chatwire", "guard/mcpguard", "guard/openaiguard", "guard/otelguard", "intent", "internal/lexicon", "policy", "resolver", "tooltrack", "tooltrack/sqltrack"}

// elsewhere are the callbacks that have no row of their own in TestCallbacks:
// the test that tries them, or why there is nothing to try.
var elsewhere = map[string]string{
	"guard.EvaluatorFunc":                 "makes a guard.Evaluator",
	"guard.ReviewerFunc":                  "makes a guard.Reviewer",
	"guard.ModelFunc":                     "makes a guard.Model",
	"guard.ExecutorFunc":                  "makes a guard.Executor",
	"completion.RequirementFunc":          "makes a completion.Requirement",
	"resolver.SourceFunc":                 "makes a resolver.Source",
	"tooltrack.ObserverFunc":              "makes a tooltrack.Observer",
	"intent.Func":                         "makes a guard.Classifier",
	"intent.Chain(first)":                 "a guard.Classifier",
	"intent.Chain(second)":                "a guard.Classifier; the second row of it is a chain",
	"intent.Options.Language":             "read once, in the caller's goroutine; TestLanguageThatCannotBeRead in intent",
	"intent.ReadExamples(r)":              "read in the caller's goroutine; its errors are handed on: TestReadExamples in intent",
	"sqltrack.Store.Export(to)":           "written in the caller's goroutine; its errors are handed on",
	"tooltrack.WriteExport(to)":           "written in the caller's goroutine; its errors are handed on",
	"tooltrack.VerifyExport(from)":        "read in the caller's goroutine; its errors are handed on",
	"policy.Meter":                        "TestMeterThatIsDown in guard",
	"policy.NewMeter(clock)":              "TestMeterThatIsDown in guard",
	"policy.NewLimiter(clock)":            "TestLimiterThatPanicsIsDown in policy",
	"policy.Resolver":                     "TestWebCallbacks in policy",
	"policy.When(holds)":                  "TestApprovalFaults in policy",
	"policy.Approval.Summary(write)":      "TestApprovalSummaryThatPanics in policy",
	"tooltrack.ApprovalStore":             "TestBrokenApprovalStore in guard",
	"tooltrack.Desk":                      "part of a tooltrack.ApprovalStore",
	"tooltrack.Memory.Atomically(step)":   "the ledger's, called in its goroutine",
	"sqltrack.Store.Atomically(step)":     "the ledger's; a panic becomes an error",
	"policy.WebOptions.Dial":              "TestWebCallbacks in policy",
	"policy.Web.ClientWith(inner)":        "called by the host's own http.Client, in the goroutine of its request",
	"guard.Guard.Contain(run)":            "an adapter's own code; TestAPanicOfOursStaysOffTheWire in guard/chatwire",
	"chatwire.Next":                       "TestTransportCallbacks in guard/chatwire",
	"chatwire.Transport(base)":            "TestTransportCallbacks in guard/chatwire",
	"chatwire.Options.Handle":             "TestHandleCallbacks in guard/chatwire",
	"chatwire.Handling.Model":             "TestHandleCallbacks in guard/chatwire",
	"chatwire.Handling.End":               "TestHandleCallbacks in guard/chatwire",
	"chatwire.Model.Send":                 "part of a guard.Model",
	"chatwire.Events(reader)":             "read in the caller's goroutine; its errors are handed on",
	"mcpguard.Options.Describe":           "TestServersCallbacks in guard/mcpguard",
	"mcpguard.MiddlewareOptions.Scope":    "TestMiddlewareCallbacks in guard/mcpguard",
	"mcpguard.MiddlewareOptions.Describe": "TestMiddlewareCallbacks in guard/mcpguard",
	"mcpguard.MiddlewareOptions.Clock":    "TestMiddlewareCallbacks in guard/mcpguard",
	"mcpguard.MiddlewareOptions.Logger":   "TestMiddlewareCallbacks in guard/mcpguard",
	"otelguard.Telemetry.Logger(next)":    "TestLoggerCallbacks in guard/otelguard",
	"otelguard.Telemetry.Watch(read)":     "TestWatchedCountersCallback in guard/otelguard",
	"tooltrack.Turn.Do(run)":              "TestPanicsBecomeResultsOrErrors in tooltrack; guard does not use it",
	"tooltrack.Execute(run)":              "TestPanicsBecomeResultsOrErrors in tooltrack; guard runs every guard.Executor by it",

	"chatwire.Format.ReadStream(reader)": "read in the caller's goroutine; its errors are handed on",
	"chatwire.Format.ReadStream(say)":    "called in the caller's goroutine",

	"chatwire.Format.Stream(open)": "called in the caller's goroutine",
}

// TestEveryCallbackIsTried finds the interfaces and functions that a host can
// supply in the source of the packages. A new one needs a row in TestCallbacks,
// or an entry above that says where it is tried.
func TestEveryCallbackIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, row := range callbacks() {
		tried[row.exported] = true
	}
	found := map[string]bool{}
	for _, folder := range callbackFolders {
		maps.Copy(found, callbacksOf(t, folder))
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !tried[name] && elsewhere[name] == "" {
			t.Errorf("%s is supplied by hosts, and no test lets it panic, hang, fail and return garbage", name)
		}
	}
	for name := range tried {
		if !found[name] {
			t.Errorf("%s has a row, but is not exported", name)
		}
	}
	for name, where := range elsewhere {
		test, folder, named := strings.Cut(where, " in ")
		switch {
		case !found[name]:
			t.Errorf("%s is explained, but is not exported", name)
		case named && strings.HasPrefix(test, "Test"):
			folder, _, _ = strings.Cut(folder, ";")
			if !holdsTest(t, folder, test) {
				t.Errorf("%s is said to be tried by %s, which is not there", name, where)
			}
		}
	}
}

func holdsTest(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		source, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(source), "func "+test+"(")
	})
}

// callbacksOf lists the exported interface and function types of a package, the
// fields of exported structs and the parameters of exported functions that are
// functions, interfaces, or one of the standard library's interfaces.
func callbacksOf(t *testing.T, folder string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files (%v)", folder, err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			switch d := declared.(type) {
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if named, ok := spec.(*ast.TypeSpec); ok && named.Name.IsExported() {
						ofType(found, file.Name.Name+"."+named.Name.Name, named.Type)
					}
				}
			case *ast.FuncDecl:
				ofFunc(found, file.Name.Name, d)
			}
		}
	}
	return found
}

func ofType(found map[string]bool, name string, kind ast.Expr) {
	switch k := kind.(type) {
	case *ast.StructType:
		for _, field := range k.Fields.List {
			for _, label := range field.Names {
				if label.IsExported() && supplied(field.Type) {
					found[name+"."+label.Name] = true
				}
			}
		}
	default:
		if supplied(k) {
			found[name] = true
		}
	}
}

func ofFunc(found map[string]bool, prefix string, f *ast.FuncDecl) {
	if !f.Name.IsExported() {
		return
	}
	if f.Recv != nil {
		receiver := f.Recv.List[0].Type
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		named, ok := receiver.(*ast.Ident)
		if !ok || !named.IsExported() {
			return
		}
		prefix += "." + named.Name
	}
	for _, parameter := range f.Type.Params.List {
		for _, label := range parameter.Names {
			if supplied(parameter.Type) {
				found[prefix+"."+f.Name.Name+"("+label.Name+")"] = true
			}
		}
	}
}

// supplied reports whether a type, as it is written, is code of the host's.
func supplied(kind ast.Expr) bool {
	switch k := kind.(type) {
	case *ast.FuncType:
		return true
	case *ast.InterfaceType:
		return k.Methods.NumFields() > 0
	case *ast.StarExpr:
		return supplied(k.X)
	case *ast.SelectorExpr:
		of, ok := k.X.(*ast.Ident)
		return ok && slices.Contains([]string{"slog.Logger", "slog.Handler", "http.RoundTripper", "http.Handler", "io.Reader", "io.Writer"}, of.Name+"."+k.Sel.Name)
	}
	return false
}
