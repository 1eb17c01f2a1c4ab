package main

import (
	"crypto/rand"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const changes = `# Changelog

## [Unreleased]

## [0.2.0] - 2027-01-31

### Added

- A guard.

## [0.1.0] - 2026-12-01

- The first.
`

// files are a repository that can be released.
func files() map[string]string {
	nested := "module github.com/bonafide-go/bonafide/guard/openaiguard\n\ngo 1.25.0\n\n" +
		"require github.com/bonafide-go/bonafide v0.2.0\n\nreplace github.com/bonafide-go/bonafide => ../..\n"
	return map[string]string{
		"go.work":                      "go 1.25.0\n\nuse (\n\t.\n\t./examples\n\t./guard/openaiguard\n)\n",
		"go.mod":                       "module github.com/bonafide-go/bonafide\n\ngo 1.25.0\n",
		"LICENSE":                      "yes\n",
		"guard/guard.go":               "package guard\n\n// Guarded is true.\nconst Guarded = true\n",
		"guard/internal/own/own.go":    "package own\n",
		"guard/openaiguard/go.mod":     nested,
		"guard/openaiguard/openai.go":  "package openaiguard\n\nimport _ \"github.com/bonafide-go/bonafide/guard\"\n",
		"examples/go.mod":              "module github.com/bonafide-go/bonafide/examples\n\ngo 1.25.0\n",
		"examples/quickstart/main.go":  "package main\n\nfunc main() {}\n",
		".github/CHANGELOG.md":         changes,
		"guard/testdata/sample.go":     "package nonsense ;;\n",
		"guard/openaiguard/my_test.go": "package openaiguard\n",
	}
}

// commit makes a repository of files.
func commit(t *testing.T, files map[string]string) *release {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &release{repository: folder, commit: "HEAD", version: "v0.2.0", branch: "main"}
	r.must(t, "init", "--quiet", "--initial-branch", "main")
	r.must(t, "config", "user.name", "test")
	r.must(t, "config", "user.email", "test@example.com")
	r.must(t, "add", ".")
	r.must(t, "commit", "--quiet", "-m", "all")
	return r
}

func (r *release) must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := r.git(args...)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// publishedTo gives the repository a bare clone as its origin, as a forge has one.
func (r *release) publishedTo(t *testing.T) (origin string) {
	t.Helper()
	origin = filepath.Join(t.TempDir(), "origin.git")
	r.must(t, "clone", "--quiet", "--bare", ".", origin)
	r.must(t, "remote", "add", "origin", origin)
	r.remote = "origin"
	return origin
}

func TestWhatCannotBeReleased(t *testing.T) {
	const nested = "guard/openaiguard/go.mod"
	const log = ".github/CHANGELOG.md"
	fork := "go 1.25.0\n\nreplace golang.org/x/text => ../text\n"
	for name, c := range map[string]struct {
		file, old, new string
		want           string
	}{
		"all is well":         {log, "", "", ""},
		"an older sibling":    {nested, "bonafide v0.2.0", "bonafide v0.1.0", "bonafide@v0.1.0, not v0.2.0"},
		"a fork":              {"go.mod", "go 1.25.0\n", fork, "it replaces golang.org/x/text"},
		"a published sibling": {nested, "=> ../..", "=> example.com/fork v1.0.0", "it replaces github.com/bonafide-go"},
		"another folder":      {nested, "guard/openaiguard\n", "openaiguard\n", "not github.com/bonafide-go/bonafide/guard/"},
		"no section":          {log, "[0.2.0]", "[0.3.0]", `no section "## [0.2.0]"`},
		"an empty section":    {log, "- A guard.", "", "section of 0.2.0 is empty"},
		"no date":             {log, "[0.2.0] - 2027-01-31", "[0.2.0]", "does not date 0.2.0"},
		"untold news":         {log, "## [Unreleased]\n", "## [Unreleased]\n\n- News.\n", "entries under Unreleased"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := files()
			changed[c.file] = strings.Replace(changed[c.file], c.old, c.new, 1)
			r := commit(t, changed)
			modules, err := r.modules()
			if err != nil {
				t.Fatal(err)
			}
			r.remote = "origin"
			faults := strings.Join(r.check(modules), "\n")
			if (c.want == "") != (faults == "") || !strings.Contains(faults, c.want) {
				t.Errorf("found %q, want %q", faults, c.want)
			}
			r.remote = ""
			if (name == "no date" || name == "untold news") && len(r.check(modules)) > 0 {
				t.Error("a dry run asks for what only a tag needs")
			}
		})
	}
}

func TestVersions(t *testing.T) {
	for _, version := range []string{"", "0.1.0", "v0.1", "v0.1.0+x"} {
		if _, err := (&release{repository: ".", commit: "HEAD", version: version}).modules(); err == nil {
			t.Errorf("%q passes for a version", version)
		}
	}
}

// TestDryRun: the commit is packed, not the working tree; each module builds alone; nothing
// is tagged.
func TestDryRun(t *testing.T) {
	t.Setenv("GOPROXY", "off") // nothing is needed of others
	r := commit(t, files())
	uncommitted := filepath.Join(r.repository, "guard", "broken.go")
	if err := os.WriteFile(uncommitted, []byte("package broken ;;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(r, "", &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"bonafide: 1 packages build outside", "nothing was tagged", "guard/openaiguard/v0.2.0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it says %s, and not %s", out.String(), want)
		}
	}
	if tags := r.must(t, "tag"); tags != "" {
		t.Errorf("it tagged %s unasked", tags)
	}
	if err := run(r, r.repository, &out); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("it built in a folder that was in use: %v", err)
	}
}

