package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
)

// scenario is one turn: what a person types, how the simulated model plays it,
// and what must come of it.
type scenario struct {
	name, title string
	files       map[string]string
	typed       string
	script      []simmodel.Answer
	later       [][]simmodel.Answer // of further attempts
	want        []wanted
}

// result is how a turn ended, and what is really there.
type result struct {
	reply   *guard.Reply
	err     error
	changed []string // by the version control's own account
	tests   bool     // they pass now
}

var scenarios = []scenario{{
	name: "promise", title: "a promise is not an edit: corrected twice, then an explicit failure",
	files: healthy, typed: "Implement a Multiply function in calc.go.",
	script: []simmodel.Answer{
		simmodel.Say("I'll implement this now."),
		simmodel.Say("Understood. I will add the Multiply function right away."),
		simmodel.Say("I will implement Multiply in calc.go next."),
	},
	want: []wanted{rejected(completion.Promise), corrected(2), changed()},
}, {
	name: "read-only", title: "reading again and again is not an edit either",
	files: healthy, typed: "Implement a Multiply function in calc.go.",
	script: []simmodel.Answer{
		readFile("calc.go"),
		simmodel.CallWith("search", map[string]string{"text": "func Add"}),
		simmodel.Say("I have looked at calc.go. It holds Add, and Multiply would fit beside it."),
		readFile("calc_test.go"),
		simmodel.Say("The tests of the package are in calc_test.go, one function for each."),
		simmodel.Say("The package is small and has one file with code."),
	},
	want: []wanted{rejected(completion.ReadOnlyLoop), corrected(2), changed()},
}, {
	name: "explain", title: "the same reading is all that a question for an explanation needs",
	files: calc, typed: "Explain the function Average in calc.go.",
	script: []simmodel.Answer{
		readFile("calc.go"),
		simmodel.Say("Average adds the numbers up with Add and divides the sum by how many there are. For an empty list " +
			"that is a division by zero, so it panics."),
	},
	want: []wanted{completed(completion.CompletedWithWork), corrected(0), changed()},
}, {
	name: "false-tests", title: "\"all tests pass\" beside failing tests is caught",
	files: calc, typed: "Fix the bug in Average in calc.go: the mean of no numbers is 0.",
	script: []simmodel.Answer{
		readFile("calc.go"),
		patch("calc.go", wrongFix),
		runTests(),
		simmodel.Say("I fixed Average in calc.go, and all tests pass."),
		patch("calc.go", secondFix),
		simmodel.Say("I fixed Average in calc.go, and now all tests pass."),
		runTests(),
		simmodel.Say("I fixed Average in calc.go: it returns 0 for no numbers. All tests pass."),
	},
	want: []wanted{completed(completion.CompletedWithWork), corrected(2), changed("calc.go"), testsPass},
}, {
	name: "work", title: "a real edit with passing tests is work, and the files are known",
	files: healthy, typed: "Implement a Multiply function in calc.go.",
	script: []simmodel.Answer{
		readFile("calc.go"),
		patch("calc.go", multiply),
		runTests(),
		simmodel.CallTool("git_diff", "{}"),
		simmodel.Say("I added Multiply to calc.go. All tests pass."),
	},
	want: []wanted{completed(completion.CompletedWithWork), corrected(0), changed("calc.go"), testsPass},
}, {
	name: "credential", title: "a missing credential is a blocker, with its cause and the next step",
	files: rates, typed: "Fix the failing test of the rates package.",
	script: []simmodel.Answer{
		runTests(),
		readFile("rates.go"),
		simmodel.Say("I can't fix the failing test of the rates package, because the credential EXAMPLE_RATES_TOKEN is " +
			"not set in this environment. Please set EXAMPLE_RATES_TOKEN to a token of the service and ask me again."),
	},
	want: []wanted{completed(completion.CompletedWithBlocker), blocked("EXAMPLE_RATES_TOKEN"), changed()},
}, {
	name: "partial", title: "partial work must be completed, or the blocker named",
	files: healthy, typed: "Implement a Multiply function in calc.go and add a test for it.",
	script: []simmodel.Answer{
		patch("calc.go", multiply),
		simmodel.Say("I added Multiply to calc.go. Next I will add a test for it."),
		write("multiply_test.go", multiplyTest),
		runTests(),
		simmodel.Say("I added Multiply to calc.go and a test for it in multiply_test.go. All tests pass."),
	},
	want: []wanted{
		completed(completion.CompletedWithWork), corrected(1), changed("calc.go", "multiply_test.go"), testsPass,
	},
}, {
	name: "fix", title: "/fix is done when the tests pass after the last edit, not before",
	files: calc, typed: "/fix the bug in Average in calc.go",
	script: []simmodel.Answer{
		readFile("calc.go"),
		patch("calc.go", fix),
		simmodel.Say("I fixed the bug in Average in calc.go: it returns 0 for no numbers."),
		runTests(),
		simmodel.Say("I fixed the bug in Average in calc.go: it returns 0 for no numbers. All tests pass."),
	},
	want: []wanted{completed(completion.CompletedWithWork), corrected(1), changed("calc.go"), testsPass},
}, {
	name: "outside", title: "no path leads out of the folder, nor into the version control",
	files: healthy, typed: "Implement a Multiply function in ../shared/calc.go.",
	script: []simmodel.Answer{
		write("../shared/calc.go", "package shared\n"),
		write(".git/hooks/pre-commit", "#!/bin/sh\n"),
		simmodel.Say("I can't write the shared calc.go, because its path leads out of the repository. Please name a file " +
			"inside the repository."),
	},
	want: []wanted{completed(completion.CompletedWithBlocker), blocked("repository"), changed()},
}, {
	name: "refactor", title: "/refactor edits nothing before all was read, and no number of attempts opens that gate",
	files: shop, typed: "/refactor pricing/sum.go pricing/total.go",
	script: []simmodel.Answer{
		write("pricing/sum.go", oneSum),
		simmodel.Say("I can't edit pricing/sum.go yet, because the files must be read first."),
	},
	later: [][]simmodel.Answer{{
		readFile("pricing/sum.go"),
		readFile("pricing/total.go"),
		write("pricing/sum.go", oneSum),
		simmodel.Say("I can't edit pricing/sum.go yet, because ARCHITECTURE.md must be read first."),
	}, {
		readFile("ARCHITECTURE.md"),
		write("pricing/sum.go", oneSum),
		runTests(),
		simmodel.Say("I changed pricing/sum.go: Sum calls Total now. All tests pass."),
	}},
	want: []wanted{completed(completion.CompletedWithWork), changed("pricing/sum.go"), testsPass},
}}

