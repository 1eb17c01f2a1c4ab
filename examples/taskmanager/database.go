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

	storage "github.com/bonafide-go/bonafide/examples/internal/database"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

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

// migrate creates the tables. On PostgreSQL replicas may start at the same
// moment, so one does it at a time.
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

// each calls a function with every row of a query. It must not be used within a transaction, which may
// hold the only connection.
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

// exec runs one statement in a transaction of its own, which costs one round
// trip instead of three.
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
