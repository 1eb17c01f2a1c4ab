package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
)

// workshop is the tree and what the tools do to it.
type workshop struct {
	tree     *stage.Tree
	findings map[string]finding
}

func newWorkshop(files map[string]string, findings ...finding) (*workshop, error) {
	tree, err := stage.NewTree(files)
	if err != nil {
		return nil, err
	}
	w := &workshop{tree: tree, findings: map[string]finding{}}
	for _, f := range findings {
		w.findings[f.id] = f
	}
	return w, nil
}

// Close removes the tree.
func (w *workshop) Close() error { return w.tree.Close() }

func (w *workshop) toolbox() stage.Toolbox {
	return stage.Toolbox{
		"read_file":                    stage.Tool(w.readFile),
		"compare_file_implementations": stage.Tool(w.compare),
		"analyze_import_impact":        stage.Tool(w.importImpact),
		"analyze_complexity":           stage.Tool(w.complexity),
		"merge_file_implementations":   stage.Tool(w.merge),
		"create_issue_report":          stage.Tool(w.report),
		"request_developer_review":     stage.Tool(w.review),
	}
}

type pathArgs struct {
	Path string `json:"path"`
}

type content struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func (w *workshop) readFile(_ context.Context, args pathArgs) (content, error) {
	text, err := w.tree.Read(args.Path)
	return content{args.Path, text}, err
}

func (w *workshop) parse(name string) (*source, error) {
	text, err := w.tree.Read(name)
	if err != nil {
		return nil, err
	}
	return parse(name, text)
}

func (w *workshop) compare(_ context.Context, args struct {
	Paths [2]string `json:"paths"`
}) (comparison, error) {
	if path.Clean(args.Paths[0]) == path.Clean(args.Paths[1]) {
		return comparison{}, fmt.Errorf("both paths are %q; a comparison needs two files", args.Paths[0])
	}
	a, err := w.parse(args.Paths[0])
	if err != nil {
		return comparison{}, err
	}
	b, err := w.parse(args.Paths[1])
	if err != nil {
		return comparison{}, err
	}
	return compare(a, b), nil
}

func (w *workshop) importImpact(_ context.Context, args pathArgs) (impact, error) {
	target, err := w.parse(path.Clean(args.Path))
	if err != nil {
		return impact{}, err
	}
	gomod, err := w.tree.Read("go.mod")
	if err != nil {
		return impact{}, err
	}
	names, err := w.tree.Files()
	if err != nil {
		return impact{}, err
	}
	var files []*source
	for _, name := range names {
		if path.Ext(name) != ".go" {
			continue
		}
		file, err := w.parse(name)
		if err != nil {
			return impact{}, err
		}
		files = append(files, file)
	}
	return importImpact(modulePath(gomod), target, files), nil
}

type measures struct {
	Functions []measure `json:"functions"`
}

func (w *workshop) complexity(_ context.Context, args pathArgs) (measures, error) {
	file, err := w.parse(args.Path)
	if err != nil {
		return measures{}, err
	}
	return measures{measureAll(file)}, nil
}

type resolved struct {
	Resolved string `json:"resolved"`
}

// at is the finding that the turn is about. Which one that is, the host says;
// no argument of a model does.
func (w *workshop) at(ctx context.Context) (finding, error) {
	input, _ := guard.FromContext(ctx)
	f, known := w.findings[input.Task]
	if !known {
		return finding{}, errors.New("the turn belongs to no finding")
	}
	return f, nil
}

type mergeArgs struct {
	Target  string `json:"target"`
	Source  string `json:"source"`
	Content string `json:"content"`
}

// merge leaves one file in the place of two. It is undone as a whole unless the
// tree compiles and its tests pass.
func (w *workshop) merge(ctx context.Context, args mergeArgs) (resolved, error) {
	f, err := w.at(ctx)
	if err != nil {
		return resolved{}, err
	}
	args.Target, args.Source = path.Clean(args.Target), path.Clean(args.Source)
	if args.Target == args.Source || !f.concerns(args.Target) || !f.concerns(args.Source) {
		return resolved{}, fmt.Errorf("target and source must be two of the files of the finding: %s",
			strings.Join(f.targets, ", "))
	}
	if _, err := parse(args.Target, args.Content); err != nil {
		return resolved{}, err
	}
	target, err := w.tree.Read(args.Target)
	if err != nil {
		return resolved{}, err
	}
	source, err := w.tree.Read(args.Source)
	if err != nil {
		return resolved{}, err
	}
	if err := w.replace(ctx, args); err != nil {
		undone := errors.Join(w.tree.Write(args.Target, target), w.tree.Write(args.Source, source))
		return resolved{}, errors.Join(err, undone)
	}
	return resolved{fmt.Sprintf("merged %s into %s; the tests pass", args.Source, args.Target)}, nil
}

// testTime is how long the tests may take, the compiler included.
const testTime = 2 * time.Minute

func (w *workshop) replace(ctx context.Context, args mergeArgs) error {
	if err := w.tree.Write(args.Target, args.Content); err != nil {
		return err
	}
	if err := w.tree.Remove(args.Source); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	if printed, err := w.tree.Test(ctx); err != nil {
		return fmt.Errorf("the merge was undone, since the tests fail after it:\n%s", printed)
	}
	return nil
}

func (w *workshop) report(ctx context.Context, args struct {
	Title    string `json:"title"`
	Severity string `json:"severity"`
	Body     string `json:"body"`
}) (resolved, error) {
	f, err := w.at(ctx)
	if err != nil {
		return resolved{}, err
	}
	name := "reports/" + f.id + ".md"
	text := fmt.Sprintf("# %s\n\nSeverity: %s. Files: %s.\n\n%s\n", args.Title, args.Severity,
		strings.Join(f.targets, ", "), args.Body)
	return resolved{"wrote " + name}, w.tree.Write(name, text)
}

func (w *workshop) review(ctx context.Context, args struct {
	Question string `json:"question"`
}) (resolved, error) {
	f, err := w.at(ctx)
	if err != nil {
		return resolved{}, err
	}
	name := "reviews/" + f.id + ".md"
	text := fmt.Sprintf("# Review of %s\n\nFiles: %s.\n\n%s\n", f.id, strings.Join(f.targets, ", "), args.Question)
	return resolved{"wrote " + name}, w.tree.Write(name, text)
}
