package intent

import (
	"context"
	"slices"
	"testing"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// taskTools are the tools of a task manager, in words of our own.
var taskTools = []tooltrack.Tool{
	{Name: "create_task", Description: "Create a task, reminder or calendar event.", Effect: tooltrack.Changes},
	{Name: "list_tasks", Description: "Show the user's tasks, reminders, lists and events.", Effect: tooltrack.Reads},
	{Name: "update_task", Description: "Change a task, reminder or event: its title, due date, time, place or participants.", Effect: tooltrack.Changes},
	{Name: "complete_task", Description: "Mark a task as done.", Effect: tooltrack.Changes},
	{Name: "delete_task", Description: "Delete tasks, reminders, list items or events.", Effect: tooltrack.Changes},
}

func classifierFor(t testing.TB, tools []tooltrack.Tool, options *Options) *Classifier {
	t.Helper()
	c, err := FromTools(tools, options)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// expected are the names of the tools that a message asks for.
func expected(t testing.TB, c *Classifier, request Utterance) []string {
	t.Helper()
	in, err := c.Classify(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range in.Expect {
		names = append(names, e.Tool)
	}
	return names
}

func TestPlainRequests(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	for user, want := range map[string][]string{
		"delete the task":                  {"delete_task"},
		"please add bread to my task list": {"create_task"},
		"show me my tasks":                 {"list_tasks"},
		"hello there":                      {},
	} {
		if got := expected(t, c, Utterance{User: user}); !slices.Equal(got, want) {
			t.Errorf("%q expects %v, want %v", user, got, want)
		}
	}
}

// A cue that is misspelt in the data file would silently never be met.
func TestEnglishHasEveryCue(t *testing.T) {
	for _, name := range cueNames {
		if lexicon.English().Cue(name) == 0 {
			t.Errorf("English has no cue %q", name)
		}
	}
}
