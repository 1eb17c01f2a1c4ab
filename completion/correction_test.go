package completion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestCorrections(t *testing.T) {
	rows := []outcomeRow{
		{"no work", deleteMilk, "", "Sure.", Action(), 0, NoWork},
		{"read-only loop", deleteMilk, "list_tasks", "These are the tasks.", Action(), 0, ReadOnlyLoop},
		{"promise", deleteMilk, "", "I will delete it now.", Action(), 0, Promise},
		{"leaked call", deleteMilk, "", `{"name": "delete_task", "arguments": {}}`, Action(), 0, LeakedCall},
		{"unbacked claim", deleteMilk, "", "I've deleted 'Buy milk'.", Action(), 0, UnbackedClaim},
		{"unbacked claim, failed call", deleteMilk, "delete_task failed", "I've deleted 'Buy milk'.", Action(), 0, UnbackedClaim},
		{"unbacked claim beside another call", deleteMilk, `create_task succeeded {"title":"Call Anna"}`, "I've deleted 'Buy milk'.", Action(), 0, UnbackedClaim},
		{"unbacked claim, call under way", deleteMilk, `delete_task pending {"title":"Buy milk"}`, "I've deleted 'Buy milk'.", Action(), 0, UnbackedClaim},
		{"unbacked check", "Fix it.", "", "I ran the tests and they all pass.", Action(), 0, UnbackedClaim},
		{"unbacked lookup", oslo, "", "I searched the web: 12 degrees.", Question(), 0, UnbackedClaim},
		{"fabricated failure", deleteMilk, "", "I tried to delete it, but the server returned an error.", Action(), 0, FabricatedFailure},
		{"unreported failure", deleteMilk, "delete_task failed", "Milk is nice.", Action(), 0, UnreportedFailure},
		{"unreported, under way", deleteMilk, `delete_task pending {"title":"Buy milk"}`, "Milk is nice.", Action(), 0, UnreportedFailure},
		{"no closure", deleteMilk, "delete_task", "", Action(), 0, NoClosure},
		{"empty text", deleteMilk, "", "", Action(), 0, EmptyText},
		{"missing requirement", "Fix it.", "edit_file", "I've fixed it.", Action(Verified()), 0, MissingRequirement},
	}
	evaluator := New(nil)
	var all strings.Builder
	for _, row := range rows {
		tools := append(assistant[:len(assistant):len(assistant)], coder...)
		verdict := evaluator.Evaluate(Case{User: row.user, Text: row.text, Tools: tools, Records: recordsOf(row.calls, tools), Contract: row.contract})
		if verdict.Reason != row.reason || verdict.Outcome.Completed() {
			t.Errorf("%s: %v because of %v", row.name, verdict.Outcome, verdict.Reason)
		}
		turn := Case{User: row.user, Text: row.text, Tools: tools, Records: recordsOf(row.calls, tools), Contract: row.contract}
		fmt.Fprintf(&all, "%s\n\t%s\n", row.name, verdict.Correction)
		fmt.Fprintf(&all, "\tlook-ups: %s\n\tno call: %s\n", verdict.CorrectionFor(turn, LookUps), verdict.CorrectionFor(turn, NoCall))
	}
	golden.Check(t, "corrections.txt", all.String())
}

func TestAccount(t *testing.T) {
	denied := record(`delete_task denied {"title":"Pay rent"}`, assistant)
	denied.Ruling = tooltrack.Ruling{Denied: true, Reason: "rent is protected"}
	withID := record(`delete_task failed {"id":"t9"}`, assistant)
	withID.Result.Error = "task 3f2504e0-4f89-11d3-9a0c-0305e82c3301 not found"
	touched := record("update_task", assistant)
	touched.Touched = []tooltrack.Subject{{ID: "t1", Title: "Read book"}, {ID: "t2", Title: "Call Anna"}}
	list := record("list_tasks", assistant)
	list.Result = tooltrack.ResultOf([]byte(`{"tasks":[{"id":"t1","title":"Read book"},{"id":"t2","title":"Call Anna"}]}`), nil)
	none := record("list_tasks", assistant)
	none.Result = tooltrack.ResultOf([]byte(`[]`), nil)
	tools := append(assistant[:len(assistant):len(assistant)], tooltrack.Tool{Name: "complete_task", Effect: tooltrack.Changes}, tooltrack.Tool{Name: "cancel_order", Effect: tooltrack.Changes})
	records := []*tooltrack.Record{
		record(`delete_task succeeded {"title":"Read book"}`, tools), record(`complete_task succeeded {"title":"Read book"}`, tools), record(`create_task succeeded {"title":"Buy milk"}`, tools),
		record(`cancel_order succeeded {"order_id":"W1234567"}`, tools), record(`update_task failed {"title":"Old"}`, tools), record(`update_task pending {"title":"Slow"}`, tools),
		record(`update_task unknown {"title":"Lost"}`, tools), denied, withID, touched, list, none, nil,
		record(`send_email failed {"subject":"Hello"}`, tools), record(`send_email succeeded {"subject":"Hello"}`, tools),
	}
	account := New(nil).Account(Case{Tools: tools, Records: records})
	golden.Check(t, "account.txt", account+"\n")
	for _, id := range []string{"t1", "t9", "W1234567", "3f2504e0"} {
		if strings.Contains(account, id) {
			t.Errorf("the account shows the id %s", id)
		}
	}
}

func TestAccountWording(t *testing.T) {
	evaluator := New(&Options{Wording: map[string]Wording{
		"delete_task": {Done: "{title} is off your list.", Failed: "{title} stays: {reason}."}, "list_tasks": {Empty: "Nothing to do!"},
	}})
	list := record("list_tasks", assistant)
	list.Result = tooltrack.ResultOf([]byte(`[]`), nil)
	got := evaluator.Account(Case{Tools: assistant, Records: []*tooltrack.Record{
		record(`delete_task succeeded {"title":"Read book"}`, assistant), record(`delete_task failed {"title":"Buy milk"}`, assistant), list,
	}})
	if want := "Read book is off your list.\nBuy milk stays: it did not work.\nNothing to do!"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := evaluator.Account(Case{}); got != "Nothing was changed." {
		t.Errorf("an empty ledger says %q", got)
	}
}
