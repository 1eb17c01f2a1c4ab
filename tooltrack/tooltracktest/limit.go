package tooltracktest

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func deniedAfterBegin(t *testing.T, store tooltrack.Store) {
	finished, err := store.Finish(t.Context(), denied(completed(mustRun(t, store, proposal("ann", "t1", "k")), success)))
	if err != nil {
		t.Fatalf("Finish: %v", err)
	}
	for _, record := range append(records(t, store, inTurn("ann", "t1")), finished) {
		if !record.Ruling.Denied || record.Ruling.Rule != "limit" || record.Result.Status != tooltrack.Denied {
			t.Errorf("denied after it was begun: %+v, status %v", record.Ruling, record.Result.Status)
		}
	}
	if record := mustRun(t, store, proposal("ann", "t1", "k")); record.Attempt != 2 {
		t.Errorf("the attempt after a denial is numbered %d, want 2", record.Attempt)
	}
}
