package sqltrack

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

//go:embed migrations
var migrations embed.FS

// ErrNewerSchema is returned by [Open] for a database that a newer version of
// this package has upgraded. The database is left untouched.
var ErrNewerSchema = errors.New(
	"the database belongs to a newer version of this package; upgrade the program, or use another database")

// migrate brings the tables to the newest version, in one transaction and one process at a time.
func migrate(ctx context.Context, conn *sql.Conn, dialect Dialect) error {
	files, err := fs.Glob(migrations, dialects[dialect].folder+"/*.sql")
	if err != nil {
		return err
	}
	err, _ = transact(ctx, conn, dialect, func(*transaction) error {
		if dialect == PostgreSQL {
			// Any constant will do, as long as every process uses the same one.
			if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_xact_lock(7165322209463017)"); err != nil {
				return err
			}
		}
		version, err := schemaVersion(ctx, conn)
		if err != nil {
			return err
		}
		if version > len(files) {
			return fmt.Errorf("schema version %d, known up to %d: %w", version, len(files), ErrNewerSchema)
		}
		for i, name := range files[version:] {
			if err := apply(ctx, conn, name, version+i+1, dialect); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
	return err
}

func schemaVersion(ctx context.Context, conn *sql.Conn) (version int, err error) {
	if _, err := conn.ExecContext(ctx,
		"CREATE TABLE IF NOT EXISTS bonafide_schema (version INTEGER NOT NULL)"); err != nil {
		return 0, err
	}
	err = conn.QueryRowContext(ctx, "SELECT COALESCE(MAX(version), 0) FROM bonafide_schema").Scan(&version)
	return version, err
}

func apply(ctx context.Context, conn *sql.Conn, name string, version int, dialect Dialect) error {
	script, err := migrations.ReadFile(name)
	if err == nil {
		_, err = conn.ExecContext(ctx, string(script))
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, dialect.bind("INSERT INTO bonafide_schema (version) VALUES (?)"), version)
	}
	return err
}
