package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// job is what a subcommand is asked to do.
type job struct {
	root, recorded string
	withRecorded   bool
	out            io.Writer
}

var commands = map[string]map[string]func(job) error{
	"fit":     {"completion": fitTurns, "intent": fitRequests},
	"measure": {"completion": measureTurns, "intent": measureRequests},
	"ablate":  {"rows": ablateRows, "features": ablateFeatures},
}

const usage = `usage: go run ./internal/evaluation COMMAND [-recorded FOLDER] [PART]
  fit [completion|intent]      fits the models anew and writes them
  measure [completion|intent]  tells how they do on data that was left out
  ablate [rows|features]       tells what each rule and group of features changes on held turns`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 || commands[args[0]] == nil {
		return errors.New(usage)
	}
	parts := commands[args[0]]
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(out)
	j := job{out: out}
	flags.StringVar(&j.recorded, "recorded", "../shared/data/dev",
		"a folder of recorded turns and requests, as seen from the repository; measured where it exists")
	flags.BoolVar(&j.withRecorded, "with-recorded", true, "fit to them as well; -with-recorded=false only measures them")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	wanted := flags.Args()
	if len(wanted) == 0 {
		for part := range parts {
			wanted = append(wanted, part)
		}
		slices.Sort(wanted)
	}
	var err error
	if j.root, err = repository(); err != nil {
		return err
	}
	if !filepath.IsAbs(j.recorded) {
		j.recorded = filepath.Join(j.root, j.recorded)
	}
	if _, err := os.Stat(j.recorded); err != nil {
		j.say("%s is not there: the models know the repository's own data alone", j.recorded)
		j.withRecorded = false
	}
	for _, part := range wanted {
		if parts[part] == nil {
			return errors.New(usage)
		}
		if err := parts[part](j); err != nil {
			return fmt.Errorf("%s %s: %w", args[0], part, err)
		}
	}
	return nil
}

// repository is the folder of the root module, at or above the working directory.
func repository() (string, error) {
	folder, err := os.Getwd()
	for err == nil {
		text, missing := os.ReadFile(filepath.Join(folder, "go.mod"))
		if missing == nil && strings.HasPrefix(string(text), "module github.com/bonafide-go/bonafide\n") {
			return folder, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errors.New("no module github.com/bonafide-go/bonafide at or above the working directory")
		}
		folder = parent
	}
	return "", err
}

// fitted is the folder whose data models are fitted to beside the repository's.
func (j job) fitted() string {
	if j.withRecorded {
		return j.recorded
	}
	return ""
}

func (j job) write(path string, file []byte) error {
	path = filepath.Join(j.root, filepath.FromSlash(path))
	return os.WriteFile(path, file, 0o644) // #nosec G306 -- a file of the repository
}

func (j job) say(format string, args ...any) { fmt.Fprintf(j.out, format+"\n", args...) }
