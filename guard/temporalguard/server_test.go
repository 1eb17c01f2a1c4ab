package temporalguard_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/temporalguard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// What a child process is told by its parent: the folder that workers share, the queue, and
// whether it stops inside the tool until it is killed.
const (
	childFolder = "BONAFIDE_TEST_TEMPORAL_FOLDER"
	childQueue  = "BONAFIDE_TEST_TEMPORAL_QUEUE"
	childStops  = "BONAFIDE_TEST_TEMPORAL_STOPS"
)

func dial(t *testing.T) client.Client {
	t.Helper()
	address := os.Getenv("BONAFIDE_TEST_TEMPORAL")
	if address == "" {
		t.Skip("BONAFIDE_TEST_TEMPORAL is not set; set it to the address of a Temporal server, as `temporal server start-dev` gives one, to run this test")
	}
	c, err := client.Dial(client.Options{HostPort: address, Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler))})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func openLedger(t *testing.T, folder string) *tooltrack.Ledger {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "ledger.db")+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)")
	require.NoError(t, err)
	store, err := sqltrack.Open(t.Context(), db, sqltrack.SQLite, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(store.Close(), db.Close())) })
	return tooltrack.NewLedger(store, nil)
}

// TestWorkerChild is a worker of its own process.
func TestWorkerChild(t *testing.T) {
	folder := os.Getenv(childFolder)
	if folder == "" {
		t.Skip("this is a worker that the tests with a real server start")
	}
	options := &guard.Options{Ledger: openLedger(t, folder)}
	if strings.Contains(os.Getenv(childQueue), "held") {
		options.Policy = &policy.Options{Approvals: []policy.Approval{policy.NeedsApproval("pay_invoice", policy.Always())}}
	}
	g, err := guard.New([]tooltrack.Tool{payTool}, options)
	require.NoError(t, err)
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
		file, err := os.OpenFile(filepath.Join(folder, "paid"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = file.WriteString("paid\n")
		}
		if err != nil {
			return nil, err
		}
		if os.Getenv(childStops) != "" {
			fmt.Println("inside the tool")
			_, _ = io.Copy(io.Discard, os.Stdin) // until the parent kills us
		}
		return []byte(`{"success":true,"id":"A-17"}`), file.Close()
	})
	activities, err := temporalguard.New(g, payer, executor, nil)
	require.NoError(t, err)
	w := worker.New(dial(t), os.Getenv(childQueue), worker.Options{})
	activities.Register(w)
	require.NoError(t, w.Start())
	fmt.Println("working")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the parent is done
	w.Stop()
}

// fleet is the workers of one queue.
type fleet struct {
	*testing.T
	client        client.Client
	folder, queue string
}

func newFleet(t *testing.T, queue string) *fleet {
	c := dial(t)
	return &fleet{t, c, t.TempDir(), fmt.Sprintf("%s-%d", queue, time.Now().UnixNano())}
}

// worker starts a process, and returns what it prints.
func (f *fleet) worker(stops bool) (*exec.Cmd, *bufio.Scanner) {
	f.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestWorkerChild$", "-test.v")
	child.Env = append(os.Environ(), childFolder+"="+f.folder, childQueue+"="+f.queue)
	if stops {
		child.Env = append(child.Env, childStops+"=1")
	}
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe()
	require.NoError(f, err)
	stdout, err := child.StdoutPipe()
	require.NoError(f, err)
	require.NoError(f, child.Start())
	f.Cleanup(func() {
		_ = stdin.Close()
		_ = child.Process.Kill()
		_ = child.Wait()
	})
	lines := bufio.NewScanner(stdout)
	waitFor(f.T, lines, "working")
	return child, lines
}

func waitFor(t *testing.T, lines *bufio.Scanner, text string) {
	t.Helper()
	for lines.Scan() {
		if lines.Text() == text {
			return
		}
	}
	t.Fatalf("the worker ended before it said %q", text)
}

func (f *fleet) start() client.WorkflowRun {
	f.Helper()
	run, err := f.client.ExecuteWorkflow(f.Context(), client.StartWorkflowOptions{ID: f.queue, TaskQueue: f.queue},
		temporalguard.WorkflowConverse, temporalguard.Request{User: "pay invoice A-17", Owner: "ann"})
	require.NoError(f, err)
	return run
}

func (f *fleet) paid() int {
	data, err := os.ReadFile(filepath.Join(f.folder, "paid"))
	if !os.IsNotExist(err) {
		require.NoError(f, err)
	}
	return strings.Count(string(data), "paid\n")
}

// record keeps the history for TestRecordedHistoriesReplay, where the host asks for it.
func (f *fleet) record(name string) {
	folder := os.Getenv("BONAFIDE_TEST_TEMPORAL_RECORD")
	if folder == "" {
		return
	}
	all := &history.History{}
	events := f.client.GetWorkflowHistory(f.Context(), f.queue, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(f, err)
		all.Events = append(all.Events, event)
	}
	data, err := protojson.Marshal(all)
	require.NoError(f, err)
	require.NoError(f, os.WriteFile(filepath.Join(folder, name+".json"), append(data, '\n'), 0o600))
}

// A worker is killed in the middle of the tool. Another one takes the turn over, and pays
// nothing: what became of the first call is not known, and is told as such.
func TestServerWorkerKilledInMidActivity(t *testing.T) {
	f := newFleet(t, "killed")
	first, lines := f.worker(true)
	run := f.start()
	waitFor(t, lines, "inside the tool")
	require.NoError(t, first.Process.Kill())
	f.worker(false)
	var result temporalguard.Result
	require.NoError(t, run.Get(t.Context(), &result))
	require.Contains(t, result.Text, "I cannot say that invoice A-17 is paid")
	require.Equal(t, 1, f.paid())
	f.record("killed")
}

// Two workers share a queue. The approval is answered and signalled three times over: the
// invoice is paid once.
func TestServerDuplicateSignals(t *testing.T) {
	f := newFleet(t, "held")
	f.worker(false)
	f.worker(false)
	run := f.start()
	ledger := openLedger(t, f.folder)
	var open []*tooltrack.Approval
	require.Eventually(t, func() bool {
		var err error
		open, err = ledger.Approvals(t.Context(), tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: "ann"}})
		return err == nil && len(open) == 1
	}, time.Minute, 50*time.Millisecond)
	signal := func() {
		require.NoError(t, f.client.SignalWorkflow(t.Context(), f.queue, "", temporalguard.SignalApproval, open[0].ID))
	}
	signal() // before anything is decided: nothing may come of it
	require.Zero(t, f.paid())
	_, err := ledger.Answer(t.Context(), "ann", open[0].ID, tooltrack.Answer{Approve: true, By: "carol"})
	require.NoError(t, err)
	signal()
	_ = f.client.SignalWorkflow(t.Context(), f.queue, "", temporalguard.SignalApproval, open[0].ID) // it may be over by now
	var result temporalguard.Result
	require.NoError(t, run.Get(t.Context(), &result))
	require.Equal(t, "I have paid invoice A-17.", result.Text)
	require.Equal(t, 1, f.paid())
	f.record("held")
}
