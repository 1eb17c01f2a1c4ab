// Command temporal runs a turn that waits for a person in Temporal: a worker, a workflow, and
// the approval that lets it go on.
//
//	temporal server start-dev   # of https://docs.temporal.io/cli
//	go run ./examples/temporal
//
// TEMPORAL_ADDRESS names another server than the one on this machine.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	_ "modernc.org/sqlite" // the driver of the ledger

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/temporalguard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

func main() {
	address := os.Getenv("TEMPORAL_ADDRESS")
	if address == "" {
		address = client.DefaultHostPort
	}
	if err := run(context.Background(), os.Stdout, address); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errNoServer = errors.New("no Temporal server answers; start one with `temporal server start-dev`, or set " +
	"TEMPORAL_ADDRESS (the tool: go install github.com/temporalio/cli/cmd/temporal@v1.5.1)")

func run(ctx context.Context, out io.Writer, address string) (err error) {
	dialling, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	server, err := client.DialContext(dialling, client.Options{
		HostPort: address, Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return fmt.Errorf("%s: %w", address, errNoServer)
	}
	defer server.Close()
	folder, err := os.MkdirTemp("", "bonafide-temporal")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "ledger.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	store, err := sqltrack.Open(ctx, db, sqltrack.SQLite, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	return pay(ctx, out, server, tooltrack.NewLedger(store, nil))
}

var payTool = tooltrack.Tool{
	Name: "pay_invoice", Description: "Pays an invoice", Effect: tooltrack.Changes,
	Parameters: []byte(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`),
}

// pay starts a worker and a workflow that pays an invoice once a person has approved it.
func pay(ctx context.Context, out io.Writer, server client.Client, ledger *tooltrack.Ledger) error {
	g, err := guard.New([]tooltrack.Tool{payTool}, &guard.Options{Ledger: ledger, Policy: &policy.Options{
		Approvals: []policy.Approval{policy.NeedsApproval("pay_invoice", policy.Always()).Within(72 * time.Hour)},
	}})
	if err != nil {
		return err
	}
	// A script stands in for the model here.
	model := guardtest.Script(guardtest.Call(guardtest.Tool("pay_invoice", `{"id":"A-17"}`)),
		guardtest.Say("I have paid invoice A-17."))
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{
		"pay_invoice": guardtest.Returns(`{"success":true,"id":"A-17"}`),
	})
	activities, err := temporalguard.New(g, model, executor, nil)
	if err != nil {
		return err
	}
	id := fmt.Sprint("pay-A-17-", time.Now().UnixNano())
	w := worker.New(server, id, worker.Options{})
	activities.Register(w)
	if err := w.Start(); err != nil {
		return err
	}
	defer w.Stop()
	turn, err := server.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: id, TaskQueue: id},
		temporalguard.WorkflowConverse, temporalguard.Request{User: "pay invoice A-17", Owner: "ann"})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "ann: pay invoice A-17")
	approval, err := firstApproval(ctx, ledger)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "waits for a person: %s; %d calls were made\n", approval.Summary, len(executor.Calls()))
	if _, err := ledger.Answer(ctx, "ann", approval.ID, tooltrack.Answer{Approve: true, By: "carol"}); err != nil {
		return err
	}
	fmt.Fprintln(out, "carol approves")
	if err := server.SignalWorkflow(ctx, id, "", temporalguard.SignalApproval, approval.ID); err != nil {
		return err
	}
	var result temporalguard.Result
	if err := turn.Get(ctx, &result); err != nil {
		return err
	}
	fmt.Fprintf(out, "agent: %s; %d call was made\n", result.Text, len(executor.Calls()))
	return nil
}

// firstApproval waits until the turn asks.
func firstApproval(ctx context.Context, ledger *tooltrack.Ledger) (*tooltrack.Approval, error) {
	for {
		open, err := ledger.Approvals(ctx, tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: "ann"}})
		if err != nil || len(open) > 0 {
			return append(open, nil)[0], err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
