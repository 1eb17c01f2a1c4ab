package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// mostZip and mostNestedZip are how many bytes `go get` may download of the root module and
// of any other, folders with a dot included. The goal of the root is 2 MB.
const (
	mostZip       = 3_650_000
	mostNestedZip = 100_000
)

// build packs the modules into a proxy under a folder, as the tags would publish
// them, and builds a stranger's package against each of them alone.
func (r *release) build(modules []*published, folder string, out io.Writer) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if found, err := os.ReadDir(folder); err == nil && len(found) > 0 {
		return fmt.Errorf("%s is not empty; build in a new folder, as mktemp -d makes it", folder)
	}
	// A clone, since a linked worktree is no repository to the one who packs.
	proxy, clone := filepath.Join(folder, "proxy"), filepath.Join(folder, "clone")
	commit, err := r.git("rev-parse", "--verify", r.commit+"^{commit}")
	if err != nil {
		return err
	}
	if _, err := r.git("clone", "--quiet", "--shared", "--no-checkout", ".", clone); err != nil {
		return err
	}
	var paths []string
	for _, m := range modules {
		if err := r.pack(m, clone, strings.TrimSpace(string(commit)), proxy, out); err != nil {
			return fmt.Errorf("packing %s: %w", m.path(), err)
		}
		paths = append(paths, m.path())
	}
	if err := os.WriteFile(filepath.Join(proxy, "modules"), []byte(strings.Join(paths, "\n")+"\n"), 0o600); err != nil {
		return err
	}
	for _, m := range modules {
		if err := r.stranger(m, folder, out); err != nil {
			return fmt.Errorf("a stranger's package with %s: %w", m.path(), err)
		}
	}
	return nil
}

func (m *published) mostZip() int {
	if m.folder == "" {
		return mostZip
	}
	return mostNestedZip
}

// pack writes one module in the form that the go command reads from a proxy.
func (r *release) pack(m *published, clone, commit, proxy string, out io.Writer) error {
	escaped, err := module.EscapePath(m.path())
	if err != nil {
		return err
	}
	target := filepath.Join(proxy, filepath.FromSlash(escaped), "@v", r.version)
	if err := os.MkdirAll(filepath.Dir(target), 0o750); err != nil {
		return err
	}
	info, err := json.Marshal(map[string]any{"Version": r.version, "Time": time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	var archive bytes.Buffer
	version := module.Version{Path: m.path(), Version: r.version}
	if err := zip.CreateFromVCS(&archive, version, clone, commit, m.folder); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d KB to download\n", m.path(), archive.Len()/1000)
	if most := m.mostZip(); archive.Len() > most {
		return fmt.Errorf("it has %d bytes when packed, at most %d; look for test data and other large files", archive.Len(), most)
	}
	return errors.Join(
		os.WriteFile(target+".zip", archive.Bytes(), 0o600),
		os.WriteFile(target+".mod", m.mod, 0o600),
		os.WriteFile(target+".info", info, 0o600),
		os.WriteFile(filepath.Join(filepath.Dir(target), "list"), []byte(r.version+"\n"), 0o600),
	)
}

// stranger builds a package outside of the repository that imports all packages of
// a module, and nothing of the others but what that brings along.
func (r *release) stranger(m *published, folder string, out io.Writer) error {
	packages, err := r.packages(m)
	if err != nil {
		return err
	}
	outside := filepath.Join(folder, "strangers", strings.ReplaceAll(path.Join("root", m.folder), "/", "-"))
	if err := os.MkdirAll(outside, 0o750); err != nil {
		return err
	}
	program := "package stranger\n\nimport (\n\t_ \"" + strings.Join(packages, "\"\n\t_ \"") + "\"\n)\n"
	if err := os.WriteFile(filepath.Join(outside, "stranger.go"), []byte(program), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"mod", "init", "example.com/stranger"}, {"get", m.path() + "@" + r.version}, {"mod", "tidy"}, {"build", "./..."},
	} {
		if said, err := r.goCommand(outside, folder, args...); err != nil {
			return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, said)
		}
	}
	selected, err := r.goCommand(outside, folder, "list", "-m", "all")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d packages build outside, with %d other modules\n",
		m.path(), len(packages), strings.Count(selected, "\n")-2)
	return nil
}

// packages are those of a module that others can import.
func (r *release) packages(m *published) ([]string, error) {
	// The files of a folder, but not those of modules further down.
	listed, err := r.git("ls-tree", "-r", "--name-only", r.commit, "./"+m.folder)
	if err != nil {
		return nil, err
	}
	names := strings.Fields(string(listed))
	nested := map[string]bool{}
	for _, name := range names {
		if path.Base(name) == "go.mod" && path.Dir(name) != path.Clean("./"+m.folder) {
			nested[path.Dir(name)] = true
		}
	}
	var packages []string
	seen := map[string]bool{}
	for _, name := range names {
		folder := path.Dir(name)
		code := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		if !code || seen[folder] || !importable(folder, nested) {
			continue
		}
		seen[folder] = true
		packages = append(packages, path.Join(m.path(), strings.TrimPrefix(folder, m.folder)))
	}
	return packages, nil
}

// importable reports whether a folder belongs to the module and to everybody.
func importable(folder string, nested map[string]bool) bool {
	for at := folder; at != "."; at = path.Dir(at) {
		base := path.Base(at)
		if nested[at] || base == "internal" || base == "testdata" || strings.ContainsRune("._", rune(base[0])) {
			return false
		}
	}
	return true
}

// goCommand runs the go command as a stranger would, with a proxy that has the
// modules, and what others published from the shared cache as far as it is there.
// The cache is one of its own: the go command takes a version for immutable, and
// this one is packed anew each time.
func (r *release) goCommand(outside, folder string, args ...string) (string, error) {
	shared, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return "", err
	}
	cache, upstream, _ := strings.Cut(strings.TrimSpace(string(shared)), "\n")
	command := exec.Command("go", args...) // #nosec G204 -- the arguments are those above
	command.Dir = outside
	command.Env = append(os.Environ(),
		"GOPROXY=file://"+filepath.ToSlash(filepath.Join(folder, "proxy"))+",file://"+cache+"/cache/download,"+upstream,
		"GOMODCACHE="+filepath.Join(folder, "modules"), "GOWORK=off", "GOFLAGS=-mod=mod -modcacherw -trimpath", "GONOSUMDB=*")
	said, err := command.CombinedOutput()
	return string(said), err
}
