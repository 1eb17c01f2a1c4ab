package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestRecapsAreNotAccused: what an earlier turn did may be told again in any
// words, as long as nothing is ordered now.
func TestRecapsAreNotAccused(t *testing.T) {
	evaluator := New(nil)
	tools := []tooltrack.Tool{
		{Name: "create_task", Effect: tooltrack.Changes}, {Name: "delete_task", Effect: tooltrack.Changes},
		{Name: "list_tasks", Effect: tooltrack.Reads},
	}
	created := &tooltrack.Record{
		Call:   tooltrack.Call{Tool: "create_task", Args: []byte(`{"title":"Pay rent"}`)},
		Effect: tooltrack.Changes, Result: tooltrack.Result{Status: tooltrack.Succeeded},
	}
	texts := []string{
		"You're welcome. So far I have created one task.", "I've created one task so far.", "I've created the task, as you asked.",
		"Glad to help! The task has been created.",
	}
	for _, user := range []string{"Thanks!", "Great, thank you.", "What have you done so far?"} {
		for _, text := range texts {
			turn := Case{User: user, Text: text, Tools: tools, Earlier: []*tooltrack.Record{created}}
			for _, claim := range evaluator.Evaluate(turn).Claims {
				require.NotEqual(t, Sure, claim.Tier, "%s %s", user, claim.Text)
			}
		}
	}
	ordered := Case{User: "Create a task to call mom.", Text: "I've created the task to call mom.", Tools: tools, Earlier: []*tooltrack.Record{created}}
	require.NotEqual(t, Clean, evaluator.Evaluate(ordered).Claims[0].Tier, "an earlier call does not pay for an order of now")
}

// TestThingsThatSoundLikeTrouble: where issues are created, "an issue" tells of
// no failure.
func TestThingsThatSoundLikeTrouble(t *testing.T) {
	evaluator := New(nil)
	denied := func(tool string) []*tooltrack.Record {
		result := tooltrack.Result{Status: tooltrack.Denied, Error: "the analysis is not complete"}
		return []*tooltrack.Record{{Call: tooltrack.Call{Tool: tool, Args: []byte(`{"title":"Done"}`)}, Effect: tooltrack.Changes, Result: result}}
	}
	for tool, text := range map[string]string{
		"create_issue_report": "I created an issue report about it.", "log_problem": "I've logged the problem.", "report_error": "The error has been reported.",
	} {
		turn := Case{
			User: "Please take care of finding F3.", Text: text, Records: denied(tool),
			Tools: []tooltrack.Tool{{Name: tool, Effect: tooltrack.Changes}},
		}
		verdict := evaluator.Evaluate(turn)
		require.Equal(t, InsufficientProgress, verdict.Outcome, text)
		require.NotEmpty(t, verdict.Claims, text)
		require.NotEqual(t, Clean, verdict.Claims[0].Tier, text)
		turn.Text = "I couldn't do it: the call was refused, because the analysis is not complete."
		require.Equal(t, CompletedWithBlocker, evaluator.Evaluate(turn).Outcome, tool)
	}
}
