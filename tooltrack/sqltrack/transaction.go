package sqltrack

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// commit makes a batch durable in one transaction. If a statement fails the writes are done over
// one by one, so that each caller gets the fault of its own. If the commit itself fails it is
// not known what is stored, and nothing is tried again.
func (s *Store) commit(batch []*step) {
	// All processes lock owners in the same order, so they cannot block each
	// other for good; within an owner the order of arrival is kept.
	slices.SortStableFunc(batch, func(a, b *step) int { return strings.Compare(a.owner, b.owner) })
	err, atCommit := s.inTransaction(context.Background(), func(tx *transaction) error { return tx.do(batch) })
	if err != nil && len(batch) > 1 && !atCommit {
		for i := range batch {
			s.commit(batch[i : i+1])
		}
		return
	}
	if err != nil {
		for _, one := range batch {
			one.err = fmt.Errorf("recording in %v: %w", s.dialect, err)
		}
	}
}

// inTransaction runs a step in a transaction of its own.
func (s *Store) inTransaction(ctx context.Context, run func(*transaction) error) (err error, atCommit bool) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	conn, err := s.dialect.connect(ctx, s.db)
	if err != nil {
		return err, false
	}
	defer func() { _ = conn.Close() }() // it only gives the connection back
	return transact(ctx, conn, s.dialect, run)
}

// transact runs a step in one transaction; atCommit tells a failed commit from a
// statement that failed before it.
func transact(
	ctx context.Context, conn *sql.Conn, dialect Dialect, run func(*transaction) error,
) (err error, atCommit bool) {
	defer func() {
		if err != nil {
			abandon(conn)
		}
	}()
	if err := dialect.begin(ctx, conn); err != nil {
		return err, false
	}
	if dialect == SQLite {
		// Waiting for the lock is over, and from here on nothing can block: watching
		// a deadline would cost more than the statements.
		ctx = context.WithoutCancel(ctx)
	}
	tx := &transaction{reader: reader{ctx: ctx, conn: conn, dialect: dialect}, owners: map[string]*counters{}}
	if err := errors.Join(run(tx), tx.fault); err != nil {
		return err, false
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err, true
}

// abandon ends a transaction whatever became of the context it ran under. A
// connection that cannot be cleaned must not go back to the pool.
func abandon(conn *sql.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// reader runs queries on a connection.
type reader struct {
	ctx     context.Context
	conn    *sql.Conn
	dialect Dialect
	fault   error // of the database: after one a transaction can do nothing more
}

// failed keeps the first fault of the database. That there is no such row is none.
func (r *reader) failed(err error) error {
	if r.fault == nil && !errors.Is(err, sql.ErrNoRows) {
		r.fault = err
	}
	return err
}

func (r *reader) row(query string, args ...any) func(...any) error {
	return func(into ...any) error {
		return r.failed(r.conn.QueryRowContext(r.ctx, r.dialect.bind(query), args...).Scan(into...))
	}
}

// now is the database's clock.
func (r *reader) now() (time.Time, error) {
	var clock int64
	err := r.row("SELECT " + r.dialect.now())(&clock)
	return time.UnixMilli(clock).UTC(), err
}

// all reads rows, each by a function that takes the Scan method of *sql.Rows.
func all[T any](
	r *reader, scan func(row func(...any) error) (T, error), query string, args ...any,
) (found []T, err error) {
	rows, err := r.conn.QueryContext(r.ctx, r.dialect.bind(query), args...)
	if err != nil {
		return nil, r.failed(err)
	}
	defer func() { err = r.failed(errors.Join(err, rows.Close())) }()
	for rows.Next() {
		one, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, rows.Err()
}

// transaction is one batch at work.
type transaction struct {
	reader
	owners map[string]*counters
	wrote  bool // in the present step
}

// counters number the records of an owner.
type counters struct {
	seq, cursor int64
	changed     bool
}

// exec runs a statement and returns how many rows it has changed.
func (tx *transaction) exec(statement string, args ...any) (changed int64, err error) {
	done, err := tx.conn.ExecContext(tx.ctx, tx.dialect.bind(statement), args...)
	if err == nil {
		changed, err = done.RowsAffected()
	}
	tx.wrote = tx.wrote || changed > 0
	return changed, tx.failed(err)
}

func (tx *transaction) do(batch []*step) error {
	for _, one := range batch {
		if one.err = one.ctx.Err(); one.err != nil {
			continue
		}
		count, err := tx.lock(one.owner)
		if err != nil {
			return err
		}
		tx.wrote = false
		err = one.run(&desk{tx: tx, owner: one.owner, count: count})
		if tx.fault != nil || err != nil && tx.wrote {
			return errors.Join(err, tx.fault)
		}
		one.err = err // of a step that has written nothing: its caller's business
	}
	for owner, count := range tx.owners {
		if count.changed {
			_, err := tx.exec("UPDATE bonafide_owners SET seq = ?, cursor = ? WHERE owner = ?", count.seq, count.cursor, owner)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// lock reads the counters of an owner and keeps everybody else from the owner's records until
// the end of the transaction. That makes looking for an earlier attempt and writing the new one
// a single step, and lets cursors become visible in their order.
func (tx *transaction) lock(owner string) (*counters, error) {
	if count := tx.owners[owner]; count != nil {
		return count, nil
	}
	count := &counters{}
	err := tx.row(`INSERT INTO bonafide_owners (owner, seq, cursor) VALUES (?, 0, 0)
		ON CONFLICT (owner) DO UPDATE SET seq = bonafide_owners.seq RETURNING seq, cursor`, owner)(&count.seq, &count.cursor)
	tx.owners[owner] = count
	return count, err
}
