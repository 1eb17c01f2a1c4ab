package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// intentCase is one recorded request.
type intentCase struct {
	ID       string           `json:"id"`
	Tools    []tooltrack.Tool `json:"tools"`
	User     string           `json:"user"`
	Previous string           `json:"previous"`
}

// intentAnswer names the tools that must be called.
type intentAnswer struct {
	ID       string   `json:"id"`
	Expected []string `json:"expected"`
	Kind     string   `json:"kind"`
}

// startIntent classifies requests. Cases of one tool set come in thousands, so
// the classifiers are kept.
func startIntent(args []string) (answerer, error) {
	flags := flag.NewFlagSet("intent", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	path := flags.String("examples", "", "a file of labelled messages to learn from, one {user, expected} a line")
	if err := flags.Parse(args); err != nil {
		return nil, fmt.Errorf("%w; usage: audit intent [-examples FILE]", err)
	}
	examples, err := readExamples(*path)
	if err != nil {
		return nil, err
	}
	classifiers := map[string]*intent.Classifier{}
	return func(line []byte) (any, error) {
		asked, err := decode[intentCase](line)
		if err != nil {
			return nil, err
		}
		key, err := json.Marshal(asked.Tools)
		if err != nil {
			return nil, err
		}
		classifier := classifiers[string(key)]
		if classifier == nil {
			if classifier, err = intent.FromTools(asked.Tools, &intent.Options{Examples: examples}); err != nil {
				return nil, err
			}
			classifiers[string(key)] = classifier
		}
		return answerIntent(classifier, asked)
	}, nil
}

func answerIntent(classifier *intent.Classifier, asked intentCase) (any, error) {
	found, err := classifier.Classify(context.Background(), intent.Request{User: asked.User, Previous: asked.Previous})
	if err != nil {
		return nil, err
	}
	answer := intentAnswer{ID: asked.ID, Expected: []string{}, Kind: found.Kind.String()}
	for _, expectation := range found.Expect {
		answer.Expected = append(answer.Expected, expectation.Tool)
	}
	return answer, nil
}

// readExamples reads labelled messages; an empty path is none.
func readExamples(path string) ([]intent.Example, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path) // #nosec G304 -- the user names the file to read
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var examples []intent.Example
	decoder := json.NewDecoder(bufio.NewReader(file))
	for {
		var example intent.Example
		switch err := decoder.Decode(&example); {
		case errors.Is(err, io.EOF):
			return examples, nil
		case err != nil:
			return nil, fmt.Errorf("example %d of %s: %w", len(examples)+1, path, err)
		}
		examples = append(examples, example)
	}
}
