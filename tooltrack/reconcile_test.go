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
				time.Sleep(time.Hour) // the store's clock does not begin with the call
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

// A call that was left pending is asked about, too, and at once: it does not run
// any more.
func TestPendingCallsAreReconciled(t *testing.T) {
	for name, c := range map[string]struct {
		answer tooltrack.Result
		known  bool
		ran    bool
		status tooltrack.Status
	}{
		"done":          {tooltrack.ResultOf([]byte("sent"), nil), true, false, tooltrack.Succeeded},
		"failed":        {tooltrack.FailedResult("bounced"), true, true, tooltrack.Succeeded},
		"still pending": {tooltrack.Result{Status: tooltrack.Pending}, true, false, tooltrack.Pending},
		"not known":     {tooltrack.Result{}, false, false, tooltrack.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			store, asked := tooltrack.NewMemory(nil), 0
			begun := cutOff(t, tooltrack.NewLedger(store, nil), deleteTask)
			if _, err := open(t, tooltrack.NewLedger(store, nil), "turn").Finish(t.Context(), begun, tooltrack.Result{Status: tooltrack.Pending}); err != nil {
				t.Fatal(err)
			}
			record, ran, err := retry(t, store, deleteTask, &tooltrack.LedgerOptions{
				Reconcile: func(context.Context, *tooltrack.Record) (tooltrack.Result, bool, error) {
					asked++
					return c.answer, c.known, nil
				},
			})
			if err != nil || asked != 1 || ran != c.ran || record.Result.Status != c.status {
				t.Errorf("asked %d times, ran %v, %v, %v; want %v and %v", asked, ran, record.Result.Status, err, c.ran, c.status)
			}
		})
	}
}
