package sqltrack

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Options tune a [Store]. Nil and zero fields are the defaults.
type Options struct {
	// Timeout bounds one transaction, waiting for locks included; default 30 seconds.
	Timeout time.Duration
	// FinishWithin is how long a result goes on being written while the connection is lost: without
	// it no one would know later whether the call ran. Default 5 seconds; negative: no second try.
	FinishWithin time.Duration
}

// Store is a [tooltrack.ApprovalStore] on a database. It is safe for concurrent use.
type Store struct {
	db      *sql.DB
	dialect Dialect
	timeout time.Duration
	within  time.Duration // for a result while the connection is lost
	writer  *writer
}

var _ tooltrack.ApprovalStore = (*Store)(nil)

// ErrClosed is returned by a store after Close.
var ErrClosed = errors.New("the store is closed; open it again to record calls")

// Open creates or upgrades the tables and returns a store. The database stays the caller's:
// closing the store does not close it.
func Open(ctx context.Context, db *sql.DB, dialect Dialect, options *Options) (*Store, error) {
	if db == nil {
		return nil, errors.New("db is nil; pass an open database")
	}
	if dialect != SQLite && dialect != PostgreSQL {
		return nil, fmt.Errorf("%v is not supported; use SQLite or PostgreSQL", dialect)
	}
	options = cmp.Or(options, &Options{})
	s := &Store{
		db: db, dialect: dialect, timeout: cmp.Or(max(options.Timeout, 0), 30*time.Second),
		within: cmp.Or(options.FinishWithin, 5*time.Second),
	}
	conn, err := dialect.connect(ctx, db)
	if err != nil {
		return nil, err
	}
	if err = errors.Join(migrate(ctx, conn, dialect), conn.Close()); err != nil {
		return nil, fmt.Errorf("preparing the %v database: %w", dialect, discreet(err))
	}
	s.writer = &writer{commit: s.commit}
	return s, nil
}

// Close waits for the writes under way. Writes after it are refused with [ErrClosed].
func (s *Store) Close() error {
	s.writer.close()
	return nil
}

// Begin implements [tooltrack.Store].
func (s *Store) Begin(ctx context.Context, record *tooltrack.Record, rerun bool) (tooltrack.Begun, error) {
	return write(ctx, s, record.Owner, func(d *desk) (tooltrack.Begun, error) { return d.Begin(record, rerun) })
}

// Atomically implements [tooltrack.ApprovalStore]. The step shares its transaction
// with other writes, like every write.
func (s *Store) Atomically(ctx context.Context, owner string, step func(tooltrack.Desk) error) error {
	_, err := write(ctx, s, owner, func(d *desk) (_ struct{}, err error) {
		defer func() {
			if fault := recover(); fault != nil {
				err = fmt.Errorf("a step on what waits panicked: %v", fault)
			}
		}()
		return struct{}{}, step(d)
	})
	return err
}

// Finish implements [tooltrack.Store]. The result is written again and again while the
// connection is lost. That is safe, since a record is completed once: what an earlier try has
// stored is found by the next.
func (s *Store) Finish(ctx context.Context, record *tooltrack.Record) (*tooltrack.Record, error) {
	const firstPause, longestPause = 20 * time.Millisecond, time.Second
	until := time.Now().Add(s.within)
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		stored, err := write(ctx, s, record.Owner, func(d *desk) (*tooltrack.Record, error) { return d.finish(record) })
		switch {
		case errors.Is(err, tooltrack.ErrFinished) && pause > firstPause &&
			stored.Result.Status == record.Result.Status && stored.Finished.Equal(record.Finished):
			return stored, nil // it was ours, and its answer was lost
		case err == nil || !connectionLost(err) || time.Now().Add(pause).After(until):
			return stored, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		}
	}
}

// write runs a step in the next transaction, and waits until it is durable.
func write[T any](ctx context.Context, s *Store, owner string, step func(*desk) (T, error)) (done T, err error) {
	if owner == "" {
		return done, tooltrack.ErrNoOwner
	}
	result := new(T) // its own: who leaves early does not look at it
	err = s.writer.do(ctx, owner, func(d *desk) (err error) {
		*result, err = step(d)
		return err
	})
	if err == nil || errors.Is(err, tooltrack.ErrFinished) {
		done = *result
	}
	return done, discreet(err)
}

// Records implements [tooltrack.Store].
func (s *Store) Records(ctx context.Context, query tooltrack.Query) ([]*tooltrack.Record, error) {
	statement, args := selectRecords(query)
	return s.records(ctx, query.Owner, statement, args)
}

// Completed implements [tooltrack.Store].
func (s *Store) Completed(ctx context.Context, owner string, after int64, limit int) ([]*tooltrack.Record, error) {
	statement, args := selectCompleted(owner, after, limit)
	return s.records(ctx, owner, statement, args)
}

func (s *Store) records(
	ctx context.Context, owner, statement string, args []any,
) (records []*tooltrack.Record, err error) {
	if owner == "" {
		return nil, tooltrack.ErrNoOwner
	}
	err = s.read(ctx, func(r *reader) error {
		records, err = all(r, scan, statement, args...)
		return err
	})
	return records, err
}

// Documents implements [tooltrack.ApprovalStore].
func (s *Store) Documents(
	ctx context.Context, query tooltrack.DocumentQuery,
) (found []tooltrack.Document, now time.Time, err error) {
	if query.Owner == "" && !query.AllOwners {
		return nil, now, tooltrack.ErrNoOwner
	}
	err = s.read(ctx, func(r *reader) (err error) {
		if now, err = r.now(); err == nil {
			statement, args := selectDocuments(query)
			found, err = all(r, scanDocument, statement, args...)
		}
		return err
	})
	return found, now, err
}

// read runs queries on a connection of their own.
func (s *Store) read(ctx context.Context, queries func(*reader) error) (err error) {
	conn, err := s.dialect.connect(ctx, s.db)
	if err != nil {
		return err
	}
	defer func() { err = discreet(errors.Join(err, conn.Close())) }()
	if err := s.dialect.patience(ctx, conn); err != nil {
		return err
	}
	return queries(&reader{ctx: ctx, conn: conn, dialect: s.dialect})
}

// one runs a statement that returns one row, by itself.
func (s *Store) one(ctx context.Context, statement string, args []any, into ...any) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return s.read(ctx, func(r *reader) error { return r.row(statement, args...)(into...) })
}
