package sqltrack

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// commit makes a batch durable in one transaction. If a statement fails the
// writes are done over one by one, so that each caller gets the fault of its
// own write. If the commit itself fails it is not known what is stored, and
// nothing is tried again.
func (s *Store) commit(batch []*write) {
	// All processes lock owners in the same order, so they cannot block each
	// other for good; within an owner the order of arrival is kept.
	slices.SortStableFunc(batch, func(a, b *write) int { return strings.Compare(a.owner, b.owner) })
	err, atCommit := s.inTransaction(context.Background(), func(tx *transaction) error { return tx.run(batch) })
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

// inTransaction runs a step in one transaction; atCommit tells a failed commit from a
// statement that failed before it.
func (s *Store) inTransaction(ctx context.Context, run func(*transaction) error) (err error, atCommit bool) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	conn, err := s.dialect.connect(ctx, s.db)
	if err != nil {
		return err, false
	}
	defer func() {
		if err != nil {
			abandon(conn)
		}
		_ = conn.Close() // it only gives the connection back
	}()
	if err := s.dialect.begin(ctx, conn); err != nil {
		return err, false
	}
	if s.dialect == SQLite {
		// Waiting for the lock is over, and from here on nothing can block: watching
		// a deadline would cost more than the statements.
		ctx = context.WithoutCancel(ctx)
	}
	tx := &transaction{
		ctx: ctx, conn: conn, dialect: s.dialect, owners: map[string]*counters{}, statements: map[string]*sql.Stmt{},
	}
	if err := errors.Join(run(tx), tx.close()); err != nil {
		return err, false
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err, true
}

// transaction is one batch at work.
type transaction struct {
	ctx        context.Context
	conn       *sql.Conn
	dialect    Dialect
	owners     map[string]*counters
	statements map[string]*sql.Stmt
}

// counters number the records of an owner.
type counters struct {
	seq, cursor int64
	changed     bool
}

func (tx *transaction) run(batch []*write) error {
	for _, one := range batch {
		if one.err = one.ctx.Err(); one.err != nil {
			continue
		}
		count, err := tx.lock(one.owner)
		if err != nil {
			return err
		}
		switch {
		case one.step != nil:
			err = tx.step(one, count)
		case one.begin != nil:
			err = tx.begin(one, count)
		default:
			err = tx.finish(one, count)
		}
		if err != nil {
			return err
		}
	}
	for owner, count := range tx.owners {
		if !count.changed {
			continue
		}
		if _, err := tx.exec("UPDATE bonafide_owners SET seq = ?, cursor = ? WHERE owner = ?", count.seq, count.cursor,
			owner); err != nil {
			return err
		}
	}
	return nil
}

// lock reads the counters of an owner and keeps everybody else from the
// owner's records until the end of the transaction. That makes looking for an
// earlier attempt and writing the new one a single step, and lets cursors
// become visible in their order.
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

func (tx *transaction) begin(one *write, count *counters) error {
	stored := *one.begin
	stored.Attempt = 1
	// Nearly every call is new, so the insert comes first and the search for an
	// earlier attempt only if one is in the way.
	inserted, err := tx.insert(&stored, count)
	if err != nil || inserted {
		one.begun = tooltrack.Begun{Record: &stored, Run: mayRun(&stored)}
		return err
	}
	attempts, err := tx.attempts(&stored)
	if err != nil {
		return err
	}
	if len(attempts) > 0 && attempts[0].Digest != stored.Digest {
		one.err = tooltrack.ErrKeyReused
		return nil
	}
	if answer, run := tooltrack.Decide(attempts, one.rerun); !run && !stored.Done() {
		one.begun = tooltrack.Begun{Record: answer}
		one.begun.Age, err = tx.age(answer)
		return err
	}
	stored.Attempt = len(attempts) + 1
	inserted, err = tx.insert(&stored, count)
	if err == nil && !inserted {
		err = fmt.Errorf("attempt %d of %s was recorded by a writer that does not lock the owner", stored.Attempt,
			stored.Tool)
	}
	one.begun = tooltrack.Begun{Record: &stored, Run: mayRun(&stored)}
	return err
}

// mayRun reports whether a record that was written down is to be executed now.
func mayRun(record *tooltrack.Record) bool { return !record.Done() && !record.Held() }

// insertRecord writes the time by the database's clock beside the record: the
// clocks of the processes that share it may differ.
func insertRecord(dialect Dialect) string {
	return "INSERT INTO bonafide_records (" + columns + ", begun_at) " +
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " +
		dialect.now() + ") ON CONFLICT (owner, key_turn, call_key, occurrence, attempt) WHERE call_key <> '' DO NOTHING"
}

// insert writes a record under the next numbers. It reports false, and uses no
// number, if the attempt exists.
func (tx *transaction) insert(record *tooltrack.Record, count *counters) (bool, error) {
	record.Seq = count.seq + 1
	if record.Done() {
		record.Cursor = count.cursor + 1
	}
	row, err := values(record)
	if err != nil {
		return false, err
	}
	done, err := tx.exec(insertRecord(tx.dialect), row...)
	if err != nil {
		return false, err
	}
	inserted, err := done.RowsAffected()
	if err != nil || inserted == 0 {
		record.Seq, record.Cursor = 0, 0
		return false, err
	}
	count.seq, count.changed = record.Seq, true
	if record.Done() {
		count.cursor = record.Cursor
	}
	return true, nil
}

const selectAttempts = "SELECT " + columns + " FROM bonafide_records " +
	"WHERE owner = ? AND key_turn = ? AND call_key = ? AND occurrence = ? AND call_key <> '' ORDER BY attempt"

func (tx *transaction) attempts(record *tooltrack.Record) ([]*tooltrack.Record, error) {
	rows, err := tx.query(selectAttempts, record.Owner, keyTurn(record), record.Key, record.Occurrence)
	if err != nil {
		return nil, err
	}
	return scanAll(rows)
}

// age is how long ago an unfinished record was begun, by the database's clock.
func (tx *transaction) age(record *tooltrack.Record) (time.Duration, error) {
	if record.Done() {
		return 0, nil
	}
	var milliseconds int64
	age := "SELECT " + tx.dialect.now() + " - begun_at FROM bonafide_records WHERE owner = ? AND seq = ?"
	err := tx.row(age, record.Owner, record.Seq)(&milliseconds)
	return time.Duration(milliseconds) * time.Millisecond, err
}

const (
	updateRecord = "UPDATE bonafide_records SET cursor = ?, denied = ?, status = ?, data = ?, finished = ?, detail = ?, " +
		"sight = ? WHERE owner = ? AND seq = ? AND status = ?"
	selectRecord = "SELECT " + columns + " FROM bonafide_records WHERE owner = ? AND seq = ?"
)

func (tx *transaction) finish(one *write, count *counters) error {
	stored, err := scan(tx.row(selectRecord, one.owner, one.finish.Seq))
	if errors.Is(err, sql.ErrNoRows) {
		one.err = tooltrack.ErrNoRecord
		return nil
	}
	if err != nil {
		return err
	}
	if !one.finish.CanComplete(stored) {
		one.finished, one.err = stored, tooltrack.ErrFinished
		return nil
	}
	finish, before := *one.finish, stored.Result.Status // it may have to be written again
	stored = finish.Completing(stored)
	stored.Cursor = count.cursor + 1
	more, err := detailOf(stored)
	if err != nil {
		one.err = fmt.Errorf("result metadata of %s cannot be stored as JSON: %w", stored.Tool, err)
		return nil
	}
	done, err := tx.exec(updateRecord, stored.Cursor, boolean(stored.Ruling.Denied), int64(stored.Result.Status),
		[]byte(stored.Result.Data), nanoseconds(stored.Finished), more, string(stored.Sight()),
		one.owner, stored.Seq, int64(before))
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, fmt.Errorf("record %d was not updated; another writer does not lock the owner",
			stored.Seq))
	}
	count.cursor, count.changed = stored.Cursor, true
	one.finished = stored
	return nil
}

