package stage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"
)

// MaxFile is the largest file that a [Tree] reads or writes, in bytes.
const MaxFile = 1 << 20

// Tree is a temporary folder of files. Every path is taken relative to it, and
// none leads out: not by "..", not by an absolute path, not by a symbolic link.
type Tree struct {
	root *os.Root
}

// Files reads an archive of files by their names: each follows a line such as
// "-- calc.go --".
func Files(archive string) map[string]string {
	files, name := map[string]string{}, ""
	for line := range strings.Lines(archive) {
		if inner, is := strings.CutPrefix(strings.TrimSpace(line), "-- "); is && strings.HasSuffix(inner, " --") {
			name = strings.TrimSuffix(inner, " --")
			continue
		}
		files[name] += line
	}
	return files
}

// NewTree makes a folder with these files, by their paths.
func NewTree(files map[string]string) (*Tree, error) {
	dir, err := os.MkdirTemp("", "bonafide-example-")
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	tree := &Tree{root: root}
	for name, content := range files {
		if err := tree.Write(name, content); err != nil {
			return nil, errors.Join(err, tree.Close())
		}
	}
	return tree, nil
}

// Close removes the folder.
func (t *Tree) Close() error { return errors.Join(t.root.Close(), os.RemoveAll(t.root.Name())) }

// check refuses the folder of the version control: what is written there can
// run as a program.
func check(name string) error {
	for part := range strings.SplitSeq(path.Clean(strings.ReplaceAll(name, `\`, "/")), "/") {
		if strings.EqualFold(part, ".git") {
			return fmt.Errorf("%q lies in the folder of the version control, which is not for editing", name)
		}
	}
	return nil
}

// Read returns the content of a file.
func (t *Tree) Read(name string) (string, error) {
	if err := check(name); err != nil {
		return "", err
	}
	file, err := t.root.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err != nil {
		return "", err
	}
	if len(content) > MaxFile {
		return "", fmt.Errorf("%s is larger than %d bytes", name, MaxFile)
	}
	return string(content), nil
}

// Write replaces a file, or makes it together with its folders.
func (t *Tree) Write(name, content string) error {
	if err := check(name); err != nil {
		return err
	}
	if len(content) > MaxFile {
		return fmt.Errorf("the content of %s is larger than %d bytes", name, MaxFile)
	}
	if dir := path.Dir(name); dir != "." {
		if err := t.root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return t.root.WriteFile(name, []byte(content), 0o644)
}

// Files are the paths of all files, sorted.
func (t *Tree) Files() ([]string, error) {
	var files []string
	err := fs.WalkDir(t.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.Type().IsRegular():
			files = append(files, name)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// Command runs a program in the folder and returns what it printed.
func (t *Tree) Command(ctx context.Context, input, program string, args ...string) (string, error) {
	var output bytes.Buffer
	command := exec.CommandContext(ctx, program, args...)
	command.Dir = t.root.Name()
	command.Stdin = strings.NewReader(input)
	command.Stdout, command.Stderr = &output, &output
	command.Env = environment()
	command.WaitDelay = 2 * time.Second // for what a stopped program left running
	err := command.Run()
	printed := strings.ReplaceAll(output.String(), t.root.Name()+string(os.PathSeparator), "")
	if err != nil {
		err = fmt.Errorf("%s %s: %w", program, strings.Join(args, " "), err)
	}
	return printed, err
}

// environment is what programs in the folder get to see: what the compiler
// needs, and no keys, since a model may have written what runs there.
func environment() []string {
	env := []string{
		"GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	}
	for _, name := range []string{
		"PATH", "HOME", "TMPDIR", "GOPATH", "GOCACHE", "GOMODCACHE", "GOROOT", "GOTOOLCHAIN", "SystemRoot", "USERPROFILE",
		"LOCALAPPDATA", "TEMP",
	} {
		if value, set := os.LookupEnv(name); set {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// Test runs the tests of the Go module that the folder holds. Paths are trimmed,
// so that what did not change is not built again for the next folder.
func (t *Tree) Test(ctx context.Context) (string, error) {
	return t.Command(ctx, "", "go", "test", "-trimpath", "./...")
}
