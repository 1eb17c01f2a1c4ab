package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// The ledger stands on a store of the host's own. One that panics or breaks its
// contract must neither end the process nor let a call run unrecorded.

var errOtherRecord = errors.New("the store did not return the record of the call")

// stored is the record that the store gives back for a call, if it is of this turn's owner and
// the tool.
func (t *Turn) stored(
	callback, tool string, store func() (*tooltrack.Record, error),
) (*tooltrack.Record, error) {
	return callHost(callback, func() (*tooltrack.Record, error) {
		record, err := store()
		if err == nil && (record == nil || record.Owner != t.input.Owner || record.Tool != tool) {
			return nil, errOtherRecord
		}
		return record, err
	})
}

// begin writes a call down before it runs.
func (t *Turn) begin(
	ctx context.Context, p *pending, options *tooltrack.CallOptions,
) (begun tooltrack.Begun, err error) {
	options.Message, options.Reconcile = t.digest, reconcileBy(t, p.call.Tool)
	tool, jobs := *p.tool, t.jobs()
	switch {
	case jobs.Asks(tool, p.call):
		tool.Effect = tooltrack.Reads // else "running" would make the question itself a call that waits
	case t.jobFailed(jobs, p.call):
		tool.Idempotent = true // it was accepted, and is over
	}
	_, err = t.stored("Ledger.Begin", p.call.Tool, func() (*tooltrack.Record, error) {
		begun, err = t.track.Begin(ctx, tool, p.call, options)
		return begun.Record, err
	})
	return begun, err
}

// recordsIn reads the records in a scope. What a store returns beside them is
// no evidence.
func (t *Turn) recordsIn(ctx context.Context, scope tooltrack.Scope) ([]*tooltrack.Record, error) {
	records, err := callHost("Ledger.Records", func() ([]*tooltrack.Record, error) {
		return t.guard.ledger.Records(ctx, tooltrack.Query{Scope: scope})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", err)
	}
	foreign := func(record *tooltrack.Record) bool { return record == nil || !within(record.Scope, scope) }
	if slices.ContainsFunc(records, foreign) {
		t.guard.hostFault(ctx, "Ledger.Records", errors.New("the store returned records that were not asked for"))
		records = slices.DeleteFunc(slices.Clone(records), foreign)
	}
	return t.guard.informed(records), nil
}

// within reports whether a record's scope is the one that was asked for; empty
// fields ask for anything.
func within(record, asked tooltrack.Scope) bool {
	same := func(has, wanted string) bool { return wanted == "" || has == wanted }
	return same(record.Owner, asked.Owner) && same(record.Conversation, asked.Conversation) &&
		same(record.Turn, asked.Turn) && same(record.Task, asked.Task)
}

// jobs are those that calls of this conversation launched.
func (l *ledgerView) jobs() *tooltrack.Jobs {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.earlier)+len(l.records) == 0 {
		return nil
	}
	return tooltrack.JobsOf(slices.Concat(l.earlier, l.records))
}

// jobFailed reports whether a call was made before, was accepted, and has failed since.
func (l *ledgerView) jobFailed(jobs *tooltrack.Jobs, call tooltrack.Call) bool {
	if jobs == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.records, func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Result.Status == tooltrack.Pending && sameArgs(r.Args, call.Args) &&
			jobs.Status(r) == tooltrack.Failed
	})
}

// fullHistory is what limits and checklists are judged by.
func (l *ledgerView) fullHistory(more int) []*tooltrack.Record {
	if len(l.history) == 0 {
		return slices.Clip(l.records)
	}
	history := make([]*tooltrack.Record, 0, len(l.history)+len(l.records)+more)
	return append(append(history, l.history...), l.records...)
}

// remember adds a record to those of the turn, in the order in which they were
// begun, or replaces it.
func (l *ledgerView) remember(record *tooltrack.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := len(l.records)
	for ; at > 0 && record.Seq != 0 && l.records[at-1].Seq >= record.Seq; at-- {
		if l.records[at-1].Seq == record.Seq {
			l.records[at-1] = record
			return
		}
	}
	l.records = slices.Insert(l.records, at, record)
}
