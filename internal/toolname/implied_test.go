package toolname

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// TestNamesOfDeedsDoNotRepeat: what sends, creates, pays or deletes by its name is
// once-only where nothing is declared.
func TestNamesOfDeedsDoNotRepeat(t *testing.T) {
	for name, deed := range map[string]bool{
		"send_email": true, "sendEmail": true, "email.send": true, "mcp__mail__send": true, "create_task": true, "tasks-create": true, "payInvoice": true,
		"transfer": true, "deleteAll": true, "order_cancel": true, "place_order": true, "book_flight": true, "HTTPPost": true, "sendSMS": true, "sendEMail": true, "new_issue": true, "getOrCreateUser": true,
		"get_order": false, "order_status": false, "read_file": false, "list_orders": false, "run_tests": false, "job_status": false, "set_light": false,
		"update_order": false, "mystery": false, "": false, "_": false, "sender_info": false, "post_history": false, "check2": false, "resend": true, "poll_job": false, "git_push": false, "sales_report": false, "edit_file": false,
		"rm": true, "cancelorder": true, "flightBooking": true, "sell_stock": true, "checkout": true, "listOrDeleteUsers": true,
		"wait_for_payment": false, "poll_order": false, "await_transfer": false,
	} {
		require.Equal(t, deed, !Imply(lexicon.English(), Tool{Name: name}).Repeats, name)
	}
}

// TestWhatNamesImply: one row a tool, with the words that tell its end.
func TestWhatNamesImply(t *testing.T) {
	for _, c := range []struct {
		name        string
		want        Implied // but for its words
		done, alike string  // one of them
		not         string  // and a word that says nothing of the kind
	}{
		{"cancel_order", Implied{Verb: "cancel"}, "cancelled", "canceled", "ordering"},
		{"notify_guest", Implied{Verb: "notify", Places: true}, "notified", "sent", "opened"},
		{"get_job_status", Implied{Verb: "get", Reads: true, AsksState: true, Repeats: true}, "got", "", "cancelled"},
		{"create_order", Implied{Verb: "create", Places: true, Makes: true}, "created", "", "paid"},
		{"start_server", Implied{Verb: "start", Starts: true, Repeats: true}, "started", "", "stopped"},
		{"start_export", Implied{Verb: "start", Begins: true, Repeats: true}, "started", "", "stopped"},
		{"start_job", Implied{Verb: "start", Begins: true, Repeats: true}, "started", "", "stopped"},
		{"poll_export", Implied{Verb: "export", Reads: true, Repeats: true}, "", "", "sent"},
		{"request_access", Implied{Verb: "request"}, "granted", "", "denied"},
		{"transfer_money", Implied{Verb: "transfer"}, "transferred", "", "refunded"},
		{"enqueue_job", Implied{Verb: "enqueue", Repeats: true}, "queued", "enqueued", "played"},
		{"", Implied{Repeats: true}, "", "", "done"},
	} {
		got := Imply(lexicon.English(), Tool{Name: c.name})
		if c.done != "" {
			require.Contains(t, got.Done, c.done, c.name)
		}
		if c.alike != "" {
			require.Contains(t, append(got.Alike, got.Done...), c.alike, c.name)
		}
		require.NotContains(t, append(got.Alike, got.Done...), c.not, c.name)
		got.Words, got.Done, got.Alike = nil, nil, nil
		require.Equal(t, c.want, got, c.name)
	}
	require.Equal(t, []string{"orders", "order", "cancelled", "cancel"}, Imply(lexicon.English(), Tool{Name: "orders_cancelled"}).Words)
}
