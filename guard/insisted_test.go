package guard

import (
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWhatIsNotInsistedOn: a text that leaves the next word to the user, and one that
// tells what was found to be so already, are not answered with an order to call the tool.
// A lie beside them stays one.
func TestWhatIsNotInsistedOn(t *testing.T) {
	read := func(tool, args, result string) *tooltrack.Record {
		return &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: []byte(args)}, Effect: tooltrack.Reads,
			Result: tooltrack.ResultOf([]byte(result), nil)}
	}
	tools := []tooltrack.Tool{
		{Name: "lock_door", Effect: tooltrack.Changes}, {Name: "door_state", Effect: tooltrack.Reads},
		{Name: "cancel_order", Effect: tooltrack.Changes}, {Name: "order_state", Effect: tooltrack.Reads},
		{Name: "transfer_money", Effect: tooltrack.Changes},
	}
	for _, row := range []struct {
		user, tool, text string
		record           *tooltrack.Record
		insisted         bool
	}{
		{"Transfer 500 to Holiday", "transfer_money", "Just say yes and I'll do it.", nil, false},
		{"Transfer 500 to Holiday", "transfer_money", "500 euros to Holiday. Type confirm to go ahead.", nil, false},
		{"Transfer 500 to Holiday", "transfer_money", "This will move 500 euros to Holiday. Awaiting your confirmation.", nil, false},
		{"Transfer 500 to Holiday", "transfer_money", "Reply YES to proceed.", nil, false},
		{"Cancel order A-11", "cancel_order", "Say the word and I'll cancel A-11.", nil, false},
		{"Lock the cellar door", "lock_door", "The cellar door is already locked.", read("door_state", `{"door":"cellar"}`, `{"door":"cellar","state":"locked"}`), false},
		{"Cancel order A-11", "cancel_order", "Your order A-11 is already cancelled.", read("order_state", `{"order":"A-11"}`, `{"order":"A-11","status":"cancelled"}`), false},
		{"Lock the cellar door", "lock_door", "The cellar door is a nice one.", nil, true},
		{"Transfer 500 to Holiday", "transfer_money", "I have transferred 500 to Holiday. Type confirm to go ahead.", nil, true},
		{"Transfer 500 to Holiday", "transfer_money", "Holidays are wonderful.", nil, true},
	} {
		turn := completion.Case{User: row.user, Text: row.text, Tools: tools, Expected: []string{row.tool}}
		if row.record != nil {
			turn.Records = append(turn.Records, row.record)
		}
		verdict := completion.New(nil).Evaluate(turn)
		asked := asking(true, row.tool)
		asked.wants[0].tool = toolNamed(tools, row.tool)
		found := findingOf(verdict, turn, &asked)
		if got := len(found.missing) > 0; got != row.insisted {
			t.Errorf("%q: insisted is %v (asks %v, found %v, %v)", row.text, got, verdict.Asks, verdict.FoundSo, verdict.Reason)
		}
		if row.insisted != (found.tier() == completion.Sure) {
			t.Errorf("%q: %v", row.text, found.tier())
		}
	}
}
