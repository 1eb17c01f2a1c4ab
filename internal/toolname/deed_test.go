package toolname

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// TestDeeds: what sends, creates, pays or deletes does so twice when it is
// called twice; what looks, sets or runs may be called again.
func TestDeeds(t *testing.T) {
	for name, want := range map[string]bool{
		"send_email": true, "emailSend": true, "mail__send": true, "sms": true, "notify_user": true, "invite": true,
		"create_task": true, "add_row": true, "mkdir": true, "book_flight": true, "place_order": true, "checkout": true,
		"pay_bill": true, "sell_stock": true, "debit": true, "transfer": true, "refund_order": true,
		"delete_all": true, "rm": true, "cancel_order": true, "kill_process": true, "terminate": true,
		"get_or_create_user": true, "find_and_delete": true, "reply": true,
		"get_order": false, "order_status": false, "list_mails": false, "find_user_by_email": false, "mail_history": false,
		"update_order": false, "set_light": false, "write_file": false, "edit_file": false, "move_file": false,
		"run_tests": false, "bash": false, "poll_job": false, "ping_host": false, "git_push": false, "wait": false, "": false,
		"get_and_list": false, "search_or_browse": false, "mystery": false,
	} {
		require.Equal(t, want, Read(lexicon.English(), Tool{Name: name}).Deed, name)
	}
}
