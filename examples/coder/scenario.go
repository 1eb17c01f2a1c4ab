package main

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
)

var (
	//go:embed *.txtar
	archives embed.FS // modules to work on, and what the simulated model writes
	//go:embed scenes.txt
	scenes string

	scenarios = simmodel.Scenes(scenes, files("edits"))
)

// files are those of an archive by their names: each follows a line such as "-- calc.go --".
func files(archive string) map[string]string {
	text, err := archives.ReadFile(archive + ".txtar")
	if err != nil {
		panic(err) // the archives are part of the program
	}
	files, name := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		if inner, is := strings.CutPrefix(strings.TrimSpace(line), "-- "); is && strings.HasSuffix(inner, " --") {
			name = strings.TrimSuffix(inner, " --")
			continue
		}
		files[name] += line
	}
	return files
}

// result is how a turn ended, and what is really there.
type result struct {
	reply   *guard.Reply
	err     error
	changed []string // by the version control's own account
	tests   bool     // they pass now
}

// wants are what a scenario may want of its result.
var wants = stage.Wants[result]{
	"completed": func(r result, outcome string) error { return stage.Ended(r.reply, r.err, outcome) },
	"corrected": func(r result, n string) error { return stage.Corrected(r.reply, n) },
	"rejected":  rejected,
	"changed":   changed,
	"blocked":   blocked,
	"passing": func(r result, _ string) error {
		if !r.tests {
			return errors.New("the tests fail, want them to pass")
		}
		return nil
	},
}

func rejected(r result, reason string) error {
	var insufficient *guard.TurnError
	switch {
	case !errors.As(r.err, &insufficient) || !errors.Is(r.err, guard.ErrInsufficientProgress):
		return fmt.Errorf("the error is %v, want an explicit failure", r.err)
	case insufficient.Verdict.Reason.String() != reason:
		return fmt.Errorf("the reason is %q, want %q", insufficient.Verdict.Reason, reason)
	case r.reply.Text != "":
		return fmt.Errorf("the text %q was released", r.reply.Text)
	}
	return nil
}

// changed asks that these files differ from the last commit and no other, and that the ledger says the same.
func changed(r result, names string) error {
	files := strings.Fields(names)
	if !slices.Equal(r.changed, files) {
		return fmt.Errorf("the changed files are %v, want %v", r.changed, files)
	}
	if named := touched(r.reply); !slices.Equal(named, files) {
		return fmt.Errorf("the ledger names the files %v, want %v", named, files)
	}
	return nil
}

func blocked(r result, word string) error {
	found := r.reply.Verdict.Blocker
	if !strings.Contains(found.Cause, word) || found.Next == "" {
		return fmt.Errorf("the blocker is %q with the next step %q, want a cause that names %s, and a next step",
			found.Cause, found.Next, word)
	}
	return nil
}
