package guard_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// deletion is a recorded turn in which delete_task was called and answered.
func deletion(result string) []guard.Message {
	return []guard.Message{
		{Role: guard.RoleUser, Text: "delete Read book"},
		{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "c1", Tool: "delete_task", Args: []byte(`{"task_id":"Read book"}`)}}},
		{Role: guard.RoleTool, CallID: "c1", Text: result},
	}
}

func TestJudgeRecordedTurns(t *testing.T) {
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		t.Fatal(err)
	}
	refused := &tooltrack.ParseOptions{Rule: func(content string) (tooltrack.Status, bool) {
		return tooltrack.Denied, strings.HasPrefix(content, "not allowed")
	}}
	cases := []struct {
		name     string
		user     string
		messages []guard.Message
		parse    *tooltrack.ParseOptions
		text     string
		reason   completion.Reason
		ghost    bool
		missing  string
	}{
		{"work that was done", "delete Read book", deletion(`{"success":true}`), nil, "I've deleted Read book.", completion.WorkDone, false, ""},
		{"a ghost", "delete the task Read book", nil, nil, "I've deleted Read book.", completion.UnbackedClaim, true, "delete_task"},
		{"a failure sold as success", "delete Read book", deletion(`{"success":false}`), nil, "I've deleted Read book.", completion.UnbackedClaim, true, ""},
		{"a result that only the host can read", "delete Read book", deletion("not allowed here"), refused, "I've deleted Read book.", completion.UnbackedClaim, true, ""},
		{"small talk", "thank you!", nil, nil, "You're welcome!", completion.NothingDue, false, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			records := g.RecordsOf(c.messages, c.parse)
			got, err := g.Judge(context.Background(), guard.Recorded{User: c.user, Text: c.text, Records: records})
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict.Reason != c.reason || got.Verdict.Ghost() != c.ghost || strings.Join(got.Missing, " ") != c.missing {
				t.Errorf("reason %q, ghost %v, missing %q; want %q, %v, %q", got.Verdict.Reason, got.Verdict.Ghost(), got.Missing, c.reason, c.ghost, c.missing)
			}
			for _, record := range records {
				if record.Result.Grade != tooltrack.Reported {
					t.Errorf("a result from a message is graded %s", record.Result.Grade)
				}
			}
		})
	}
	if turns := g.Counters().Turns; turns != 0 {
		t.Errorf("recorded turns were counted: %d", turns)
	}
}

func ExampleGuard_Judge() {
	g, err := guard.New([]tooltrack.Tool{{Name: "cancel_order", Effect: tooltrack.Changes}}, nil)
	if err != nil {
		panic(err)
	}
	got, err := g.Judge(context.Background(), guard.Recorded{
		User: "Please cancel my order.",
		Text: "Your order has been cancelled.",
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(got.Verdict.Ghost(), got.Verdict.Reason, got.Missing)
	// Output: true unbacked claim [cancel_order]
}

// TestOurOwnAnswersAreReadBack: whoever sees only the messages learns from the
// guard's answers what became of the calls.
func TestOurOwnAnswersAreReadBack(t *testing.T) {
	w := newWorld()
	executor := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
		switch call.Tool {
		case "add_task":
			return []byte(`{"status":"queued","message":"third in line"}`), nil
		case "complete_task":
			return nil, context.DeadlineExceeded
		}
		return []byte(`{"success":true}`), nil
	})
	g := guardFor(t, w, func(o *guard.Options) { o.Classifier, o.Proof = expecting(0, 0), guard.Never })
	completes := guardtest.Tool("complete_task", `{"task_id":"`+callMom+`"}`)
	model := guardtest.Script(guardtest.Call(lists(), adds("Tea"), deletes("book"), completes), guardtest.Say("Hello."))
	_, err := g.Run(t.Context(), model, executor, ask("hello"))
	require.NoError(t, err)
	var fates []string
	for _, record := range g.RecordsOf(model.Requests()[1].Messages, nil) {
		fates = append(fates, record.Tool+" "+record.Result.Status.String())
	}
	require.Equal(t, []string{"list_tasks succeeded", "add_task pending", "delete_task denied", "complete_task unknown"}, fates)
}
