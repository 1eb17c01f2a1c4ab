package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestInactionNeedsNoRecord, while nothing was changed and the report owns up to it. In
// the same words a lie about a change is refused.
func TestInactionNeedsNoRecord(t *testing.T) {
	withdrawn := `{"message":null,"items":[{"what":"cancel the kettle","status":"withdrawn","reason":"the user took it back"}]}`
	undone := `{"message":null,"items":[{"what":"cancel the kettle","status":"not_done","reason":"the user took it back"}]}`
	for _, said := range []string{
		"Okay, I left it alone", "Okay, I kept the order as it is", "Got it, the kettle stays", "Understood, nothing was cancelled",
		"No problem, I didn't touch it", "I'm sorry, I have not cancelled anything",
	} {
		q := ruleCase{user: "never mind cancelling the kettle", draft: said + ".", doubts: []string{said}}
		require.Empty(t, q.check(t, withdrawn), said)
		require.Empty(t, q.check(t, undone), said)
		q.records = list(canceled)
		require.NotEmpty(t, q.check(t, withdrawn), "%s, and it was cancelled", said)
		q.records, q.due = nil, true
		require.NotEmpty(t, q.check(t, `{"message":null,"items":[]}`), "%s, and something was to be done", said)
	}
	for _, said := range []string{"I left a note for Ann", "I left it alone and refunded it", "I've cancelled the kettle", "I kept a copy", "Cancelled, I left the rest alone", "Done, I left the rest alone"} {
		q := ruleCase{user: "never mind cancelling the kettle", draft: said + ".", doubts: []string{said}}
		require.NotEmpty(t, q.check(t, withdrawn), said)
	}
	kept := ruleCase{user: "keep the light on", draft: "I kept the light on.", doubts: []string{"I kept the light on"}}
	require.NotEmpty(t, kept.check(t, withdrawn), "what the user asks to keep may need a call")
}

// TestPlainIsOneThing: a call by an id does not show that all of a kind were meant.
func TestPlainIsOneThing(t *testing.T) {
	records := list(call("cancel_order", `{"order":"KT-551"}`, tooltrack.Succeeded, `{"status":"cancelled"}`))
	plain := proof.NewReadings(shop).Plain
	require.True(t, plain("I've cancelled your order KT-551", "cancel my order KT-551", records))
	for _, more := range []string{"I've cancelled all your orders", "I've cancelled every order", "All your orders are cancelled", "I've cancelled both orders"} {
		require.False(t, plain(more, "cancel my orders", records), more)
	}
}

// TestAnEmptyMessageAccountsForNothing: who takes all claims back has still to say what
// became of the request.
func TestAnEmptyMessageAccountsForNothing(t *testing.T) {
	const said = "I've cancelled the kettle and refunded the toaster"
	q := told("cancel the kettle and refund the toaster", said)
	q.due, q.records = true, list(canceled)
	require.Contains(t, q.rules(t, `{"message":"Okay.","items":[]}`), "nothing accounted for")
	require.NotContains(t, q.rules(t, `{"message":"Okay, nothing was refunded.","items":[{"what":"refund the toaster","status":"not_done","reason":"x"}]}`), "nothing accounted for")
	q.due = false
	require.NotContains(t, q.rules(t, `{"message":"Okay.","items":[]}`), "nothing accounted for")
}
