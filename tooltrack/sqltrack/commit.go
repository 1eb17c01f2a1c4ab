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
	if err := run(&transaction{ctx: ctx, conn: conn, dialect: s.dialect, owners: map[string]*counters{}}); err != nil {
		return err, false
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err, true
}

// transaction is one batch at work.
type transaction struct {
	ctx     context.Context
	conn    *sql.Conn
	dialect Dialect
	owners  map[string]*counters
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
		if err := tx.step(one, count); err != nil {
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

// step runs a step within the batch. One that fails before it has written anything is its
// caller's business; after that the transaction is given up.
func (tx *transaction) step(one *write, count *counters) error {
	desk := &desk{tx: tx, owner: one.owner, count: count}
	err := one.step(desk)
	if err != nil && !desk.wrote && desk.err == nil {
		one.err = err
		return nil
	}
	return errors.Join(err, desk.err)
}

// Begin writes a record before its call runs; see [tooltrack.Store].
func (d *desk) Begin(record *tooltrack.Record, rerun bool) (tooltrack.Begun, error) {
	stored := *record
	stored.Owner, stored.Attempt = d.owner, 1
	if err := storable(&stored); err != nil {
		return tooltrack.Begun{}, err
	}
	// Nearly every call is new, so the insert comes first and the search for an
	// earlier attempt only if one is in the way.
	inserted, err := d.insert(&stored)
	if err != nil || inserted {
		return tooltrack.Begun{Record: &stored, Run: mayRun(&stored)}, err
	}
	attempts, err := d.Attempts(&stored)
	switch {
	case err != nil:
		return tooltrack.Begun{}, err
	case len(attempts) > 0 && attempts[0].Digest != stored.Digest:
		return tooltrack.Begun{}, tooltrack.ErrKeyReused
	}
	if answer, run := tooltrack.Decide(attempts, rerun); !run && !stored.Done() {
		age, err := d.age(answer)
		return tooltrack.Begun{Record: answer, Age: age}, err
	}
	stored.Attempt = len(attempts) + 1
	inserted, err = d.insert(&stored)
	if err == nil && !inserted {
		err = d.failed(fmt.Errorf("attempt %d of %s was recorded by a writer that does not lock the owner", stored.Attempt,
			stored.Tool))
	}
	return tooltrack.Begun{Record: &stored, Run: mayRun(&stored)}, err
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
func (d *desk) insert(record *tooltrack.Record) (bool, error) {
	record.Seq = d.count.seq + 1
	if record.Done() {
		record.Cursor = d.count.cursor + 1
	}
	row, err := values(record)
	if err != nil {
		return false, err
	}
	inserted, err := d.tx.count(insertRecord(d.tx.dialect), row...)
	if err != nil || inserted == 0 {
		record.Seq, record.Cursor = 0, 0
		return false, d.failed(err)
	}
	d.count.seq, d.count.changed, d.wrote = record.Seq, true, true
	if record.Done() {
		d.count.cursor = record.Cursor
	}
	return true, nil
}

const selectAttempts = "SELECT " + columns + " FROM bonafide_records " +
	"WHERE owner = ? AND key_turn = ? AND call_key = ? AND occurrence = ? AND call_key <> '' ORDER BY attempt"

// Attempts are the earlier attempts at the same call.
func (d *desk) Attempts(record *tooltrack.Record) ([]*tooltrack.Record, error) {
	if record.Key == "" {
		return nil, nil
	}
	rows, err := d.tx.query(selectAttempts, d.owner, keyTurn(record), record.Key, record.Occurrence)
	if err != nil {
		return nil, d.failed(err)
	}
	attempts, err := scanAll(rows, scan)
	return attempts, d.failed(err)
}

// age is how long ago an unfinished record was begun, by the database's clock.
func (d *desk) age(record *tooltrack.Record) (time.Duration, error) {
	if record.Done() {
		return 0, nil
	}
	var milliseconds int64
	age := "SELECT " + d.tx.dialect.now() + " - begun_at FROM bonafide_records WHERE owner = ? AND seq = ?"
	err := d.failed(d.tx.row(age, d.owner, record.Seq)(&milliseconds))
	return time.Duration(milliseconds) * time.Millisecond, err
}

const (
	updateRecord = "UPDATE bonafide_records SET cursor = ?, denied = ?, status = ?, data = ?, finished = ?, detail = ?, " +
		"sight = ? WHERE owner = ? AND seq = ? AND status = ?"
	selectRecord = "SELECT " + columns + " FROM bonafide_records WHERE owner = ? AND seq = ?"
)

// finish completes a record; see [tooltrack.Store].
func (d *desk) finish(record *tooltrack.Record) (*tooltrack.Record, error) {
	before, err := d.Record("", record.Seq)
	switch {
	case err != nil:
		return nil, err
	case !record.CanComplete(before):
		return before, tooltrack.ErrFinished
	}
	finish, status := *record, before.Result.Status // it may have to be written again
	stored := finish.Completing(before)
	stored.Cursor = d.count.cursor + 1
	more, err := detailOf(stored)
	if err != nil {
		return nil, err
	}
	updated, err := d.tx.count(updateRecord, stored.Cursor, boolean(stored.Ruling.Denied), int64(stored.Result.Status),
		[]byte(stored.Result.Data), nanoseconds(stored.Finished), more, string(stored.Sight()),
		d.owner, stored.Seq, int64(status))
	if err == nil && updated != 1 {
		err = fmt.Errorf("record %d was not updated; another writer does not lock the owner", stored.Seq)
	}
	if err != nil {
		return nil, d.failed(err)
	}
	d.count.cursor, d.count.changed, d.wrote = stored.Cursor, true, true
	return stored, nil
}

func (tx *transaction) exec(query string, args ...any) (sql.Result, error) {
	return tx.conn.ExecContext(tx.ctx, tx.dialect.bind(query), args...)
}

func (tx *transaction) query(query string, args ...any) (*sql.Rows, error) {
	return tx.conn.QueryContext(tx.ctx, tx.dialect.bind(query), args...)
}

func (tx *transaction) row(query string, args ...any) func(...any) error {
	return tx.conn.QueryRowContext(tx.ctx, tx.dialect.bind(query), args...).Scan
}
