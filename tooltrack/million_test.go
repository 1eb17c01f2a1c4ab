//go:build !race

package tooltrack_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A million records pass through a store of the documented default size, and
// the memory in use stays below the documented bound. At each push it is a quarter of a million,
// of which the last 100,000 may add nothing: the store was full before.
func TestMillionRecordsStayWithinTheBound(t *testing.T) {
	store := tooltrack.NewMemory(nil)
	records := 1_000_000 / sampling.Every(4)
	full := int64(0)
	for n := range records {
		if n == records-100_000 {
			full = heapInUse()
		}
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
	used := heapInUse()
	if used > 256<<20 {
		t.Errorf("%d MiB are in use, want at most 256", used>>20)
	}
	if used-full > 10<<20 {
		t.Errorf("%d bytes stay in use of each record after the store was full", (used-full)/100_000)
	}
	if n := count(t, store, tooltrack.Scope{Owner: "owner"}); n > 100_000 || n < 99_990 {
		t.Errorf("%d records are kept, want the default of 100,000", n)
	}
	runtime.KeepAlive(store)
}

func heapInUse() int64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return int64(memory.HeapAlloc)
}