// exec, query and row run a statement of the batch. SQLite compiles statements
// itself, so they are kept for the batch; the drivers for PostgreSQL keep
// their own.
func (tx *transaction) exec(query string, args ...any) (sql.Result, error) {
	statement, err := tx.prepare(query)
	if err != nil {
		return nil, err
	}
	if statement == nil {
		return tx.conn.ExecContext(tx.ctx, tx.dialect.bind(query), args...)
	}
	return statement.ExecContext(tx.ctx, args...)
}

func (tx *transaction) query(query string, args ...any) (*sql.Rows, error) {
	statement, err := tx.prepare(query)
	if err != nil {
		return nil, err
	}
	if statement == nil {
		return tx.conn.QueryContext(tx.ctx, tx.dialect.bind(query), args...)
	}
	return statement.QueryContext(tx.ctx, args...)
}

func (tx *transaction) row(query string, args ...any) func(...any) error {
	statement, err := tx.prepare(query)
	switch {
	case err != nil:
		return func(...any) error { return err }
	case statement == nil:
		return tx.conn.QueryRowContext(tx.ctx, tx.dialect.bind(query), args...).Scan
	}
	return statement.QueryRowContext(tx.ctx, args...).Scan
}

func (tx *transaction) prepare(query string) (*sql.Stmt, error) {
	if tx.dialect != SQLite {
		return nil, nil
	}
	statement := tx.statements[query]
	if statement == nil {
		var err error
		if statement, err = tx.conn.PrepareContext(tx.ctx, query); err != nil {
			return nil, err
		}
		tx.statements[query] = statement
	}
	return statement, nil
}

func (tx *transaction) close() error {
	var err error
	for _, statement := range tx.statements {
		err = errors.Join(err, statement.Close())
	}
	return err
}
