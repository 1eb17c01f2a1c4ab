package main

import (
	"context"
	"errors"
	"fmt"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/bonafide-go/bonafide/examples/internal/database"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// inMemory names a ledger that is bounded and ends with the proxy.
const inMemory = "memory"

// openLedger opens what -ledger names: "memory", a file of SQLite, or a PostgreSQL
// URL. What it returns closes it.
func openLedger(ctx context.Context, name string) (*tooltrack.Ledger, func() error, error) {
	if name == inMemory {
		return tooltrack.NewLedger(nil, nil), func() error { return nil }, nil
	}
	db, dialect, err := database.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf(`-ledger: it is "memory", a file of SQLite or a PostgreSQL URL: %s`,
			policy.HideSecrets(err.Error()))
	}
	store, err := sqltrack.Open(ctx, db, dialect, nil)
	if err != nil {
		_ = db.Close()
		return nil, nil, fmt.Errorf("-ledger: opening it: %s", policy.HideSecrets(err.Error()))
	}
	return tooltrack.NewLedger(store, nil), func() error { return errors.Join(store.Close(), db.Close()) }, nil
}
