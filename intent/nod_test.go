package intent

import (
	"context"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestNods: only an offer of the assistant's own act can be agreed to.
func TestNods(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{
		{Name: "invoice_send", Description: "Sends an invoice."}, {Name: "invoice_delete", Description: "Deletes an invoice."},
		{Name: "invoice_list", Description: "Lists invoices."},
	}, nil)
	for _, row := range []struct {
		previous, user string
		agreed         bool
	}{
		{"Shall I send the invoice to Lindqvist?", "yes", true},
		{"I can send the invoice to Lindqvist now.", "ok", true},
		{"Do you want me to delete the invoice?", "yes please", true},
		{"I've sent the invoice to Lindqvist.", "ok", false},
		{"The invoice was deleted this morning.", "alright", false},
		{"Shall I wait and not send the invoice?", "yes please", false},
		{"Did you already send the invoice?", "yes", false},
		{"Was the invoice deleted by you?", "yes", false},
		{"I have deleted the invoice. Anything else?", "yes", false},
		{"The invoice was sent. Is there anything else I can do?", "yes please", false},
		{"I have sent the invoice. Any other questions?", "ok", false},
		{"I have sent the invoice. Anything else? I could delete the old invoice.", "yes please", true},
		{"I've found the invoice. Anything else? Shall I delete the invoice?", "yes", true},
		{"I have sent the invoice. Anything else?", "yes, list my invoices", true},
	} {
		in, _ := c.Classify(context.Background(), Utterance{User: row.user, Previous: row.previous})
		if insists(in, "invoice_send") && !row.agreed {
			t.Errorf("%q after %q insists", row.user, row.previous)
		}
		if got := len(in.Expect) > 0; got != row.agreed {
			t.Errorf("%q after %q: expects %+v", row.user, row.previous, in.Expect)
		}
		if row.agreed && in.Due < DefaultDue {
			t.Errorf("%q after %q is not due: %v", row.user, row.previous, in.Due)
		}
	}
}

// TestHostsTeachTheirLanguage: examples and phrases count in languages without a word list.
func TestHostsTeachTheirLanguage(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "rechnung_senden"}, {Name: "termin_absagen"}}
	message := Utterance{User: "könntest du bitte die Rechnung für Frau Böhm verschicken und ablegen"}
	plain, _ := classifierFor(t, tools, nil).Classify(context.Background(), message)
	if !plain.Unsupported || len(plain.Expect) > 0 {
		t.Errorf("without the host: %+v", plain)
	}
	forced, _ := classifierFor(t, tools, &Options{Force: map[string][]string{"rechnung_senden": {"rechnung"}}}).
		Classify(context.Background(), message)
	if forced.Unsupported || !forced.Expects("rechnung_senden") {
		t.Errorf("forced: %+v", forced)
	}
	var examples []Example
	for _, user := range []string{"bitte die Rechnung für Herrn Öl verschicken", "kannst du die Rechnung für Anna verschicken",
		"die Rechnung an Frau Jäger verschicken", "verschicke die Rechnung für Müller heute noch"} {
		examples = append(examples, Example{User: user, Expected: []string{"rechnung_senden"}})
	}
	taught, _ := classifierFor(t, tools, &Options{Examples: examples}).Classify(context.Background(), message)
	if !taught.Expects("rechnung_senden") || insists(taught, "rechnung_senden") {
		t.Errorf("taught: %+v", taught)
	}
}
