package guard_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestADeedThatIsDeniedIsAskedAbout: a call has done it, and the text says that it was not
// done or could not be. What failed, and what else was left, may be told.
func TestADeedThatIsDeniedIsAskedAbout(t *testing.T) {
	g, err := guard.New([]tooltrack.Tool{changing("cancel_order", "Cancel an order.", "order"), changing("refund_order", "Refund an order.", "order")}, nil)
	require.NoError(t, err)
	ran := func(result string) []*tooltrack.Record {
		return g.RecordsOf([]guard.Message{
			{Role: guard.RoleUser, Text: "cancel order 12"},
			{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "1", Tool: "cancel_order", Args: json.RawMessage(`{"order":"12"}`)}}},
			{Role: guard.RoleTool, CallID: "1", Tool: "cancel_order", Text: result},
		}, nil)
	}
	tier := func(records []*tooltrack.Record, text string) completion.Tier {
		judged, err := g.Judge(context.Background(), guard.Recorded{User: "cancel order 12", Text: text, Records: records})
		require.NoError(t, err)
		return judged.Tier
	}
	for text, denied := range map[string]bool{
		"I have not cancelled order 12.": true, "Nothing was changed.": true, "Order 12 cannot be cancelled.": true,
		"I was unable to cancel order 12 because it has shipped.": true, "Order 12 is still active, I could not cancel it.": true,
		"Order 12 is cancelled. It has not been refunded.": false, "Order 12 has been cancelled, no other order was.": false,
	} {
		require.Equal(t, denied, tier(ran(`{"status":"cancelled"}`), text) != completion.Clean, text)
	}
	for _, result := range []string{"Error: order 12 has shipped", "not permitted for this account"} {
		require.Equal(t, completion.Clean, tier(ran(result), "I was unable to cancel order 12: it is not permitted."), result)
	}
}
