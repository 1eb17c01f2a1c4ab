package intent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestDescriptionsSpeakForMuteNames: where a tool's name says nothing, its description
// serves as the name, and all is as if the tool were named so.
func TestDescriptionsSpeakForMuteNames(t *testing.T) {
	named := []tooltrack.Tool{
		{Name: "cancel_booking", Description: "Cancels a booking."}, {Name: "send_invoice", Description: "Sends an invoice to a customer."},
		{Name: "list_bookings", Description: "Lists the bookings of a guest."}, {Name: "repair_boiler", Description: "Repairs a boiler."},
	}
	for _, names := range [][]string{{"fn_12", "t7", "x1_b", "op4"}, {"A1", "A2", "A3", "A4"}, {"tool-1", "tool-2", "tool-3", "tool-4"}} {
		mute := make([]tooltrack.Tool, len(named))
		for i, tool := range named {
			mute[i] = tooltrack.Tool{Name: names[i], Description: tool.Description}
		}
		plain, c := classifierFor(t, named, nil), classifierFor(t, mute, nil)
		for _, user := range []string{
			"cancel the booking for Friday", "send the invoice to Lindqvist", "which bookings does Ines have?", "could you repair the boiler",
			"hello there", "how do I cancel a booking?", "don't send the invoice", "cancel booking 12 and send the invoice to Ines",
		} {
			want, got := plain.read(Utterance{User: user}).intent(), c.read(Utterance{User: user}).intent()
			require.Len(t, got.Expect, len(want.Expect), user)
			for i, e := range want.Expect {
				at := 0
				for named[at].Name != e.Tool {
					at++
				}
				require.Equal(t, names[at], got.Expect[i].Tool, user)
				require.InDelta(t, e.Confidence, got.Expect[i].Confidence, 0.1, user)
				require.Equal(t, insists(want, e.Tool), insists(got, names[at]), user)
			}
		}
	}
}

// TestCommandsToMuteTools: of tools that nothing is known of, any may be meant.
func TestCommandsToMuteTools(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{{Name: "fn_12"}, {Name: "t7"}}, nil)
	for user, due := range map[string]bool{
		"cancel the booking for Friday": true, "could you send the invoice to Lindqvist?": true, "please refund order 12": true,
		"hello there": false, "I had a long day": false, "write a poem about rain": false, "don't cancel it": false,
	} {
		in := c.read(Utterance{User: user}).intent()
		require.Empty(t, in.Expect, user)
		require.Equal(t, due, in.Due >= DefaultDue, "%q is due with %v", user, in.Due)
		require.Less(t, in.Due, 0.8, user)
	}
}
