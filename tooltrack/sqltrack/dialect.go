package sqltrack

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Dialect is the kind of database behind a *sql.DB.
type Dialect uint8

const (
	// SQLite is version 3.35 or newer.
	SQLite Dialect = iota + 1
	// PostgreSQL is version 12 or newer.
	PostgreSQL
)

// dialects are how they differ: the name, the folder of the migrations, the database's own clock in
// milliseconds since 1970, and what begins a transaction that may write. SQLite takes its write
// lock at once: taking it after a read could fail in a way that no waiting helps. Durability is
// asked for, since a driver or an earlier user of the connection may have relaxed it.
var dialects = map[Dialect]struct {
	name, folder, now string
	begin             [2]string
}{
	SQLite: {"SQLite", "migrations/sqlite",
		"CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
		[2]string{"PRAGMA synchronous = FULL", "BEGIN IMMEDIATE"}},
	PostgreSQL: {"PostgreSQL", "migrations/postgres",
		"CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
		[2]string{"BEGIN", "SET LOCAL synchronous_commit = on"}},
}

// String is the dialect's usual name.
func (d Dialect) String() string {
	return cmp.Or(dialects[d].name, "dialect("+strconv.Itoa(int(d))+")")
}

func (d Dialect) now() string { return dialects[d].now }

// bind writes the placeholders of a statement, which stand as ? in the source, in the dialect's
// form.
func (d Dialect) bind(query string) string {
	if d != PostgreSQL {
		return query
	}
	parts := strings.Split(query, "?")
	for i := range parts[1:] {
		parts[i] += "$" + strconv.Itoa(i+1)
	}
	return strings.Join(parts, "")
}

// patience lets a connection wait for a lock. SQLite fails at once unless it is told otherwise,
// on every connection.
func (d Dialect) patience(ctx context.Context, conn *sql.Conn) error {
	if d != SQLite {
		return nil
	}
	_, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 10000")
	return err
}

// begin starts a transaction that may write.
func (d Dialect) begin(ctx context.Context, conn *sql.Conn) error {
	err := d.patience(ctx, conn)
	for _, statement := range dialects[d].begin {
		if err == nil {
			_, err = conn.ExecContext(ctx, statement)
		}
	}
	return err
}

// connect returns a connection. A data source name may ask for WAL mode, and SQLite refuses the
// switch at once, whatever its busy timeout, while another connection makes it; so connecting is
// tried again for a while.
func (d Dialect) connect(ctx context.Context, db *sql.DB) (*sql.Conn, error) {
	conn, err := db.Conn(ctx)
	until := time.Now().Add(10 * time.Second)
	for d == SQLite && isLocked(err) && ctx.Err() == nil && time.Now().Before(until) {
		time.Sleep(10 * time.Millisecond)
		conn, err = db.Conn(ctx)
	}
	return conn, discreet(err)
}

// isLocked knows the error by its text, since the driver is the host's choice.
func isLocked(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "database is locked") ||
		strings.Contains(err.Error(), "SQLITE_BUSY"))
}

// lostWords are what drivers, whose types are not known here, and servers say when a connection
// breaks. Sources: libpq, pgx, lib/pq, and PostgreSQL's error codes of class 08 and 57P.
var lostWords = []string{
	"connection refused", "connection reset", "broken pipe", "server closed", "conn closed", "connection closed",
	"closed the connection", "failed to connect", "terminating connection", "unexpected eof", "database system is",
	"sqlstate 08", "sqlstate 57p", "bad connection",
}

// connectionLost tells a database that cannot be reached from one that refuses a write.
func connectionLost(err error) bool {
	var network net.Error
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) && !errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	text := strings.ToLower(err.Error())
	return slices.ContainsFunc(lostWords, func(words string) bool { return strings.Contains(text, words) })
}
