package guard_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fuzzTargets are the fuzz targets of all modules, by the folder they lie in.
func fuzzTargets(t *testing.T) map[string][]string {
	t.Helper()
	targets := map[string][]string{}
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") {
				targets[path.Dir(name)] = append(targets[path.Dir(name)], f.Name.Name)
			}
		}
		return nil
	})
	if err != nil || len(targets) < 5 {
		t.Fatalf("found %v: %v", targets, err)
	}
	return targets
}

// TestEveryFuzzTargetHasACorpus: inputs that reach the corners are checked in, so
// that every run of the tests goes there, and they are small.
func TestEveryFuzzTargetHasACorpus(t *testing.T) {
	const (
		fewest  = 10
		largest = 16 << 10
	)
	for folder, targets := range fuzzTargets(t) {
		corpora := filepath.Join("..", filepath.FromSlash(folder), "testdata", "fuzz")
		for _, target := range targets {
			inputs, err := filepath.Glob(filepath.Join(corpora, target, "*"))
			if err != nil || len(inputs) < fewest {
				t.Errorf("%s: %s has %d inputs in its corpus; at least %d are needed (%v)", folder, target, len(inputs), fewest, err)
			}
			for _, input := range inputs {
				data, err := os.ReadFile(input)
				if err != nil || !bytes.HasPrefix(data, []byte("go test fuzz v1\n")) || len(data) > largest {
					t.Errorf("%s is no input, or has more than %d bytes (%v)", input, largest, err)
				}
			}
		}
		kept, err := os.ReadDir(corpora)
		if err != nil {
			continue // told above
		}
		for _, entry := range kept {
			if !slices.Contains(targets, entry.Name()) {
				t.Errorf("%s: the corpus %s has no target", folder, entry.Name())
			}
		}
	}
}

// parsers are the functions that read what others wrote, and the targets that
// throw anything at them.
var parsers = map[string]string{
	"chatwire.Assembler.Add": "FuzzChunking", "chatwire.Middleware": "FuzzShape", "chatwire.StoredResponse": "FuzzStoredResponse",
	"chatwire.Format.ParseRequest": "FuzzParseFormatRequest", "chatwire.Format.ParseResponse": "FuzzParseFormatResponse",
	"chatwire.Format.ReadStream":  "FuzzReadFormatStream",
	"provider.Provider.ServeHTTP": "FuzzProvider",
	"completion.FindLeak":         "FuzzFindLeak", "completion.Evaluator.Evaluate": "FuzzEvaluate", "completion.Evaluator.Account": "FuzzAccount",
	"guard.Guard.RecordsOf": "FuzzRecordsOf", "guard.Capabilities.NoTools": "FuzzTextCalls",
	"intent.FromTools": "FuzzFromTools", "intent.Classifier.Classify": "FuzzClassify", "intent.ReadExamples": "FuzzReadExamples",
	"proof.ReadReport": "FuzzReadReport", "proof.Read": "FuzzRead", "proof.IsAnswer": "FuzzRead", "proof.Asked": "FuzzRead",
	"lexicon.Parse": "FuzzParse", "lexicon.Language.Tokenize": "FuzzTokenize",
	"policy.Decode": "FuzzDecode", "policy.Value.Decode": "FuzzDecode", "policy.Set.Review": "FuzzReview", "policy.Schema": "FuzzSchema",
	"policy.Web.Check": "FuzzURL", "policy.DateWindow": "FuzzDate",
	"policy.LoggableArgs": "FuzzRedact", "policy.HideSecrets": "FuzzRedact", "policy.Printable": "FuzzRedact",
	"resolver.Resolve": "FuzzResolve", "resolver.Ordinal": "FuzzOrdinal", "resolver.Redact": "FuzzRedact",
	"tooltrack.ApprovalState.UnmarshalText": "FuzzApproval", "guard.Guard.Resume": "FuzzPausedTurn",
	"tooltrack.ParseResult": "FuzzParseResult", "tooltrack.ParseCall": "FuzzParseCall", "tooltrack.Turn.Begin": "FuzzCallKey",
	"tooltrack.Record.UnmarshalJSON": "FuzzRecordJSON", "tooltrack.Result.UnmarshalJSON": "FuzzRecordJSON", "tooltrack.Status.UnmarshalText": "FuzzRecordJSON",
	"tooltrack.Grade.UnmarshalText": "FuzzRecordJSON", "tooltrack.Effect.UnmarshalText": "FuzzRecordJSON",
}

// TestEveryParserHasATarget: a function whose name says that it reads something
// needs a fuzz target, and the target must be there.
func TestEveryParserHasATarget(t *testing.T) {
	targets := map[string]bool{}
	for _, list := range fuzzTargets(t) {
		for _, target := range list {
			targets[target] = true
		}
	}
	for _, parser := range slices.Sorted(maps.Keys(parsers)) {
		if !targets[parsers[parser]] {
			t.Errorf("%s is said to be tried by %s, which is not there", parser, parsers[parser])
		}
	}
	for _, folder := range publicFolders(t) {
		p := documented(t, folder)
		check := func(name, function string) {
			reads := slices.ContainsFunc([]string{"Parse", "Decode", "Read", "Unmarshal", "WithJSON", "WithEnv"}, func(prefix string) bool { return strings.HasPrefix(function, prefix) })
			if reads && parsers[name] == "" {
				t.Errorf("%s reads what others wrote, and no fuzz target is named for it", name)
			}
		}
		for _, f := range p.Funcs {
			check(p.Name+"."+f.Name, f.Name)
		}
		for _, noun := range p.Types {
			for _, f := range noun.Funcs {
				check(p.Name+"."+f.Name, f.Name)
			}
			for _, f := range noun.Methods {
				check(p.Name+"."+noun.Name+"."+f.Name, f.Name)
			}
		}
	}
}
