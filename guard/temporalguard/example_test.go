package temporalguard_test

import (
	"fmt"
	"log/slog"

	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/temporalguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A turn as a workflow. Temporal's test environment stands in for its server, and a script
// for the model.
func Example() {
	g, err := guard.New([]tooltrack.Tool{payTool}, nil) // workers that share turns share a ledger: see package sqltrack
	if err != nil {
		panic(err)
	}
	model := guardtest.Script(
		guardtest.Call(guardtest.Tool("pay_invoice", `{"id":"A-17"}`)),
		guardtest.Say("I have paid invoice A-17."))
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{
		"pay_invoice": guardtest.Returns(`{"success":true,"id":"A-17"}`),
	})
	activities, err := temporalguard.New(g, model, executor, nil)
	if err != nil {
		panic(err)
	}

	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	server := suite.NewTestWorkflowEnvironment()
	activities.Register(server) // with a real server: a worker.Worker
	server.ExecuteWorkflow(temporalguard.Converse, temporalguard.Request{User: "pay invoice A-17", Owner: "ann"})

	var result temporalguard.Result
	if err := server.GetWorkflowResult(&result); err != nil {
		panic(err)
	}
	fmt.Println(result.Text)
	// Output: I have paid invoice A-17.
}
