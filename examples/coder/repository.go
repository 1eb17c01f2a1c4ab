package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
)

// repository is a Go module under version control, in a temporary folder.
type repository struct {
	tree *stage.Tree
}

func newRepository(ctx context.Context, files map[string]string) (*repository, error) {
	tree, err := stage.NewTree(files)
	if err != nil {
		return nil, err
	}
	r := &repository{tree: tree}
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"add", "--all"},
		{"-c", "user.name=coder", "-c", "user.email=coder@example.com", "commit", "--quiet", "--message", "begin"},
	} {
		if output, err := tree.Command(ctx, "", "git", args...); err != nil {
			return nil, errors.Join(fmt.Errorf("%w: %s", err, output), tree.Close())
		}
	}
	return r, nil
}

// Close removes the folder.
func (r *repository) Close() error { return r.tree.Close() }

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
	content, err := r.tree.Read(args.Path)
	return fileContent{args.Path, content}, err
}

func (r *repository) search(_ context.Context, args struct {
	Text string `json:"text"`
}) (output, error) {
	const most = 50
	files, err := r.tree.Files()
	if err != nil {
		return output{}, err
	}
	var found []string
	for _, name := range files {
		content, err := r.tree.Read(name)
		if err != nil {
			return output{}, err
		}
		for i, line := range strings.Split(content, "\n") {
			if strings.Contains(line, args.Text) {
				found = append(found, fmt.Sprintf("%s:%d: %s", name, i+1, strings.TrimSpace(line)))
			}
		}
	}
	if len(found) > most {
		found = append(found[:most], "…")
	}
	return output{strings.Join(found, "\n")}, nil
}

func (r *repository) writeFile(_ context.Context, args fileArgs) (output, error) {
	if err := r.tree.Write(args.Path, args.Content); err != nil {
		return output{}, err
	}
	return output{"wrote " + args.Path}, nil
}

// applyPatch applies a unified diff. The diff may touch the named file only: the
// ledger says which file a call touched, and must be right.
func (r *repository) applyPatch(ctx context.Context, args fileArgs) (output, error) {
	if _, err := r.tree.Read(args.Path); err != nil {
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
	if printed, err := r.tree.Command(ctx, args.Patch, "git", "apply", "--recount", "--whitespace=nowarn",
		"-"); err != nil {
		return output{}, fmt.Errorf("the patch does not apply: %s", strings.TrimSpace(printed))
	}
	return output{"patched " + args.Path}, nil
}

// testTime is how long the tests may take, the compiler included.
const testTime = 2 * time.Minute

// runTests really runs them: what they print is the result, and a failure is a
// failed call.
func (r *repository) runTests(ctx context.Context, _ none) (output, error) {
	ctx, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	printed, err := r.tree.Test(ctx)
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
	if printed, err := r.tree.Command(ctx, "", "git", "add", "--all", "--intent-to-add"); err != nil {
		return output{}, fmt.Errorf("%w: %s", err, printed)
	}
	printed, err := r.tree.Command(ctx, "", "git", "diff", "--no-color", "--no-ext-diff")
	if err != nil {
		return output{}, fmt.Errorf("%w: %s", err, printed)
	}
	return output{printed}, nil
}

// changed are the files that differ from the last commit, by the version
// control's own account.
func (r *repository) changed(ctx context.Context) ([]string, error) {
	printed, err := r.tree.Command(ctx, "", "git", "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, printed)
	}
	var files []string
	for line := range strings.Lines(printed) {
		if len(line) > 3 {
			files = append(files, strings.TrimSpace(line[3:]))
		}
	}
	return files, nil
}
