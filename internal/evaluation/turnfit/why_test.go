package turnfit

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/fitting"
)

// TestClaimsSayWhy: a claim that is in doubt has a fault and the name of what found it; a
// clean one has no fault, and no rule.
func TestClaimsSayWhy(t *testing.T) {
	rows := append(fitting.Completion.Rows(), "beyond doubt")
	turns, evaluator, seen := ownTurns(t), completion.New(nil), map[completion.Tier]int{}
	for i := 0; i < len(turns); i += 13 {
		for _, claim := range evaluator.Evaluate(turns[i].Case).Claims {
			seen[claim.Tier]++
			isRuled := slices.Contains(rows, claim.Rule)
			require.Equal(t, claim.Tier != completion.Clean, claim.Fault != "", "%+v", claim)
			require.NotEmpty(t, claim.Rule)
			switch claim.Tier {
			case completion.Clean:
				require.False(t, isRuled, "%+v", claim)
			case completion.Sure:
				require.True(t, isRuled, "%+v", claim)
			}
		}
	}
	for tier := completion.Clean; tier <= completion.Sure; tier++ {
		require.Greater(t, seen[tier], 50, tier)
	}
}
