package sqltrack

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// Dialect is the kind of database behind a *sql.DB.
type Dialect uint8

const (
	// SQLite is version 3.35 or newer.
	SQLite Dialect = iota + 1
	// PostgreSQL is version 12 or newer.
	PostgreSQL
)

// String is the dialect's usual name.
func (d Dialect) String() string {
	switch d {
	case SQLite:
		return "SQLite"
	case PostgreSQL:
		return "PostgreSQL"
	}
	return "dialect(" + strconv.Itoa(int(d)) + ")"
}

// folder holds the dialect's migrations.
func (d Dialect) folder() string {
	if d == SQLite {
		return "migrations/sqlite"
	}
	return "migrations/postgres"
}

// bind writes the placeholders of a statement, which stand as ? in the source,
// in the dialect's form.
func (d Dialect) bind(query string) string {
	if d != PostgreSQL {
		return query
	}
	var out strings.Builder
	n := 0
	for _, part := range strings.SplitAfter(query, "?") {
		if text, found := strings.CutSuffix(part, "?"); found {
			n++
			out.WriteString(text)
			out.WriteString("$" + strconv.Itoa(n))
		} else {
			out.WriteString(part)
		}
	}
	return out.String()
}

// now is the database's own clock in milliseconds since 1970, as an expression.
func (d Dialect) now() string {
	if d == SQLite {
		return "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"
	}
	return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
}

// patience lets a connection wait for a lock. SQLite fails at once unless it
// is told otherwise, on every connection.
func (d Dialect) patience(ctx context.Context, conn *sql.Conn) error {
	if d != SQLite {
		return nil
	}
	_, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 10000")
	return err
}

// begin starts a transaction that may write. SQLite takes its write lock at
// once: taking it later, after a read, could fail in a way that no waiting
// helps. Durability is asked for explicitly, since a driver or an earlier user
// of the connection may have relaxed it.
func (d Dialect) begin(ctx context.Context, conn *sql.Conn) error {
	if err := d.patience(ctx, conn); err != nil {
		return err
	}
	statements := []string{"BEGIN", "SET LOCAL synchronous_commit = on"}
	if d == SQLite {
		statements = []string{"PRAGMA synchronous = FULL", "BEGIN IMMEDIATE"}
	}
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
