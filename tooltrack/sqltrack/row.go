package sqltrack

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// detail is what a record holds beside its searchable columns.
type detail struct {
	Rule        string              `json:"rule,omitempty"`
	Reason      string              `json:"reason,omitempty"`
	Error       string              `json:"error,omitempty"`
	Metadata    map[string]any      `json:"metadata,omitempty"`
	Doubtful    string              `json:"doubtful,omitempty"`
	Partly      bool                `json:"partly,omitempty"`
	Grade       tooltrack.Grade     `json:"grade"`
	Retried     bool                `json:"retried,omitempty"`
	RetryReason string              `json:"retry_reason,omitempty"`
	Message     string              `json:"message,omitempty"`
	Touched     []tooltrack.Subject `json:"touched,omitempty"`

	Confirmation *tooltrack.Confirmation `json:"confirmation,omitempty"`
}

// values are the columns of a record as they are written.
func values(r *tooltrack.Record) ([]any, error) {
	more, err := json.Marshal(detail{
		r.Ruling.Rule, r.Ruling.Reason, r.Result.Error, r.Result.Metadata, r.Result.Doubtful, r.Result.Partly, r.Result.Grade,
		r.Retried, r.RetryReason, r.Message, r.Touched, r.Result.Confirmation,
	})
	if err != nil {
		return nil, fmt.Errorf("result metadata of %s cannot be stored as JSON: %w", r.Tool, err)
	}
	return []any{
		r.Owner, r.Seq, sql.NullInt64{Int64: r.Cursor, Valid: r.Cursor != 0}, r.Conversation, r.Task, r.Turn, r.ID, r.Tool,
		[]byte(r.Args), int64(r.Effect), boolean(r.Ruling.Denied), []byte(r.Ruling.Rewritten), int64(r.Result.Status),
		[]byte(r.Result.Data), r.Key, r.Digest, keyTurn(r), r.Occurrence, r.Attempt, nanoseconds(r.Began),
		nanoseconds(r.Finished), more,
	}, nil
}

// keyTurn is the turn within which a key holds. A key that the host chose, the
// one with a digest, holds in all of them.
func keyTurn(r *tooltrack.Record) string {
	if r.Digest != "" {
		return ""
	}
	return r.Turn
}

// scan reads a record. It takes the Scan method of *sql.Row or *sql.Rows.
func scan(row func(...any) error) (*tooltrack.Record, error) {
	var (
		r                           tooltrack.Record
		cursor                      sql.NullInt64
		args, rewritten, data, more []byte
		effect, denied, status      int64
		began, finished             int64
		keyTurn                     string
	)
	err := row(&r.Owner, &r.Seq, &cursor, &r.Conversation, &r.Task, &r.Turn, &r.ID, &r.Tool, &args, &effect, &denied,
		&rewritten, &status, &data, &r.Key, &r.Digest, &keyTurn, &r.Occurrence, &r.Attempt, &began, &finished, &more)
	if err != nil {
		return nil, err
	}
	var d detail
	if err := json.Unmarshal(more, &d); err != nil {
		return nil, fmt.Errorf("record %d: the detail column is damaged: %w", r.Seq, err)
	}
	r.Cursor = cursor.Int64
	r.Args, r.Effect = raw(args), tooltrack.Effect(effect)
	r.Ruling = tooltrack.Ruling{Denied: denied != 0, Rewritten: raw(rewritten), Rule: d.Rule, Reason: d.Reason}
	r.Result = tooltrack.Result{
		Status: tooltrack.Status(status), Data: raw(data), Error: d.Error, Metadata: d.Metadata, Doubtful: d.Doubtful,
		Partly: d.Partly, Grade: d.Grade, Confirmation: d.Confirmation,
	}
	r.Retried, r.RetryReason, r.Message, r.Touched = d.Retried, d.RetryReason, d.Message, d.Touched
	r.Began, r.Finished = moment(began), moment(finished)
	return &r, nil
}

func raw(data []byte) json.RawMessage {
	if len(data) == 0 {
		return nil
	}
	return data
}

func boolean(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func moment(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds).UTC()
}

// scanDocument reads what waits for people.
func scanDocument(row func(...any) error) (d tooltrack.Document, err error) {
	var open int64
	err = row(&d.Owner, &d.Kind, &d.ID, &d.Conversation, &d.Task, &d.Turn, &open, &d.Data)
	d.Open = open != 0
	return d, err
}

// storable refuses a text that a database could not keep as it is. PostgreSQL takes no NUL,
// and neither takes text that is not UTF-8; refusing them everywhere keeps the dialects alike.
func storable(r *tooltrack.Record) error {
	if !isStorable(r.Owner, r.Conversation, r.Task, r.Turn, r.ID, r.Tool, r.Key, r.Digest) {
		return errors.New("the owner, conversation, task, turn, call id, tool name or key holds a NUL or invalid UTF-8; " +
			"replace such characters before recording the call")
	}
	return nil
}

func isStorable(texts ...string) bool {
	all := strings.Join(texts, " ")
	return utf8.ValidString(all) && strings.IndexByte(all, 0) < 0
}
