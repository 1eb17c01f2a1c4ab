package completion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a change may have brought about under another name is asked for proof;
// it does not make the turn insufficient by itself.
func TestUnsureIsNoAccusation(t *testing.T) {
	verdict := New(nil).Evaluate(Case{
		User: "Delete 'Buy milk' and create 'Call Anna'.", Text: "All done!", Tools: assistant,
		Records: recordsOf("create_task succeeded; delete_task failed", assistant),
	})
	require.False(t, verdict.Ghost())
	require.Len(t, verdict.Unsure(), 1)
	require.Greater(t, verdict.Unsure()[0].Doubt, 0.3)
	require.NotEqual(t, UnbackedClaim, verdict.Reason)
}

// What is asked of the user waits for the user.
func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"Which of the two do you mean?":                                 true,
		"I cannot delete 'Buy milk' because it is shared with Anna.":    true,
		"I deleted 'Buy milk'.":                                         false,
		"Please tell me the title of the task.":                         true,
		"I will delete it now.":                                         false,
		"Your list has three tasks: Buy milk, Call Anna and Read book.": false,
	} {
		require.Equal(t, want, New(nil).Evaluate(Case{User: "Delete the task", Text: text, Tools: assistant}).Asks, text)
	}
}
