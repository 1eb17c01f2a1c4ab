package guard_test

import (
	"context"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// twoStep is a model without memory: it calls the tool when it is asked by the
// user, and reports when it has the result.
func twoStep() guard.Model {
	call := guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "call_1", Tool: "delete_task", Args: []byte(`{"task_id":"42"}`)}}}}
	done := guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: "I've deleted Read book."}}
	return guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		if request.Messages[len(request.Messages)-1].Role == guard.RoleTool {
			return done, nil
		}
		return call, nil
	})
}

// bareLoop is what an agent loop does without a guard.
func bareLoop(ctx context.Context, model guard.Model, executor guard.Executor, tools []tooltrack.Tool, user string) (string, error) {
	messages := []guard.Message{{Role: guard.RoleUser, Text: user}}
	for {
		response, err := model.Generate(ctx, guard.Request{Messages: messages, Tools: tools})
		if err != nil {
			return "", err
		}
		messages = append(messages, response.Message)
		if len(response.Message.Calls) == 0 {
			return response.Message.Text, nil
		}
		for _, call := range response.Message.Calls {
			body, err := executor.Execute(ctx, call)
			if err != nil {
				body = []byte("Error: " + err.Error())
			}
			messages = append(messages, guard.Message{Role: guard.RoleTool, CallID: call.ID, Tool: call.Tool, Text: string(body)})
		}
	}
}

var deleted = guardtest.Returns(`{"success":true,"data":{"id":"42","title":"Read book"}}`)

func BenchmarkTurnBare(b *testing.B) {
	model, tools := twoStep(), taskTools()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bareLoop(context.Background(), model, deleted, tools, "delete Read book"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTurnGuarded(b *testing.B) {
	model := twoStep()
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Run(context.Background(), model, deleted, guard.Input{User: "delete Read book", Owner: "ann"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTurnProven is a turn whose text is asked about: beside
// BenchmarkTurnGuarded it is what asking for proof costs, but for the model.
func BenchmarkTurnProven(b *testing.B) {
	g, err := guard.New(taskTools(), &guard.Options{Evaluator: doubting("deleted")})
	if err != nil {
		b.Fatal(err)
	}
	model := provingModel()
	b.ReportAllocs()
	for b.Loop() {
		reply, err := g.Run(context.Background(), model, deleted, guard.Input{User: "delete Read book", Owner: "ann"})
		if err != nil || reply.Proof == nil {
			b.Fatal(reply, err)
		}
	}
}

// provingModel is a model without memory that gives its proof when it is asked.
func provingModel() guard.Model {
	return guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		switch last := request.Messages[len(request.Messages)-1]; {
		case last.Internal:
			return guardtest.Say(kept).Response, nil
		case last.Role == guard.RoleTool:
			return guardtest.Say("I've deleted Read book.").Response, nil
		}
		return guardtest.Call(deletes("Read book")).Response, nil
	})
}

// BenchmarkTurnsParallel is run with -cpu 1,2: one guard serves all.
func BenchmarkTurnsParallel(b *testing.B) {
	model := twoStep()
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := g.Run(context.Background(), model, deleted, guard.Input{User: "delete Read book", Owner: "ann"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestAllocationsOfATurn holds the guard to its budget: intent, review of one call, record and
// completion cost at most 85 allocations more than the bare loop.
func TestAllocationsOfATurn(t *testing.T) {
	if raceEnabled {
		t.Skip("pools drop what they hold under the race detector, and everything is slower")
	}
	model, tools, ctx := twoStep(), taskTools(), context.Background()
	g, err := guard.New(tools, nil)
	if err != nil {
		t.Fatal(err)
	}
	bare := testing.AllocsPerRun(500, func() { _, _ = bareLoop(ctx, model, deleted, tools, "delete Read book") })
	guarded := testing.AllocsPerRun(500, func() {
		_, _ = g.Run(ctx, model, deleted, guard.Input{User: "delete Read book", Owner: "ann"})
	})
	if guarded-bare > 85 {
		t.Errorf("a guarded turn costs %.0f allocations, a bare one %.0f", guarded, bare)
	}
}

// TestAllocationsOfAProof holds the request for proof and its check to their budget,
// beside what the turn itself costs.
func TestAllocationsOfAProof(t *testing.T) {
	if raceEnabled {
		t.Skip("pools drop what they hold under the race detector, and everything is slower")
	}
	ctx := context.Background()
	g, err := guard.New(taskTools(), &guard.Options{Evaluator: doubting("deleted")})
	if err != nil {
		t.Fatal(err)
	}
	allocations := testing.AllocsPerRun(500, func() {
		_, _ = g.Run(ctx, provingModel(), deleted, guard.Input{User: "delete Read book", Owner: "ann"})
	})
	if allocations > 445 { // each record and sentence is read into sets of values
		t.Errorf("a turn with a proof costs %.0f allocations", allocations)
	}
}
