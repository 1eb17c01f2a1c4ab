package guard_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestAttemptsWithoutCallsCount: an attempt that was spent on talk is spent.
// One whose model never answered is not, and a replay is no new one.
func TestAttemptsWithoutCallsCount(t *testing.T) {
	g, err := guard.New(refactorTools(), nil)
	if err != nil {
		t.Fatal(err)
	}
	list := policy.Checklist{
		Steps:     []policy.Step{{Name: "Read target files", Tool: "read_file", PathArg: "path", EachTarget: true}},
		Resolving: []string{"create_report"}, MaxAttempts: 4,
	}
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"read_file": guardtest.Returns("package a")})
	talk := guardtest.Say("I could not finish yet: the analysis is incomplete. Please let me continue.")
	read := guardtest.Call(guardtest.Tool("read_file", `{"path":"a.go"}`))
	steps := []struct {
		turn    string
		script  []guardtest.Step
		attempt int
	}{
		{"1", []guardtest.Step{talk}, 1},
		{"2", []guardtest.Step{{Err: errors.New("no network")}}, 2},
		{"3", []guardtest.Step{talk}, 2},
		{"3", []guardtest.Step{talk}, 2}, // replayed
		{"4", []guardtest.Step{read, talk}, 3},
		{"5", []guardtest.Step{talk}, 4},
	}
	for i, step := range steps {
		model := guardtest.Script(step.script...)
		reply, _ := g.Run(context.Background(), model, executor, guard.Input{
			User: "resolve the finding", Owner: "ann", Task: "f1", Turn: step.turn, Checklist: list.For("a.go"),
		})
		contains(t, fmt.Sprintf("prompt %d", i), model.Requests()[0].Messages[0].Text, fmt.Sprintf("Attempt %d/4", step.attempt))
		if calls := len(step.script) - 1; len(reply.Records) != calls {
			t.Errorf("turn %d: the reply holds %d records, want %d", i, len(reply.Records), calls)
		}
	}
	records, err := g.Ledger().Records(context.Background(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Task: "f1"}})
	if err != nil {
		t.Fatal(err)
	}
	traces := 0
	for _, record := range records {
		if record.Ruling.Rule == "no_call" && record.Result.Status == tooltrack.Denied {
			traces++
		}
	}
	if traces != 3 || len(records) != 4 {
		t.Errorf("%d of %d records are traces", traces, len(records))
	}
}
