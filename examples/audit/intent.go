package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
)

// intentAnswer names the tools that must be called, those of them that the
// guard would insist on, and whether it would ask about an answer without calls.
type intentAnswer struct {
	ID       string   `json:"id"`
	Expected []string `json:"expected"`
	Sure     []string `json:"sure"`
	Due      bool     `json:"due"`
	Kind     string   `json:"kind"`
	Hold     string   `json:"hold"`
}

func startIntent(args []string) (answerer, error) {
	flags := flag.NewFlagSet("intent", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	path := flags.String("examples", "", "a file of labelled messages to learn from, one {user, expected} a line")
	set := flags.String("set", "", "the set of tools whose lines are wanted, if the file has several")
	if err := flags.Parse(args); err != nil {
		return nil, fmt.Errorf("%w; usage: audit intent [-examples FILE [-set NAME]]", err)
	}
	examples, err := readExamples(*path, *set)
	if err != nil {
		return nil, err
	}
	return byGuard(&guard.Options{Intent: &intent.Options{Examples: examples}}, answerIntent), nil
}

func answerIntent(asked turnCase, g *guard.Guard) (any, error) {
	found, err := g.Judge(context.Background(), guard.Recorded{User: asked.User, Previous: asked.Previous})
	if err != nil {
		return nil, err
	}
	answer := intentAnswer{
		ID: asked.ID, Expected: []string{}, Sure: append([]string{}, found.Insisted...), Due: found.Due,
		Kind: found.Intent.Kind.String(), Hold: found.Intent.Hold.String(),
	}
	for _, expectation := range found.Intent.Expect {
		answer.Expected = append(answer.Expected, expectation.Tool)
	}
	return answer, nil
}

// readExamples reads labelled messages, but for those that are in doubt; an empty path is none.
func readExamples(path, set string) ([]intent.Example, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path) // #nosec G304 -- the user names the file to read
	if err != nil {
		return nil, err
	}
	defer file.Close()
	examples, err := intent.ReadExamples(bufio.NewReader(file), set)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return examples, nil
}
