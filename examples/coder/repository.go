package main

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
	"regexp"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
)

// maxFile is the largest file that is read or written, in bytes.
const maxFile = 1 << 20

// repository is a Go module under version control, in a temporary folder. Every path is taken
// relative to it, and none leads out: not by "..", not by an absolute path, not by a symbolic link.
type repository struct {
	root *os.Root
}

func newRepository(ctx context.Context, files map[string]string) (*repository, error) {
	dir, err := os.MkdirTemp("", "bonafide-coder-")
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	r := &repository{root}
	for name, content := range files {
		err = errors.Join(err, r.write(name, content))
	}
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"add", "--all"},
		{"-c", "user.name=coder", "-c", "user.email=coder@example.com", "commit", "--quiet", "--message", "begin"},
	} {
		if err == nil {
			_, err = r.command(ctx, "", "git", args...)
		}
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Close removes the folder.
func (r *repository) Close() error { return errors.Join(r.root.Close(), os.RemoveAll(r.root.Name())) }

// check refuses the folder of the version control: what is written there can run as a program.
func check(name string) error {
	for part := range strings.SplitSeq(path.Clean(strings.ReplaceAll(name, `\`, "/")), "/") {
		if strings.EqualFold(part, ".git") {
			return fmt.Errorf("%q lies in the folder of the version control, which is not for editing", name)
		}
	}
	return nil
}

func (r *repository) read(name string) (string, error) {
	if err := check(name); err != nil {
		return "", err
	}
	file, err := r.root.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxFile)
	}
	return string(content), err
}

// write replaces a file, or makes it together with its folders.
func (r *repository) write(name, content string) error {
	if err := check(name); err != nil {
		return err
	}
	if len(content) > maxFile {
		return fmt.Errorf("the content of %s is larger than %d bytes", name, maxFile)
	}
	if dir := path.Dir(name); dir != "." {
		if err := r.root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return r.root.WriteFile(name, []byte(content), 0o644)
}

// command runs a program in the folder and returns what it printed, which is part of its error, too.
func (r *repository) command(ctx context.Context, input, program string, args ...string) (string, error) {
	var output bytes.Buffer
	command := exec.CommandContext(ctx, program, args...)
	command.Dir, command.Stdin = r.root.Name(), strings.NewReader(input)
	command.Stdout, command.Stderr = &output, &output
	// What the compiler needs, and no keys, since a model may have written what runs there.
	command.Env = []string{
		"GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	}
	for _, name := range []string{
		"PATH", "HOME", "TMPDIR", "GOPATH", "GOCACHE", "GOMODCACHE", "GOROOT", "GOTOOLCHAIN", "SystemRoot", "USERPROFILE",
		"LOCALAPPDATA", "TEMP",
	} {
		if value, set := os.LookupEnv(name); set {
			command.Env = append(command.Env, name+"="+value)
		}
	}
	command.WaitDelay = 2 * time.Second // for what a stopped program left running
	err := command.Run()
	printed := strings.ReplaceAll(output.String(), r.root.Name()+string(os.PathSeparator), "")
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, printed)
	}
	return printed, err
}

func (r *repository) toolbox() stage.Toolbox {
	return stage.Toolbox{
		"read_file":   stage.Tool(r.readFile),
		"search":      stage.Tool(r.search),
		"write_file":  stage.Tool(r.writeFile),
		"apply_patch": stage.Tool(r.applyPatch),
		"run_tests":   stage.Tool(r.runTests),
		"git_diff":    stage.Tool(r.gitDiff),
	}
}

type fileArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Patch   string `json:"patch"`
}

type fileContent struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

type output struct {
	Output string `json:"output"`
}

type none struct{}

func (r *repository) readFile(_ context.Context, args fileArgs) (fileContent, error) {
	content, err := r.read(args.Path)
	return fileContent{args.Path, content}, err
}

func (r *repository) search(_ context.Context, args struct {
	Text string `json:"text"`
}) (output, error) {
	const most = 50
	var found []string
	err := fs.WalkDir(r.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		content, err := r.read(name)
		for i, line := range strings.Split(content, "\n") {
			if strings.Contains(line, args.Text) {
				found = append(found, fmt.Sprintf("%s:%d: %s", name, i+1, strings.TrimSpace(line)))
			}
		}
		return err
	})
	if len(found) > most {
		found = append(found[:most], "…")
	}
	return output{strings.Join(found, "\n")}, err
}

func (r *repository) writeFile(_ context.Context, args fileArgs) (output, error) {
	if err := r.write(args.Path, args.Content); err != nil {
		return output{}, err
	}
	return output{"wrote " + args.Path}, nil
}

// applyPatch applies a unified diff. The diff may touch the named file only: the
// ledger says which file a call touched, and must be right.
func (r *repository) applyPatch(ctx context.Context, args fileArgs) (output, error) {
	if _, err := r.read(args.Path); err != nil {
		return output{}, err
	}
	for line := range strings.Lines(args.Patch) {
		for _, header := range []string{"--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to "} {
			name, is := strings.CutPrefix(strings.TrimRight(line, "\r\n"), header)
			if !is {
				continue
			}
			if name = strings.TrimPrefix(strings.TrimPrefix(name, "a/"), "b/"); name != args.Path {
				return output{}, fmt.Errorf("the patch names %q; a call patches the file in path (%q) and no other", name,
					args.Path)
			}
		}
	}
	if printed, err := r.command(ctx, args.Patch, "git", "apply", "--recount", "--whitespace=nowarn", "-"); err != nil {
		return output{}, fmt.Errorf("the patch does not apply: %s", strings.TrimSpace(printed))
	}
	return output{"patched " + args.Path}, nil
}

// testTime is how long the tests may take, the compiler included.
const testTime = 2 * time.Minute

// runTests really runs them: what they print is the result, and a failure is a failed call.
func (r *repository) runTests(ctx context.Context, _ none) (output, error) {
	ctx, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	// Paths are trimmed, so that what did not change is not built again for the next folder.
	printed, err := r.command(ctx, "", "go", "test", "-trimpath", "./...")
	printed = strings.TrimSpace(elapsed.ReplaceAllString(printed, ""))
	if err != nil {
		return output{}, fmt.Errorf("the tests fail:\n%s", printed)
	}
	return output{printed}, nil
}

// elapsed are the times that go test prints: the same run prints the same text.
var elapsed = regexp.MustCompile(`(?m)(\t\(cached\)|\t\d+\.\d+s| \(\d+\.\d+s\))$`)

func (r *repository) gitDiff(ctx context.Context, _ none) (output, error) {
	// New files are part of the diff, too.
	if _, err := r.command(ctx, "", "git", "add", "--all", "--intent-to-add"); err != nil {
		return output{}, err
	}
	printed, err := r.command(ctx, "", "git", "diff", "--no-color", "--no-ext-diff")
	return output{printed}, err
}

// changed are the files that differ from the last commit, by the version control's own account.
func (r *repository) changed(ctx context.Context) ([]string, error) {
	printed, err := r.command(ctx, "", "git", "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return nil, err
	}
	var files []string
	for line := range strings.Lines(printed) {
		if len(line) > 3 {
			files = append(files, strings.TrimSpace(line[3:]))
		}
	}
	return files, nil
}
