package guard_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestResultsFindTheirCalls: some servers give their calls no ids, or the same one
// again. Results then come in the order of the calls, or name their tools.
func TestResultsFindTheirCalls(t *testing.T) {
	g, err := guard.New(officeTools(), nil)
	require.NoError(t, err)
	const ok, bad = `{"success":true}`, `{"success":false,"error":"no money"}`
	called := func(calls ...tooltrack.Call) guard.Message {
		return guard.Message{Role: guard.RoleAssistant, Calls: calls}
	}
	call := func(id, tool string) tooltrack.Call {
		return tooltrack.Call{ID: id, Tool: tool, Args: []byte(`{}`)}
	}
	result := func(id, tool, text string) guard.Message {
		return guard.Message{Role: guard.RoleTool, CallID: id, Tool: tool, Text: text}
	}
	user := guard.Message{Role: guard.RoleUser, Text: "go on"}
	for name, c := range map[string]struct {
		messages []guard.Message
		want     string
	}{
		"no ids, in order": {
			[]guard.Message{called(call("", "pay_invoice"), call("", "lock_door")), result("", "", bad), result("", "", ok)},
			"pay_invoice failed, lock_door succeeded",
		},
		"no ids, by tool": {
			[]guard.Message{
				called(call("", "pay_invoice"), call("", "lock_door")), result("", "lock_door", ok), result("", "pay_invoice", bad),
			},
			"pay_invoice failed, lock_door succeeded",
		},
		"no ids, the same tool": {
			[]guard.Message{
				called(call("", "lock_door"), call("", "lock_door"), call("", "send_email")),
				result("", "send_email", ok), result("", "lock_door", bad), result("", "lock_door", ok),
			},
			"lock_door failed, lock_door succeeded, send_email succeeded",
		},
		"no ids, one message for each call": {
			[]guard.Message{
				called(call("", "pay_invoice")), called(call("", "lock_door")), result("", "", ok), result("", "", bad),
			},
			"pay_invoice succeeded, lock_door failed",
		},
		"no ids, the first without a result": {
			[]guard.Message{called(call("", "pay_invoice")), user, called(call("", "lock_door")), result("", "", ok)},
			"pay_invoice unknown, lock_door succeeded",
		},
		"an id again, the first without a result": {
			[]guard.Message{called(call("1", "pay_invoice")), user, called(call("1", "pay_invoice")), result("1", "", ok)},
			"pay_invoice unknown, pay_invoice succeeded",
		},
		"an id again, each with its result": {
			[]guard.Message{
				called(call("1", "pay_invoice")), result("1", "", bad), called(call("1", "pay_invoice")), result("1", "", ok),
			},
			"pay_invoice failed, pay_invoice succeeded",
		},
		"ids, in another order, with a tool's own name for itself": {
			[]guard.Message{
				called(call("1", "pay_invoice"), call("2", "lock_door")), result("2", "doors", ok), result("1", "bank", bad),
			},
			"pay_invoice failed, lock_door succeeded",
		},
		"a result that comes late": {
			[]guard.Message{
				called(call("1", "pay_invoice"), call("2", "lock_door")), result("1", "", ok),
				called(call("3", "send_email")), result("3", "", ok), result("2", "", bad),
			},
			"pay_invoice succeeded, lock_door failed, send_email succeeded",
		},
		"a result too many": {
			[]guard.Message{called(call("", "pay_invoice")), result("", "", ok), result("", "", bad)},
			"pay_invoice failed", // of two results of one call, the worse one counts
		},
	} {
		got := ""
		for _, record := range g.RecordsOf(c.messages, nil) {
			got += fmt.Sprintf(", %s %s", record.Tool, record.Result.Status)
		}
		require.Equal(t, c.want, got[2:], name)
	}
}

// TestAnHonestAnswerWithoutIDsIsShown: as servers send it that know no ids.
func TestAnHonestAnswerWithoutIDsIsShown(t *testing.T) {
	g, err := guard.New(officeTools(), nil)
	require.NoError(t, err)
	const honest = "I've paid invoice 17 and locked the front door."
	model := guardtest.Script(guardtest.Say(honest))
	response, err := g.Wrap(model).Generate(context.Background(), guard.Request{Tools: officeTools(), Messages: []guard.Message{
		{Role: guard.RoleUser, Text: "pay invoice 17 and lock the front door"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{
			{Tool: "pay_invoice", Args: []byte(`{"id":"17"}`)}, {Tool: "lock_door", Args: []byte(`{"door":"front door"}`)},
		}},
		{Role: guard.RoleTool, Tool: "pay_invoice", Text: `{"success":true}`},
		{Role: guard.RoleTool, Tool: "lock_door", Text: `{"success":true}`},
	}})
	require.NoError(t, err)
	require.Equal(t, honest, response.Message.Text)
	require.Equal(t, 1, model.Calls(), "nothing is in doubt")
}
