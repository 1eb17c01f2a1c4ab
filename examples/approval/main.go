// Approval is the smallest program in which a person decides about a call: one process
// asks and ends, another one answers and goes on.
//
//	go run ./examples/approval ask
//	go run ./examples/approval list
//	go run ./examples/approval answer ap_… yes
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

func main() {
	file := flag.String("db", filepath.Join(os.TempDir(), "bonafide-approval.db"), "`file` that the processes share")
	flag.Parse()
	if err := run(context.Background(), *file, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var tools = []tooltrack.Tool{{
	Name: "refund", Description: "Refund an order.", Effect: tooltrack.Changes,
	Parameters: json.RawMessage(`{"type":"object","properties":{"order":{"type":"string"},"amount":{"type":"number"}},
		"required":["order","amount"],"additionalProperties":false}`),
}}

func run(ctx context.Context, file string, args []string, out io.Writer) error {
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		return err
	}
	defer db.Close()
	store, err := sqltrack.Open(ctx, db, sqltrack.SQLite, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	// Ann works for the customer; refunds above 50 are Carol's decision.
	ledger := tooltrack.NewLedger(store, &tooltrack.LedgerOptions{SeparateApprover: true})
	g, err := guard.New(tools, &guard.Options{Ledger: ledger, Policy: &policy.Options{Approvals: []policy.Approval{
		policy.NeedsApproval("refund", policy.Above("amount", 50)),
	}}})
	if err != nil {
		return err
	}
	switch {
	case len(args) == 1 && args[0] == "ask":
		return ask(ctx, g, out)
	case len(args) == 1 && args[0] == "list":
		return list(ctx, ledger, out)
	case len(args) == 3 && args[0] == "answer":
		return answer(ctx, g, args[1], args[2] == "yes", out)
	}
	return errors.New("usage: approval [-db file] ask | list | answer ID yes|no")
}

// ask is the first process: the turn ends while the call waits.
func ask(ctx context.Context, g *guard.Guard, out io.Writer) error {
	reply, err := g.Run(ctx, model(), executor(out), guard.Input{
		User: "refund order A-17, 70 euros", Owner: "ann", Turn: tooltrack.NewTurn(),
	})
	fmt.Fprintln(out, reply.Text)
	if errors.Is(err, guard.ErrHeld) {
		return nil
	}
	return err
}

func list(ctx context.Context, ledger *tooltrack.Ledger, out io.Writer) error {
	waiting, err := ledger.Approvals(ctx, tooltrack.ApprovalQuery{AllOwners: true})
	for _, a := range waiting {
		fmt.Fprintf(out, "%s %s by %s: %s %s\n", a.ID, a.State, a.Owner, a.Call.Tool, a.Call.Args)
	}
	return err
}

// answer is the second process, days later: Carol decides, and the turn goes on.
func answer(ctx context.Context, g *guard.Guard, id string, approve bool, out io.Writer) error {
	decided, err := g.Ledger().Answer(ctx, "ann", id, tooltrack.Answer{By: "carol", Approve: approve, Reason: "as agreed"})
	if err != nil {
		return err
	}
	reply, err := g.Resume(ctx, model(), executor(out), decided.Owner, decided.Turn)
	fmt.Fprintln(out, reply.Text+reply.Account)
	return err
}

// model stands for a real one: it calls the tool, and tells what came of it.
func model() guard.Model {
	return guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		last := request.Messages[len(request.Messages)-1]
		said := guard.Message{Role: guard.RoleAssistant, Text: "I refunded 70 euros for order A-17."}
		switch {
		case last.Role == guard.RoleUser:
			said = guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{
				{ID: "call_1", Tool: "refund", Args: json.RawMessage(`{"order":"A-17","amount":70}`)},
			}}
		case last.Failed:
			said.Text = "Order A-17 was not refunded: carol rejected it."
		}
		return guard.Response{Message: said, Stop: guard.StopEnd}, nil
	})
}

func executor(out io.Writer) guard.Executor {
	return guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
		fmt.Fprintf(out, "(the money is sent: %s)\n", call.Args)
		return []byte(`{"success":true}`), nil
	})
}
