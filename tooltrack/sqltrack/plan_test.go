package sqltrack

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// lookups are all statements that search, with the index that must serve them.
func lookups() []struct {
	name, statement string
	args            []any
	index           string
} {
	records := func(scope tooltrack.Scope) (string, []any) {
		return selectRecords(tooltrack.Query{Scope: scope, Limit: 10})
	}
	byOwner, ownerArgs := records(tooltrack.Scope{Owner: "owner1"})
	byTurn, turnArgs := records(tooltrack.Scope{Owner: "owner1", Turn: "t10"})
	byConversation, conversationArgs := records(tooltrack.Scope{Owner: "owner1", Conversation: "c1"})
	byTask, taskArgs := records(tooltrack.Scope{Owner: "owner1", Task: "x1"})
	completed, completedArgs := selectCompleted("owner1", 5, 10)
	return []struct {
		name, statement string
		args            []any
		index           string
	}{
		{"owner", byOwner, ownerArgs, "pkey|PRIMARY KEY"},
		{"turn", byTurn, turnArgs, "bonafide_records_turn"},
		{"conversation", byConversation, conversationArgs, "bonafide_records_conversation"},
		{"task", byTask, taskArgs, "bonafide_records_task"},
		{"completed", completed, completedArgs, "bonafide_records_cursor"},
		{"attempts", selectAttempts, []any{"owner1", "t10", "k51", 1}, "bonafide_records_key"},
		{"record", selectRecord, []any{"owner1", 51}, "pkey|PRIMARY KEY"},
		{"prune", pruneRecords, []any{"owner1", 1, 500, 10, 1, 2, 3}, "pkey|PRIMARY KEY"},
		{"first young record", firstYoung, []any{"owner1", 10}, "pkey|PRIMARY KEY"},
		{"next record", nextRecord, []any{"owner1", 10}, "pkey|PRIMARY KEY|bonafide_records_"},
		{"prune of documents", pruneDocuments, []any{"owner1", 10}, "pkey|PRIMARY KEY"},
	}
}

func TestEveryLookupUsesItsIndex(t *testing.T) {
	for _, c := range []struct {
		dialect        Dialect
		driver, source string
	}{
		{SQLite, "sqlite", "file:" + filepath.Join(t.TempDir(), "plan.db")},
		{PostgreSQL, "pgx", os.Getenv("BONAFIDE_TEST_POSTGRES")},
	} {
		t.Run(c.dialect.String(), func(t *testing.T) {
			if c.source == "" {
				t.Skip("BONAFIDE_TEST_POSTGRES is not set; set it to the URL of a PostgreSQL server to run this test")
			}
			conn := planDatabase(t, c.dialect, c.driver, c.source)
			for _, lookup := range lookups() {
				plan := explain(t, conn, c.dialect, lookup.statement, lookup.args)
				if !strings.Contains(lookup.statement, "owner = ?") {
					t.Errorf("%s does not bind the owner: %s", lookup.name, lookup.statement)
				}
				found := false
				for index := range strings.SplitSeq(lookup.index, "|") {
					found = found || strings.Contains(plan, index)
				}
				if !found || strings.Contains(plan, "SCAN bonafide_records") || strings.Contains(plan, "Seq Scan") {
					t.Errorf("the %s lookup does not use %s:\n%s", lookup.name, lookup.index, plan)
				}
			}
		})
	}
}

// planDatabase returns a connection to tables with enough rows that the
// planner has a choice.
func planDatabase(t testing.TB, dialect Dialect, driver, source string) *sql.Conn {
	t.Helper()
	_, conn := oneConnection(t, dialect, driver, source, "bonafide_plan")
	if err := migrate(t.Context(), conn, dialect); err != nil {
		t.Fatal(err)
	}
	fill(t, conn, dialect, 20_000)
	return conn
}

// oneConnection opens a database that has one connection, and in PostgreSQL a schema.
func oneConnection(t testing.TB, dialect Dialect, driver, source, schema string) (*sql.DB, *sql.Conn) {
	t.Helper()
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if dialect == PostgreSQL {
		must(t, conn, "DROP SCHEMA IF EXISTS "+schema+" CASCADE", "CREATE SCHEMA "+schema, "SET search_path = "+schema)
		t.Cleanup(func() {
			_ = conn.Close() // the only one
			if _, err := db.ExecContext(context.Background(), "DROP SCHEMA "+schema+" CASCADE"); err != nil {
				t.Error(err)
			}
		})
	}
	return db, conn
}

// fill writes that many records of 50 owners, five to a turn.
func fill(t testing.TB, conn *sql.Conn, dialect Dialect, n int) {
	t.Helper()
	series := fmt.Sprintf("generate_series(1, %d) AS s(n)", n)
	if dialect == SQLite {
		series = fmt.Sprintf("(WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < %d) SELECT n FROM r)", n)
	}
	must(t, conn, fmt.Sprintf(`INSERT INTO bonafide_records (%s) SELECT 'owner' || (n %% 50), n, n, 'c' || (n / 500), 'x' || (n / 500),
		't' || (n / 5), 'id', 'tool', NULL, 2, 0, NULL, 1, NULL, 'k' || n, '', 't' || (n / 5), 1, 1, n, n, '{"grade":"executed"}' FROM %s`, columns, series),
		`INSERT INTO bonafide_waiting (owner, kind, id, conversation, task, turn, is_open, written, data)
		SELECT 'owner' || (n % 50), 'approval', 'a' || n, 'c' || (n / 500), '', 't' || (n / 5), n % 2, n, '{}' FROM `+series,
		"INSERT INTO bonafide_kept (owner, conversation, reason, since) SELECT 'owner' || (n % 50), 'c' || n, '', n FROM "+series,
		"ANALYZE")
}

func must(t testing.TB, conn *sql.Conn, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func explain(t testing.TB, conn *sql.Conn, dialect Dialect, statement string, args []any) string {
	t.Helper()
	word := "EXPLAIN "
	if dialect == SQLite {
		word = "EXPLAIN QUERY PLAN "
	}
	rows, err := conn.QueryContext(t.Context(), word+dialect.bind(statement), args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var plan strings.Builder
	for rows.Next() {
		cells := make([]any, len(columns))
		for i := range cells {
			cells[i] = new(any)
		}
		if err := rows.Scan(cells...); err != nil {
			t.Fatal(err)
		}
		for _, cell := range cells {
			fmt.Fprint(&plan, *cell.(*any), " ")
		}
		plan.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}
