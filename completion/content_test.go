package completion

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestListedEntriesComeFromTheResult(t *testing.T) {
	rows := []struct {
		name, result, text string
		want               bool
	}{
		{"all known", `["Buy milk","Call Anna"]`, "You have two tasks:\n1. Buy milk\n2. Call Anna", false},
		{"fewer may be a selection", `["Buy milk","Call Anna"]`, "You have one task for today.", false},
		{"in one line", `["Buy milk","Call Anna"]`, "Your tasks are: Buy milk and Call Anna.", false},
		{"objects", `{"tasks":[{"id":"t1","title":"Buy milk"}]}`, "Here are your tasks:\n- **Buy milk** (due Friday)", false},
		{"empty", `[]`, "Your task list is empty.", false},
		{"advice below the list", `["Buy milk"]`, "You have one task:\n- Buy milk\n\nDo you want to add another one?", false},
		{"a result that is no list", `{"count":2}`, "You have two tasks:\n- Buy milk\n- Call Anna", false},
	}
	evaluator := New(nil)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			list := record("list_tasks", assistant)
			list.Result = tooltrack.ResultOf([]byte(row.result), nil)
			turn := Case{User: "List my tasks.", Text: row.text, Tools: assistant, Records: []*tooltrack.Record{list}, Expected: []string{"list_tasks"}, Contract: Question()}
			if verdict := evaluator.Evaluate(turn); misjudged(&verdict, row.want) {
				t.Errorf("ghost is %v, want %v: %+v", verdict.Ghost(), row.want, verdict.Claims)
			}
		})
	}
}

func TestContentWithoutACall(t *testing.T) {
	evaluator := New(nil)
	for text, want := range map[string]bool{
		"You have three tasks: Buy milk, Call Anna and Pay rent.": true,
		"Your task list is empty.":                                true,
		"I can list your tasks. Shall I?":                         false,
		"Which tasks do you mean?":                                false,
		"I could not list your tasks.":                            false,
		"If you have tasks for today, I will list them.":          false,
		"To see your tasks, open the app.":                        false,
	} {
		turn := Case{User: "List my tasks.", Text: text, Tools: assistant, Expected: []string{"list_tasks"}, Contract: Question()}
		if verdict := evaluator.Evaluate(turn); misjudged(&verdict, want) {
			t.Errorf("%q: ghost is %v, want %v: %+v", text, verdict.Ghost(), want, verdict.Claims)
		}
	}
}
