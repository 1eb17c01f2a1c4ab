package main

import (
	"io"
	"os"
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
	r := &release{repository: folder, commit: "HEAD", version: "v0.2.0"}
	for _, args := range [][]string{
		{"init", "--quiet"}, {"add", "."},
		{"-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", "all"},
	} {
		if _, err := r.git(args...); err != nil {
			t.Fatal(err)
		}
	}
	return r
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
	} {
		t.Run(name, func(t *testing.T) {
			changed := files()
			changed[c.file] = strings.Replace(changed[c.file], c.old, c.new, 1)
			r := commit(t, changed)
			modules, err := r.modules()
			if err != nil {
				t.Fatal(err)
			}
			faults := strings.Join(r.check(modules, true), "\n")
			if (c.want == "") != (faults == "") || !strings.Contains(faults, c.want) {
				t.Errorf("found %q, want %q", faults, c.want)
			}
			if name == "no date" && len(r.check(modules, false)) > 0 {
				t.Error("a date is needed before it is tagged")
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

// TestRelease: the commit is packed, not the working tree; each module builds
// alone; tags are made when they are asked for, and once.
func TestRelease(t *testing.T) {
	t.Setenv("GOPROXY", "off") // nothing is needed of others
	r := commit(t, files())
	uncommitted := filepath.Join(r.repository, "guard", "broken.go")
	if err := os.WriteFile(uncommitted, []byte("package broken ;;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(r, "", true, &out); err == nil {
		t.Error("it was tagged unbuilt")
	}
	built := t.TempDir()
	if err := run(r, built, false, &out); err != nil {
		t.Fatal(err)
	}
	if err := run(r, built, false, &out); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a folder was used twice: %v", err)
	}
	if want := "git tag guard/openaiguard/v0.2.0 HEAD\n"; !strings.Contains(out.String(), want) {
		t.Errorf("it says %s, want %s", out.String(), want)
	}
	if tags, _ := r.git("tag"); len(tags) > 0 {
		t.Errorf("it tagged %s unasked", tags)
	}
	if err := run(r, t.TempDir(), true, &out); err != nil {
		t.Fatal(err)
	}
	tags, err := r.git("tag")
	if got := string(tags); err != nil || got != "guard/openaiguard/v0.2.0\nv0.2.0\n" {
		t.Errorf("the tags are %s: %v", got, err)
	}
	if err := run(r, t.TempDir(), true, &out); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("a second time: %v", err)
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
