package tooltrack_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// An unfinished call of another process counts as running until it has the age
// that the host gave, and not a moment longer.
func TestReconcileAfter(t *testing.T) {
	cases := []struct {
		name  string
		after time.Duration
		age   time.Duration
		asked bool
	}{
		{"by default not before a minute", 0, time.Minute - 1, false},
		{"by default after a minute", 0, time.Minute, true},
		{"not before the host's time", 5 * time.Second, 5*time.Second - 1, false},
		{"at the host's time", 5 * time.Second, 5 * time.Second, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := tooltrack.NewMemory(nil)
				cutOff(t, tooltrack.NewLedger(store, nil), deleteTask)
				time.Sleep(c.age)
				asked := false
				record, ran, err := retry(t, store, deleteTask, &tooltrack.LedgerOptions{
					ReconcileAfter: c.after,
					Reconcile: func(context.Context, *tooltrack.Record) (tooltrack.Result, bool, error) {
						asked = true
						return tooltrack.ResultOf(nil, nil), true, nil
					},
				})
				if err != nil || ran || asked != c.asked {
					t.Errorf("asked %v, ran %v, %v; want asked %v and no second run", asked, ran, err, c.asked)
				}
				if done := record.Result.Success(); done != c.asked {
					t.Errorf("the call counts as done: %v, want %v", done, c.asked)
				}
			})
		})
	}
}
