package temporalguard_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	_ "modernc.org/sqlite"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/temporalguard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

var payTool = tooltrack.Tool{
	Name: "pay_invoice", Description: "Pays an invoice", Effect: tooltrack.Changes,
	Parameters: []byte(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`),
}

// office pays invoices, and counts how often it did.
type office struct {
	mu     sync.Mutex
	paid   int
	during func() // runs inside the tool, after it has paid
}

func (o *office) Execute(context.Context, tooltrack.Call) ([]byte, error) {
	o.mu.Lock()
	o.paid++
	o.mu.Unlock()
	if o.during != nil {
		o.during()
	}
	return []byte(`{"success":true,"id":"A-17"}`), nil
}

// payer calls the tool once, and tells what came of it.
var payer = guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
	last := request.Messages[len(request.Messages)-1]
	switch {
	case last.Role == guard.RoleUser:
		return guardtest.Call(guardtest.Tool("pay_invoice", `{"id":"A-17"}`)).Response, nil
	case last.Failed || !strings.Contains(last.Text, "success"): // it may be answered by a call of unknown fate
		return guardtest.Say("I cannot say that invoice A-17 is paid: the call did not go through. What shall I do?").Response, nil
	}
	return guardtest.Say("I have paid invoice A-17.").Response, nil
})

type rig struct {
	*testsuite.TestWorkflowEnvironment
	t      *testing.T
	office *office
	ledger *tooltrack.Ledger
}

func newRig(t *testing.T, model guard.Model, approvals ...policy.Approval) *rig {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "ledger.db"))
	require.NoError(t, err)
	store, err := sqltrack.Open(t.Context(), db, sqltrack.SQLite, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(store.Close(), db.Close())) })
	r := &rig{t: t, office: &office{}, ledger: tooltrack.NewLedger(store, nil)}
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	r.TestWorkflowEnvironment = suite.NewTestWorkflowEnvironment()
	r.SetTestTimeout(time.Minute)
	g, err := guard.New([]tooltrack.Tool{payTool}, &guard.Options{Ledger: r.ledger, Policy: &policy.Options{Approvals: approvals}})
	require.NoError(t, err)
	activities, err := temporalguard.New(g, model, r.office, &temporalguard.Options{Heartbeat: 10 * time.Millisecond})
	require.NoError(t, err)
	activities.Register(r)
	return r
}

var _ worker.Registry = (*testsuite.TestWorkflowEnvironment)(nil)

func (r *rig) run() (result temporalguard.Result, err error) {
	r.ExecuteWorkflow(temporalguard.WorkflowConverse, temporalguard.Request{User: "pay invoice A-17", Owner: "ann"})
	require.True(r.t, r.IsWorkflowCompleted())
	if err = r.GetWorkflowError(); err == nil {
		err = r.GetWorkflowResult(&result)
	}
	return result, err
}

// answerAll decides about everything that waits, and returns the ids.
func (r *rig) answerAll(approve bool) (ids []string) {
	open, err := r.ledger.Approvals(context.Background(), tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: "ann"}})
	require.NoError(r.t, err)
	for _, approval := range open {
		answer := tooltrack.Answer{Approve: approve, By: "carol", Reason: "seen"}
		_, err := r.ledger.Answer(context.Background(), "ann", approval.ID, answer)
		require.NoError(r.t, err)
		ids = append(ids, approval.ID)
	}
	return ids
}

func TestTurnAsOneActivity(t *testing.T) {
	r := newRig(t, payer)
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, "I have paid invoice A-17.", result.Text)
	require.Equal(t, 1, r.office.paid)
	require.Equal(t, "default-test-workflow-id", result.Turn, "the turn is named by the workflow")
}

// The worker dies after the tool has paid and before anybody was told: the activity runs
// again, and pays nothing.
func TestRetryRepeatsNoChange(t *testing.T) {
	asked := 0
	model := guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
		if request.Messages[len(request.Messages)-1].Role == guard.RoleTool {
			if asked++; asked == 1 {
				return guard.Response{}, errors.New("connection reset")
			}
		}
		return payer(ctx, request)
	})
	r := newRig(t, model)
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, "I have paid invoice A-17.", result.Text)
	require.Equal(t, 2, asked)
	require.Equal(t, 1, r.office.paid)
}

// A turn that does not pass is not tried again: its error says so, with the account.
func TestOutcomesAreNotRetried(t *testing.T) {
	asked := 0
	liar := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		asked++
		return guardtest.Say("I have paid invoice A-17.").Response, nil
	})
	r := newRig(t, liar)
	_, err := r.run()
	var application *temporal.ApplicationError
	require.ErrorAs(t, err, &application)
	require.True(t, application.NonRetryable())
	require.Less(t, asked, 6)
	var account string
	require.NoError(t, application.Details(&account))
	require.Contains(t, account, "Nothing was changed in this turn.")
	require.Zero(t, r.office.paid)
}

// A call waits for 72 hours, in which nothing runs; signals about other approvals, and the
// same one twice, change nothing.
func TestHeldCallWaitsForItsSignal(t *testing.T) {
	r := newRig(t, payer, policy.NeedsApproval("pay_invoice", policy.Always()))
	began := r.Now()
	r.RegisterDelayedCallback(func() { r.SignalWorkflow(temporalguard.SignalApproval, "ap_other") }, time.Hour)
	r.RegisterDelayedCallback(func() {
		require.Zero(t, r.office.paid)
		ids := r.answerAll(true)
		require.Len(t, ids, 1)
		r.SignalWorkflow(temporalguard.SignalApproval, ids[0])
		r.SignalWorkflow(temporalguard.SignalApproval, ids[0])
	}, 72*time.Hour)
	result, err := r.run()
	require.NoError(t, err)
	require.Equal(t, "I have paid invoice A-17.", result.Text)
	require.Empty(t, result.Held)
	require.Equal(t, 1, r.office.paid)
	require.GreaterOrEqual(t, r.Now().Sub(began), 72*time.Hour)
}

// A signal alone approves nothing: the decision is read from the ledger.
func TestSignalWithoutADecision(t *testing.T) {
	r := newRig(t, payer, policy.NeedsApproval("pay_invoice", policy.Always()))
	r.RegisterDelayedCallback(func() {
		open, err := r.ledger.Approvals(t.Context(), tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: "ann"}})
		require.NoError(t, err)
		r.SignalWorkflow(temporalguard.SignalApproval, open[0].ID)
	}, time.Hour)
	r.RegisterDelayedCallback(func() {
		require.Zero(t, r.office.paid)
		r.SignalWorkflow(temporalguard.SignalApproval, r.answerAll(false)[0])
	}, 2*time.Hour)
	result, err := r.run()
	require.NoError(t, err)
	require.Contains(t, result.Text, "I cannot say that invoice A-17 is paid")
	require.Zero(t, r.office.paid)
}

// Nobody answers: the timer ends the wait, and the ledger says that the approval has expired.
func TestApprovalExpires(t *testing.T) {
	r := newRig(t, payer, policy.NeedsApproval("pay_invoice", policy.Always()).Within(50*time.Millisecond))
	result, err := r.run()
	require.NoError(t, err)
	require.Contains(t, result.Text, "I cannot say that invoice A-17 is paid")
	require.Zero(t, r.office.paid)
}

// A workflow that is cancelled while it waits ends, and pays nothing.
func TestCancelledWhileItWaits(t *testing.T) {
	r := newRig(t, payer, policy.NeedsApproval("pay_invoice", policy.Always()))
	r.RegisterDelayedCallback(r.CancelWorkflow, time.Hour)
	_, err := r.run()
	var cancelled *temporal.CanceledError
	require.ErrorAs(t, err, &cancelled)
	require.Zero(t, r.office.paid)
}

// A workflow's own steps are recorded, and made once, however often they are retried.
func TestDo(t *testing.T) {
	r := newRig(t, payer)
	steps := func(ctx workflow.Context) error {
		ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: time.Minute})
		for range 2 {
			step := temporalguard.Step{Owner: "ann", Call: tooltrack.Call{Tool: "pay_invoice", Args: []byte(`{"id":"A-17"}`)}}
			if err := workflow.ExecuteActivity(ctx, temporalguard.ActivityDo, step).Get(ctx, nil); err != nil {
				return err
			}
		}
		return workflow.ExecuteActivity(ctx, temporalguard.ActivityDo, temporalguard.Step{Owner: "ann", Call: tooltrack.Call{Tool: "no_such"}}).Get(ctx, nil)
	}
	r.RegisterWorkflow(steps)
	r.ExecuteWorkflow(steps)
	require.ErrorContains(t, r.GetWorkflowError(), "no_such")
	require.Equal(t, 1, r.office.paid)
}

func TestNewRefusesNonsense(t *testing.T) {
	g, err := guard.New([]tooltrack.Tool{payTool}, nil)
	require.NoError(t, err)
	_, err = temporalguard.New(nil, payer, &office{}, nil)
	require.ErrorContains(t, err, "the guard is nil")
	_, err = temporalguard.New(g, nil, &office{}, nil)
	require.ErrorIs(t, err, guard.ErrNoModel)
	_, err = temporalguard.New(g, payer, nil, nil)
	require.ErrorIs(t, err, guard.ErrNoExecutor)
}

// Histories of a real server, recorded once, are replayed by today's workflow code: a change
// that would break turns which wait at this moment is found here.
func TestRecordedHistoriesReplay(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		replayer := worker.NewWorkflowReplayer()
		replayer.RegisterWorkflowWithOptions(temporalguard.Converse, workflow.RegisterOptions{Name: temporalguard.WorkflowConverse})
		require.NoError(t, replayer.ReplayWorkflowHistoryFromJSONFile(nil, file), file)
	}
}

// A worker registers the activities; here the SDK's test suite stands in for one.
func ExampleActivities() {
	g, err := guard.New([]tooltrack.Tool{payTool}, nil)
	if err != nil {
		panic(err)
	}
	activities, err := temporalguard.New(g, payer, &office{}, nil)
	if err != nil {
		panic(err)
	}
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestWorkflowEnvironment()
	activities.Register(env)
	env.ExecuteWorkflow(temporalguard.WorkflowConverse, temporalguard.Request{User: "pay invoice A-17", Owner: "ann"})
	var result temporalguard.Result
	if err := env.GetWorkflowResult(&result); err != nil {
		panic(err)
	}
	fmt.Println(result.Text)
	// Output: I have paid invoice A-17.
}