// TestRelease pushes the tags to a bare clone, and gets the modules from there as anybody
// would: by git, at their version.
func TestRelease(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	r := commit(t, files())
	origin := r.publishedTo(t)
	var out strings.Builder
	if err := run(r, "", &out); err != nil {
		t.Fatal(err)
	}
	bare := &release{repository: origin}
	if got := bare.must(t, "tag"); got != "guard/openaiguard/v0.2.0\nv0.2.0\n" {
		t.Errorf("the tags are %s", got)
	}
	if tagged, head := bare.must(t, "rev-parse", "v0.2.0^{commit}"), r.must(t, "rev-parse", "HEAD"); tagged != head {
		t.Errorf("the tag is on %s, not on %s", tagged, head)
	}
	getByGit(t, origin, "github.com/bonafide-go/bonafide/guard/openaiguard@v0.2.0")
	if err := run(r, "", &out); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("a second time: %v", err)
	}
	r.must(t, "tag", "--delete", "v0.2.0", "guard/openaiguard/v0.2.0")
	if err := run(r, "", &out); err == nil || !strings.Contains(err.Error(), "origin has the tag v0.2.0 already") {
		t.Errorf("a second time, by somebody else: %v", err)
	}
}

// getByGit requires a module from the bare clone, which stands in for the forge.
func getByGit(t *testing.T, origin, module string) {
	t.Helper()
	for name, value := range map[string]string{
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "url.file://" + origin + ".insteadOf",
		"GIT_CONFIG_VALUE_0": "https://github.com/bonafide-go/bonafide",
		"GOPROXY":            "direct", "GONOSUMDB": "*", "GOFLAGS": "-mod=mod -modcacherw", "GOWORK": "off", "GOMODCACHE": t.TempDir(),
	} {
		t.Setenv(name, value)
	}
	folder := t.TempDir()
	program := "package outside\n\nimport _ \"" + strings.Split(module, "@")[0] + "\"\n"
	if err := os.WriteFile(filepath.Join(folder, "outside.go"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"mod", "init", "example.com/outside"}, {"get", module}, {"build", "./..."}} {
		command := exec.Command("go", args...)
		command.Dir = folder
		if said, err := command.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, said)
		}
	}
}

// TestWhatIsNotPushed: nothing is tagged, here or there.
func TestWhatIsNotPushed(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(r *release, origin string)
		want  string
	}{
		"changes that are not committed": {func(r *release, _ string) {
			_ = os.WriteFile(filepath.Join(r.repository, "go.mod"), []byte("module other\n"), 0o600)
		}, "the working tree has changes"},
		"a commit that is not pushed": {func(r *release, _ string) {
			r.must(t, "commit", "--quiet", "--allow-empty", "-m", "more")
		}, "HEAD is not on main of origin; push it first"},
		"a remote that is not there": {func(_ *release, origin string) {
			_ = os.RemoveAll(origin)
		}, "git fetch"},
		"a remote that refuses one tag": {func(_ *release, origin string) {
			hook := "#!/bin/sh\ncase $1 in refs/tags/guard/*) exit 1;; esac\n"
			_ = os.WriteFile(filepath.Join(origin, "hooks", "update"), []byte(hook), 0o700) // #nosec G306 -- a hook is run
		}, "git push"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOPROXY", "off")
			r := commit(t, files())
			origin := r.publishedTo(t)
			c.spoil(r, origin)
			if err := run(r, "", io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("found %v, want %s", err, c.want)
			}
			if tags := r.must(t, "tag"); tags != "" {
				t.Errorf("tags are left here: %s", tags)
			}
			if tags, _ := (&release{repository: origin}).git("tag"); len(tags) > 0 {
				t.Errorf("tags are left there: %s", tags)
			}
		})
	}
}

// TestLargeModules are not released: they would be downloaded by everybody.
func TestLargeModules(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	noise := make([]byte, mostNestedZip+1)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	changed := files()
	changed["guard/openaiguard/testdata/recording.bin"] = string(noise)
	if err := run(commit(t, changed), "", io.Discard); err == nil || !strings.Contains(err.Error(), "bytes when packed, at most 100000") {
		t.Errorf("a large module passes: %v", err)
	}
}

// TestAStrangerIsNotHelped: what builds here only by the workspace does not build
// outside.
func TestAStrangerIsNotHelped(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	changed := files()
	changed["examples/lib/lib.go"] = "package lib\n"
	own := "import _ \"github.com/bonafide-go/bonafide/examples/lib\"\n"
	changed["guard/openaiguard/openai.go"] = "package openaiguard\n\n" + own
	r := commit(t, changed)
	modules, err := r.modules()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.build(modules, t.TempDir(), io.Discard); err == nil || !strings.Contains(err.Error(), "examples/lib") {
		t.Errorf("it builds: %v", err)
	}
}

func TestPackages(t *testing.T) {
	r := commit(t, files())
	modules, err := r.modules()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"guard", "guard/openaiguard"} {
		packages, err := r.packages(modules[i])
		if err != nil || !slices.Equal(packages, []string{"github.com/bonafide-go/bonafide/" + want}) {
			t.Errorf("the packages are %v, want %s: %v", packages, want, err)
		}
	}
}
