package guide

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
)

const root = "../../.."

// pages are all that people read in Markdown.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "testdata" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".md") {
			text, err := os.ReadFile(path)
			found[path] = string(text)
			return err
		}
		return nil
	}))
	require.Greater(t, len(found), 5)
	return found
}

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	slugDrop = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	command  = regexp.MustCompile(`go run (\./[\w/.-]+)`)
	codeSpan = regexp.MustCompile("`([a-z][a-z0-9]+)\\.([A-Z]\\w*)(?:\\.([A-Z]\\w*))?")
	memberOf = regexp.MustCompile("`(Options|Reply|Counters|Tool|Input|Turn|Guard|Thresholds|Message|LedgerOptions)\\.([A-Z]\\w*)")
)

// TestLinks: every link within the repository leads to a file, and to a heading
// in it.
func TestLinks(t *testing.T) {
	all := pages(t)
	for path, text := range all {
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(found[1], "#")
			if strings.Contains(found[1], "://") || strings.HasPrefix(found[1], "mailto:") {
				continue
			}
			page := path
			if target != "" {
				page = filepath.Join(filepath.Dir(path), target)
				if _, err := os.Stat(page); err != nil {
					t.Errorf("%s links to %s, which is not there", path, found[1])
					continue
				}
			}
			if anchor != "" && strings.HasSuffix(page, ".md") && !slugs(all[page])[anchor] {
				t.Errorf("%s links to %s, which has no such heading", path, found[1])
			}
		}
	}
}

// slugs are the anchors of a page's headings.
func slugs(text string) map[string]bool {
	found := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		found[strings.ReplaceAll(slugDrop.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
	}
	return found
}

// TestCommands: every program that is to be run is there.
func TestCommands(t *testing.T) {
	for path, text := range pages(t) {
		for _, found := range command.FindAllStringSubmatch(text, -1) {
			folder := filepath.Join(root, found[1])
			if !has(t, folder).program {
				t.Errorf("%s says go run %s, and there is no program", path, found[1])
			}
		}
	}
}

// exports are the names that a package exports: those of its own, and by type the
// names of fields and methods.
type exports struct {
	names   map[string]bool
	members map[string]bool // "Options.Observe"
	program bool
}

var read = map[string]exports{}

// has reads a package's names.
func has(t *testing.T, folder string) exports {
	t.Helper()
	if known, done := read[folder]; done {
		return known
	}
	e := exports{names: map[string]bool{}, members: map[string]bool{}}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		e.program = e.program || file.Name.Name == "main"
		for _, declaration := range file.Decls {
			e.add(declaration)
		}
	}
	read[folder] = e
	return e
}

func (e exports) add(declaration ast.Decl) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			e.names[d.Name.Name] = true
			return
		}
		receiver := d.Recv.List[0].Type
		if pointer, is := receiver.(*ast.StarExpr); is {
			receiver = pointer.X
		}
		if name, is := receiver.(*ast.Ident); is {
			e.members[name.Name+"."+d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					e.names[name.Name] = true
				}
			case *ast.TypeSpec:
				e.names[s.Name.Name] = true
				if structure, is := s.Type.(*ast.StructType); is {
					for _, field := range structure.Fields.List {
						for _, name := range field.Names {
							e.members[s.Name.Name+"."+name.Name] = true
						}
					}
				}
			}
		}
	}
}

// folders are the packages that the pages may name.
var folders = map[string]string{
	"guard": "guard", "proof": "guard/proof", "chatwire": "guard/chatwire", "openaiguard": "guard/openaiguard", "anthropicguard": "guard/anthropicguard",
	"genaiguard": "guard/genaiguard",
	"mcpguard":   "guard/mcpguard", "temporalguard": "guard/temporalguard", "otelguard": "guard/otelguard", "guardtest": "guard/guardtest", "intent": "intent", "resolver": "resolver",
	"policy": "policy", "completion": "completion", "tooltrack": "tooltrack", "sqltrack": "tooltrack/sqltrack", "tooltracktest": "tooltrack/tooltracktest",
}

// page is one of the pages that are held to the code.
func page(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	require.NoError(t, err)
	return string(text)
}

// mostWords is how long the README may be, counted as wc -w does. The rest belongs into
// .github/docs.
const mostWords = 1500

func TestTheREADMEIsShort(t *testing.T) {
	require.LessOrEqual(t, len(strings.Fields(page(t, "README.md"))), mostWords)
}

