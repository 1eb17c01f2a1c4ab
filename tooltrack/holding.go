package tooltrack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// ApprovalStore is a [Store] that can also keep what waits for people: approvals,
// standing grants and paused turns. What they mean is decided by the [Ledger];
// a store only keeps documents, and changes them and records in one step.
//
// The contract of Store holds. Documents handed out are never modified afterwards.
type ApprovalStore interface {
	Store

	// Atomically runs a step on what one owner has. No other step or write of that owner, also of
	// other processes, takes place in between, and what it wrote is durable when Atomically
	// returns. A step that returns an error before it has written anything leaves no trace; its
	// error is returned as it is. The step may be run again, if what it did could not be kept.
	Atomically(ctx context.Context, owner string, step func(Desk) error) error

	// Documents returns those that fit the query, those of each owner the oldest
	// first, and the time by the store's clock.
	Documents(ctx context.Context, query DocumentQuery) ([]Document, time.Time, error)
}

// Desk is what a step of an [ApprovalStore] works with. It belongs to the step.
type Desk interface {
	// Now is the time by the store's clock.
	Now() (time.Time, error)
	// Begin is that of the [Store]. A record of status Held does not run.
	Begin(record *Record, rerun bool) (Begun, error)
	// Record returns the record of a turn with that Seq, or [ErrNoRecord].
	Record(turn string, seq int64) (*Record, error)
	// Attempts are the earlier attempts at the same call, as Begin looks them up.
	Attempts(record *Record) ([]*Record, error)
	// Release replaces a record that is Held by one that is not, with the same Seq. One that is
	// Done gets the next Cursor; any other is begun now. If none is Held, it is [ErrFinished].
	Release(record *Record) (*Record, error)
	// Documents returns the owner's documents that fit the query.
	Documents(query DocumentQuery) ([]Document, error)
	// Put writes a document; one with the same kind and id is replaced.
	Put(document Document) error
	// Drop forgets a document. One that is not there is no error.
	Drop(kind, id string) error
}

// Document is a piece of what waits for people, as a store keeps it.
type Document struct {
	// Kind and ID name it within its owner.
	Kind, ID string
	// Scope is whose it is, and the turn with which a store forgets it, if any.
	Scope
	// Open says that something is still to come of it.
	Open bool
	// Data is its content.
	Data []byte
}

// DocumentQuery says which documents are wanted. Kind is needed, and Owner unless AllOwners is.
type DocumentQuery struct {
	Scope
	// Kind and ID are those of the document; an empty ID is any.
	Kind, ID string
	// OnlyOpen leaves those out of which nothing is to come any more.
	OnlyOpen bool
	// AllOwners asks for those of all owners.
	AllOwners bool
}

// Matches reports whether a document fits, for use in a store.
func (q DocumentQuery) Matches(d *Document) bool {
	fits := func(wanted, has string) bool { return wanted == "" || wanted == has }
	return q.Kind == d.Kind && fits(q.ID, d.ID) && (q.AllOwners || q.Owner == d.Owner) && (d.Open || !q.OnlyOpen) &&
		fits(q.Conversation, d.Conversation) && fits(q.Task, d.Task) && fits(q.Turn, d.Turn)
}

// atomically runs a step where the store can hold calls.
func (l *Ledger) atomically(ctx context.Context, owner string, step func(desk Desk, now time.Time) error) error {
	store, can := l.store.(ApprovalStore)
	switch {
	case !can:
		return ErrCannotHold
	case owner == "":
		return ErrNoOwner
	}
	return store.Atomically(ctx, owner, func(desk Desk) error {
		now, err := desk.Now()
		if err != nil {
			return err
		}
		return step(desk, now)
	})
}

// CanHold reports whether calls can wait for approval in the ledger's store.
func (l *Ledger) CanHold() bool {
	_, can := l.store.(ApprovalStore)
	return can
}

