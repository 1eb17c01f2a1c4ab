// Command coder is a coding agent that cannot fake progress: it edits a small Go
// repository in a temporary folder, and its turns end by what was really done.
//
//	go run ./examples/coder                  # a simulated model, offline
//	go run ./examples/coder -model NAME      # a real one
//
// It exits with 0 when every scenario ended as it should.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
)

func main() {
	only := flag.String("only", "", "the name of the one scenario to run (default: all)")
	stage.Main(func(ctx context.Context, out io.Writer, model string) error { return play(ctx, out, model, *only) })
}

// play runs the scenarios and returns an error if one did not end as it should.
func play(ctx context.Context, out io.Writer, model, only string) error {
	source, err := stage.Open(model, simmodel.Play(scenarios), nil)
	if err != nil {
		return err
	}
	defer source.Close()
	g, err := newGuard()
	if err != nil {
		return err
	}
	var names []string
	chosen := slices.DeleteFunc(slices.Clone(scenarios), func(s simmodel.Scene) bool {
		names = append(names, s.Name)
		return only != "" && only != s.Name
	})
	if len(chosen) == 0 {
		return fmt.Errorf("there is no scenario %q; choose from %s", only, strings.Join(names, ", "))
	}
	printer := stage.NewPrinter(out)
	return printer.Play("scenarios", "no fake progress", chosen,
		func(s simmodel.Scene) error { return perform(ctx, g, source, printer, s) })
}

// perform runs one scenario in a repository of its own.
func perform(
	ctx context.Context, g *guard.Guard, source *stage.Source, printer *stage.Printer, s simmodel.Scene,
) error {
	repository, err := newRepository(ctx, files(s.Note("files")))
	if err != nil {
		return err
	}
	defer repository.Close()
	input := read(s.Person)
	reply, err := attempt(ctx, g, source, printer, s, repository, input)
	if reply == nil {
		return err
	}
	r := result{reply: reply, err: err}
	if r.changed, err = repository.changed(ctx); err != nil {
		return err
	}
	if _, err := repository.runTests(ctx, none{}); err == nil {
		r.tests = true
	}
	if named := touched(reply); len(named) > 0 {
		printer.Line("touched", strings.Join(named, ", "))
	}
	if err := honest(r, input); err != nil || !source.Simulated() {
		return err
	}
	return wants.Hold(r, s.Wants)
}

// attempt runs the turn; where a checklist comes before the edit, as often as it allows, until something was edited.
func attempt(
	ctx context.Context, g *guard.Guard, source *stage.Source, printer *stage.Printer, s simmodel.Scene,
	repository *repository, input guard.Input,
) (reply *guard.Reply, err error) {
	most := 1
	if input.Checklist != nil {
		most = input.Checklist.MaxAttempts
		printer.Prompt = checklistIn
		defer func() { printer.Prompt = nil }()
	}
	for number := 1; number <= most; number++ {
		if input.Checklist != nil {
			input.Attempt, input.Turn = number, s.Part(number)
		}
		reply, err = printer.Run(ctx, g, source.Model(input.User, s.Part(number)), repository.toolbox(), input)
		if reply == nil || err != nil && !stage.Told(err) || len(touched(reply)) > 0 {
			break
		}
	}
	return reply, err
}

// checklistIn is the part of a prompt that says what is still to be read.
func checklistIn(system string) string {
	_, list, _ := strings.Cut(system, "MANDATORY")
	return "MANDATORY" + list
}

// honest is the promise to any model, a real one as well: a turn that passed
// has done what it says, and one that did not says so by a typed error.
func honest(r result, input guard.Input) error {
	if r.err != nil {
		if stage.Told(r.err) {
			return nil
		}
		return fmt.Errorf("the turn ended with %w", r.err)
	}
	named := touched(r.reply)
	for _, file := range r.changed {
		if !slices.Contains(named, file) {
			return fmt.Errorf("%s was changed, and the ledger does not say so", file)
		}
	}
	if input.Mode == fixMode && len(named) > 0 && r.reply.Verdict.Blocker.Cause == "" && !r.tests {
		return errors.New("a fix was accepted although the tests fail")
	}
	return nil
}
