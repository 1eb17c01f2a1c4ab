package tooltrack

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Hold records a call that a person has to approve before it runs, and asks. The approval that
// it returns is new, or the one that the same call waits for already. Where an earlier call
// answers for this one, as [Turn.Begin] tells, there is none, and nothing waits.
func (t *Turn) Hold(
	ctx context.Context, tool Tool, call Call, options *CallOptions, ask Ask,
) (begun Begun, approval *Approval, err error) {
	record, spent, err := t.proposal(tool, call, options)
	if err != nil {
		return Begun{}, nil, err
	}
	record.Result = Result{Status: Held, Grade: Executed, Error: "it waits for a person's approval"}
	if ask.State != nil {
		record.Result.Confirmation = &Confirmation{Sight: NotConfirmed, Found: ask.State}
	}
	if record.Key == "" { // a read that needs approval: asking twice must find the first
		record.Key = callKey(&tool, call)
	}
	err = t.ledger.atomically(ctx, t.scope.Owner, func(desk Desk, now time.Time) error {
		proposed := *record
		if begun, err = desk.Begin(&proposed, false); err != nil || !begun.Record.Held() {
			return err
		}
		open, err := openApprovals(desk, t.scope, now)
		if err != nil {
			return err
		}
		isOfRecord := func(a *Approval) bool { return a.Record == begun.Record.Seq }
		if at := slices.IndexFunc(open, isOfRecord); at >= 0 {
			approval = open[at]
			return nil
		}
		approval = &Approval{
			ID: "ap_" + uuid.NewString(), Scope: t.scope, Call: call, Touched: record.Touched, Record: begun.Record.Seq,
			Digest: CallDigest(call), Rule: ask.Rule, Summary: ask.Summary, Asked: now,
		}
		if ask.Within > 0 {
			approval.Expires = now.Add(ask.Within.Truncate(time.Millisecond)) // no database counts finer
		}
		return approval.put(desk, true)
	})
	if err != nil {
		return Begun{}, nil, err
	}
	if approval == nil {
		begun = t.explain(begun, &tool, spent)
	}
	return begun, approval, nil
}

func openApprovals(desk Desk, scope Scope, now time.Time) ([]*Approval, error) {
	documents, err := desk.Documents(DocumentQuery{Scope: scope, Kind: kindApproval, OnlyOpen: true})
	if err != nil {
		return nil, err
	}
	return readApprovals(documents, now)
}

// Release begins a call that a person has approved. In one step, by the store's clock, an
// approval that is Approved, not expired, and whose digest is that of the call becomes Consumed,
// and the record begun: no two processes can do so, and after a crash the call is of unknown
// fate. What the ledger knows of the call by then still counts, as in [Turn.Begin]. An approval
// that cannot be used is a [*DecidedError], and another call than the approved [ErrOtherCall].
func (t *Turn) Release(
	ctx context.Context, tool Tool, call Call, options *CallOptions, id string,
) (begun Begun, err error) {
	fresh, spent, err := t.proposal(tool, call, options)
	if err != nil {
		return Begun{}, err
	}
	err = onApproval(ctx, t.ledger, t.scope.Owner, id, func(desk Desk, approval *Approval, now time.Time) error {
		if approval.State != Approved {
			return &DecidedError{approval}
		}
		held, err := t.heldFor(desk, approval, call)
		if err != nil {
			return err
		}
		record := released(held, fresh, approval)
		if begun, err = t.release(desk, record, tool.Idempotent); err != nil {
			return err
		}
		approval.State, approval.Began = Consumed, now
		return approval.put(desk, false)
	})
	if err != nil {
		return Begun{}, err
	}
	if begun.Run {
		t.ledger.setRunning(begun.Record, true)
	}
	return t.explain(begun, &tool, spent), nil
}

// heldFor returns the record that an approval is about: neither the call that is to run, nor the
// one on record, nor what was asked about may have changed by a byte.
func (t *Turn) heldFor(desk Desk, approval *Approval, call Call) (*Record, error) {
	held, err := desk.Record(approval.Turn, approval.Record)
	if err != nil {
		return nil, err
	}
	asked := approval.Call
	if approval.Original != nil {
		asked.Args = approval.Original
	}
	same := held.Turn == t.scope.Turn && held.Tool == asked.Tool && string(held.Args) == string(asked.Args) &&
		CallDigest(approval.Call) == approval.Digest && CallDigest(call) == approval.Digest
	switch {
	case !same:
		return nil, ErrOtherCall
	case !held.Held():
		return nil, ErrFinished
	}
	return held, nil
}

