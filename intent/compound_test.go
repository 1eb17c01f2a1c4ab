package intent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestCompoundsAreOtherThings: a tool's noun that only names another thing is no reason
// to insist, however well the rest fits.
func TestCompoundsAreOtherThings(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{
		{Name: "create_event", Description: "Create a calendar event"}, {Name: "delete_event", Description: "Delete a calendar event"},
		{Name: "add_task", Description: "Add a task"}, {Name: "delete_task", Description: "Delete a task"},
	}, nil)
	confidence := func(user, tool string) float64 {
		found, err := c.Classify(t.Context(), Utterance{User: user})
		require.NoError(t, err)
		for _, expected := range found.Expect {
			if expected.Tool == tool {
				return expected.Confidence
			}
		}
		return 0
	}
	for user, tool := range map[string]string{
		"create an event handler that logs clicks":   "create_event",
		"create an event poster for the school fair": "create_event",
		"create an event horizon drawing":            "create_event",
		"add a task force chart to the slides":       "add_task",
	} {
		require.Less(t, confidence(user, tool), DefaultSureChange, user)
	}
	for user, tool := range map[string]string{
		"create an event called Summer fair on Friday": "create_event",
		"create an event on Friday at 6 pm":            "create_event",
		"add a task buy milk":                          "add_task",
	} {
		require.Greater(t, confidence(user, tool), 0.9, user)
	}
	c = classifierFor(t, []tooltrack.Tool{ // which knows of handlers
		{Name: "add_event_handler", Description: "Adds an event handler to a page."}, {Name: "list_events", Description: "Lists events."},
	}, nil)
	require.Greater(t, confidence("add an event handler for clicks", "add_event_handler"), DefaultSureChange)
	require.Less(t, confidence("add an event poster for the school fair", "add_event_handler"), DefaultSureChange)
}
