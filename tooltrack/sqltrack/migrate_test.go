package sqltrack

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A database of every earlier version of the schema is brought to the newest, with what it
// holds: a call that succeeded is not run again, and one that was cut off is of unknown fate.
func TestMigrationFromEveryVersion(t *testing.T) {
	for _, c := range []struct {
		dialect        Dialect
		driver, source string
	}{
		{SQLite, "sqlite", "file:" + filepath.Join(t.TempDir(), "v%d.db")},
		{PostgreSQL, "pgx", os.Getenv("BONAFIDE_TEST_POSTGRES")},
	} {
		files, err := fs.Glob(migrations, dialects[c.dialect].folder+"/*.sql")
		require.NoError(t, err)
		for version := 1; version < len(files); version++ {
			t.Run(fmt.Sprintf("%v from %d", c.dialect, version), func(t *testing.T) {
				if c.source == "" {
					t.Skip("BONAFIDE_TEST_POSTGRES is not set; set it to the URL of a PostgreSQL server to run this test")
				}
				migrateFrom(t, c.dialect, c.driver, strings.Replace(c.source, "%d", fmt.Sprint(version), 1), files[:version])
			})
		}
	}
}

func migrateFrom(t *testing.T, dialect Dialect, driver, source string, files []string) {
	db, conn := oneConnection(t, dialect, driver, source, fmt.Sprintf("bonafide_migration_%d", len(files)))
	_, err := schemaVersion(t.Context(), conn)
	require.NoError(t, err)
	for i, name := range files {
		require.NoError(t, apply(t.Context(), conn, name, i+1, dialect))
	}
	began := time.Date(2026, 2, 8, 9, 30, 0, 0, time.UTC)
	must(t, conn, "INSERT INTO bonafide_owners (owner, seq, cursor) VALUES ('ann', 2, 1)")
	row := "INSERT INTO bonafide_records (" + columns + ") VALUES ('ann', %[1]d, %[2]s, 'c', '', 't', 'id', 'send_mail', '{\"to\":\"%[1]d\"}', 2, 0, NULL, %[3]d, NULL, " +
		"'send_mail {\"to\":%[1]d}', '', 't', 1, 1, %[4]d, %[5]d, '{\"grade\":\"executed\"}')"
	must(t, conn, fmt.Sprintf(row, 1, "1", int64(tooltrack.Succeeded), began.UnixNano(), began.Add(time.Second).UnixNano()),
		fmt.Sprintf(row, 2, "NULL", int64(tooltrack.Unknown), began.UnixNano(), 0))
	require.NoError(t, conn.Close())

	store, err := Open(t.Context(), db, dialect, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	turn, err := tooltrack.NewLedger(store, nil).Open(tooltrack.Scope{Owner: "ann", Conversation: "c", Turn: "t"})
	require.NoError(t, err)
	records, err := turn.Records(t.Context())
	require.NoError(t, err)
	require.Len(t, records, 2)
	require.Equal(t, began, records[0].Began)
	for i, status := range []tooltrack.Status{tooltrack.Succeeded, tooltrack.Unknown} {
		call := tooltrack.Call{ID: "id", Tool: "send_mail", Args: fmt.Appendf(nil, `{"to":"%d"}`, i+1)}
		begun, err := turn.Begin(t.Context(), tooltrack.Tool{Name: "send_mail", Effect: tooltrack.Changes}, call, nil)
		require.NoError(t, err)
		require.False(t, begun.Run)
		require.Equal(t, status, begun.Record.Result.Status)
		require.EqualValues(t, i+1, begun.Record.Seq)
	}
	read, err := turn.Confirm(t.Context(), records[0], tooltrack.Confirmation{Sight: tooltrack.Contradicted, Reason: "no such mail"})
	require.NoError(t, err)
	require.True(t, read.Contradicted(), "old records can be read back, too")
	var sight tooltrack.Sight
	require.NoError(t, db.QueryRow("SELECT sight FROM bonafide_records WHERE seq = 1").Scan(&sight))
	require.Equal(t, tooltrack.Contradicted, sight)
	call := tooltrack.Call{ID: "id", Tool: "send_mail", Args: []byte(`{"to":"new"}`)}
	begun, err := turn.Begin(t.Context(), tooltrack.Tool{Name: "send_mail", Effect: tooltrack.Changes}, call, nil)
	require.NoError(t, err)
	require.EqualValues(t, 3, begun.Record.Seq, "the numbers go on")
	removal, err := store.Prune(t.Context(), PruneOptions{OlderThan: time.Hour})
	require.NoError(t, err)
	require.EqualValues(t, 1, removal.Records, "the age of old records is known")
}
