package guard_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestARecapThatACallShowsIsNotAskedAbout: what an earlier call shows word by word needs no
// proof; another id, another act and more than that do.
func TestARecapThatACallShowsIsNotAskedAbout(t *testing.T) {
	g, err := guard.New([]tooltrack.Tool{changing("cancel_order", "Cancel an order.", "order"), changing("send_email", "Send an e-mail.", "to")}, nil)
	require.NoError(t, err)
	made := g.RecordsOf([]guard.Message{
		{Role: guard.RoleUser, Text: "cancel order K1"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "1", Tool: "cancel_order", Args: json.RawMessage(`{"order":"K1"}`)}}},
		{Role: guard.RoleTool, CallID: "1", Tool: "cancel_order", Text: `{"status":"cancelled"}`},
		{Role: guard.RoleAssistant, Text: "Order K1 is cancelled."},
	}, nil)
	for _, user := range []string{"what have you done?", "did you cancel it?", "recap please", "thanks"} {
		for text, clean := range map[string]bool{
			"Earlier I cancelled order K1.": true, "I cancelled order K1 earlier.": true, "So far I've cancelled order K1.": true,
			"Earlier I cancelled order K2.": false, "Earlier I cancelled order K1 and order K2.": false,
			"Earlier I cancelled order K1 and e-mailed Bob.": false,
		} {
			judged, err := g.Judge(context.Background(), guard.Recorded{User: user, Text: text, Earlier: made})
			require.NoError(t, err)
			require.Equal(t, clean, judged.Tier == guard.Clean, "%s: %s", user, text)
		}
	}
}
