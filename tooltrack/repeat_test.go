package tooltrack

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSameSubject(t *testing.T) {
	record := func(tool, args string, touched ...Subject) *Record {
		deed := strings.HasPrefix(tool, "send")
		return &Record{Call: Call{Tool: tool, Args: json.RawMessage(args)}, Implied: &Implied{Repeats: !deed}, Touched: touched}
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
		{"a setting of which nothing is implied", record("light_on", `{"room":"hall"}`), &Record{Call: Call{Args: json.RawMessage(`{"room":"hall"}`)}}, false},
		{"nothing in common", record("set", `{"a":1}`), record("set", `{"b":1}`), false},
	} {
		require.Equal(t, c.want, SameSubject(c.a, c.b), c.name)
		require.Equal(t, c.want, SameSubject(c.b, c.a), c.name)
	}
}