// documents are those that fit a query; a store that keeps none has none.
func (l *Ledger) documents(ctx context.Context, query DocumentQuery) ([]Document, time.Time, error) {
	if query.Owner == "" && !query.AllOwners {
		return nil, time.Time{}, ErrNoOwner
	}
	if store, can := l.store.(ApprovalStore); can {
		return store.Documents(ctx, query)
	}
	return nil, time.Time{}, nil
}

// Approvals returns the approvals that fit the query, the oldest first. One whose
// time has run out is Expired. A store without approvals has none.
func (l *Ledger) Approvals(ctx context.Context, query ApprovalQuery) ([]*Approval, error) {
	documents, now, err := l.documents(ctx, DocumentQuery{
		Scope: query.Scope, Kind: kindApproval, ID: query.ID, OnlyOpen: !query.Closed, AllOwners: query.AllOwners,
	})
	if err != nil {
		return nil, err
	}
	approvals, err := readApprovals(documents, now)
	slices.SortStableFunc(approvals, func(a, b *Approval) int { return a.Asked.Compare(b.Asked) })
	return approvals, err
}

// Answer decides about a call that waits. The first answer wins: any later one, and one to an
// approval that has expired or is not asked for any more, is a [*DecidedError] that says how it
// stands. An id of another owner is [ErrNoApproval]. Package guard resumes the turn.
func (l *Ledger) Answer(ctx context.Context, owner, id string, answer Answer) (*Approval, error) {
	if err := answer.check(owner, l.separateApprover); err != nil {
		return nil, err
	}
	var approval *Approval
	err := onApproval(ctx, l, owner, id, func(desk Desk, found *Approval, now time.Time) error {
		if approval = found; approval.State != Waiting {
			return &DecidedError{approval}
		}
		approval.State, approval.By, approval.Reason, approval.Decided = Rejected, answer.By, answer.Reason, now
		if answer.Approve {
			approval.State = Approved
		}
		if answer.Args != nil && string(answer.Args) != string(approval.Call.Args) {
			approval.Original, approval.Call.Args = approval.Call.Args, answer.Args
			approval.Digest = CallDigest(approval.Call)
		}
		return approval.put(desk, true)
	})
	if err != nil {
		return nil, err
	}
	return approval, nil
}

func (a *Answer) check(owner string, separateApprover bool) error {
	switch {
	case strings.TrimSpace(a.By) == "":
		return ErrNoApprover
	case separateApprover && a.By == owner:
		return ErrSelfApproval
	case a.Args != nil && !a.Approve:
		return errors.New("Answer.Args is set with a rejection; leave it out, or approve")
	case a.Args != nil && (jsonspan.KindOf(a.Args) != jsonspan.Object || !json.Valid(a.Args)):
		return errors.New("Answer.Args is no JSON object; send all arguments of the call, as they are to run")
	}
	return errors.Join(checkName("Answer.By", a.By), checkReason("Answer.Reason", a.Reason))
}

// readOn reads one document.
func readOn[T any](desk Desk, kind, id string, missing error) (*T, Scope, error) {
	found, err := desk.Documents(DocumentQuery{Kind: kind, ID: id})
	if err == nil && (id == "" || len(found) == 0) {
		err = missing
	}
	var values []T
	if err == nil {
		values, err = readAll[T](found[:1])
	}
	if err != nil {
		return nil, Scope{}, err
	}
	return &values[0], found[0].Scope, nil
}

// readAll reads what putOn wrote.
func readAll[T any](documents []Document) ([]T, error) {
	values := make([]T, len(documents))
	for i, document := range documents {
		if err := json.Unmarshal(document.Data, &values[i]); err != nil {
			return nil, fmt.Errorf("the %s %s is damaged: %w", document.Kind, clipped(document.ID), err)
		}
	}
	return values, nil
}

// putOn writes a document with a value as its content.
func putOn(desk Desk, document Document, value any) (err error) {
	if document.Data, err = json.Marshal(value); err != nil {
		return err
	}
	return desk.Put(document)
}
