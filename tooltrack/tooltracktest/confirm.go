package tooltracktest

import (
	"errors"
	"reflect"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// readBackAdded: what a read-back showed is stored beside the first result, which stands; a
// consumer of completed records sees the record again.
func readBackAdded(t *testing.T, store tooltrack.Store) {
	done := finish(t, store, mustRun(t, store, proposal("ann", "t1", "cancel")), success)
	found := tooltrack.Confirmation{Sight: tooltrack.Contradicted, Found: []byte(`{"status":"open"}`), Reason: "status is open"}
	seen, err := store.Finish(t.Context(), done.With(found))
	if err != nil || !seen.Contradicted() || seen.Result.Status != tooltrack.Succeeded || seen.Cursor <= done.Cursor {
		t.Fatalf("adding a read-back gave %+v, %v", seen, err)
	}
	again := tooltrack.Confirmation{Sight: tooltrack.Confirmed}
	if kept, err := store.Finish(t.Context(), done.With(again)); !errors.Is(err, tooltrack.ErrFinished) ||
		!reflect.DeepEqual(kept.Result.Confirmation, seen.Result.Confirmation) {
		t.Fatalf("a second read-back gave %+v, %v", kept, err)
	}
	for _, idempotent := range []bool{false, true} { // what is not there may still come
		begun, err := store.Begin(t.Context(), proposal("ann", "t1", "cancel"), idempotent)
		if err != nil || begun.Run != idempotent {
			t.Fatalf("called again, idempotent %v: %+v, %v", idempotent, begun, err)
		}
	}
}