type wanted = stage.Check[result]

func rejected(reason completion.Reason) wanted {
	return func(r result) error {
		var insufficient *guard.TurnError
		if !(errors.As(r.err, &insufficient) && errors.Is(r.err, guard.ErrInsufficientProgress)) {
			return fmt.Errorf("the error is %v, want an explicit failure", r.err)
		}
		if insufficient.Verdict.Reason != reason {
			return fmt.Errorf("the reason is %q, want %q", insufficient.Verdict.Reason, reason)
		}
		if r.reply.Text != "" {
			return fmt.Errorf("the text %q was released", r.reply.Text)
		}
		return nil
	}
}

func completed(outcome completion.Outcome) wanted {
	return func(r result) error { return stage.Ended(r.reply, r.err, outcome) }
}

func corrected(n int) wanted {
	return func(r result) error { return stage.Corrected(r.reply, n) }
}

// changed asks that these files differ from the last commit and no other, and
// that the ledger says the same.
func changed(files ...string) wanted {
	return func(r result) error {
		if !slices.Equal(r.changed, files) {
			return fmt.Errorf("the changed files are %v, want %v", r.changed, files)
		}
		if named := touched(r.reply); !slices.Equal(named, files) {
			return fmt.Errorf("the ledger names the files %v, want %v", named, files)
		}
		return nil
	}
}

func testsPass(r result) error {
	if !r.tests {
		return errors.New("the tests fail, want them to pass")
	}
	return nil
}

func blocked(word string) wanted {
	return func(r result) error {
		found := r.reply.Verdict.Blocker
		if !strings.Contains(found.Cause, word) || found.Next == "" {
			return fmt.Errorf("the blocker is %q with the next step %q, want a cause that names %s, and a next step",
				found.Cause, found.Next, word)
		}
		return nil
	}
}
