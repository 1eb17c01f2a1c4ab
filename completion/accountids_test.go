package completion_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestTheAccountNamesNoIDs: ids of every common make stay out of an account,
// and titles with numbers in them do not.
func TestTheAccountNamesNoIDs(t *testing.T) {
	search := tooltrack.Tool{Name: "web_search", Description: "Search the web.", Effect: tooltrack.Reads}
	account := func(items ...string) string {
		data, err := json.Marshal(items)
		if err != nil {
			t.Fatal(err)
		}
		record := &tooltrack.Record{Call: tooltrack.Call{Tool: search.Name}, Effect: search.Effect, Result: tooltrack.Result{Status: tooltrack.Succeeded, Data: data}}
		return completion.New(nil).Account(completion.Case{Tools: []tooltrack.Tool{search}, Records: []*tooltrack.Record{record}})
	}
	for _, id := range []string{
		"page-3f2a91bc07de-0", "chunk_9e107d9d372bb682", "item:0a1b2c3d4e5f", "msg-202611150435001", "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01", "a1b2c3d4e5f6",
	} {
		if told := account(id, "Solar panels"); strings.Contains(told, id) || !strings.Contains(told, "Solar panels") {
			t.Errorf("%s: %s", id, told)
		}
		if told := account(id); strings.Contains(told, id) {
			t.Errorf("%s alone: %s", id, told)
		}
	}
	for _, title := range []string{"report-2024-final.pdf", "covid-19", "part_2", "Catch-22", "iso-8601", "2026-11-15"} {
		if told := account(title); !strings.Contains(told, title) {
			t.Errorf("%s is not told: %s", title, told)
		}
	}
}

// TestTheAccountTellsWhich: to people who say ids themselves, an account says which
// thing was touched; and a verb keeps the particle that makes its meaning.
func TestTheAccountTellsWhich(t *testing.T) {
	for _, c := range []struct{ tool, args, user, told string }{
		{"pay_invoice", `{"id":"17"}`, "pay invoice 17 and 18", "Paid: invoice 17"},
		{"pay_invoice", `{"id":18}`, "pay invoice 17 and 18", "Paid: invoice 18"},
		{"cancel_order", `{"order_id":"B-203"}`, "cancel order B-201, please", "Cancelled: order B-203"},
		{"cancel_order", `{"order_id":"B-203"}`, "cancel my last order", "Cancelled: order"},
		{"delete_task", `{"id":"t9"}`, "delete Read book", "Deleted: task"},
		{"turn_off_light", `{"room":"kitchen"}`, "lights off in the kitchen", "Turned off: light (room: kitchen)"},
		{"roll_back_deployment", `{"id":"api"}`, "roll back the api", "Rolled back: api"},
		{"bash", `{"command":"make"}`, "build it", "Called: bash"},
		{"enter_grade", `{"points":12}`, "enter the grade", "Entered: grade (points: 12)"},
	} {
		tool := tooltrack.Tool{Name: c.tool, Effect: tooltrack.Changes}
		record := &tooltrack.Record{Call: tooltrack.Call{Tool: c.tool, Args: json.RawMessage(c.args)}, Effect: tool.Effect, Result: tooltrack.Result{Status: tooltrack.Succeeded}}
		told := completion.New(nil).Account(completion.Case{User: c.user, Tools: []tooltrack.Tool{tool}, Records: []*tooltrack.Record{record}})
		if told != c.told {
			t.Errorf("%s %s: %q, want %q", c.tool, c.args, told, c.told)
		}
	}
}
