package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// release is a version of all modules at one commit.
type release struct {
	repository, commit, version string
	remote, branch              string // where the tags go; without a remote it is a dry run
}

// published is a module that others can require.
type published struct {
	folder string // in the repository; empty is the root
	file   *modfile.File
	mod    []byte
}

func (m *published) path() string { return m.file.Module.Mod.Path }

// tag is the name under which the go command looks for a version of the module.
func (m *published) tag(version string) string { return path.Join(m.folder, version) }

// modules are those that the workspace names, except the examples and what only fits
// and measures.
func (r *release) modules() ([]*published, error) {
	if semver.Canonical(r.version) != r.version || r.version == "" {
		return nil, fmt.Errorf("%q is no version such as v0.1.0", r.version)
	}
	data, err := r.file("go.work")
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return nil, err
	}
	var modules []*published
	for _, use := range work.Use {
		folder := path.Clean(use.Path)
		if folder == "examples" || strings.HasPrefix(folder, "examples/") || strings.HasPrefix(folder, "internal/") {
			continue
		}
		m := &published{folder: strings.TrimPrefix(folder, ".")}
		if m.mod, err = r.file(path.Join(m.folder, "go.mod")); err != nil {
			return nil, err
		}
		if m.file, err = modfile.Parse(path.Join(m.folder, "go.mod"), m.mod, nil); err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// check says all that is wrong with the commit.
func (r *release) check(modules []*published) (faults []string) {
	paths := map[string]bool{}
	for _, m := range modules {
		paths[m.path()] = true
	}
	for _, m := range modules {
		faults = append(faults, r.requirements(m, paths)...)
		if out, err := r.git("tag", "--list", m.tag(r.version)); err != nil || len(out) > 0 {
			faults = append(faults, fmt.Sprintf("the tag %s is there already; a version is released once", m.tag(r.version)))
		}
	}
	changes, err := r.file(".github/CHANGELOG.md")
	if err != nil {
		return append(faults, err.Error())
	}
	return append(faults, changelog(string(changes), strings.TrimPrefix(r.version, "v"), r.remote != "")...)
}

// requirements says what a stranger would stumble over: those who require a module
// do not see its replacements.
func (r *release) requirements(m *published, siblings map[string]bool) (faults []string) {
	for _, required := range m.file.Require {
		if siblings[required.Mod.Path] && required.Mod.Version != r.version {
			faults = append(faults, fmt.Sprintf("%s: it requires %s, not %s", m.file.Syntax.Name, required.Mod, r.version))
		}
	}
	for _, replaced := range m.file.Replace {
		if !siblings[replaced.Old.Path] || replaced.New.Version != "" {
			faults = append(faults, fmt.Sprintf("%s: it replaces %s, which no one outside will see",
				m.file.Syntax.Name, replaced.Old.Path))
		}
	}
	if want := path.Join("github.com/bonafide-go/bonafide", m.folder); m.path() != want {
		faults = append(faults, fmt.Sprintf("%s: the module is %s, not %s as its folder", m.file.Syntax.Name, m.path(), want))
	}
	return faults
}

// file is a file of the commit.
func (r *release) file(name string) ([]byte, error) { return r.git("show", r.commit+":"+name) }

func (r *release) git(args ...string) ([]byte, error) {
	command := exec.Command("git", append([]string{"-C", r.repository}, args...)...) // #nosec G204 -- a developer's tool
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return out, nil
}
