package sqltrack

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// All dialects share one text of each statement: placeholders are written as "?", and the
// clock of the database by [Dialect.now].

// columns are the columns of a record, in the order of values and scan.
const columns = "owner, seq, cursor, conversation, task, turn, call_id, tool, args, effect, denied, rewritten, " +
	"status, data, call_key, digest, key_turn, occurrence, attempt, began, finished, detail"

const (
	selectAttempts = "SELECT " + columns + " FROM bonafide_records " +
		"WHERE owner = ? AND key_turn = ? AND call_key = ? AND occurrence = ? AND call_key <> '' ORDER BY attempt"
	selectRecord = "SELECT " + columns + " FROM bonafide_records WHERE owner = ? AND seq = ?"
)

// insertRecord writes the time by the database's clock beside the record: the
// clocks of the processes that share it may differ.
func insertRecord(dialect Dialect) string {
	names := strings.Split(columns, ", ")
	return "INSERT INTO bonafide_records (" + columns + ", begun_at) VALUES (" + strings.Repeat("?, ", len(names)) +
		dialect.now() + ") ON CONFLICT (owner, key_turn, call_key, occurrence, attempt) WHERE call_key <> '' DO NOTHING"
}

// changing are those of a record's columns, or values, that may change after it was begun.
func changing[T any](row []T) []T { return slices.Concat(row[2:3], row[8:]) }

func updateRecord(dialect Dialect) string {
	return "UPDATE bonafide_records SET " + strings.Join(changing(strings.Split(columns, ", ")), " = ?, ") +
		" = ?, sight = ?, begun_at = CASE WHEN ? = 1 THEN " + dialect.now() + " ELSE begun_at END " +
		"WHERE owner = ? AND seq = ? AND status = ?"
}

// selection is a query in the making.
type selection struct {
	statement string
	args      []any
}

// where narrows the query, if there is a value. The condition is followed by more that is
// always true then, which lets the planner use an index that leaves empty values out.
func (s *selection) where(column, value, more string) {
	if value != "" {
		s.statement += " AND " + column + " = ?" + more
		s.args = append(s.args, value)
	}
}

func (s *selection) limited(order string, limit int) (string, []any) {
	s.statement += " ORDER BY " + order
	if limit > 0 {
		s.statement += " LIMIT ?"
		s.args = append(s.args, limit)
	}
	return s.statement, s.args
}

func selectRecords(query tooltrack.Query) (string, []any) {
	s := selection{"SELECT " + columns + " FROM bonafide_records WHERE owner = ? AND seq > ?",
		[]any{query.Owner, query.After}}
	s.where("turn", query.Turn, " AND turn <> ''")
	s.where("task", query.Task, " AND task <> ''")
	s.where("conversation", query.Conversation, " AND conversation <> ''")
	return s.limited("seq", query.Limit)
}

func selectCompleted(owner string, after int64, limit int) (string, []any) {
	s := selection{"SELECT " + columns + " FROM bonafide_records WHERE owner = ? AND cursor > ? AND cursor IS NOT NULL",
		[]any{owner, after}}
	return s.limited("cursor", limit)
}

func selectDocuments(query tooltrack.DocumentQuery) (string, []any) {
	s := selection{"SELECT owner, kind, id, conversation, task, turn, is_open, data FROM bonafide_waiting WHERE kind = ?",
		[]any{query.Kind}}
	if !query.AllOwners {
		s.where("owner", query.Owner, "")
	}
	s.where("id", query.ID, "")
	s.where("conversation", query.Conversation, "")
	s.where("task", query.Task, "")
	s.where("turn", query.Turn, "")
	if query.OnlyOpen {
		s.statement += " AND is_open = 1"
	}
	return s.limited("written, id", 0)
}