// TestTheChangelogIsShort: a release is told in a page. What users need not know belongs
// into commit messages.
func TestTheChangelogIsShort(t *testing.T) {
	releases := strings.Split(page(t, ".github/CHANGELOG.md"), "\n## ")[1:]
	require.GreaterOrEqual(t, len(releases), 2)
	for _, release := range releases {
		title, _, _ := strings.Cut(release, "\n")
		require.Less(t, strings.Count(release, "\n"), 60, title)
	}
}

// TestClosedFigures: the README's rows of the closed half are rows of measured.md.
func TestClosedFigures(t *testing.T) {
	short, whole := closed(t, page(t, "README.md")), closed(t, page(t, ".github/docs/measured.md"))
	require.GreaterOrEqual(t, len(short), 10)
	for row := range short {
		require.True(t, whole[row], "measured.md lacks %s", row)
	}
}

// closed are the rows of a page's closed half: set, cases, figure, keywords, ours. The first
// two stand once for all rows of a set.
func closed(t *testing.T, text string) map[[5]string]bool {
	t.Helper()
	_, text, found := strings.Cut(text, "<!-- closed -->\n")
	require.True(t, found)
	text, _, found = strings.Cut(text, "<!-- /closed -->")
	require.True(t, found)
	rows, set, cases := map[[5]string]bool{}, "", ""
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[2:] {
		cells := strings.Split(line, "|")
		require.GreaterOrEqual(t, len(cells), 7, line)
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[1] != "" {
			set, cases = cells[1], cells[2]
		}
		rows[[5]string{set, cases, cells[3], cells[4], cells[5]}] = true
	}
	return rows
}

// TestNames: what the pages call by its Go name exists.
func TestNames(t *testing.T) {
	for _, path := range []string{
		"README.md", ".github/docs/guide.md", ".github/docs/measured.md", ".github/docs/compatibility.md",
	} {
		text := page(t, path)
		for _, found := range codeSpan.FindAllStringSubmatch(text, -1) {
			folder, ours := folders[found[1]]
			if !ours {
				continue
			}
			e := has(t, filepath.Join(root, folder))
			if !e.names[found[2]] || found[3] != "" && !e.members[found[2]+"."+found[3]] {
				t.Errorf("%s names %s, which does not exist", path, found[0])
			}
		}
		for _, found := range memberOf.FindAllStringSubmatch(text, -1) {
			member, known := found[1]+"."+found[2], false
			for _, folder := range []string{"guard", "tooltrack", "policy"} {
				known = known || has(t, filepath.Join(root, folder)).members[member]
			}
			if !known {
				t.Errorf("%s names %s, which does not exist", path, member)
			}
		}
	}
}

// documented is what go doc shows of a package.
func documented(t *testing.T, folder string) *doc.Package {
	t.Helper()
	files := token.NewFileSet()
	var parsed []*ast.File
	paths, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	require.NoError(t, err)
	for _, path := range paths {
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		require.NoError(t, err)
		parsed = append(parsed, file)
	}
	p, err := doc.NewFromFiles(files, parsed, "github.com/bonafide-go/bonafide/"+folder)
	require.NoError(t, err)
	return p
}

// TestPackagesIntroduceThemselves: the documentation of each package begins with
// what it is for and has lines to copy, and its first example is the one that most
// people need: that of the package, or of its only way in.
func TestPackagesIntroduceThemselves(t *testing.T) {
	for name, folder := range folders {
		p := documented(t, folder)
		first := p.Synopsis(p.Doc)
		require.True(t, strings.HasPrefix(first, "Package "+name+" "), "%s: %q", folder, first)
		require.Less(t, len(first), 200, folder)
		require.Contains(t, p.Doc, "\n\t", "%s: nothing to copy", folder)
		begins := len(p.Examples) > 0
		switch name {
		case "openaiguard", "anthropicguard", "genaiguard": // the middleware comes first
			begins = true
		case "otelguard", "tooltracktest": // one way in; the suite is for tests
			begins = true
		}
		require.True(t, begins, "%s has no example of its own", folder)
	}
}

// unresolved is a link in a comment that leads nowhere: it is printed with its brackets.
var unresolved = regexp.MustCompile(`\[\*?[A-Z]\w*(?:\.[A-Z]\w*)?\]`)

