package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/match"
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
	case t.hasJobFailed(jobs, p.call):
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
	foreign := func(record *tooltrack.Record) bool { return record == nil || !isWithin(record.Scope, scope) }
	if slices.ContainsFunc(records, foreign) {
		t.guard.hostFault(ctx, "Ledger.Records", errors.New("the store returned records that were not asked for"))
		records = slices.DeleteFunc(slices.Clone(records), foreign)
	}
	return t.guard.informed(records), nil
}

// isWithin reports whether a record's scope is the one that was asked for; empty
// fields ask for anything.
func isWithin(record, asked tooltrack.Scope) bool {
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

// hasJobFailed reports whether a call was made before, was accepted, and has failed since.
func (l *ledgerView) hasJobFailed(jobs *tooltrack.Jobs, call tooltrack.Call) bool {
	if jobs == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.records, func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Result.Status == tooltrack.Pending && isSameArgs(r.Args, call.Args) &&
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

// A tool that hands its work to another agent ([tooltrack.Tool] Delegates)
// returns what that agent says, and saying is no proof. Its records are: an
// executor that has them links them to the turn.

// ErrNoTurn is returned by [Link] outside of an executor that a turn runs.
var ErrNoTurn = errors.New("the context belongs to no turn; call Link with the context that the executor was given")

// Link adds the records of a sub-agent's turn to the evidence of the turn that
// runs this executor:
//
//	func research(ctx context.Context, call tooltrack.Call) ([]byte, error) {
//		reply, err := inner.Run(ctx, model, tools, guard.Input{User: …})
//		if err != nil {
//			return nil, err
//		}
//		return []byte(reply.Text), guard.Link(ctx, reply.Records...)
//	}
//
// They back claims and can be cited in proofs like calls of the turn itself. A nil
// record shows nothing, and is left out; so is one that is linked already: it is one
// call, however often it is handed over. After the end of the turn there is nothing
// left to back, and the error is [ErrTurnClosed].
func Link(ctx context.Context, records ...*tooltrack.Record) error {
	if ctx == nil {
		return ErrNoContext
	}
	t, ok := ctx.Value(linkKey{}).(*Turn)
	if !ok {
		return ErrNoTurn
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return ErrTurnClosed
	}
	for _, record := range withoutNil(records) {
		if !slices.ContainsFunc(t.linked, func(known *tooltrack.Record) bool { return isSameRecord(known, record) }) {
			t.linked = append(t.linked, record)
		}
	}
	return nil
}

// isSameRecord reports whether two records are of one call. Those of a ledger are known
// by their number, however they were copied; tool, id and time tell those of several
// ledgers apart.
func isSameRecord(a, b *tooltrack.Record) bool {
	return a == b || a.Seq != 0 && a.Seq == b.Seq && a.Scope == b.Scope && a.Tool == b.Tool && a.ID == b.ID &&
		a.Began.Equal(b.Began)
}

// withoutNil are the records that there are: hosts hand over slices of pointers.
func withoutNil(records []*tooltrack.Record) []*tooltrack.Record {
	if !slices.Contains(records, nil) {
		return records
	}
	return slices.DeleteFunc(slices.Clone(records), func(r *tooltrack.Record) bool { return r == nil })
}

// evidence are the records that a text of this turn may rest on: its own and
// those linked to it. A delegated call shows only that the other agent answered.
func (t *Turn) evidence() []*tooltrack.Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	unlike := func(r *tooltrack.Record) bool { return t.isDelegated(r) || wasPrompted(r) }
	if len(t.linked) == 0 && !slices.ContainsFunc(t.records, unlike) {
		return t.records
	}
	evidence := make([]*tooltrack.Record, 0, len(t.records)+len(t.linked))
	for _, record := range t.records {
		if wasPrompted(record) {
			continue
		}
		if t.isDelegated(record) {
			answered := *record
			answered.Effect, answered.Result.Data = tooltrack.Reads, nil // what it says it did is no result
			record = &answered
		}
		evidence = append(evidence, record)
	}
	return append(evidence, t.linked...)
}

// reported are the texts that other agents gave as the results of delegated calls.
func (t *Turn) reported() (texts []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, record := range t.records {
		if t.isDelegated(record) && record.Succeeded() {
			texts = append(texts, record.Result.Text())
		}
	}
	return texts
}

// wasPrompted reports a call that only a message of the guard brought up, and that was
// denied for it: nobody has to be told that it was not made. A host's own rule may have
// the same name, but not the same words.
func wasPrompted(record *tooltrack.Record) bool {
	ruling := &record.Ruling
	ours := ruling.Reason == toldAsDone || ruling.Reason == promptedReasons[ruling.Rule]
	return ruling.Denied && ruling.Reason != "" && ours
}

func (r *userRequest) isDelegated(record *tooltrack.Record) bool {
	tool := toolNamed(r.offered, record.Tool)
	return tool != nil && tool.Delegates
}

// settledRecords are the records of earlier turns and the evidence of this one, with what
// was told later of the jobs that some of them launched.
func (t *Turn) settledRecords() (earlier, records []*tooltrack.Record) {
	return tooltrack.Settled(t.earlier, t.evidence())
}

// withJobs are the records of this turn and, before them, those of earlier ones whose jobs
// it asked about, with what was told of them.
func (l *ledgerView) withJobs() []*tooltrack.Record {
	earlier, records := tooltrack.Settled(l.earlier, l.records)
	jobs := tooltrack.JobsOf(slices.Concat(l.earlier, l.records))
	if jobs == nil || len(earlier) == 0 {
		return records
	}
	var asked []*tooltrack.Record
	for i, record := range l.earlier {
		about := func(r *tooltrack.Record) bool { return jobs.Launch(r) == record }
		if slices.ContainsFunc(l.records, about) {
			asked = append(asked, earlier[i])
		}
	}
	return append(asked, records...)
}

// begun makes a verdict good that takes a text to keep quiet about a call which is not done
// yet, where the text tells just that: it was begun, and goes on.
func (d *demands) begun(turn completion.Case, verdict *completion.Verdict) {
	if verdict.Outcome.Completed() || verdict.Reason != completion.UnreportedFailure || d.readings == nil ||
		!d.matched(turn).IsBegun(turn.Text) {
		return
	}
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithBlocker, completion.Blocked, ""
}

// openJobs are the sentences that tell something as over, where what this turn began, or
// asked about, is told not to be, and nothing else was changed.
func (d *demands) openJobs(turn completion.Case) []Doubt {
	const doubt = 0.7 // as grave as a claim that is not shown without proof
	if len(turn.Records) == 0 || hasChanged(turn.Records) {
		return nil
	}
	if d.readings == nil || len(unfinished(turn)) == 0 {
		return nil
	}
	known := d.matched(turn)
	var doubts []Doubt
	for _, piece := range match.Pieces(turn.Text) {
		if words := piece.Text(); known.IsTooEarly(words) {
			claim := completion.Claim{Kind: completion.ClaimChange, Text: words, Tier: completion.Unsure, Doubt: doubt}
			doubts = append(doubts, Doubt{Claim: &claim, Words: words, Probability: doubt})
		}
	}
	return doubts
}

// unfinished are the calls of this turn that were accepted and are not done yet, and those
// of earlier ones that it asks about, where these are not done, or have failed.
func unfinished(turn completion.Case) []*tooltrack.Record {
	var open []*tooltrack.Record
	pending := func(r *tooltrack.Record) bool { return r.Result.Status == tooltrack.Pending && r.Effect.MayChange() }
	for _, record := range turn.Records {
		if pending(record) {
			open = append(open, record)
		}
	}
	failed := func(r *tooltrack.Record) bool { return pending(r) || r.Result.Status == tooltrack.Failed }
	if len(open) > 0 || !slices.ContainsFunc(turn.Earlier, failed) {
		return open
	}
	jobs := tooltrack.JobsOf(slices.Concat(turn.Earlier, turn.Records))
	for _, record := range turn.Records {
		if launch := jobs.Launch(record); launch != nil && failed(launch) {
			open = append(open, launch)
		}
	}
	return open
}

// A loop of the host's own may ask for the next request while a call still runs.
// The turn goes on without it: the call has begun, so it is neither told as not run
// nor as failed, and what comes of it is taken up at the next step.

// stillRunning is why the fate of such a call is not known.
const stillRunning = "it is still running"

// leave returns a call of the finished batch. In place of one that still runs it is
// a call of unknown fate, since the other one is in the hands of its Do.
func (l *ledgerView) leave(p *pending) *pending {
	l.mu.Lock()
	running := p.started && !p.returned && !p.ruling.Denied
	p.left = running
	begun := p.begun
	l.mu.Unlock()
	if !running {
		return p
	}
	if begun != nil {
		l.remember(begun)
	}
	return &pending{call: p.call, tool: p.tool, record: begun, result: tooltrack.UnknownResult(stillRunning)}
}

// returned notes that a call does not run any more.
func (l *ledgerView) returned(p *pending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.returned = true
}

// rememberOf adds the record of a call to those of the turn; if the turn has gone on,
// at its next step, since the records are being read now.
func (l *ledgerView) rememberOf(p *pending, record *tooltrack.Record) {
	l.mu.Lock()
	left := p.left
	if left {
		l.late = append(l.late, record)
	}
	l.mu.Unlock()
	if !left {
		l.remember(record)
	}
}

// takeLate takes up what has come of calls since the turn went on without them.
func (l *ledgerView) takeLate() {
	l.mu.Lock()
	late := l.late
	l.late = nil
	l.mu.Unlock()
	for _, record := range late {
		l.remember(record)
	}
}
