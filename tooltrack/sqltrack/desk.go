package sqltrack

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// desk is the desk of one owner inside a transaction that has locked the owner.
type desk struct {
	tx    *transaction
	owner string
	count *counters
}

func (d *desk) Now() (time.Time, error) { return d.tx.now() }

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
	if err == nil && !inserted {
		attempts, err := d.Attempts(&stored)
		if err != nil {
			return tooltrack.Begun{}, err
		}
		if answer, err := tooltrack.Decide(&stored, attempts, rerun); answer != nil || err != nil {
			age, failed := d.age(answer)
			return tooltrack.Begun{Record: answer, Age: age}, cmp.Or(err, failed)
		}
		stored.Attempt = len(attempts) + 1
		if inserted, err = d.insert(&stored); err == nil && !inserted {
			err = fmt.Errorf("attempt %d of %s was recorded by a writer that does not lock the owner", stored.Attempt,
				stored.Tool)
		}
		if d.tx.failed(err) != nil {
			return tooltrack.Begun{}, err
		}
	}
	return tooltrack.Begun{Record: &stored, Run: !stored.Done() && !stored.Held()}, err
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
	inserted, err := d.tx.exec(insertRecord(d.tx.dialect), row...)
	if err != nil || inserted == 0 {
		record.Seq, record.Cursor = 0, 0
		return false, err
	}
	d.count.seq, d.count.cursor, d.count.changed = record.Seq, max(d.count.cursor, record.Cursor), true
	return true, nil
}

// Attempts are the earlier attempts at the same call.
func (d *desk) Attempts(record *tooltrack.Record) ([]*tooltrack.Record, error) {
	if record.Key == "" {
		return nil, nil
	}
	return all(&d.tx.reader, scan, selectAttempts, d.owner, keyTurn(record), record.Key, record.Occurrence)
}

// age is how long ago an unfinished record was begun, by the database's clock.
func (d *desk) age(record *tooltrack.Record) (time.Duration, error) {
	if record == nil || record.Done() {
		return 0, nil
	}
	var milliseconds int64
	age := "SELECT " + d.tx.dialect.now() + " - begun_at FROM bonafide_records WHERE owner = ? AND seq = ?"
	err := d.tx.row(age, d.owner, record.Seq)(&milliseconds)
	return time.Duration(milliseconds) * time.Millisecond, err
}

func (d *desk) Record(_ string, seq int64) (*tooltrack.Record, error) {
	record, err := scan(d.tx.row(selectRecord, d.owner, seq))
	if errors.Is(err, sql.ErrNoRows) {
		err = tooltrack.ErrNoRecord
	}
	return record, err
}

// finish completes a record; see [tooltrack.Store].
func (d *desk) finish(record *tooltrack.Record) (*tooltrack.Record, error) {
	before, err := d.Record("", record.Seq)
	if err != nil {
		return nil, err
	}
	finish := *record // it may have to be written again
	if stored, err := finish.Completing(before); err != nil {
		return stored, err
	}
	return d.replace(before, &finish)
}

func (d *desk) Release(record *tooltrack.Record) (*tooltrack.Record, error) {
	before, err := d.Record("", record.Seq)
	switch {
	case err != nil:
		return nil, err
	case !before.Held():
		return nil, tooltrack.ErrFinished
	}
	released := *record
	return d.replace(before, &released)
}

// replace writes a record in the place of the stored one. It is begun now, if it is not done.
func (d *desk) replace(before, record *tooltrack.Record) (*tooltrack.Record, error) {
	if record.Done() {
		record.Cursor = d.count.cursor + 1
	}
	row, err := values(record)
	if err != nil {
		return nil, err
	}
	args := append(changing(row), string(record.Sight()), boolean(!record.Done()), d.owner, record.Seq,
		int64(before.Result.Status))
	updated, err := d.tx.exec(updateRecord(d.tx.dialect), args...)
	if err == nil && updated != 1 {
		err = d.tx.failed(fmt.Errorf("record %d was not updated; another writer does not lock the owner", record.Seq))
	}
	if err != nil {
		return nil, err
	}
	if record.Done() {
		d.count.cursor, d.count.changed = record.Cursor, true
	}
	return record, nil
}

func (d *desk) Documents(query tooltrack.DocumentQuery) ([]tooltrack.Document, error) {
	query.Owner, query.AllOwners = d.owner, false
	statement, args := selectDocuments(query)
	return all(&d.tx.reader, scanDocument, statement, args...)
}

func (d *desk) Put(document tooltrack.Document) error {
	if !isStorable(document.ID, document.Conversation, document.Task, document.Turn) {
		return fmt.Errorf("a name of %s %.40q holds a NUL or invalid UTF-8; replace such characters", document.Kind,
			document.ID)
	}
	_, err := d.tx.exec("INSERT INTO bonafide_waiting "+
		"(owner, kind, id, conversation, task, turn, is_open, data, written) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, "+d.tx.dialect.now()+") ON CONFLICT (owner, kind, id) DO UPDATE SET "+
		"conversation = excluded.conversation, task = excluded.task, turn = excluded.turn, is_open = excluded.is_open, "+
		"data = excluded.data", d.owner, document.Kind, document.ID, document.Conversation, document.Task, document.Turn,
		boolean(document.Open), document.Data)
	return err
}

func (d *desk) Drop(kind, id string) error {
	_, err := d.tx.exec("DELETE FROM bonafide_waiting WHERE owner = ? AND kind = ? AND id = ?", d.owner, kind, id)
	return err
}
