// Package database opens what flags such as -db and -ledger name.
package database

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// ErrNoPostgreSQL says that the program was built without the driver "pgx".
var ErrNoPostgreSQL = errors.New("PostgreSQL is left out of this build")

// Open opens ":memory:", a file of SQLite, or a PostgreSQL URL.
func Open(name string) (*sql.DB, sqltrack.Dialect, error) {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		if !slices.Contains(sql.Drivers(), "pgx") {
			return nil, 0, ErrNoPostgreSQL
		}
		db, err := sql.Open("pgx", name)
		if err != nil {
			return nil, 0, fmt.Errorf("opening PostgreSQL: %w", err)
		}
		db.SetMaxOpenConns(20)
		db.SetMaxIdleConns(20)
		return db, sqltrack.PostgreSQL, nil
	}
	if strings.Contains(name, "://") {
		return nil, 0, errors.New("it is the name of a file, or postgres://…")
	}
	if name != ":memory:" {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return nil, 0, fmt.Errorf("making the folder of the database: %w", err)
		}
	}
	pragmas := url.Values{
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "foreign_keys(1)"}, "_txlock": {"immediate"},
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: name}).EscapedPath()+"?"+pragmas.Encode())
	if err != nil {
		return nil, 0, fmt.Errorf("opening SQLite: %w", err)
	}
	// SQLite has one writer at a time anyway; with one connection the callers
	// queue up in the pool, in order, instead of polling for the lock.
	db.SetMaxOpenConns(1)
	return db, sqltrack.SQLite, nil
}
