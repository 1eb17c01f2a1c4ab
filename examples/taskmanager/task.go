package main

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	storage "github.com/bonafide-go/bonafide/examples/internal/database"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// Task is one row of the task list.
type Task struct {
	ID          string `json:"id"`
	UserID      string `json:"user_id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Status      string `json:"status"`   // pending or completed
	Priority    string `json:"priority"` // low, medium or high
	DueDate     string `json:"due_date,omitempty"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
}

// errNoTask means that the row is gone, or never was this user's.
var errNoTask = errors.New("the task does not exist any more")

// taskStore keeps the tasks of all users, and lets each see only their own.
type taskStore struct {
	db    *database
	clock func() time.Time
}

func (s *taskStore) now() string { return s.clock().UTC().Format(time.RFC3339Nano) }

const taskColumns = "id, user_id, title, description, status, priority, due_date, created_at, updated_at"

// list returns a user's tasks in the order in which they were added. An empty status is all.
func (s *taskStore) list(ctx context.Context, user, status string) ([]Task, error) {
	statement, args := "SELECT "+taskColumns+" FROM tasks WHERE user_id = ?", []any{user}
	if status != "" {
		statement, args = statement+" AND status = ?", append(args, status)
	}
	tasks := []Task{}
	err := s.db.each(ctx, func(scan func(...any) error) error {
		var t Task
		var due sql.NullString
		err := scan(&t.ID, &t.UserID, &t.Title, &t.Description, &t.Status, &t.Priority, &due, &t.CreatedAt, &t.UpdatedAt)
		t.DueDate = due.String
		tasks = append(tasks, t)
		return err
	}, statement+" ORDER BY seq", args...)
	if err != nil {
		return nil, fmt.Errorf("reading tasks: %w", err)
	}
	return tasks, nil
}

// add stores a new task. Id, owner and times are set here.
func (s *taskStore) add(ctx context.Context, user string, task Task) (Task, error) {
	statement, args := s.insertion(user, &task)
	if _, err := s.write(ctx, statement, args...); err != nil {
		return Task{}, fmt.Errorf("storing the task: %w", err)
	}
	return task, nil
}

// insertion fills a new task in and returns the statement that stores it.
func (s *taskStore) insertion(user string, task *Task) (statement string, args []any) {
	task.ID, task.UserID, task.CreatedAt = uuid.NewString(), user, s.now()
	task.UpdatedAt = task.CreatedAt
	if task.Status == "" {
		task.Status = "pending"
	}
	if task.Priority == "" {
		task.Priority = "medium"
	}
	return "INSERT INTO tasks (" + taskColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", []any{
		task.ID, task.UserID, task.Title, task.Description, task.Status, task.Priority, orNull(task.DueDate), task.CreatedAt,
		task.UpdatedAt,
	}
}

func orNull(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }

// change stores the fields of a task that people may edit.
func (s *taskStore) change(ctx context.Context, task Task) (Task, error) {
	task.UpdatedAt = s.now()
	changed, err := s.write(ctx, `UPDATE tasks SET title = ?, description = ?, status = ?, priority = ?, due_date = ?, updated_at = ?
		WHERE id = ? AND user_id = ?`, task.Title, task.Description, task.Status, task.Priority, orNull(task.DueDate), task.UpdatedAt, task.ID, task.UserID)
	return task, oneRow(changed, err)
}

// removeAll deletes tasks, all or none.
func (s *taskStore) removeAll(ctx context.Context, user string, ids []string) error {
	return s.db.within(ctx, func(tx *transaction) error {
		for _, id := range ids {
			n, err := tx.exec("DELETE FROM tasks WHERE id = ? AND user_id = ?", id, user)
			if err != nil {
				return err
			}
			if n != 1 {
				return errNoTask
			}
		}
		return nil
	})
}

func (s *taskStore) remove(ctx context.Context, user, id string) error {
	return oneRow(s.write(ctx, "DELETE FROM tasks WHERE id = ? AND user_id = ?", id, user))
}

func oneRow(changed int64, err error) error {
	if err == nil && changed == 0 {
		return errNoTask
	}
	return err
}

// seedTasks are what a new user finds.
var seedTasks = [...]Task{
	{Title: "Read book", Priority: "medium", Description: "The one on the night table"},
	{Title: "Review proposal", Priority: "medium"},
	{Title: "Call the dentist", Priority: "high"},
	{Title: "Water the plants", Priority: "low"},
	{Title: "Pay the electricity bill", Priority: "high"},
	{Title: "Plan the weekend trip", Priority: "low"},
	{Title: "Send the invoice", Priority: "medium", Status: "completed"},
}

