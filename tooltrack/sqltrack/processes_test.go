package sqltrack_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestManyStoresRunACallOnce lets several stores, each with connections of its
// own like a process, race for the same calls.
func TestManyStoresRunACallOnce(t *testing.T) {
	onEach(t, func(t *testing.T, newDatabase func(testing.TB) database) {
		const replicas, turns = 4, 25
		db := newDatabase(t)
		ran := make([]atomic.Int64, turns)
		var wg sync.WaitGroup
		for range replicas {
			ledger := tooltrack.NewLedger(db.store(t, nil), nil)
			for n := range turns {
				wg.Go(func() {
					turn, err := ledger.Open(tooltrack.Scope{Owner: fmt.Sprint("owner", n%3), Turn: fmt.Sprint("turn", n)})
					if err != nil {
						t.Error(err)
						return
					}
					_, err = turn.Do(t.Context(), sendMail, tooltrack.Call{Tool: sendMail.Name, Args: []byte(`{"to":"a"}`)}, nil, func(context.Context, tooltrack.Call) ([]byte, error) {
						ran[n].Add(1)
						return nil, nil
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		for n := range ran {
			if times := ran[n].Load(); times != 1 {
				t.Errorf("turn %d: the call was executed %d times, want once", n, times)
			}
		}
	})
}
