package guard

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestARecordIsLinkedOnce: an executor and its helper may both link it, and it is one
// call all the same. A turn that has ended takes none.
func TestARecordIsLinkedOnce(t *testing.T) {
	g, err := New([]tooltrack.Tool{{Name: "house_agent", Effect: tooltrack.Changes, Delegates: true}}, nil)
	require.NoError(t, err)
	turn, err := g.Begin(t.Context(), Input{User: "hello"})
	require.NoError(t, err)
	ctx := turn.Context(t.Context())
	first := tooltrack.Record{Seq: 1, Call: tooltrack.Call{ID: "a", Tool: "lock_door"}, Began: time.Unix(1, 0)}
	copied, next, elsewhere := first, first, first
	next.Seq, elsewhere.Began = 2, time.Unix(2, 0)
	require.NoError(t, Link(ctx, &first, nil, &copied))
	require.NoError(t, Link(ctx, &first))
	require.Len(t, turn.evidence(), 1)
	require.NoError(t, Link(ctx, &next, &elsewhere))
	require.Len(t, turn.evidence(), 3, "another call, and one of another ledger")
	_, _ = turn.End(t.Context(), "Hello!")
	require.ErrorIs(t, Link(ctx, &next), ErrTurnClosed)
}
