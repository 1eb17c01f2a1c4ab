package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

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
	db, dialect, err := connect(name)
	if err != nil {
		return nil, nil, fmt.Errorf("-ledger: %s", policy.HideSecrets(err.Error()))
	}
	store, err := sqltrack.Open(ctx, db, dialect, nil)
	if err != nil {
		_ = db.Close()
		return nil, nil, fmt.Errorf("-ledger: opening it: %s", policy.HideSecrets(err.Error()))
	}
	return tooltrack.NewLedger(store, nil), func() error { return errors.Join(store.Close(), db.Close()) }, nil
}

func connect(name string) (*sql.DB, sqltrack.Dialect, error) {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		db, err := sql.Open("pgx", name)
		if err != nil {
			return nil, 0, err
		}
		db.SetMaxOpenConns(8)
		return db, sqltrack.PostgreSQL, nil
	}
	if strings.Contains(name, "://") {
		return nil, 0, errors.New(`it is "memory", the name of a file, or postgres://…`)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, 0, err
	}
	pragmas := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)"}, "_txlock": {"immediate"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: name}).EscapedPath()+"?"+pragmas.Encode())
	if err != nil {
		return nil, 0, err
	}
	db.SetMaxOpenConns(1) // SQLite has one writer at a time anyway
	return db, sqltrack.SQLite, nil
}