// welcome gives a user their first tasks, once.
func (s *taskStore) welcome(ctx context.Context, user string) error {
	known := false
	err := s.db.each(ctx, func(func(...any) error) error {
		known = true
		return nil
	}, "SELECT 1 FROM users WHERE user_id = ?", user)
	if known || err != nil {
		return err
	}
	return s.db.within(ctx, func(tx *transaction) error {
		added, err := tx.exec("INSERT INTO users (user_id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING", user, s.now())
		if err != nil || added == 0 { // another request was faster
			return err
		}
		return s.seed(tx, user)
	})
}

func (s *taskStore) seed(tx *transaction, user string) error {
	for _, task := range seedTasks {
		statement, args := s.insertion(user, &task)
		if _, err := tx.exec(statement, args...); err != nil {
			return err
		}
	}
	return nil
}

// reset gives a user the first tasks again, and takes all others away.
func (s *taskStore) reset(ctx context.Context, user string) error {
	if err := s.welcome(ctx, user); err != nil {
		return err
	}
	return s.db.within(ctx, func(tx *transaction) error {
		if _, err := tx.exec("DELETE FROM tasks WHERE user_id = ?", user); err != nil {
			return err
		}
		return s.seed(tx, user)
	})
}

// clear takes all tasks of a user away.
func (s *taskStore) clear(ctx context.Context, user string) error {
	_, err := s.db.exec(ctx, "DELETE FROM tasks WHERE user_id = ?", user)
	return err
}

// database is a *sql.DB and what has to be known about the product behind it.
type database struct {
	*sql.DB
	dialect sqltrack.Dialect
}

// openDatabase opens what -db names, and makes its tables.
func openDatabase(ctx context.Context, name string) (*database, error) {
	opened, dialect, err := storage.Open(name)
	if errors.Is(err, storage.ErrNoPostgreSQL) {
		err = fmt.Errorf("%w, so that the first run compiles sooner; "+
			"run it with: go run -tags fleet ./examples/taskmanager", err)
	}
	if err != nil {
		return nil, err
	}
	db := &database{DB: opened, dialect: dialect}
	if err := db.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("preparing the tables: %w", err), db.Close())
	}
	return db, nil
}

// defaultDatabase is a file under the user's cache folder.
func defaultDatabase() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	return filepath.Join(folder, "bonafide", "taskmanager.db")
}

//go:embed schema.sql
var schema string

// migrate creates the tables. On PostgreSQL replicas may start at the same moment, so one does it at a time.
func (db *database) migrate(ctx context.Context) error {
	serial := "INTEGER PRIMARY KEY AUTOINCREMENT"
	if db.dialect == sqltrack.PostgreSQL {
		serial = "BIGSERIAL PRIMARY KEY"
	}
	return db.within(ctx, func(tx *transaction) error {
		if db.dialect == sqltrack.PostgreSQL {
			if _, err := tx.exec("SELECT pg_advisory_xact_lock(7265177)"); err != nil {
				return err
			}
		}
		for statement := range strings.SplitSeq(strings.ReplaceAll(schema, "{{serial}}", serial), ";\n") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if _, err := tx.exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// placeholders turns "?" into "$1", "$2" … where the product wants that. The
// statements of this program hold no other question marks.
func (db *database) placeholders(statement string) string {
	if db.dialect != sqltrack.PostgreSQL {
		return statement
	}
	var out strings.Builder
	n := 0
	for _, c := range statement {
		if c != '?' {
			out.WriteRune(c)
			continue
		}
		n++
		out.WriteString("$" + strconv.Itoa(n))
	}
	return out.String()
}

// each calls a function with every row of a query. Not within a transaction, which may hold the only connection.
func (db *database) each(
	ctx context.Context, take func(scan func(...any) error) error, statement string, args ...any,
) error {
	rows, err := db.QueryContext(ctx, db.placeholders(statement), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := take(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// exec runs one statement in a transaction of its own, which costs one round trip instead of three.
func (db *database) exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	return changedBy(db.ExecContext(ctx, db.placeholders(statement), args...))
}

func changedBy(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// transaction is a transaction that knows the product's placeholders.
type transaction struct {
	ctx context.Context
	tx  *sql.Tx
	db  *database
}

// within runs a function in a transaction, and commits if it returns no error.
func (db *database) within(ctx context.Context, work func(*transaction) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := work(&transaction{ctx, tx, db}); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func (t *transaction) exec(statement string, args ...any) (changed int64, err error) {
	return changedBy(t.tx.ExecContext(t.ctx, t.db.placeholders(statement), args...))
}

func (t *transaction) row(statement string, args ...any) *sql.Row {
	return t.tx.QueryRowContext(t.ctx, t.db.placeholders(statement), args...)
}
