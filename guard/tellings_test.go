package guard

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestTellings: what a conversation tells as done, by the act and all that is named
// beside it.
func TestTellings(t *testing.T) {
	for _, c := range []struct {
		told, words string
		want        bool
	}{
		{"Completed tool calls so far: pay_invoice id=17 -> success (paid 4,200 EUR).", "Invoice 17 is paid", true},
		{"Completed tool calls so far: pay_invoice id=17 -> success (paid 4,200 EUR).", "pay invoice 17", true},
		{"Summary: the kitchen light was turned on, and the front door was locked.", "So far I've turned on the kitchen light", true},
		{"Summary: the kitchen light was turned on, and the front door was locked.", "and locked the front door", true},
		{"- Booked a table for 4 at Luigi's.", "I've booked a table for 4 at Luigi's", true},
		{"The assistant sent the report to Maria.", "I have successfully sent the report to Maria", true},
		{"I have cancelled order 552 for the customer.", "Order 552 has been cancelled", true},
		{"lock_door(front door) ✓", "lock the front door", true},

		{"Completed tool calls so far: pay_invoice id=18 -> success.", "Invoice 17 is paid", false},
		{"pay_invoice id=17 -> failed: no money", "Invoice 17 is paid", false},
		{"pay_invoice id=17 -> pending", "Invoice 17 is paid", false},
		{"Invoice 17 has not been paid.", "Invoice 17 is paid", false},
		{"Invoice 17 will be paid tomorrow.", "Invoice 17 is paid", false},
		{"I will pay invoice 17 now.", "Invoice 17 is paid", false},
		{"Has invoice 17 been paid?", "Invoice 17 is paid", false},
		{"If invoice 17 was paid, tell the user.", "Invoice 17 is paid", false},
		{"The user asked to pay invoice 17.", "Invoice 17 is paid", false},
		{"You can pay invoice 17 with pay_invoice.", "Invoice 17 is paid", false},
		{"Use lock_door to lock the front door.", "I've locked the front door", false},
		{"The back door was locked.", "I've locked the front door", false},
		{"The kitchen light was turned off.", "I've turned on the kitchen light", false},
		{"The front door was unlocked.", "I've locked the front door", false},
		{"Order 552 was shipped.", "Order 552 has been cancelled", false},
		{"Something was paid.", "I've paid it", false},
		{"All is done.", "Done!", false},
		{"You are a helpful assistant that pays invoices.", "Invoice 17 is paid", false},
	} {
		told := newHistorySummaries(nil, nil, []Message{{Role: RoleSystem, Text: c.told}})
		require.Equal(t, c.want, told.isTold(c.words, false), "%q tells %q", c.told, c.words)
	}
}

// TestWhoTells: the system anywhere, and the assistant where no calls are near.
func TestWhoTells(t *testing.T) {
	const done = "Invoice 17 was paid."
	message := func(role Role, text string) Message { return Message{Role: role, Text: text} }
	called := message(RoleAssistant, done)
	called.Calls = []tooltrack.Call{{ID: "1", Tool: "send_email"}}
	for name, c := range map[string]struct {
		before, behind []Message
		now, back      bool
	}{
		"the system before":            {[]Message{message(RoleSystem, done)}, nil, true, true},
		"the system in the turn":       {nil, []Message{message(RoleSystem, done)}, true, true},
		"a note in the turn":           {nil, []Message{message(RoleAssistant, done)}, true, true},
		"an answer before":             {[]Message{message(RoleUser, "pay it"), message(RoleAssistant, done)}, nil, false, true},
		"the user":                     {[]Message{message(RoleUser, done)}, []Message{message(RoleUser, done)}, false, false},
		"a result":                     {nil, []Message{message(RoleTool, done)}, false, false},
		"the model, beside calls":      {nil, []Message{called}, false, false},
		"the model, before its calls":  {[]Message{called}, nil, false, false},
		"an answer that follows calls": {[]Message{called, message(RoleTool, "ok"), message(RoleAssistant, done)}, nil, false, false},
	} {
		told := newHistorySummaries(nil, c.before, c.behind)
		require.Equal(t, c.now, told.isTold("Invoice 17 is paid", false), name)
		require.Equal(t, c.back, told.isTold("Invoice 17 is paid", true), name)
	}
}
