package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/evaluation/cast"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/policy"
)

// TestObserveChangesNoTurn: whatever an observing guard makes of a turn, the model is
// asked as often as without it, every call runs, and its text is shown as it is.
func TestObserveChangesNoTurn(t *testing.T) {
	domains, err := labelled.Domains()
	require.NoError(t, err)
	number, would := 0, 0
	for i := range domains {
		g, err := guard.New(domains[i].Tools, &guard.Options{Observe: true, Proof: guard.ProofMode(i % 3),
			Reviewer: guard.ReviewerFunc(func(context.Context, policy.Proposal) (policy.Decision, error) {
				return policy.Decision{Kind: policy.Deny, Reason: "nobody may"}, nil
			})})
		require.NoError(t, err)
		for j := range domains[i].Turns {
			if number++; number%10 != 0 {
				continue
			}
			turn := &domains[i].Turns[j]
			a := &actor{Play: cast.New(domains[i].Tools, turn, cast.Characters()[0])}
			reply, err := g.Run(t.Context(), a, a, inputOf(turn))
			require.NoError(t, err, turn.ID)
			require.Equal(t, turn.Text, reply.Text, turn.ID)
			require.Equal(t, a.scripted(), a.calls, turn.ID)
			require.Len(t, a.ran, len(turn.Calls), turn.ID)
		}
		would += len(g.Counters().Would)
	}
	require.Greater(t, would, 500)
}