// released is a held record as it is to run. Where other arguments were approved, it is another
// call to the rule of "at most once", and the ruling keeps the first ones.
func released(held, fresh *Record, approval *Approval) *Record {
	record := *held
	record.Result, record.Ruling, record.Effect, record.Began = Result{}, fresh.Ruling, fresh.Effect, fresh.Began
	record.Ruling.Rewritten = held.Ruling.Rewritten
	if approval.Original != nil {
		record.Args, record.Touched = fresh.Args, fresh.Touched
		record.Key, record.Digest, record.Occurrence = fresh.Key, fresh.Digest, fresh.Occurrence
		if record.Ruling.Rewritten == nil {
			record.Ruling.Rewritten = held.Args
		}
	}
	return &record
}

// release begins a held record, unless an earlier attempt at the same call answers for it.
func (t *Turn) release(desk Desk, record *Record, rerun bool) (Begun, error) {
	attempts, err := desk.Attempts(record)
	if err != nil {
		return Begun{}, err
	}
	others := slices.DeleteFunc(slices.Clone(attempts), func(r *Record) bool { return r.Seq == record.Seq })
	answer, err := Decide(record, others, rerun)
	if err != nil {
		return Begun{}, err
	}
	if len(others) == len(attempts) { // it has another key than when it was held
		record.Attempt = len(others) + 1
	}
	if answer != nil {
		deny(record, "repeated", "an identical call answers for it")
		record.Finished = record.Began
	}
	stored, err := desk.Release(record)
	return Begun{Record: cmp.Or(answer, stored), Run: answer == nil}, err
}

func deny(record *Record, rule, reason string) {
	record.Ruling.Denied, record.Ruling.Rule, record.Ruling.Reason = true, rule, reason
	record.Result = DeniedResult(reason)
}

// Refuse ends the wait of a call that will not run: its record is denied by the rule, for the
// reason. A call that has begun is left alone, and its record returned.
func (t *Turn) Refuse(ctx context.Context, id, rule, reason string) (*Record, error) {
	var record *Record
	err := onApproval(ctx, t.ledger, t.scope.Owner, id, func(desk Desk, approval *Approval, _ time.Time) (err error) {
		record, err = t.ledger.refuse(desk, approval, rule, reason)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.ledger.observers.publish(record)
	return record, nil
}

func (l *Ledger) refuse(desk Desk, approval *Approval, rule, reason string) (*Record, error) {
	held, err := desk.Record(approval.Turn, approval.Record)
	if err != nil || !held.Held() {
		return held, err
	}
	record := *held
	deny(&record, rule, reason)
	if record.Finished, err = l.now(); err != nil {
		return nil, err
	}
	if approval.IsOpen() {
		approval.State, approval.Reason = Superseded, reason
	}
	stored, err := desk.Release(&record)
	if err != nil {
		return nil, err
	}
	return stored, approval.put(desk, false)
}

// Fate returns the record of a call whose approval was consumed. If a crash has cut it off,
// [LedgerOptions.Reconcile] is asked what became of it, and then ask, which may be nil.
func (t *Turn) Fate(ctx context.Context, approval *Approval, ask Reconcile) (record *Record, err error) {
	err = t.ledger.atomically(ctx, t.scope.Owner, func(desk Desk, _ time.Time) (err error) {
		record, err = desk.Record(t.scope.Turn, approval.Record)
		return err
	})
	if err != nil || !isInDoubt(record) {
		return record, err
	}
	settled, err := t.ledger.settle(ctx, record, t.ledger.reconcileAfter, ask) // who asks has the turn to itself
	return cmp.Or(settled, record), err
}

// Supersede ends the wait of all calls of a conversation that have not begun, except those
// of the scope's own turn: the user has spoken again, so what waited is no longer wanted.
// It returns their records, which are denied now, and forgets their paused turns.
func (l *Ledger) Supersede(ctx context.Context, scope Scope) (denied []*Record, err error) {
	if scope.Conversation == "" {
		return nil, nil
	}
	err = l.atomically(ctx, scope.Owner, func(desk Desk, now time.Time) error {
		denied = nil
		open, err := openApprovals(desk, Scope{Owner: scope.Owner, Conversation: scope.Conversation}, now)
		if err != nil {
			return err
		}
		for _, approval := range open {
			if approval.Turn == scope.Turn {
				continue
			}
			record, err := l.refuse(desk, approval, RuleSuperseded, supersedes)
			if err == nil {
				err = desk.Drop(kindPaused, approval.Turn)
			}
			if err != nil {
				return err
			}
			denied = append(denied, record)
		}
		return nil
	})
	for _, record := range denied {
		l.observers.publish(record)
	}
	return denied, err
}

// Continue takes up a run of the turn that stopped while calls were held: the records
// that it made, up to that point, are known to this one, and are not proposed again.
func (t *Turn) Continue(records []*Record) {
	for _, record := range records {
		t.proposals.note(record)
	}
}
