package tooltrack

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesThatTellOfDeeds(t *testing.T) {
	for name, want := range map[string]bool{
		"send_email": true, "sendEmail": true, "email.send": true, "mcp__mail__send": true, "create_task": true, "tasks-create": true, "payInvoice": true,
		"transfer": true, "deleteAll": true, "order_cancel": true, "place_order": true, "book_flight": true, "HTTPPost": true, "sendSMS": true, "sendEMail": true, "new_issue": true, "getOrCreateUser": true,
		"get_order": false, "order_status": false, "read_file": false, "list_orders": false, "run_tests": false, "job_status": false, "set_light": false,
		"update_order": false, "mystery": false, "": false, "_": false, "sender_info": false, "post_history": false, "check2": false, "resend": true, "poll_job": false, "git_push": false, "sales_report": false, "edit_file": false,
		"rm": true, "cancelorder": true, "flightBooking": true, "sell_stock": true, "checkout": true, "listOrDeleteUsers": true,
	} {
		require.Equal(t, want, consequential(name), name)
	}
}

func TestSameSubject(t *testing.T) {
	record := func(tool, args string, touched ...Subject) *Record {
		return &Record{Call: Call{Tool: tool, Args: json.RawMessage(args)}, Touched: touched}
	}
	task := func(id, title string) Subject { return Subject{Kind: "task", ID: id, Title: title} }
	for _, c := range []struct {
		name string
		a, b *Record
		want bool
	}{
		{"the same id", record("set", `{}`, task("1", "")), record("put", `{}`, task("1", "")), true},
		{"another id", record("set", `{"x":1}`, task("1", "")), record("set", `{"x":1}`, task("2", "")), false},
		{"another kind", record("set", `{}`, task("1", "")), record("set", `{}`, Subject{Kind: "list", ID: "1"}), false},
		{"the same title where an id is missing", record("set", `{}`, task("", "Read")), record("set", `{}`, task("1", "Read")), true},
		{"no title either", record("set", `{}`, task("", "")), record("set", `{}`, task("", "")), false},
		{"one of several", record("set", `{}`, task("1", ""), task("2", "")), record("set", `{}`, task("2", "")), true},
		{"an id among the arguments", record("send_note", `{"user_id":7,"text":"a"}`), record("send_note", `{"text":"b","user_id":7}`), true},
		{"another id among the arguments", record("send_note", `{"user_id":7}`), record("send_note", `{"user_id":8}`), false},
		{"an id in another spelling of its name", record("send_x", `{"orderId":"a"}`), record("send_x", `{"orderId":"a"}`), true},
		{"an entity on one side, an id on the other", record("set", `{"id":7}`, task("1", "")), record("set", `{"id":7,"x":2}`), true},
		{"a shared setting", record("light_on", `{"room":"hall"}`), record("light_off", `{"room":"hall"}`), true},
		{"a shared recipient", record("send_mail", `{"to":"bob"}`), record("send_mail", `{"to":"bob"}`), false},
		{"a setting beside a deed", record("light_on", `{"room":"hall"}`), record("send_mail", `{"room":"hall"}`), false},
		{"lists are no names", record("set", `{"x":[1]}`), record("set", `{"x":[1]}`), false},
		{"nothing in common", record("set", `{"a":1}`), record("set", `{"b":1}`), false},
	} {
		require.Equal(t, c.want, sameSubject(c.a, c.b), c.name)
		require.Equal(t, c.want, sameSubject(c.b, c.a), c.name)
	}
}
