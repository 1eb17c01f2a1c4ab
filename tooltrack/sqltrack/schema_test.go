package sqltrack_test

import (
	"bytes"
	"errors"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

func TestNewerSchemaIsRefusedUntouched(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		db := newDatabase(t)
		db.store(t, nil)
		raw := db.open(t)
		var before int
		if err := raw.QueryRow("SELECT COUNT(*) FROM bonafide_schema").Scan(&before); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Exec("INSERT INTO bonafide_schema (version) VALUES (99)"); err != nil {
			t.Fatal(err)
		}
		if _, err := sqltrack.Open(t.Context(), raw, db.dialect, nil); !errors.Is(err, sqltrack.ErrNewerSchema) {
			t.Errorf("Open: %v, want ErrNewerSchema", err)
		}
		var rows int
		if err := raw.QueryRow("SELECT COUNT(*) FROM bonafide_schema").Scan(&rows); err != nil || rows != before+1 {
			t.Errorf("the schema table holds %d rows (%v), want the %d it had", rows, err, before+1)
		}
	})
}

func TestOpenTwiceAndAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		db := newDatabase(t)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				raw := db.open(t)
				store, err := sqltrack.Open(t.Context(), raw, db.dialect, nil)
				if err != nil {
					t.Errorf("Open: %v", err)
					return
				}
				if err := store.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

func TestOpenRefusesNonsense(t *testing.T) {
	if _, err := sqltrack.Open(t.Context(), nil, sqltrack.SQLite, nil); err == nil {
		t.Error("a nil database is no error")
	}
	if _, err := sqltrack.Open(t.Context(), newSQLite(t).open(t), 0, nil); err == nil {
		t.Error("a missing dialect is no error")
	}
}

func TestClosedStoreRefuses(t *testing.T) {
	store := newSQLite(t).store(t, nil)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Begin(t.Context(), benchRecord(1), false); !errors.Is(err, sqltrack.ErrClosed) {
		t.Errorf("Begin after Close: %v, want ErrClosed", err)
	}
}

func TestTextsThatNoDatabaseKeeps(t *testing.T) {
	store := newSQLite(t).store(t, nil)
	for _, turn := range []string{"a\x00b", "a\xffb"} {
		record := benchRecord(1)
		record.Turn = turn
		if _, err := store.Begin(t.Context(), record, false); err == nil {
			t.Errorf("turn %q is no error", turn)
		}
	}
}

func TestCloseLeavesNoGoroutine(t *testing.T) {
	store := newSQLite(t).store(t, nil)
	runs := false
	err := store.Atomically(t.Context(), "ann", func(tooltrack.Desk) error {
		runs = writerRuns()
		return nil
	})
	if err != nil || !runs {
		t.Fatal("the writer's goroutine was not found; the test looks for the wrong name", err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); writerRuns(); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("the writer's goroutine outlives the store")
		}
	}
}

func writerRuns() bool {
	var stacks bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&stacks, 1); err != nil {
		return false
	}
	return strings.Contains(stacks.String(), "sqltrack.(*writer).run")
}
