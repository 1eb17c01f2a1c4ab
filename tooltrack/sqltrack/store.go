package sqltrack

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Options tune a [Store]. Nil and zero fields are the defaults.
type Options struct {
	// MaxBatch is how many writes may share one transaction; default 512. With 1
	// every write has its own.
	MaxBatch int
	// Timeout bounds one transaction, waiting for locks included; default 30
	// seconds.
	Timeout time.Duration
	// FinishWithin is how long a result goes on being written while the connection
	// to the database is lost, as when it restarts: without it no one would know
	// later whether the call ran. Default 5 seconds; negative: no second try.
	FinishWithin time.Duration
}

const (
	defaultMaxBatch = 512
	defaultTimeout  = 30 * time.Second
	defaultFinish   = 5 * time.Second
	rollbackTimeout = 5 * time.Second
)

// Store is a [tooltrack.Store] on a database. It is safe for concurrent use.
type Store struct {
	db      *sql.DB
	dialect Dialect
	timeout time.Duration
	within  time.Duration // for a result while the connection is lost
	writer  *writer
}

var _ tooltrack.Store = (*Store)(nil)

// ErrClosed is returned by a store after Close.
var ErrClosed = errors.New("the store is closed; open it again to record calls")

// Open creates or upgrades the tables and returns a store, which runs one
// goroutine until it is closed. The database stays the caller's: closing the
// store does not close it.
func Open(ctx context.Context, db *sql.DB, dialect Dialect, options *Options) (*Store, error) {
	if db == nil {
		return nil, errors.New("db is nil; pass an open database")
	}
	if dialect != SQLite && dialect != PostgreSQL {
		return nil, fmt.Errorf("%v is not supported; use SQLite or PostgreSQL", dialect)
	}
	if options == nil {
		options = &Options{}
	}
	s := &Store{db: db, dialect: dialect, timeout: options.Timeout, within: options.FinishWithin}
	if s.within == 0 {
		s.within = defaultFinish
	}
	if s.timeout <= 0 {
		s.timeout = defaultTimeout
	}
	conn, err := dialect.connect(ctx, db)
	if err != nil {
		return nil, err
	}
	err = errors.Join(migrate(ctx, conn, dialect), conn.Close())
	if err != nil {
		return nil, fmt.Errorf("preparing the %v database: %w", dialect, discreet(err))
	}
	maxBatch := options.MaxBatch
	if maxBatch <= 0 {
		maxBatch = defaultMaxBatch
	}
	s.writer = newWriter(maxBatch, s.commit)
	return s, nil
}

// Close waits for the writes under way and ends the store's goroutine. Writes
// after it are refused with [ErrClosed].
func (s *Store) Close() error {
	s.writer.close()
	return nil
}

// Begin implements [tooltrack.Store].
func (s *Store) Begin(ctx context.Context, record *tooltrack.Record, rerun bool) (tooltrack.Begun, error) {
	if record.Owner == "" {
		return tooltrack.Begun{}, tooltrack.ErrNoOwner
	}
	if err := storable(record); err != nil {
		return tooltrack.Begun{}, err
	}
	done := new(tooltrack.Begun) // its own: who leaves early does not look at it
	err := s.writer.do(ctx, record.Owner, func(d *desk) (err error) {
		*done, err = d.Begin(record, rerun)
		return err
	})
	if err != nil {
		return tooltrack.Begun{}, discreet(err)
	}
	return *done, nil
}

// Finish implements [tooltrack.Store].
func (s *Store) Finish(ctx context.Context, record *tooltrack.Record) (*tooltrack.Record, error) {
	if record.Owner == "" {
		return nil, tooltrack.ErrNoOwner
	}
	return s.finish(ctx, record)
}

// Records implements [tooltrack.Store].
func (s *Store) Records(ctx context.Context, query tooltrack.Query) ([]*tooltrack.Record, error) {
	if query.Owner == "" {
		return nil, tooltrack.ErrNoOwner
	}
	statement, args := selectRecords(query)
	return s.query(ctx, statement, args...)
}

// Completed implements [tooltrack.Store].
func (s *Store) Completed(ctx context.Context, owner string, after int64, limit int) ([]*tooltrack.Record, error) {
	if owner == "" {
		return nil, tooltrack.ErrNoOwner
	}
	statement, args := selectCompleted(owner, after, limit)
	return s.query(ctx, statement, args...)
}

func selectRecords(query tooltrack.Query) (string, []any) {
	statement := strings.Builder{}
	statement.WriteString("SELECT " + columns + " FROM bonafide_records WHERE owner = ? AND seq > ?")
	args := []any{query.Owner, query.After}
	for _, filter := range [...]struct{ column, value string }{
		{"turn", query.Turn}, {"task", query.Task}, {"conversation", query.Conversation},
	} {
		if filter.value != "" {
			// The second condition is always true here; it lets the planner use the
			// index that leaves the empty ones out.
			statement.WriteString(" AND " + filter.column + " = ? AND " + filter.column + " <> ''")
			args = append(args, filter.value)
		}
	}
	statement.WriteString(" ORDER BY seq")
	if query.Limit > 0 {
		statement.WriteString(" LIMIT ?")
		args = append(args, query.Limit)
	}
	return statement.String(), args
}

func selectCompleted(owner string, after int64, limit int) (string, []any) {
	statement := "SELECT " + columns +
		" FROM bonafide_records WHERE owner = ? AND cursor > ? AND cursor IS NOT NULL ORDER BY cursor"
	args := []any{owner, after}
	if limit > 0 {
		statement += " LIMIT ?"
		args = append(args, limit)
	}
	return statement, args
}

func (s *Store) query(ctx context.Context, statement string, args ...any) (records []*tooltrack.Record, err error) {
	err = s.read(ctx, func(conn *sql.Conn) error {
		rows, err := conn.QueryContext(ctx, s.dialect.bind(statement), args...)
		if err == nil {
			records, err = scanAll(rows, scan)
		}
		return err
	})
	return records, err
}

// read runs queries on a connection of their own.
func (s *Store) read(ctx context.Context, queries func(*sql.Conn) error) (err error) {
	conn, err := s.dialect.connect(ctx, s.db)
	if err != nil {
		return err
	}
	defer func() { err = discreet(errors.Join(err, conn.Close())) }()
	if err := s.dialect.patience(ctx, conn); err != nil {
		return err
	}
	return queries(conn)
}

// scanAll reads rows, each by a function that takes the Scan method of *sql.Rows.
func scanAll[T any](rows *sql.Rows, scan func(row func(...any) error) (T, error)) (found []T, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		one, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, rows.Err()
}