// TestLinksInComments: every name in brackets is one that the package has.
func TestLinksInComments(t *testing.T) {
	for _, folder := range folders {
		p := documented(t, folder)
		texts := []string{p.Doc}
		collect := func(list ...*doc.Func) {
			for _, f := range list {
				texts = append(texts, f.Doc)
			}
		}
		values := func(list ...*doc.Value) {
			for _, v := range list {
				texts = append(texts, v.Doc)
			}
		}
		collect(p.Funcs...)
		values(p.Consts...)
		values(p.Vars...)
		for _, typ := range p.Types {
			texts = append(texts, typ.Doc)
			collect(typ.Funcs...)
			collect(typ.Methods...)
			values(typ.Consts...)
			values(typ.Vars...)
		}
		for _, text := range texts {
			if left := unresolved.FindString(string(p.Text(text))); left != "" {
				t.Errorf("%s: %s leads nowhere in: %s", folder, left, text)
			}
		}
	}
}

// TestMetrics: what the guide would have on a dashboard is there.
func TestMetrics(t *testing.T) {
	var source []byte
	for _, file := range []string{"instruments.go", "limit.go"} {
		part, err := os.ReadFile(filepath.Join(root, "guard/otelguard", file))
		require.NoError(t, err)
		source = append(source, part...)
	}
	metrics := regexp.MustCompile("`(bonafide\\.[a-z_.]+)`").FindAllStringSubmatch(page(t, ".github/docs/guide.md"), -1)
	require.NotEmpty(t, metrics)
	for _, metric := range metrics {
		require.Contains(t, string(source), `"`+metric[1]+`"`)
	}
}

// TestNouns: each package of the guide's table has its noun.
func TestNouns(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| \\[`([a-z/]+)`\\]\\([a-z./]+\\)(?: \\(module\\))? \\| .* \\| `(\\w+)` \\|$")
	rows := row.FindAllStringSubmatch(page(t, ".github/docs/guide.md"), -1)
	require.Len(t, rows, len(folders))
	for _, row := range rows {
		require.True(t, has(t, filepath.Join(root, row[1])).names[row[2]], "%s has no %s", row[1], row[2])
	}
}

// TestSnippets: the lines by which README and guide add a guard stand in examples, which
// compile; the two programs are compared by the tests of quickstart.
func TestSnippets(t *testing.T) {
	var compiled strings.Builder
	for _, folder := range folders {
		examples, err := filepath.Glob(filepath.Join(root, folder, "example*_test.go"))
		require.NoError(t, err)
		for _, path := range examples {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			compiled.Write(text)
		}
	}
	line := regexp.MustCompile(`\w+guard\.\w+\([^()]*\)`)
	for path, least := range map[string]int{"README.md": 3, ".github/docs/guide.md": 5} {
		calls := line.FindAllString(page(t, path), -1)
		require.GreaterOrEqual(t, len(calls), least, path)
		for _, call := range calls {
			require.Contains(t, compiled.String(), call, "no example compiles what %s shows", path)
		}
	}
}

// TestHeldPhrases: what the README says is never forced is not.
func TestHeldPhrases(t *testing.T) {
	_, text, found := strings.Cut(page(t, "README.md"), "It insists on a call only when it is sure.")
	require.True(t, found)
	text, _, found = strings.Cut(text, "are\nnever forced")
	require.True(t, found)
	phrases := regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(strings.Join(strings.Fields(text), " "), -1)
	require.Len(t, phrases, 5)
	for _, phrase := range phrases {
		require.NotEqual(t, intent.NotHeld, intent.HoldOf(phrase[1]), phrase[1])
	}
}

// TestCounts: the figures about our own test data are not more than there is, nor
// long out of date.
func TestCounts(t *testing.T) {
	found := regexp.MustCompile(`([\d,]+) whole turns of (\d+)\s+domains`).FindStringSubmatch(page(t, ".github/docs/measured.md"))
	require.NotNil(t, found)
	domains, err := filepath.Glob(filepath.Join(root, "internal/evaluation/labelled/turns/*.jsonl"))
	require.NoError(t, err)
	turns := 0
	for _, path := range domains {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		turns += strings.Count(string(text), `"user":`)
	}
	for _, figure := range []struct {
		said  string
		there int
	}{{found[1], turns}, {found[2], len(domains)}} {
		said, err := strconv.Atoi(strings.ReplaceAll(figure.said, ",", ""))
		require.NoError(t, err)
		require.LessOrEqual(t, said, figure.there)
		require.Greater(t, said, figure.there*4/5)
	}
}
