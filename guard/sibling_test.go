package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// libraryTools renew two kinds of things.
func libraryTools() []tooltrack.Tool {
	kind := func(kind string) tooltrack.SubjectArg { return tooltrack.SubjectArg{Arg: kind + "_id", Kind: kind} }
	return []tooltrack.Tool{
		{Name: "renew_loan", Description: "Renews a loan.", Effect: tooltrack.Changes, Subject: kind("loan")},
		{Name: "renew_pass", Description: "Renews a reader's pass.", Effect: tooltrack.Changes, Subject: kind("pass")},
		{Name: "close_pass", Description: "Closes a reader's pass.", Effect: tooltrack.Changes, Subject: kind("pass")},
		{Name: "list_passes", Description: "Lists the passes.", Effect: tooltrack.Reads},
		{Name: "list_loans", Description: "Lists the loans.", Effect: tooltrack.Reads},
	}
}

func libraryDirectories() map[string]guard.Directory {
	of := func(entries ...resolver.Entry) guard.Directory {
		return resolver.NewDirectory(resolver.SourceFunc(func(context.Context, string) ([]resolver.Entry, error) { return entries, nil }), nil)
	}
	return map[string]guard.Directory{
		"loan": of(resolver.Entry{ID: "LN-4410", Title: "Moby Dick"}, resolver.Entry{ID: "LN-4411", Title: "Karin Holm"}),
		"pass": of(resolver.Entry{ID: "RP071", Title: "Ewa Nowak"}, resolver.Entry{ID: "RP072", Title: "Karin Holm"}),
	}
}

// guessing is a classifier that takes every message for a command to one tool, and doubts it.
func guessing(tool string, confidence float64) intent.Func {
	return func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
		return intent.Intent{Kind: intent.Action, Due: 0.98, Expect: []intent.Expectation{
			{Tool: tool, Confidence: confidence, Command: true, Words: request.User},
		}}, nil
	}
}

// TestAnEntryTellsSiblingsApart: what a command names decides which of two tools that do the
// same is meant: a known entry makes it sure.
func TestAnEntryTellsSiblingsApart(t *testing.T) {
	cases := []struct {
		user, guess string
		confidence  float64
		want        string
		forced      bool
	}{
		{"renew RP071 please", "renew_loan", 0.6, "renew_pass", true},
		{"renew Ewa Nowak", "renew_loan", 0.6, "renew_pass", true},
		{"renew the Moby Dick", "renew_pass", 0.6, "renew_loan", true},
		{"renew RP071", "renew_pass", 0.6, "renew_pass", true},
		{"renew XX-1", "renew_loan", 0.6, "renew_loan", false},                   // like nobody's
		{"renew Karin Holm", "renew_loan", 0.6, "renew_loan", false},             // both have one
		{"renew the loan Karin Holm", "renew_loan", 0.6, "renew_loan", true},     // and this one is said
		{"renew the loan RP071", "renew_loan", 0.6, "renew_loan", false},         // whatever the id is
		{"renew RP071", "renew_loan", 0.97, "renew_loan", false},                 // a classifier that is sure keeps its tool
		{"renew RP071", "list_loans", 0.6, "list_loans", false},                  // no sibling
		{"don't renew RP071", "renew_loan", 0.6, "renew_pass", false},            // held back
		{"renew the photo of Ewa Nowak", "renew_loan", 0.6, "renew_loan", false}, // not what it is about
	}
	for _, c := range cases {
		t.Run(c.user+" "+c.guess, func(t *testing.T) {
			g, err := guard.New(libraryTools(), &guard.Options{Directories: libraryDirectories(), Classifier: guessing(c.guess, c.confidence)})
			require.NoError(t, err)
			turn, err := g.Begin(context.Background(), guard.Input{User: c.user, Owner: "ann"})
			require.NoError(t, err)
			require.Equal(t, c.want, turn.Intent().Expect[0].Tool)
			require.InDelta(t, c.confidence, turn.Intent().Expect[0].Confidence, 1e-9, "only the tool is another one")
			require.Equal(t, c.forced, len(insistedOn(t, g, c.user)) > 0)
		})
	}
}

// insistedOn are the tools that a guard forces a model to call that only talks.
func insistedOn(t *testing.T, g *guard.Guard, user string) (forced []string) {
	t.Helper()
	model := guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		if request.Choice.Tool != "" {
			forced = append(forced, request.Choice.Tool)
		}
		return guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: "All right."}}, nil
	})
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(`{"ok":true}`), nil })
	_, _ = g.Run(context.Background(), model, executor, guard.Input{User: user, Owner: "ann"})
	return forced
}
