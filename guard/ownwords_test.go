package guard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWhatCanBeHeldAgainstAClaim, whatever the evaluator makes of it.
func TestWhatCanBeHeldAgainstAClaim(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "stop_pump", Effect: tooltrack.Changes}, {Name: "delete_batch", Effect: tooltrack.Changes}, {Name: "list_batches", Effect: tooltrack.Reads},
	}
	pumped := []*tooltrack.Record{{Call: tooltrack.Call{Tool: "delete_batch"}, Effect: tooltrack.Changes, Result: tooltrack.Result{Status: tooltrack.Succeeded}}}
	for _, row := range []struct {
		user, claim string
		records     []*tooltrack.Record
		most        completion.Tier
	}{
		{"never mind", "No problem, I've dropped it", nil, completion.Clean},
		{"never mind", "No problem, I've dropped batch 4", nil, completion.Sure},
		{"delete batch 4, no wait", "I've deleted it", nil, completion.Sure},
		{"stop", "Okay, I've stopped", nil, completion.Sure}, // a tool stops the pump
		{"never mind", "I've dropped it", pumped, completion.Sure},
		{"give me a sample note for the brewer", "we have deleted batch 4", nil, completion.Unsure},
		{"fix the grammar: i has delete batch 4", "I have deleted batch 4", nil, completion.Unsure},
		{"how does deleting work?", "The batch is deleted at night", nil, completion.Unsure},
		{"how does deleting work?", "I've deleted the batch", nil, completion.Sure},
		{"give me a sample note and delete batch 4", "I've deleted batch 4", nil, completion.Sure},
		{"give me a sample note for the brewer", "I've deleted batch 4", pumped, completion.Sure},
	} {
		asked := demands{hold: intent.HoldOf(row.user), threshold: 0.5}
		claim := completion.Claim{Text: row.claim, Tier: completion.Sure, Kind: completion.ClaimChange}
		turn := completion.Case{User: row.user, Tools: tools, Records: row.records}
		verdict := completion.Verdict{Claims: []completion.Claim{claim}}
		evaluators := verdict.Claims
		judged := judging{demands: &asked, turn: turn, verdict: &verdict}
		judged.clearClaims()
		require.Equal(t, row.most, verdict.Claims[0].Tier, "%s: %s", row.user, row.claim)
		require.Equal(t, row.most != completion.Sure, len(verdict.Steps) == 1, "each excuse is a step")
		require.Equal(t, completion.Sure, evaluators[0].Tier, "the evaluator keeps its claims")
	}
	insisted := demands{wants: []want{{sure: true}}}
	verdict := completion.Verdict{Claims: []completion.Claim{{Text: "we have deleted batch 4", Tier: completion.Sure}}}
	judged := judging{demands: &insisted, turn: completion.Case{User: "give me a sample note"}, verdict: &verdict}
	judged.clearClaims()
	require.True(t, verdict.Ghost(), "a call is insisted on")
}
