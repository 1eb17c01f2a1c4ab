package guard

import (
	"context"
	"errors"
	"slices"

	"github.com/bonafide-go/bonafide/tooltrack"
)

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
		if !slices.ContainsFunc(t.linked, func(known *tooltrack.Record) bool { return sameRecord(known, record) }) {
			t.linked = append(t.linked, record)
		}
	}
	return nil
}

// sameRecord reports whether two records are of one call. Those of a ledger are known
// by their number, however they were copied; tool, id and time tell those of several
// ledgers apart.
func sameRecord(a, b *tooltrack.Record) bool {
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
	unlike := func(r *tooltrack.Record) bool { return t.delegated(r) || wasPrompted(r) }
	if len(t.linked) == 0 && !slices.ContainsFunc(t.records, unlike) {
		return t.records
	}
	evidence := make([]*tooltrack.Record, 0, len(t.records)+len(t.linked))
	for _, record := range t.records {
		if wasPrompted(record) {
			continue
		}
		if t.delegated(record) {
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
		if t.delegated(record) && record.Succeeded() {
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

func (r *userRequest) delegated(record *tooltrack.Record) bool {
	tool := toolNamed(r.offered, record.Tool)
	return tool != nil && tool.Delegates
}
