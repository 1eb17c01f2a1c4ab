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
	rows := fitting.Completion.Rows()
	turns, seen := ownTurns(t), map[completion.Tier]int{}
	for i := 0; i < len(turns); i += 13 {
		verdict := turns[i].plain()
		for _, claim := range verdict.Claims {
			seen[claim.Tier]++
			accused := func(s completion.Step) bool {
				return s.After == completion.Sure && s.Words == claim.Text && s.Rule == claim.Rule
			}
			isRuled := slices.Contains(rows, claim.Rule)
			require.Equal(t, claim.Tier != completion.Clean, claim.Fault != "", "%+v", claim)
			require.NotEmpty(t, claim.Rule)
			switch claim.Tier {
			case completion.Clean:
				require.False(t, isRuled, "%+v", claim)
			case completion.Sure:
				require.True(t, slices.ContainsFunc(verdict.Steps, accused), "%+v", verdict.Steps)
			}
		}
	}
	for tier := completion.Clean; tier <= completion.Sure; tier++ {
		require.Greater(t, seen[tier], 50, tier)
	}
}
