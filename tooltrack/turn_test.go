package tooltrack_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// cutOff begins a call and never finishes it, as a crash does.
func cutOff(t *testing.T, ledger *tooltrack.Ledger, tool tooltrack.Tool) *tooltrack.Record {
	t.Helper()
	begun, err := open(t, ledger, "turn").Begin(t.Context(), tool, call(tool, `{"id":1}`), nil)
	if err != nil || !begun.Run {
		t.Fatalf("Begin: run %v, %v", begun.Run, err)
	}
	return begun.Record
}

// retry runs the call of cutOff in another process: a ledger of its own on the
// same store.
func retry(t *testing.T, store tooltrack.Store, tool tooltrack.Tool, options *tooltrack.LedgerOptions) (record *tooltrack.Record, ran bool, err error) {
	t.Helper()
	done, err := open(t, tooltrack.NewLedger(store, options), "turn").Do(t.Context(), tool, call(tool, `{"id":1}`), nil,
		func(context.Context, tooltrack.Call) ([]byte, error) {
			ran = true
			return nil, nil
		})
	return done.Record, ran, err
}

func TestCutOffCalls(t *testing.T) {
	boom := errors.New("the mail server does not answer")
	answer := func(result tooltrack.Result, known bool, err error) func(context.Context, *tooltrack.Record) (tooltrack.Result, bool, error) {
		return func(context.Context, *tooltrack.Record) (tooltrack.Result, bool, error) { return result, known, err }
	}
	const later = time.Hour
	cases := []struct {
		name    string
		tool    tooltrack.Tool
		later   time.Duration // by the store's clock
		options tooltrack.LedgerOptions
		ran     bool
		status  tooltrack.Status
		err     bool
	}{
		{"stays unknown", deleteTask, later, tooltrack.LedgerOptions{}, false, tooltrack.Unknown, false},
		{"of unknown effect, too", mystery, later, tooltrack.LedgerOptions{}, false, tooltrack.Unknown, false},
		{"runs again if idempotent", upsert, 0, tooltrack.LedgerOptions{}, true, tooltrack.Succeeded, false},
		{"reconciled as done", deleteTask, later, tooltrack.LedgerOptions{Reconcile: answer(tooltrack.ResultOf(nil, nil), true, nil)}, false, tooltrack.Succeeded, false},
		{"reconciled as not done", deleteTask, later, tooltrack.LedgerOptions{Reconcile: answer(tooltrack.FailedResult("never arrived"), true, nil)}, true, tooltrack.Succeeded, false},
		{"reconcile cannot tell", deleteTask, later, tooltrack.LedgerOptions{Reconcile: answer(tooltrack.Result{}, false, nil)}, false, tooltrack.Unknown, false},
		{"reconcile fails", deleteTask, later, tooltrack.LedgerOptions{Reconcile: answer(tooltrack.Result{}, false, boom)}, false, tooltrack.Unknown, true},
		{"reconcile panics", deleteTask, later, tooltrack.LedgerOptions{Reconcile: func(context.Context, *tooltrack.Record) (tooltrack.Result, bool, error) { panic("boom") }}, false, tooltrack.Unknown, true},
		{"may still be running elsewhere", deleteTask, 0, tooltrack.LedgerOptions{Clock: func() time.Time { return time.Now().Add(later) }, Reconcile: answer(tooltrack.FailedResult("never arrived"), true, nil)}, false, tooltrack.Unknown, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := tooltrack.NewMemory(nil)
				cutOff(t, tooltrack.NewLedger(store, nil), c.tool)
				time.Sleep(c.later)
				record, ran, err := retry(t, store, c.tool, &c.options)
				if ran != c.ran || record == nil || record.Result.Status != c.status || (err != nil) != c.err {
					t.Errorf("ran %v, record %+v, error %v; want %v, %v, %v", ran, record, err, c.ran, c.status, c.err)
				}
			})
		})
	}
}

func TestRunningCallIsNotReconciled(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, &tooltrack.LedgerOptions{ReconcileAfter: -1, Reconcile: func(context.Context, *tooltrack.Record) (tooltrack.Result, bool, error) {
		t.Error("a call that runs in this process was reconciled")
		return tooltrack.FailedResult("not yet"), true, nil
	}})
	cutOff(t, ledger, deleteTask)
	begun, err := open(t, ledger, "turn").Begin(t.Context(), deleteTask, call(deleteTask, `{"id":1}`), nil)
	if err != nil || begun.Run {
		t.Errorf("a second run beside the first: %v, %v", begun.Run, err)
	}
}

