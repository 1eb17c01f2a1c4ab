package reading

import "testing"

func TestAwaits(t *testing.T) {
	for text, want := range map[string]bool{
		"Just say yes and I'll do it.":                       true,
		"Type confirm to go ahead.":                          true,
		"Awaiting your confirmation.":                        true,
		"Reply YES to proceed with the booking.":             true,
		"Say the word and I'll cancel it.":                   true,
		"Give me the green light and I will start the pump.": true,
		"I'm waiting for your go-ahead.":                     true,
		"Simply answer yes to continue.":                     true,
		"The transfer is pending your approval.":             true,
		"Pick a slot and I'll book it.":                      true,
		"I've cancelled the order.":                          false,
		"The order is pending.":                              false,
		"Open the settings to change the name.":              false,
		"Your order has been sent, and I will follow up.":    false,
		"Waiting for the supplier's confirmation.":           false,
		"Let me check and I'll be right back.":               false,
		"Take the key to the desk.":                          false,
		"I said that to be clear.":                           false,
		"Be patient and I'll get it done.":                   false,
		"Done.":                                              false,
	} {
		read := English().ReadClauses(nil, text)
		if got := read.Awaits(&read.Sentences[0]); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
