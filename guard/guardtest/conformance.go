package guardtest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestClassifier runs a classifier through what a guard relies on: names of
// tools that exist, probabilities that are some, the same answer to the same
// message, use by many turns at once, and an end when the context ends.
func TestClassifier(t testing.TB, classifier guard.Classifier, tools []tooltrack.Tool) {
	messages := []intent.Utterance{
		{}, {User: "hello"}, {User: "delete it"}, {User: "yes", Previous: "Shall I delete it?"}, {User: "don't"},
		{User: "löschen\x00\xff 削除"}, {User: strings.Repeat("delete this and list that. ", 10_000)},
	}
	known := map[string]bool{}
	for _, tool := range tools {
		known[tool.Name] = true
	}
	for _, request := range messages {
		first, err := classifier.Classify(context.Background(), request)
		if err != nil {
			t.Errorf("%.40q: %v; an error is for what could not be decided, not for nothing asked", request.User, err)
			continue
		}
		probable(t, "Due", first.Due)
		for _, expected := range first.Expect {
			probable(t, "the confidence of "+expected.Tool, expected.Confidence)
			if !known[expected.Tool] {
				t.Errorf("%.40q expects %q, which is not among the tools", request.User, expected.Tool)
			}
		}
		atOnce(func() {
			if again, err := classifier.Classify(context.Background(), request); err != nil || !reflect.DeepEqual(again, first) {
				t.Errorf("%.40q is read in two ways: %+v and %+v (%v)", request.User, first, again, err)
			}
		})
	}
	ended(t, func(ctx context.Context) error {
		_, err := classifier.Classify(ctx, intent.Utterance{User: "delete it"})
		return err
	})
}

func probable(t testing.TB, what string, p float64) {
	t.Helper()
	if !(p >= 0 && p <= 1) {
		t.Errorf("%s is %v; it must be between 0 and 1", what, p)
	}
}

// TestDirectory runs a directory that holds one entry of one owner through its
// contract: the entry is found by id and by title, no other owner finds it,
// what does not exist is a NotFoundError, and ids do not stand in redacted texts.
// One that is a [guard.Lister] shows the entry to its owner alone.
func TestDirectory(t testing.TB, directory guard.Directory, owner string, entry resolver.Entry) {
	ctx := context.Background()
	for _, reference := range []string{entry.ID, entry.Title, strings.ToUpper(entry.Title)} {
		match, err := directory.Resolve(ctx, owner, reference)
		if err != nil || match.ID != entry.ID {
			t.Errorf("%q resolves to %q (%v), want %q", reference, match.ID, err, entry.ID)
		}
		if _, err := directory.Resolve(ctx, owner+" and another", reference); !errors.Is(err, resolver.ErrNotFound) {
			t.Errorf("another owner asks for %q and gets %v, want a NotFoundError", reference, err)
		}
	}
	for _, reference := range []string{"", "no such entry 7431", "*", "%", strings.Repeat("x", 1<<16)} {
		if match, err := directory.Resolve(ctx, owner, reference); !errors.Is(err, resolver.ErrNotFound) {
			t.Errorf("%.20q resolves to %+v, %v; want a NotFoundError", reference, match, err)
		}
	}
	same := func(e resolver.Entry) bool { return e.ID == entry.ID && e.Title == entry.Title }
	for whose, want := range map[string]bool{owner: true, owner + " and another": false} {
		if lister, can := directory.(guard.Lister); can {
			entries, err := lister.Entries(ctx, whose)
			if err != nil || slices.ContainsFunc(entries, same) != want {
				t.Errorf("%q is shown %v, %v; the entry is the owner's alone", whose, entries, err)
			}
		}
	}
	text, err := directory.Redact(ctx, owner, "deleted "+entry.ID+" today")
	if err != nil || strings.Contains(text, entry.ID) || !strings.Contains(text, entry.Title) {
		t.Errorf("the redacted text is %q: %v", text, err)
	}
	atOnce(func() {
		if _, err := directory.Resolve(ctx, owner, entry.Title); err != nil {
			t.Error(err)
		}
	})
	ended(t, func(ctx context.Context) error {
		_, err := directory.Resolve(ctx, owner, entry.Title)
		return err
	})
}

// TestEvaluator runs an evaluator through what a guard relies on: a text without
// words is not a completed turn, probabilities are some, the same turn gets the
// same verdict, and records that are not there or not finished do not matter.
func TestEvaluator(t testing.TB, evaluator guard.Evaluator) {
	tool := tooltrack.Tool{Name: "delete_task", Effect: tooltrack.Changes}
	record := &tooltrack.Record{
		Call: tooltrack.Call{Tool: tool.Name, Args: []byte(`{"title":"Read book"}`)}, Effect: tooltrack.Changes,
		Result: tooltrack.Result{Status: tooltrack.Succeeded},
	}
	turns := []completion.Case{
		{}, {Text: " \n"}, {User: "hello", Text: "Hello!", Contract: completion.Chat()},
		{User: "delete Read book", Text: "I've deleted Read book.", Tools: []tooltrack.Tool{tool}},
		{
			User: "delete Read book", Text: "I've deleted Read book.", Tools: []tooltrack.Tool{tool},
			Records: []*tooltrack.Record{record, nil, {}},
		},
		{User: "\xff", Text: strings.Repeat("It is done. ", 5000), Tools: []tooltrack.Tool{tool, {}}},
	}
	for _, turn := range turns {
		first := evaluator.Evaluate(turn)
		if strings.TrimSpace(turn.Text) == "" && first.Outcome.Completed() {
			t.Errorf("a turn without a text is %s", first.Outcome)
		}
		for _, claim := range first.Claims {
			probable(t, "the doubt of a claim", claim.Doubt)
		}
		atOnce(func() {
			if again := evaluator.Evaluate(turn); !reflect.DeepEqual(again, first) {
				t.Errorf("%.40q is judged in two ways: %+v and %+v", turn.Text, first, again)
			}
		})
	}
}

// atOnce does a thing many times at once, for the race detector to look at.
func atOnce(do func()) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(do)
	}
	group.Wait()
}

// ended checks that a call with a context that has ended comes back. Whether it
// answers or returns the context's error is its own choice.
func ended(t testing.TB, call func(ctx context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	done := make(chan error, 1)
	go func() { done <- call(ctx) }()
	select {
	case err := <-done:
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("with a context that has ended it fails with %v, want the context's error", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it does not come back when its context has ended")
	}
}
