package tooltrack

import (
	"context"
	"errors"
	"time"
)

// Store keeps the records of a [Ledger], in memory ([NewMemory]) or in a database (package
// sqltrack). Whoever writes another one runs it through the suite in package tooltracktest.
//
// Contract, for every method: it is safe for concurrent use; an empty owner is refused with
// [ErrNoOwner]; nothing of one owner is returned for another; what was acknowledged is not
// lost; records handed out are never modified afterwards; it ends with its context, which is
// an error that leaves open whether a write took place.
type Store interface {
	// Begin writes a record before its call runs. In one atomic step with respect to every other
	// Begin, also of other processes, it looks up the earlier attempts with the same owner, turn,
	// key and occurrence and asks [Decide]; a record without a key has none. If no attempt answers,
	// it assigns Seq and Attempt (and Cursor to a record that is Done, as a denied one is), stores
	// the record, which it may keep, and returns the stored copy. Otherwise it stores nothing and
	// returns the attempt that answers, with its Age if that one is not Done.
	Begin(ctx context.Context, record *Record, rerun bool) (Begun, error)

	// Finish completes the record with that owner and Seq, as [Record.Completing] says: it
	// assigns the next Cursor and returns the stored copy. Where the stored one stays as it is,
	// that is returned with [ErrFinished]. An unknown Seq is [ErrNoRecord].
	Finish(ctx context.Context, record *Record) (*Record, error)

	// Records returns the records that fit the query in the order of Seq.
	Records(ctx context.Context, query Query) ([]*Record, error)

	// Completed returns the records of an owner whose Cursor is greater than after, in the
	// order of Cursor, at most limit of them (0: no limit). A record that becomes visible later
	// never has a smaller Cursor than one that was visible before.
	Completed(ctx context.Context, owner string, after int64, limit int) ([]*Record, error)
}

// Query says which records are wanted. Owner is needed; every other field that
// is not empty narrows the answer.
type Query struct {
	Scope
	// After skips the records up to and including this Seq.
	After int64
	// Limit bounds the number of records; 0 means all.
	Limit int
}

// Begun is the answer to the question whether a call may run now. The zero value says no.
type Begun struct {
	// Record is the new record if Run is true, and otherwise the earlier one that answers for
	// the call: a success or a pending one, or one of status Unknown, which leaves open
	// whether the call ever ran.
	Record *Record
	// Run is true when the call may, and should, be executed now.
	Run bool
	// Reason says in words for the model why the call does not run; empty if it does, or was
	// denied. [Turn.Begin] sets it, not the store.
	Reason string
	// Age is how long ago the record that answers was begun, by the store's own clock, which
	// all processes share. A store sets it where Record is not Done.
	Age time.Duration
}

// Decide is the rule of "at most once", for use in a [Store]. Of the earlier attempts at one
// occurrence of a call it returns the one that answers for it; nil lets it run. A failure or a
// denial answers for nothing, a success or a held one always, and one that is pending, running
// or of unknown fate unless rerun allows it, as it does for idempotent tools. A record that is
// Done is not asked about. One whose Digest is that of another call is [ErrKeyReused].
func Decide(record *Record, attempts []*Record, rerun bool) (answer *Record, err error) {
	if len(attempts) > 0 && attempts[0].Digest != record.Digest {
		return nil, ErrKeyReused
	}
	for _, attempt := range attempts {
		switch status := attempt.Result.Status; {
		case record.Done(), attempt.Ruling.Denied:
		case attempt.Held():
			return attempt, nil // a person has yet to decide, about this one
		case attempt.Contradicted() && rerun: // it is not there, and doing it again does no harm
		case status == Succeeded:
			return attempt, nil
		case (status == Unknown || status == Pending) && !rerun:
			answer = attempt
		}
	}
	return answer, nil
}

var (
	// ErrNoOwner is returned for an empty owner.
	ErrNoOwner = errors.New("owner is empty; set Scope.Owner to the user the call belongs to (a single-user program " +
		"may use any fixed name, such as \"local\")")
	// ErrNoTurn is returned for an empty turn where one is needed.
	ErrNoTurn = errors.New("turn is empty; set Scope.Turn to the id of the user message, or to NewTurn() if it has none")
	// ErrKeyReused is returned when a host key names two different calls.
	ErrKeyReused = errors.New(
		"the host key was used before with another tool or other arguments; use a new key for a new call")
	// ErrFinished is returned when a completed record is completed again.
	ErrFinished = errors.New("the record is completed already; its first result stands")
	// ErrNoRecord is returned when a record to be completed does not exist.
	ErrNoRecord = errors.New("there is no such record for this owner; begin it first")
	// ErrFull is wrapped by the error of a bounded store that cannot take another record
	// without forgetting a call that is not finished.
	ErrFull = errors.New("the store is full of unfinished calls")
)
