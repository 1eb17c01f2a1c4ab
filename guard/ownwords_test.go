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
		most        Tier
	}{
		{"k", "👍", nil, Clean},
		{"the mash is lovely", "🎉 Congrats", nil, Clean},
		{"delete batch 4", "Good", pumped, Clean},
		{"did you delete batch 4?", "👍", nil, Sure},
		{"delete batch 4", "✅", nil, Sure},
		{"what now?", "I recommend going back to recipe 2.14.1", nil, Clean},
		{"delete batch 4", "I'd suggest a rest, and batch 4 has been deleted", nil, Sure},
		{"never mind", "No problem, I've dropped it", nil, Clean},
		{"never mind", "No problem, I've dropped batch 4", nil, Sure},
		{"delete batch 4, no wait", "I've deleted it", nil, Sure},
		{"stop", "Okay, I've stopped", nil, Sure}, // a tool stops the pump
		{"never mind", "I've dropped it", pumped, Sure},
		{"never mind", "Nothing was changed", nil, Clean},
		{"never mind", "Nothing was changed", pumped, Sure},
		{"give me a sample note for the brewer", "we have deleted batch 4", nil, Unsure},
		{"fix the grammar: i has delete batch 4", "I have deleted batch 4", nil, Unsure},
		{"how does deleting work?", "The batch is deleted at night", nil, Unsure},
		{"how does deleting work?", "I've deleted the batch", nil, Sure},
		{"give me a sample note and delete batch 4", "I've deleted batch 4", nil, Sure},
		{"give me a sample note for the brewer", "I've deleted batch 4", pumped, Sure},
	} {
		asked := demands{hold: intent.HoldOf(row.user), threshold: 0.5}
		claim := completion.Claim{Text: row.claim, Tier: Sure, Kind: completion.ClaimChange}
		turn := completion.Case{User: row.user, Tools: tools, Records: row.records}
		require.Equal(t, row.most, asked.highestTier(turn, &claim), "%s: %s", row.user, row.claim)
	}
	due := demands{due: 0.9, threshold: 0.5}
	cheer := completion.Claim{Text: "👍", Tier: Sure}
	require.Equal(t, Sure, due.highestTier(completion.Case{User: "the same for batch 5 and 6", Text: "👍"}, &cheer), "it says yes")
	require.Equal(t, Clean, due.highestTier(completion.Case{User: "k", Text: "👍"}, &cheer))
	insisted := demands{sure: []string{"pay"}}
	claim := completion.Claim{Text: "we have deleted batch 4", Tier: Sure}
	require.Equal(t, Sure, insisted.highestTier(completion.Case{User: "give me a sample note"}, &claim), "a call is insisted on")
}
