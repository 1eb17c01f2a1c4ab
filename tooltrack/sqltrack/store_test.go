package sqltrack_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
	"github.com/bonafide-go/bonafide/tooltrack/tooltracktest"
)

// database is where a test keeps its records: enough to open it again, from
// this process or another.
type database struct {
	dialect sqltrack.Dialect
	driver  string
	source  string
}

// databases are those that the tests run on. PostgreSQL needs a server, named
// by BONAFIDE_TEST_POSTGRES.
var databases = []struct {
	name string
	make func(testing.TB) database
}{
	{"SQLite", newSQLite},
	{"SQLite WAL", newSQLiteWAL},
	{"PostgreSQL", newPostgres},
}

func newSQLite(t testing.TB) database {
	return database{sqltrack.SQLite, "sqlite", "file:" + filepath.Join(memoryFolder(t), "ledger.db")}
}

// memoryFolder is a folder in memory where the machine has one, so that no write waits for a disk.
// To a process that is killed it makes no difference.
func memoryFolder(t testing.TB) string {
	folder, err := os.MkdirTemp("/dev/shm", "bonafide-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func newSQLiteWAL(t testing.TB) database {
	plain := newSQLite(t)
	plain.source += "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"
	return plain
}

// newPostgres makes a schema of its own on the test server.
func newPostgres(t testing.TB) database {
	server := os.Getenv("BONAFIDE_TEST_POSTGRES")
	if server == "" {
		t.Skip("BONAFIDE_TEST_POSTGRES is not set; set it to the URL of a PostgreSQL server to run this test")
	}
	admin, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	schema := fmt.Sprintf("bonafide_test_%016x", rand.Uint64())
	if _, err := admin.Exec("CREATE SCHEMA " + schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, err := admin.Exec("DROP SCHEMA " + schema + " CASCADE")
		if err := admin.Close(); err != nil {
			t.Error(err)
		}
		if err != nil {
			t.Error(err)
		}
	})
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("search_path", schema)
	address.RawQuery = query.Encode()
	return database{sqltrack.PostgreSQL, "pgx", address.String()}
}

// databaseIn is the database that the parent of a child process names in its
// environment, as driver and source.
func databaseIn(variable string) (db database, named bool) {
	db.driver, db.source, named = strings.Cut(os.Getenv(variable), " ")
	if db.dialect = sqltrack.SQLite; db.driver == "pgx" {
		db.dialect = sqltrack.PostgreSQL
	}
	return db, named
}

// open opens the database; the test's end closes it.
func (d database) open(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open(d.driver, d.source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// store opens the database and a store on it.
func (d database) store(t testing.TB, options *sqltrack.Options) *sqltrack.Store {
	t.Helper()
	store, err := sqltrack.Open(t.Context(), d.open(t), d.dialect, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// onEach runs a test on every kind of database, and on all of them at a time: they wait for
// their disks.
func onEach(t *testing.T, test func(*testing.T, func(testing.TB) database)) {
	for _, kind := range databases {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			test(t, kind.make)
		})
	}
}

func TestConformance(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		tooltracktest.TestStore(t, func(t testing.TB) tooltrack.Store { return newDatabase(t).store(t, nil) })
	})
}

func TestAtMostOnce(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		proposals := 3
		// The memory store plays the longer orders; with what SQLite differs, its locks, these have nothing to do.
		if raceEnabled || !sampling.All() && !strings.HasSuffix(t.Name(), "PostgreSQL") {
			proposals = 2
		}
		tooltracktest.TestAtMostOnce(t, func(t testing.TB) tooltrack.Store { return newDatabase(t).store(t, nil) }, proposals)
	})
}

func TestModel(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		tooltracktest.TestModel(t, func(t testing.TB) tooltrack.Store { return newDatabase(t).store(t, nil) }, 12/sampling.Every(3), 150)
	})
}

func TestOwnersAreKeptApart(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		operations := 1_000 // by ten owners at once
		if sampling.All() && strings.HasSuffix(t.Name(), "PostgreSQL") {
			operations = 10_000 // with SQLite, a writer at a time is slow, and no other than ten
		}
		tooltracktest.TestIsolation(t, func(t testing.TB) tooltrack.Store { return newDatabase(t).store(t, nil) }, operations)
	})
}
