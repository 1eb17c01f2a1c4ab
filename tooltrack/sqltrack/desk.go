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

var _ tooltrack.ApprovalStore = (*Store)(nil)

// Atomically implements [tooltrack.ApprovalStore]. The step shares its transaction
// with other writes, like every write.
func (s *Store) Atomically(ctx context.Context, owner string, step func(tooltrack.Desk) error) error {
	if owner == "" {
		return tooltrack.ErrNoOwner
	}
	return discreet(s.writer.do(ctx, owner, func(d *desk) error { return runStep(step, d) }))
}

// Documents implements [tooltrack.ApprovalStore].
func (s *Store) Documents(
	ctx context.Context, query tooltrack.DocumentQuery,
) (found []tooltrack.Document, now time.Time, err error) {
	if query.Owner == "" && !query.AllOwners {
		return nil, now, tooltrack.ErrNoOwner
	}
	err = s.read(ctx, func(conn *sql.Conn) error {
		var clock int64
		if err := conn.QueryRowContext(ctx, "SELECT "+s.dialect.now()).Scan(&clock); err != nil {
			return err
		}
		now = time.UnixMilli(clock).UTC()
		statement, args := selectDocuments(query)
		rows, err := conn.QueryContext(ctx, s.dialect.bind(statement), args...)
		if err == nil {
			found, err = scanAll(rows, scanDocument)
		}
		return err
	})
	return found, now, err
}

func selectDocuments(query tooltrack.DocumentQuery) (string, []any) {
	var statement strings.Builder
	statement.WriteString("SELECT owner, kind, id, conversation, task, turn, is_open, data FROM bonafide_waiting " +
		"WHERE kind = ?")
	args := []any{query.Kind}
	owner := query.Owner
	if query.AllOwners {
		owner = ""
	}
	for _, filter := range [...]struct{ column, value string }{
		{"owner", owner}, {"id", query.ID}, {"conversation", query.Conversation}, {"task", query.Task}, {"turn", query.Turn},
	} {
		if filter.value != "" {
			statement.WriteString(" AND " + filter.column + " = ?")
			args = append(args, filter.value)
		}
	}
	if query.OnlyOpen {
		statement.WriteString(" AND is_open = 1")
	}
	statement.WriteString(" ORDER BY written, id")
	return statement.String(), args
}

func scanDocument(row func(...any) error) (d tooltrack.Document, err error) {
	var open int64
	err = row(&d.Owner, &d.Kind, &d.ID, &d.Conversation, &d.Task, &d.Turn, &open, &d.Data)
	d.Open = open != 0
	return d, err
}

// runStep survives a step that panics.
func runStep(step func(tooltrack.Desk) error, desk *desk) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a step on what waits panicked: %v", fault)
		}
	}()
	return step(desk)
}

// desk is the desk of one owner inside a transaction that has locked the owner.
type desk struct {
	tx    *transaction
	owner string
	count *counters
	wrote bool
	err   error // of the database: after one the transaction can do nothing more
}

func (d *desk) failed(err error) error {
	if err != nil && d.err == nil {
		d.err = err
	}
	return err
}

func (d *desk) Now() (time.Time, error) {
	var clock int64
	err := d.failed(d.tx.row("SELECT " + d.tx.dialect.now())(&clock))
	return time.UnixMilli(clock).UTC(), err
}

func (d *desk) Record(_ string, seq int64) (*tooltrack.Record, error) {
	record, err := scan(d.tx.row(selectRecord, d.owner, seq))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, tooltrack.ErrNoRecord
	}
	return record, d.failed(err)
}

const releaseRecord = "UPDATE bonafide_records SET cursor = ?, args = ?, effect = ?, denied = ?, rewritten = ?, " +
	"status = ?, data = ?, call_key = ?, digest = ?, key_turn = ?, occurrence = ?, attempt = ?, began = ?, " +
	"finished = ?, detail = ?, begun_at = "

func (d *desk) Release(record *tooltrack.Record) (*tooltrack.Record, error) {
	stored := *record
	if stored.Done() {
		stored.Cursor = d.count.cursor + 1
	}
	more, err := detailOf(&stored)
	if err != nil {
		return nil, err
	}
	updated, err := d.tx.count(
		releaseRecord+d.tx.dialect.now()+" WHERE owner = ? AND seq = ? AND status = ? AND finished = 0",
		sql.NullInt64{Int64: stored.Cursor, Valid: stored.Cursor != 0}, []byte(stored.Args), int64(stored.Effect),
		boolean(stored.Ruling.Denied), []byte(stored.Ruling.Rewritten), int64(stored.Result.Status),
		[]byte(stored.Result.Data), stored.Key, stored.Digest, keyTurn(&stored), stored.Occurrence, stored.Attempt,
		nanoseconds(stored.Began), nanoseconds(stored.Finished), more, d.owner, stored.Seq, int64(tooltrack.Held))
	switch {
	case err != nil:
		return nil, d.failed(err)
	case updated != 1:
		return nil, tooltrack.ErrFinished
	}
	if d.wrote = true; stored.Done() {
		d.count.cursor, d.count.changed = stored.Cursor, true
	}
	return &stored, nil
}

func (d *desk) Documents(query tooltrack.DocumentQuery) ([]tooltrack.Document, error) {
	query.Owner, query.AllOwners = d.owner, false
	statement, args := selectDocuments(query)
	rows, err := d.tx.query(statement, args...)
	if d.failed(err) != nil {
		return nil, err
	}
	found, err := scanAll(rows, scanDocument)
	return found, d.failed(err)
}

func (d *desk) Put(document tooltrack.Document) error {
	for _, text := range []string{document.ID, document.Conversation, document.Task, document.Turn} {
		if !isStorable(text) {
			return fmt.Errorf("a name of %s %.40q holds a NUL or invalid UTF-8; replace such characters", document.Kind,
				document.ID)
		}
	}
	_, err := d.tx.exec("INSERT INTO bonafide_waiting "+
		"(owner, kind, id, conversation, task, turn, is_open, data, written) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, "+d.tx.dialect.now()+") ON CONFLICT (owner, kind, id) DO UPDATE SET "+
		"conversation = excluded.conversation, task = excluded.task, turn = excluded.turn, is_open = excluded.is_open, "+
		"data = excluded.data", d.owner, document.Kind, document.ID, document.Conversation, document.Task, document.Turn,
		boolean(document.Open), document.Data)
	d.wrote = true
	return d.failed(err)
}

func (d *desk) Drop(kind, id string) error {
	_, err := d.tx.exec("DELETE FROM bonafide_waiting WHERE owner = ? AND kind = ? AND id = ?", d.owner, kind, id)
	d.wrote = true
	return d.failed(err)
}
