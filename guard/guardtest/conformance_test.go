package guardtest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Our own parts pass the suites that others are held to.
func TestOurOwnParts(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}, {Name: "list_tasks", Effect: tooltrack.Reads}}
	classifier, err := intent.FromTools(tools, nil)
	require.NoError(t, err)
	guardtest.TestClassifier(t, classifier, tools)
	entry := resolver.Entry{ID: "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01", Title: "Read book"}
	source := resolver.SourceFunc(func(_ context.Context, owner string) ([]resolver.Entry, error) {
		if owner != "ann" {
			return nil, nil
		}
		return []resolver.Entry{entry}, nil
	})
	guardtest.TestDirectory(t, resolver.NewDirectory(source, nil), "ann", entry)
	guardtest.TestEvaluator(t, completion.New(nil))
}

// faults is a test that keeps what is reported to it.
type faults struct {
	testing.TB
	mu   sync.Mutex
	told []string
}

func (f *faults) Helper() {}

func (f *faults) Error(args ...any) { f.Errorf("%s", fmt.Sprint(args...)) }

func (f *faults) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told = append(f.told, fmt.Sprintf(format, args...))
}

// flaky answers otherwise every other time.
type flaky struct{ calls atomic.Int64 }

func (f *flaky) odd() bool { return f.calls.Add(1)%2 == 1 }

// lists is a directory that shows its entry to everybody.
type lists struct {
	guard.Directory
	entry resolver.Entry
}

func (l lists) Entries(context.Context, string) ([]resolver.Entry, error) {
	return []resolver.Entry{l.entry}, nil
}

// resolves is a directory of two functions.
type resolves struct {
	resolve func(owner, reference string) (resolver.Match, error)
	redact  func(text string) string
}

func (r resolves) Resolve(_ context.Context, owner, reference string) (resolver.Match, error) {
	return r.resolve(owner, reference)
}

func (r resolves) Redact(_ context.Context, _, text string) (string, error) {
	return r.redact(text), nil
}

// The suites find what is wrong with parts that break their contract.
func TestTheSuitesCanFail(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "delete_task", Effect: tooltrack.Changes}}
	entry := resolver.Entry{ID: "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01", Title: "Read book"}
	classify := func(in intent.Intent, err error) guard.Classifier {
		return intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) { return in, err })
	}
	classifiers := map[string]guard.Classifier{
		"an error is for what could not be decided":   classify(intent.Intent{}, errors.New("nothing asked")),
		"Due is 1.5; it must be between 0 and 1":      classify(intent.Intent{Due: 1.5}, nil),
		"the confidence of delete_task is -1":         classify(intent.Intent{Expect: []intent.Expectation{{Tool: "delete_task", Confidence: -1}}}, nil),
		`"fly", which is not among the tools`:         classify(intent.Intent{Expect: []intent.Expectation{{Tool: "fly"}}}, nil),
		"is read in two ways":                         flakyClassifier(),
		"with a context that has ended it fails with": refusing(),
	}
	for want, part := range classifiers {
		f := &faults{}
		guardtest.TestClassifier(f, part, tools)
		require.Contains(t, strings.Join(f.told, "\n"), want)
	}
	source := resolver.SourceFunc(func(context.Context, string) ([]resolver.Entry, error) { return []resolver.Entry{entry}, nil })
	shared := resolver.NewDirectory(source, nil)
	hides := func(text string) string { return strings.ReplaceAll(text, entry.ID, entry.Title) }
	directories := map[string]guard.Directory{
		"another owner asks for":            shared,
		"the entry is the owner's alone":    lists{shared, entry},
		`resolves to "" (`:                  resolves{func(string, string) (resolver.Match, error) { return resolver.Match{}, resolver.ErrNotFound }, hides},
		`"no such entry 7431" resolves to`:  resolves{func(string, string) (resolver.Match, error) { return resolver.Match{Entry: entry}, nil }, hides},
		"the redacted text is \"deleted 0b": resolves{func(string, string) (resolver.Match, error) { return resolver.Match{Entry: entry}, nil }, strings.Clone},
	}
	for want, part := range directories {
		f := &faults{}
		guardtest.TestDirectory(f, part, "ann", entry)
		require.Contains(t, strings.Join(f.told, "\n"), want)
	}
	odd := &flaky{}
	evaluators := map[string]guard.Evaluator{
		"a turn without a text is completed_with_work": guard.EvaluatorFunc(func(completion.Case) completion.Verdict {
			return completion.Verdict{Outcome: completion.CompletedWithWork}
		}),
		"the doubt of a claim is 2": guard.EvaluatorFunc(func(completion.Case) completion.Verdict {
			return completion.Verdict{Claims: []completion.Claim{{Doubt: 2}}}
		}),
		"is judged in two ways": guard.EvaluatorFunc(func(completion.Case) completion.Verdict {
			return completion.Verdict{Asks: odd.odd()}
		}),
	}
	for want, part := range evaluators {
		f := &faults{}
		guardtest.TestEvaluator(f, part)
		require.Contains(t, strings.Join(f.told, "\n"), want)
	}
}

func flakyClassifier() guard.Classifier {
	odd := &flaky{}
	return intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		return intent.Intent{Unsure: odd.odd()}, nil
	})
}

// refusing is a classifier that has an error of its own for a context that has ended.
func refusing() guard.Classifier {
	return intent.Func(func(ctx context.Context, _ intent.Utterance) (intent.Intent, error) {
		if ctx.Err() != nil {
			return intent.Intent{}, errors.New("busy")
		}
		return intent.Intent{}, nil
	})
}
