package guard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// The ledger stands on a store of the host's own. One that panics or breaks its contract must neither end the
// process nor let a call run unrecorded.

var errOtherRecord = errors.New("the store did not return the record of the call")

// stored is the record that the store gives back for a call, if it is of this turn's owner and the tool.
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

// recordsIn reads the records in a scope. What a store returns beside them is no evidence.
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

// isWithin reports whether a record's scope is the one that was asked for; empty fields ask for anything.
func isWithin(record, asked tooltrack.Scope) bool {
	same := func(has, wanted string) bool { return wanted == "" || has == wanted }
	return same(record.Owner, asked.Owner) && same(record.Conversation, asked.Conversation) &&
		same(record.Turn, asked.Turn) && same(record.Task, asked.Task)
}

// asJob is a tool as a call of it counts beside the jobs of the conversation: to ask about one only reads, or else
// "running" would make the question itself a call that waits; and what was accepted and has failed since may be
// tried again.
func (l *ledgerView) asJob(tool tooltrack.Tool, call tooltrack.Call) tooltrack.Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.earlier)+len(l.records) == 0 {
		return tool
	}
	jobs := tooltrack.JobsOf(slices.Concat(l.earlier, l.records))
	failed := func(r *tooltrack.Record) bool {
		return jobs != nil && r.Tool == call.Tool && r.Result.Status == tooltrack.Pending &&
			isSameArgs(r.Args, call.Args) && jobs.Status(r) == tooltrack.Failed
	}
	if jobs.Asks(tool, call) {
		tool.Effect = tooltrack.Reads
	} else if slices.ContainsFunc(l.records, failed) {
		tool.Idempotent = true
	}
	return tool
}

// fullHistory is what limits and checklists are judged by.
func (l *ledgerView) fullHistory(more int) []*tooltrack.Record {
	if len(l.history) == 0 {
		return slices.Clip(l.records)
	}
	history := make([]*tooltrack.Record, 0, len(l.history)+len(l.records)+more)
	return append(append(history, l.history...), l.records...)
}

// remember adds a record to those of the turn, in the order in which they were begun, or replaces it.
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

// A tool that hands its work to another agent ([tooltrack.Tool] Delegates) returns what that agent says, and saying
// is no proof. Its records are: an executor that has them links them to the turn.

// ErrNoTurn is returned by [Link] outside of an executor that a turn runs.
var ErrNoTurn = errors.New("the context belongs to no turn; call Link with the context that the executor was given")

// Link adds the records of a sub-agent's turn to the evidence of the turn that runs this executor:
//
//	func research(ctx context.Context, call tooltrack.Call) ([]byte, error) {
//		reply, err := inner.Run(ctx, model, tools, guard.Input{User: …})
//		if err != nil {
//			return nil, err
//		}
//		return []byte(reply.Text), guard.Link(ctx, reply.Records...)
//	}
//
// They back claims and can be cited in proofs like calls of the turn itself. A nil record shows nothing, and is
// left out; so is one that is linked already: it is one call, however often it is handed over. After the end of the
// turn there is nothing left to back, and the error is [ErrTurnClosed].
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

// isSameRecord reports whether two records are of one call. Those of a ledger are known by their number, however
// they were copied; tool, id and time tell those of several ledgers apart.
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

// evidence are the records that a text of this turn may rest on: its own and those linked to it. A delegated call
// shows only that the other agent answered.
func (t *Turn) evidence() []*tooltrack.Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.linked) == 0 && !slices.ContainsFunc(t.records, t.isDelegated) {
		return t.records
	}
	evidence := make([]*tooltrack.Record, 0, len(t.records)+len(t.linked))
	for _, record := range t.records {
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

func (r *userRequest) isDelegated(record *tooltrack.Record) bool {
	tool := toolNamed(r.offered, record.Tool)
	return tool != nil && tool.Delegates
}

// withJobs are the records of this turn and, before them, those of earlier ones whose jobs it asked about, with
// what was told of them.
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

// A loop of the host's own may ask for the next request while a call still runs. The turn goes on without it: the
// call has begun, so it is neither told as not run nor as failed, and what comes of it is taken up at the next
// step.

// stillRunning is why the fate of such a call is not known.
const stillRunning = "it is still running"

// leave returns a call of the finished batch. In place of one that still runs it is a call of unknown fate, since
// the other one is in the hands of its Do.
func (l *ledgerView) leave(p *pending) *pending {
	l.mu.Lock()
	left, begun := p.phase == running && !p.ruling.Denied, p.begun
	if left {
		p.phase = leftRunning
	}
	l.mu.Unlock()
	if !left {
		return p
	}
	if begun != nil {
		l.remember(begun)
	}
	return &pending{call: p.call, tool: p.tool, record: begun, result: tooltrack.UnknownResult(stillRunning)}
}

// rememberOf adds the record of a call to those of the turn; if the turn has gone on, at its next step, since the
// records are being read now.
func (l *ledgerView) rememberOf(p *pending, record *tooltrack.Record) {
	l.mu.Lock()
	left := p.phase == leftRunning
	if left {
		l.late = append(l.late, record)
	}
	l.mu.Unlock()
	if !left {
		l.remember(record)
	}
}

// conclude gives a call the record of what came of it.
func (l *ledgerView) conclude(p *pending, record *tooltrack.Record) {
	p.record, p.result = record, record.Result
	l.rememberOf(p, record)
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

// known are the entities that this turn's calls were about.
func (l *ledgerView) known() []resolver.Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	var entries []resolver.Entry
	for _, record := range l.records {
		for _, subject := range record.Touched {
			if subject.ID != "" && subject.Title != "" {
				entries = append(entries, resolver.Entry{ID: subject.ID, Title: subject.Title})
			}
		}
	}
	return entries
}

// subjectArg is the entity that a call names, as far as its arguments tell.
func subjectArg(tool *tooltrack.Tool, args json.RawMessage) []tooltrack.Subject {
	id := jsonspan.Scalar(jsonspan.Member(args, tool.Subject.Arg))
	if tool.Subject.Arg == "" || id == "" {
		return nil
	}
	return []tooltrack.Subject{{Kind: tool.Subject.Kind, ID: id}}
}

// subjectIn reads id and title from a result, or from its "data"; "name" stands in for a title.
func subjectIn(data []byte) (found tooltrack.Subject) {
	for _, object := range [...][]byte{data, jsonspan.Member(data, "data")} {
		text := func(key string) string { return jsonspan.Scalar(jsonspan.Member(object, key)) }
		found = tooltrack.Subject{ID: text("id"), Title: cmp.Or(text("title"), text("name"))}
		if found != (tooltrack.Subject{}) {
			break
		}
	}
	return found
}
