package tooltrack

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Ledger writes down every proposed call before it runs and completes the record afterwards.
// Most programs make one, open a [Turn] for each user message, and run tools through [Turn.Do].
type Ledger struct {
	store          Store
	clock          func() time.Time
	reconcile      Reconcile
	reconcileAfter time.Duration
	results        *ParseOptions

	separateApprover bool
	observers        subscriptions

	mu      sync.Mutex
	running map[runningCall]struct{} // calls that this process began and has not finished
}

// runningCall names a record across owners.
type runningCall struct {
	owner string
	seq   int64
}

// Reconcile finds out what became of a call by asking the system that its tool works on.
// It answers with the call's real result and true, or with false if it cannot tell.
type Reconcile func(context.Context, *Record) (result Result, known bool, err error)

// LedgerOptions tune a [Ledger]. Nil and zero fields are the defaults.
type LedgerOptions struct {
	// Clock tells the time; default time.Now.
	Clock func() time.Time
	// Reconcile finds out what became of a call that was begun and never finished, or that was
	// left pending. Default: it cannot be told, and the call stays as it is.
	Reconcile Reconcile
	// ReconcileAfter is how old an unfinished call of another process must be before Reconcile
	// is asked, by the store's clock: it may still be running. Default one minute.
	ReconcileAfter time.Duration
	// Results say how [Turn.Do] reads what the host's own tools return; nil is the default.
	Results *ParseOptions
	// SeparateApprover refuses approvals and grants by the owner of the calls: it takes a second
	// person. Default: owners may decide about their own.
	SeparateApprover bool
}

// NewLedger returns a ledger on the store; nil is a new [Memory].
func NewLedger(store Store, options *LedgerOptions) *Ledger {
	if store == nil {
		store = NewMemory(nil)
	}
	options = cmp.Or(options, &LedgerOptions{})
	l := &Ledger{
		store: store, clock: options.Clock, results: options.Results, reconcile: options.Reconcile,
		reconcileAfter: cmp.Or(options.ReconcileAfter, time.Minute), separateApprover: options.SeparateApprover,
		running: map[runningCall]struct{}{},
	}
	if l.clock == nil {
		l.clock = time.Now
	}
	return l
}

// NewTurn returns a random name for a turn that has none of its own. It protects against
// repeats only as long as the caller keeps it.
func NewTurn() string { return rand.Text() }

// Records returns the records that fit the query, in the order in which they were begun.
func (l *Ledger) Records(ctx context.Context, query Query) ([]*Record, error) {
	if query.Owner == "" {
		return nil, ErrNoOwner
	}
	return l.store.Records(ctx, query)
}

// Completed returns the completed records of an owner after a cursor, in the order in which
// they were completed. A consumer that stores the Cursor of the last one with what it made of
// it takes each record in exactly once, whatever its observer missed.
func (l *Ledger) Completed(ctx context.Context, owner string, after int64, limit int) ([]*Record, error) {
	if owner == "" {
		return nil, ErrNoOwner
	}
	return l.store.Completed(ctx, owner, after, limit)
}

// begin asks the store, and where it leaves open what became of an earlier attempt, the host:
// once that has a result, it answers for this call, or it failed and this one may run.
func (l *Ledger) begin(ctx context.Context, record *Record, rerun bool, ask Reconcile) (Begun, error) {
	begun, err := l.store.Begin(ctx, record, rerun)
	if err == nil && !begun.Run && isInDoubt(begun.Record) {
		settled, fault := l.settle(ctx, begun.Record, begun.Age, ask)
		if fault != nil || settled == nil {
			return begun, fault
		}
		begun, err = l.store.Begin(ctx, record, rerun)
	}
	if err != nil {
		return Begun{}, err
	}
	if begun.Run {
		l.setRunning(begun.Record, l.reconcile != nil || ask != nil)
	} else if begun.Record.Ruling.Denied {
		l.observers.publish(begun.Record)
	}
	return begun, nil
}

func isInDoubt(record *Record) bool {
	return !record.Ruling.Denied && (record.Result.Status == Unknown || record.Result.Status == Pending)
}

// settle asks the host for the fate of a call that was cut off, or left pending, and completes
// its record. It returns nil when the fate stays unknown.
func (l *Ledger) settle(ctx context.Context, record *Record, age time.Duration, ask Reconcile) (*Record, error) {
	if l.isInFlight(record, age) {
		return nil, nil
	}
	result, known, err := askSafely(ctx, l.reconcile, record)
	if err == nil && !known {
		result, known, err = askSafely(ctx, ask, record)
	}
	if err != nil {
		return nil, fmt.Errorf("reconciling an earlier %s call: %w", record.Tool, err)
	}
	nothingNew := result.Status == Unknown || result.Status == record.Result.Status ||
		int(result.Status) >= len(statusNames)
	if !known || nothingNew {
		return nil, nil
	}
	return l.finish(ctx, record, result, record.Touched)
}

// setRunning remembers which calls run in this process, while somebody could reconcile them.
func (l *Ledger) setRunning(record *Record, running bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if call := (runningCall{record.Owner, record.Seq}); running {
		l.running[call] = struct{}{}
	} else {
		delete(l.running, call)
	}
}

// isInFlight reports whether a record may belong to a call that is still running. Its age is
// by the store's clock: that of another machine may be ahead.
func (l *Ledger) isInFlight(record *Record, age time.Duration) bool {
	if record.Done() {
		return false
	}
	l.mu.Lock()
	_, here := l.running[runningCall{record.Owner, record.Seq}]
	l.mu.Unlock()
	return here || age < l.reconcileAfter
}

// finish completes a record and tells the observers. Completing it again with the same status
// is no error, so that a caller may retry after a fault.
func (l *Ledger) finish(ctx context.Context, record *Record, result Result, touched []Subject) (*Record, error) {
	now, err := l.now()
	if err != nil {
		return nil, err
	}
	completed := *record
	completed.Result, completed.Touched, completed.Finished = result, touched, now
	stored, err := l.store.Finish(ctx, &completed)
	stored = stored.implying(record.Implied)
	if errors.Is(err, ErrFinished) && stored != nil && stored.Result.Status == result.Status {
		return stored, nil
	}
	if err != nil {
		return stored, err
	}
	l.setRunning(stored, false)
	l.observers.publish(stored)
	return stored, nil
}

// survive makes an error of a panic in the host's code.
func survive(what string, err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("%s panicked: %v", what, fault)
	}
}

func (l *Ledger) now() (now time.Time, err error) {
	defer survive("the clock", &err)
	return l.clock(), nil
}

func askSafely(ctx context.Context, ask Reconcile, record *Record) (result Result, known bool, err error) {
	if ask == nil {
		return Result{}, false, nil
	}
	defer survive("the reconcile function", &err)
	return ask(ctx, record)
}
