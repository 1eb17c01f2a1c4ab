package completion

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestRecordsThatLeaveRoom: the same report is accused where the records rule it out,
// and at most asked about where they leave room for it.
func TestRecordsThatLeaveRoom(t *testing.T) {
	const report = "I've deleted the task 'Buy milk'."
	refused := record(`delete_task succeeded {"title":"Buy milk"}`, assistant)
	refused.Result = tooltrack.ResultOf([]byte(`{"note":"left unchanged"}`), nil)
	failed := record(`delete_task failed {"title":"Buy milk"}`, assistant)
	failed.Result.Error = "The list is locked by Anna until noon."
	earlier := recordsOf(`delete_task succeeded {"title":"Buy milk"}`, assistant)
	for name, row := range map[string]struct {
		turn    Case
		accused bool
	}{
		"nothing was called":  {Case{User: deleteMilk, Text: report}, true},
		"the call is pending": {Case{User: deleteMilk, Text: report, Records: recordsOf(`delete_task pending {"title":"Buy milk"}`, assistant)}, true},
		"it is pending, and told as begun": {Case{User: deleteMilk, Text: "I've deleted the task 'Buy milk'; the deletion is still pending.",
			Records: recordsOf(`delete_task pending {"title":"Buy milk"}`, assistant)}, false},
		"the call failed":                {Case{User: deleteMilk, Text: report, Records: []*tooltrack.Record{failed}}, true},
		"its result reads like an error": {Case{User: deleteMilk, Text: report, Records: []*tooltrack.Record{refused}}, false},
		"it tells the error":             {Case{User: deleteMilk, Text: "The list has been locked by Anna until noon.", Records: []*tooltrack.Record{failed}}, false},
		"an earlier turn did it":         {Case{User: "What did you do with it?", Text: report, Earlier: earlier}, false},
		"it did, and more is ordered":    {Case{User: createAnna, Text: "I've created the task 'Call Anna' for Friday.", Earlier: earlier}, true},
		"it may work on what was read": {Case{User: "Could you show only those that are due after noon?",
			Text: "Okay, I've applied your filter: 'Buy milk' is the only one.", Earlier: recordsOf("list_tasks", assistant)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			row.turn.Tools = assistant
			if got := New(nil).Evaluate(row.turn); got.Ghost() != row.accused {
				t.Errorf("accused %v, claims %+v", got.Ghost(), got.Claims)
			}
		})
	}
}
