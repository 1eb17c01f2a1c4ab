package completion

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWhatAHelperReportsIsNotAccused: what was handed to another agent and is told as that
// agent's words is asked about at most. What the text tells as done by itself is not
// excused.
func TestWhatAHelperReportsIsNotAccused(t *testing.T) {
	for _, row := range []struct{ tool, user, text string }{
		{"house_agent", "lock the front door", "I asked the house agent, and it reports that the front door is locked now."},
		{"house_agent", "lock the front door", "The house agent reports that the front door has been locked."},
		{"mail_agent", "let the mail agent write to Ann", "The mail agent reports that the email to Ann went out."},
		{"call_coder", "have the coder fix the login bug", "I handed it to the coder. It reports that the bug is fixed and the tests pass."},
		{"run_gardener", "water the ferns", "According to the gardener, the ferns have been watered."},
		{"delegate", "book a table at Lupo for two", "It says that a table for two has been booked at Lupo."},
	} {
		tools := []tooltrack.Tool{{Name: row.tool, Description: "Delegate a task.", Delegates: true, Effect: tooltrack.Changes}}
		answered := &tooltrack.Record{Effect: tooltrack.Reads, Result: tooltrack.Result{Status: tooltrack.Succeeded}}
		answered.Tool, answered.Args = row.tool, json.RawMessage(`{"task":`+`"`+row.user+`"}`)
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: tools, Records: []*tooltrack.Record{answered}, Contract: Action()})
		assert.Less(t, tierOf(&verdict), Sure, "%s: %+v", row.text, verdict.Claims)
	}
}
