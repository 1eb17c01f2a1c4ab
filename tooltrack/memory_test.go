package tooltrack_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/tooltracktest"
)

func newMemory(testing.TB) tooltrack.Store { return tooltrack.NewMemory(nil) }

func TestMemoryConforms(t *testing.T) { tooltracktest.TestStore(t, newMemory) }

func TestMemoryRunsAtMostOnce(t *testing.T) {
	proposals := 4
	switch {
	case raceEnabled: // one call after the other: there is no race to find
		proposals = 2
	case sampling.All():
		proposals = 5
	}
	tooltracktest.TestAtMostOnce(t, newMemory, proposals)
}

func TestMemoryEqualsModel(t *testing.T) { tooltracktest.TestModel(t, newMemory, 100, 200) }

// fill runs that many turns of one finished call each.
func fill(t testing.TB, store tooltrack.Store, turns int, result string) {
	t.Helper()
	ledger := tooltrack.NewLedger(store, nil)
	for n := range turns {
		turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Conversation: "c", Task: "x", Turn: fmt.Sprint("turn ", n)})
		if err != nil {
			t.Fatal(err)
		}
		_, err = turn.Do(t.Context(), deleteTask, call(deleteTask, `{}`), nil, func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(result), nil })
		if err != nil {
			t.Fatal(err)
		}
	}
}

func count(t testing.TB, store tooltrack.Store, scope tooltrack.Scope) int {
	t.Helper()
	found, err := store.Records(t.Context(), tooltrack.Query{Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

func TestFullMemoryForgetsTheOldestFinishedTurns(t *testing.T) {
	store := tooltrack.NewMemory(&tooltrack.MemoryOptions{MaxRecords: 10})
	unfinished := cutOff(t, tooltrack.NewLedger(store, nil), deleteTask)
	fill(t, store, 30, "")
	if n := count(t, store, tooltrack.Scope{Owner: "ann"}); n != 10 {
		t.Errorf("%d records are kept, want 10", n)
	}
	if n := count(t, store, tooltrack.Scope{Owner: "ann", Turn: unfinished.Turn}); n != 1 {
		t.Error("the unfinished call was forgotten")
	}
	for turn, want := range map[string]int{"turn 20": 0, "turn 21": 1, "turn 29": 1} {
		if n := count(t, store, tooltrack.Scope{Owner: "ann", Turn: turn}); n != want {
			t.Errorf("%s holds %d records, want %d", turn, n, want)
		}
	}
	for name, scope := range map[string]tooltrack.Scope{"conversation": {Owner: "ann", Conversation: "c"}, "task": {Owner: "ann", Task: "x"}} {
		if n := count(t, store, scope); n != 9 {
			t.Errorf("the %s holds %d records, want the 9 that are left of it", name, n)
		}
	}
	if done, err := store.Completed(t.Context(), "ann", 0, 0); err != nil || len(done) != 9 {
		t.Errorf("%d completed records are kept (%v), want 9", len(done), err)
	}
}

func TestMemoryBoundsBytes(t *testing.T) {
	store := tooltrack.NewMemory(&tooltrack.MemoryOptions{MaxBytes: 1 << 20})
	fill(t, store, 100, strings.Repeat("x", 100_000))
	if n := count(t, store, tooltrack.Scope{Owner: "ann"}); n < 5 || n > 10 {
		t.Errorf("%d results of 100 kB are kept in 1 MiB", n)
	}
}

func TestMemoryFullOfUnfinishedCallsRefuses(t *testing.T) {
	store := tooltrack.NewMemory(&tooltrack.MemoryOptions{MaxRecords: 3})
	turn := open(t, tooltrack.NewLedger(store, nil), "turn")
	var begun []*tooltrack.Record
	for n := range 4 {
		next, err := turn.Begin(t.Context(), deleteTask, call(deleteTask, fmt.Sprintf(`{"id":%d}`, n)), nil)
		if n < 3 && err != nil || n == 3 && (!errors.Is(err, tooltrack.ErrFull) || !strings.Contains(err.Error(), ": 3 records")) {
			t.Errorf("call %d: %v", n, err)
		}
		begun = append(begun, next.Record)
	}
	if n := count(t, store, tooltrack.Scope{Owner: "ann"}); n != 3 {
		t.Errorf("%d records are kept, want all 3 that were begun", n)
	}
	for _, record := range begun[:3] {
		if _, err := turn.Finish(t.Context(), record, tooltrack.ResultOf(nil, nil)); err != nil {
			t.Error(err)
		}
	}
	if next, err := open(t, tooltrack.NewLedger(store, nil), "next").Begin(t.Context(), deleteTask, call(deleteTask, `{}`), nil); err != nil || !next.Run {
		t.Errorf("after the calls were finished: run %v, %v", next.Run, err)
	}
}

// BenchmarkGrowthOfAFullStore: forgetting must stay cheap when one owner has everything.
func BenchmarkGrowthOfAFullStore(b *testing.B) {
	// Calls into a store that forgets one for each, after it was filled.
	into := func(most int) func() {
		return func() {
			store := tooltrack.NewMemory(&tooltrack.MemoryOptions{MaxRecords: most})
			fill(b, store, 20_000, "")
		}
	}
	benchbound.Ratio(b, 3, into(10_000), into(100_000))
}

func TestMemoryKeepsOwnersApart(t *testing.T) {
	tooltracktest.TestIsolation(t, newMemory, 10_000/sampling.Every(5)) // by ten owners at once
}
