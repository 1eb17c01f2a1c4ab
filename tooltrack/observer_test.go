package tooltrack_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// succeed runs one call of its own in a turn.
func succeed(t *testing.T, turn *tooltrack.Turn, n int) *tooltrack.Record {
	t.Helper()
	done, err := turn.Do(t.Context(), deleteTask, call(deleteTask, fmt.Sprintf(`{"id":%d}`, n)), nil, func(context.Context, tooltrack.Call) ([]byte, error) {
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
	return done.Record
}

func TestObserversSeeEachRecordOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ledger := tooltrack.NewLedger(nil, nil)
		var mu sync.Mutex
		seen := map[int64]int{}
		subscription := ledger.Subscribe(tooltrack.ObserverFunc(func(record *tooltrack.Record) {
			stored, err := ledger.Records(t.Context(), tooltrack.Query{Scope: record.Scope})
			mu.Lock()
			defer mu.Unlock()
			seen[record.Seq]++
			if err != nil || len(stored) == 0 || !record.Done() {
				t.Errorf("record %d was seen before it was stored", record.Seq)
			}
		}), 4096)
		var wg sync.WaitGroup
		for writer := range 64 {
			wg.Go(func() {
				turn := open(t, ledger, fmt.Sprint("turn ", writer))
				for n := range 10 {
					succeed(t, turn, n)
					succeed(t, turn, n) // a duplicate is no new record
				}
				if _, err := turn.Begin(t.Context(), deleteTask, call(deleteTask, `{}`), &tooltrack.CallOptions{Ruling: tooltrack.Ruling{Denied: true}}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		subscription.Close()
		if len(seen) != 64*11 || subscription.Missed() != 0 {
			t.Errorf("%d records were seen, %d missed; want %d and none", len(seen), subscription.Missed(), 64*11)
		}
		for seq, times := range seen {
			if times != 1 {
				t.Errorf("record %d was seen %d times", seq, times)
			}
		}
	})
}

func TestSlowObserverBlocksNobodyAndCanCatchUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ledger := tooltrack.NewLedger(nil, nil)
		release := make(chan struct{})
		seen := 0
		subscription := ledger.Subscribe(tooltrack.ObserverFunc(func(*tooltrack.Record) {
			<-release
			seen++
		}), 3)
		turn := open(t, ledger, "turn")
		for n := range 20 {
			succeed(t, turn, n) // would deadlock here if anybody waited
		}
		close(release)
		subscription.Close()
		if seen+int(subscription.Missed()) != 20 || subscription.Missed() == 0 {
			t.Errorf("%d seen and %d missed of 20", seen, subscription.Missed())
		}

		// A consumer that goes by the cursor takes in every record once.
		ingested := map[int64]int{}
		var cursor int64
		for {
			page, err := ledger.Completed(t.Context(), "ann", cursor, 7)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			for _, record := range page {
				ingested[record.Seq]++
				cursor = record.Cursor
			}
		}
		if len(ingested) != 20 {
			t.Errorf("%d records were ingested, want 20", len(ingested))
		}
	})
}

func TestPanickingObserverHarmsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ledger := tooltrack.NewLedger(nil, nil)
		bad := ledger.Subscribe(tooltrack.ObserverFunc(func(*tooltrack.Record) { panic("boom") }), 0)
		seen := 0
		good := ledger.Subscribe(tooltrack.ObserverFunc(func(*tooltrack.Record) { seen++ }), 0)
		turn := open(t, ledger, "turn")
		for n := range 5 {
			succeed(t, turn, n)
		}
		bad.Close()
		bad.Close() // closing twice is harmless
		succeed(t, turn, 5)
		good.Close()
		if bad.Panics() != 5 || seen != 6 {
			t.Errorf("%d panics and %d records seen by the other, want 5 and 6", bad.Panics(), seen)
		}
	})
}