// A turn that is run again from its beginning meets the records of the first
// run in their order, deliberate repeats included.
func TestReplayedTurnRepeatsNothing(t *testing.T) {
	store := tooltrack.NewMemory(nil)
	script := []string{`{"id":1,"to":"done"}`, `{"id":1,"to":"pending"}`, `{"id":1,"to":"done"}`, `{"id":1,"to":"archived"}`}
	total := 0
	for run := range 3 {
		turn := open(t, tooltrack.NewLedger(store, nil), "turn")
		for _, args := range script[:2+run] { // each run comes further than the one before
			_, err := turn.Do(t.Context(), setStatus, call(setStatus, args), nil, func(context.Context, tooltrack.Call) ([]byte, error) {
				total++
				return nil, nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if total != len(script) {
		t.Errorf("%d calls were executed, want each of the %d once", total, len(script))
	}
}

func TestTurnNeedsAnOwnerAndAName(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	if _, err := ledger.Open(tooltrack.Scope{Turn: "t"}); !errors.Is(err, tooltrack.ErrNoOwner) || !strings.Contains(err.Error(), "single-user program") {
		t.Errorf("no owner: %v", err)
	}
	if _, err := ledger.Open(tooltrack.Scope{Owner: "ann"}); !errors.Is(err, tooltrack.ErrNoTurn) {
		t.Errorf("no turn: %v", err)
	}
	if _, err := ledger.Open(tooltrack.Scope{Owner: strings.Repeat("x", 513), Turn: "t"}); err == nil || !strings.Contains(err.Error(), "at most 512") {
		t.Errorf("an endless owner: %v", err)
	}
	if _, err := ledger.Records(t.Context(), tooltrack.Query{}); !errors.Is(err, tooltrack.ErrNoOwner) {
		t.Errorf("Records: %v", err)
	}
	if _, err := ledger.Completed(t.Context(), "", 0, 0); !errors.Is(err, tooltrack.ErrNoOwner) {
		t.Errorf("Completed: %v", err)
	}
}

func TestPanicsBecomeResultsOrErrors(t *testing.T) {
	done, err := open(t, tooltrack.NewLedger(nil, nil), "turn").Do(t.Context(), deleteTask, call(deleteTask, `{}`), nil,
		func(context.Context, tooltrack.Call) ([]byte, error) { panic("boom") })
	record := done.Record
	if err != nil || record.Result.Status != tooltrack.Unknown || !strings.Contains(record.Result.Error, "boom") {
		t.Errorf("a panicking tool: %+v, %v", record, err)
	}
	broken := true
	ledger := tooltrack.NewLedger(nil, &tooltrack.LedgerOptions{Clock: func() time.Time {
		if broken {
			panic("no time")
		}
		return time.Unix(0, 0)
	}})
	turn := open(t, ledger, "turn")
	if begun, err := turn.Begin(t.Context(), deleteTask, call(deleteTask, `{}`), nil); err == nil || begun.Run {
		t.Errorf("a panicking clock: run %v, %v", begun.Run, err)
	}
	broken = false
	if begun, err := turn.Begin(t.Context(), deleteTask, call(deleteTask, `{}`), nil); err != nil || !begun.Run {
		t.Errorf("after the clock was mended: run %v, %v", begun.Run, err)
	}
}

func TestCancelledChangeIsUnknown(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	done, err := open(t, ledger, "turn").Do(ctx, deleteTask, call(deleteTask, `{}`), nil, func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
		cancel()
		return nil, ctx.Err()
	})
	record := done.Record
	if err != nil || record.Result.Status != tooltrack.Unknown || !record.Done() {
		t.Errorf("a change cut off by its context: %+v, %v; want a finished record of status unknown", record, err)
	}
}

func TestHostKey(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	pay := func(turn, args string) (ran bool, err error) {
		_, err = open(t, ledger, turn).Do(t.Context(), mystery, call(mystery, args), &tooltrack.CallOptions{Key: "invoice-7"},
			func(context.Context, tooltrack.Call) ([]byte, error) {
				ran = true
				return nil, nil
			})
		return ran, err
	}
	if ran, err := pay("t1", `{"eur":5}`); !ran || err != nil {
		t.Errorf("the first: ran %v, %v", ran, err)
	}
	if ran, err := pay("t2", `{"eur":5}`); ran || err != nil {
		t.Errorf("the same in another turn: ran %v, %v", ran, err)
	}
	if ran, err := pay("t2", `{"eur":6}`); ran || !errors.Is(err, tooltrack.ErrKeyReused) {
		t.Errorf("the same key for another call: ran %v, %v", ran, err)
	}
}

func TestTouchedComesFromTheSubjectArgument(t *testing.T) {
	for args, want := range map[string]string{
		`{"id":"8c2f"}`: "8c2f", `{"x":{"id":"no"},"id":12345678901234567890}`: "12345678901234567890", `{"id":null}`: "", `{"id":["a"]}`: "", `nonsense`: "", ``: "", `[1]`: "",
	} {
		begun, err := open(t, tooltrack.NewLedger(nil, nil), "turn").Begin(t.Context(), deleteTask, call(deleteTask, args), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, subject := range begun.Record.Touched {
			got += subject.ID
		}
		if got != want {
			t.Errorf("%s touches %q, want %q", args, got, want)
		}
	}
}

func TestBeginRefusesAnotherToolsCall(t *testing.T) {
	if _, err := open(t, tooltrack.NewLedger(nil, nil), "turn").Begin(t.Context(), deleteTask, call(listTasks, `{}`), nil); err == nil {
		t.Error("a call of list_tasks was recorded as delete_task")
	}
}

func TestFinishTwice(t *testing.T) {
	turn := open(t, tooltrack.NewLedger(nil, nil), "turn")
	record := succeed(t, turn, 1)
	if again, err := turn.Finish(t.Context(), record, tooltrack.ResultOf(nil, nil)); err != nil || again.Seq != record.Seq {
		t.Errorf("the same result again: %v", err)
	}
	if _, err := turn.Finish(t.Context(), record, tooltrack.FailedResult("late")); !errors.Is(err, tooltrack.ErrFinished) {
		t.Errorf("another result: %v, want ErrFinished", err)
	}
	if _, err := turn.Finish(t.Context(), nil, tooltrack.Result{}); err == nil {
		t.Error("finishing nothing is no error")
	}
}
