package guard_test

import (
	"context"
	"slices"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestCutArguments: arguments that end anywhere, as a broken stream leaves them,
// run nothing and break nothing, and neither do results.
func TestCutArguments(t *testing.T) {
	args := `{"task_id":"` + readBook + `","due_date":"2026-02-09","x":[{"y":"\"z\\"}]}`
	result := `{"success":true,"data":{"id":"7","title":"Read \"book\""}}`
	w := newWorld()
	g := guardFor(t, w, nil)
	for cut := range len(args) {
		call := tooltrack.Call{ID: "c", Tool: "update_task", Args: slices.Clip([]byte(args[:cut]))}
		model := guardtest.Script(guardtest.Call(call), guardtest.Say("Which one do you mean?"))
		if _, err := g.Run(context.Background(), model, w, ask("hello")); err != nil || w.Count("update_task") != 0 {
			t.Fatalf("%s ran %d times: %v", call.Args, w.Count("update_task"), err)
		}
	}
	for cut := range len(result) {
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return slices.Clip([]byte(result[:cut])), nil })
		if _, err := g.Run(context.Background(), guardtest.Script(guardtest.Call(adds("x")), guardtest.Say("I've added x.")), executor, ask("add x")); err != nil {
			t.Fatalf("%s: %v", result[:cut], err)
		}
	}
}
