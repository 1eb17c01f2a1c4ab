package intent

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWordsToBePassedOnOrderNothing: what somebody is to be told, asked or reminded of is
// not to be done here, whether or not some tool passes words on; it may be due.
func TestWordsToBePassedOnOrderNothing(t *testing.T) {
	sets := []struct {
		tool          tooltrack.Tool
		do, done, did string
	}{
		{tooltrack.Tool{Name: "ship_parcel", Description: "Ships a parcel."}, "ship the parcel", "the parcel is shipped", "shipped the parcel"},
		{tooltrack.Tool{Name: "issueCertificate", Description: "Issues a certificate."}, "issue the certificate", "the certificate is issued", "issued the certificate"},
		{tooltrack.Tool{Name: "visit.cancel", Description: "Cancels a visit."}, "cancel the visit", "the visit is cancelled", "cancelled the visit"},
	}
	others := [][]tooltrack.Tool{
		nil, {{Name: "send_message", Description: "Sends a message to somebody."}}, {{Name: "add_note", Description: "Adds a note."}},
	}
	frames := map[string]bool{ // whether the act is asked for here and now
		"DO": true, "please DO": true, "I'm asking you to DO": true, "DO and tell Ulla": true, "tell Ulla, then DO": true,
		"text Ulla that I'm late, then DO": true, "say, can you DO": true, "DO and let Ulla know that DONE": true,

		"tell Ulla DONE": false, "tell the Winters that DONE": false, "ask Ulla whether she DID": false, "ask Ulla to DO": false,
		"tell Ulla to please DO": false, "remind Ulla to DO": false, "remind me to DO": false, "let Ulla know that DONE": false,
		"text Ulla that DONE": false, "inform the Winters DONE": false, "warn Ulla that we DID": false, "message Ulla: DO": false,
		"note that DONE": false, "ask Ulla to call me and DO": false, "promise Ulla we will DO": false,
		"send Ulla a message that DONE": false, "could you ask the Winters to DO": false,
	}
	for _, set := range sets {
		for _, other := range others {
			c := classifierFor(t, append([]tooltrack.Tool{set.tool, {Name: "list_rooms", Description: "Lists rooms."}}, other...), nil)
			for frame, asked := range frames {
				message := strings.NewReplacer("DONE", set.done, "DID", set.did, "DO", set.do).Replace(frame)
				in, _ := c.Classify(context.Background(), Utterance{User: message})
				known := set.tool.Name != "issueCertificate" // whose verb is no verb that is listed
				if got := insists(in, set.tool.Name) || commands(in, set.tool.Name); got && !asked || !got && asked && known {
					t.Errorf("%q, with %d more: a command %v: %+v", message, len(other), asked, in)
				}
			}
		}
	}
}

// TestToolsThatPassWordsOn: a tool for just that is meant by such a message all the same.
func TestToolsThatPassWordsOn(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "notify_customer", Description: "Notifies a customer."}, {Name: "set_reminder", Description: "Sets a reminder."},
		{Name: "ship_parcel", Description: "Ships a parcel."},
	}
	c := classifierFor(t, tools, nil)
	for message, tool := range map[string]string{
		"notify the customer that the parcel is shipped": "notify_customer", "please notify the customer that we're late": "notify_customer",
		"remind me to ship the parcel": "set_reminder", "set a reminder to ship the parcel": "set_reminder",
	} {
		in, _ := c.Classify(context.Background(), Utterance{User: message})
		if !in.Expects(tool) || in.Expects("ship_parcel") {
			t.Errorf("%q: want %s: %+v", message, tool, in)
		}
	}
}
