//go:build !race

package tooltrack_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A million records pass through a store of the documented default size, and
// the memory in use stays below the documented bound.
func TestMillionRecordsStayWithinTheBound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := tooltrack.NewMemory(nil)
	for n := range 1_000_000 {
		record := &tooltrack.Record{
			Scope: tooltrack.Scope{Owner: "owner", Turn: fmt.Sprint(n / 4)}, Call: tooltrack.Call{Tool: "tool", Args: []byte(`{"id":1}`)},
			Effect: tooltrack.Changes, Key: fmt.Sprint("key ", n%4), Occurrence: 1, Began: time.Unix(1, 0),
		}
		begun, err := store.Begin(t.Context(), record, false)
		if err != nil || !begun.Run {
			t.Fatalf("record %d: run %v, %v", n, begun.Run, err)
		}
		done := *begun.Record
		done.Result, done.Finished = tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(`{"ok":true}`)}, time.Unix(2, 0)
		if _, err := store.Finish(t.Context(), &done); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	if memory.HeapAlloc > 256<<20 {
		t.Errorf("%d MiB are in use, want at most 256", memory.HeapAlloc>>20)
	}
	if n := count(t, store, tooltrack.Scope{Owner: "owner"}); n > 100_000 || n < 99_990 {
		t.Errorf("%d records are kept, want the default of 100,000", n)
	}
	runtime.KeepAlive(store)
}
