package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	_ "modernc.org/sqlite"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/otelguard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// tool describes one tool, once for all: the model, the guard and the rules read it.
func tool(name, description string, effect tooltrack.Effect, properties, required string) tooltrack.Tool {
	return tooltrack.Tool{
		Name: name, Description: description, Effect: effect,
		Subject:    tooltrack.SubjectArg{Arg: "guest", Kind: "guest"},
		Parameters: json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":[` + required + `]}`),
	}
}

var tools = []tooltrack.Tool{
	tool("find_guest", "Find a guest and the guest's room.", tooltrack.Reads,
		`"guest":{"type":"string"}`, `"guest"`),
	tool("move_guest", "Move a guest to another room.", tooltrack.Changes,
		`"guest":{"type":"string"},"room":{"type":"string"}`, `"guest","room"`),
	tool("check_out_guest", "Check a guest out.", tooltrack.Changes,
		`"guest":{"type":"string"}`, `"guest"`),
	tool("refund_guest", "Refund a guest, in euros.", tooltrack.Changes,
		`"guest":{"type":"string"},"amount":{"type":"number"}`, `"guest","amount"`),
}

// rules say which calls may run, and which ones the manager decides about.
func rules() *policy.Options {
	return &policy.Options{
		Rules: policy.Rules{Tools: map[string][]policy.Argument{
			"move_guest":   {policy.Arg("room", policy.OneOf("101", "102", "204", "305"))},
			"refund_guest": {policy.Arg("amount", policy.Between(1, 500))},
		}},
		Approvals: []policy.Approval{
			policy.NeedsApproval("refund_guest", policy.Above("amount", 50)).Within(48 * time.Hour),
		},
	}
}

// examples are what the staff says and no word list knows.
var examples = []intent.Example{
	{User: "wrap up Kenji Ito's stay", Expected: []string{"check_out_guest"}},
	{User: "wrap up Ana Sousa's stay", Expected: []string{"check_out_guest"}},
	{User: "wrap up Aiko Ito's stay", Expected: []string{"check_out_guest"}},
}

// desk is a guard with its ledger.
type desk struct {
	*guard.Guard
	close func()
}

// openDesk opens the ledger and makes the guard. Any process that does so with the same file
// can go on with a turn that another one has begun.
func openDesk(ctx context.Context, file string, h *hotel, telemetry *otelguard.Telemetry, observe bool) (*desk, error) {
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		return nil, err
	}
	store, err := sqltrack.Open(ctx, db, sqltrack.SQLite, nil)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	g, err := guard.New(tools, &guard.Options{
		Observe: observe,
		Policy:  rules(),
		Ledger:  tooltrack.NewLedger(store, &tooltrack.LedgerOptions{SeparateApprover: true}),
		Directories: map[string]guard.Directory{
			"guest": resolver.NewDirectory(resolver.SourceFunc(h.entries), &resolver.Options{Noun: "guest"}),
		},
		Intent: &intent.Options{Examples: examples},
		Logger: telemetry.Logger(nil),
	})
	if err != nil {
		return nil, errors.Join(err, store.Close(), db.Close())
	}
	return &desk{g, func() { _ = errors.Join(store.Close(), db.Close()) }}, nil
}
