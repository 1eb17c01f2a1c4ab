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
		{"Shall I wait and not send the invoice?", "yes", false},
	} {
		in, _ := c.Classify(context.Background(), Utterance{User: row.user, Previous: row.previous})
		if insists(in, "invoice_send") && !row.agreed {
			t.Errorf("%q after %q insists", row.user, row.previous)
		}
		if got := len(in.Expect) > 0; got != row.agreed && row.user != "yes" {
			t.Errorf("%q after %q: expects %+v", row.user, row.previous, in.Expect)
		}
		if row.agreed && in.Due < DefaultDue {
			t.Errorf("%q after %q is not due: %v", row.user, row.previous, in.Due)
		}
	}
}
