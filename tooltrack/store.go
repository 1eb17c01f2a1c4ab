package tooltrack

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Store keeps the records of a [Ledger]. Implementations live in memory
// ([NewMemory]) or in a database (package sqltrack); whoever writes another
// one runs it through the suite in package tooltracktest.
//
// Contract, for every method: it is safe for concurrent use; a record whose
// owner is empty is refused with [ErrNoOwner]; nothing of one owner is
// returned for another; what was acknowledged is not lost; records handed out
// are never modified afterwards; a cancelled context is an error, and then it
// is open whether the write took place. A method that waits ends with its
// context. A panic reaches the caller of the [Ledger]; package guard makes an
// error of it.
type Store interface {
	// Begin writes a record before its call runs. In one atomic step with
	// respect to every other Begin, also of other processes, it looks up the
	// earlier attempts with the same owner, turn, key and occurrence and asks
	// [Decide]. If the call may run, or the record is Done already, as a denied
	// one is, it assigns Seq and Attempt (and Cursor, if Done), stores the
	// record and returns the stored copy; otherwise it stores nothing and
	// returns the attempt that answers for it, with its Age if that one is not
	// Done. A record without a key always runs. The store may keep the record it
	// is given: it is the store's from then on if the call may run. A record whose
	// Digest differs from that of an earlier attempt is refused with
	// [ErrKeyReused].
	Begin(ctx context.Context, record *Record, rerun bool) (Begun, error)

	// Finish completes the record with that owner and Seq: it replaces Result,
	// Touched and Finished, and Ruling where the result is Denied, assigns the next Cursor and returns the stored copy;
	// here, too, the store may keep the record it is given. A record that
	// Succeeded, Failed or was Denied stays as it is, unless [Record.CanComplete]
	// allows a read-back to be added: the stored copy is returned with [ErrFinished]. An unknown Seq is [ErrNoRecord].
	Finish(ctx context.Context, record *Record) (*Record, error)

	// Records returns the records that fit the query in the order of Seq.
	Records(ctx context.Context, query Query) ([]*Record, error)

	// Completed returns the records of an owner whose Cursor is greater than
	// after, in the order of Cursor, at most limit of them (0: no limit). A
	// record that becomes visible later never has a smaller Cursor than one
	// that was visible before.
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

// Begun is the answer to the question whether a call may run now. The zero
// value says no.
type Begun struct {
	// Record is the new record if Run is true. Otherwise it is the earlier one
	// that answers for the call: a success or a pending one, which makes this
	// call a duplicate, or one of status Unknown, which leaves open whether the
	// call ever ran.
	Record *Record
	// Run is true when the call may, and should, be executed now.
	Run bool
	// Reason says in words for the model why the call does not run; empty if it
	// does, or was denied. [Turn.Begin] sets it, not the store.
	Reason string
	// Age is how long ago the record that answers was begun, by the store's own
	// clock: the one that all processes share. A store sets it where Record is not
	// Done.
	Age time.Duration
}

// Decide is the rule of "at most once", for use in a [Store]. Given the
// earlier attempts at one occurrence of a call it says whether the call may
// run: always if all of them failed or were denied; never if one succeeded; if
// one is pending, running or of unknown fate only when rerun allows it, as it
// does for idempotent tools; and never while one is held. The answer, if the call
// may not run, is the attempt that stands in its place.
func Decide(attempts []*Record, rerun bool) (answer *Record, run bool) {
	for _, attempt := range attempts {
		switch {
		case attempt.Ruling.Denied:
		case attempt.Held():
			return attempt, false // a person has yet to decide, about this one
		case attempt.Contradicted() && rerun: // it is not there, and doing it again does no harm
		case attempt.Result.Status == Succeeded:
			return attempt, false
		case (attempt.Result.Status == Unknown || attempt.Result.Status == Pending) && !rerun:
			answer = attempt
		}
	}
	return answer, answer == nil
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
	// ErrFull is wrapped by [*FullError].
	ErrFull = errors.New("the store is full of unfinished calls")
)

// FullError is returned by a bounded store that cannot take another record
// without forgetting a call that is not finished.
type FullError struct {
	// Limit names what ran out: "records" or "bytes".
	Limit string
	// Max is the limit's value.
	Max int64
}

// Error names the limit and what to do.
func (e *FullError) Error() string {
	return fmt.Sprintf("%v: %d %s are in use; finish calls, raise the limit, or use a database store", ErrFull, e.Max,
		e.Limit)
}

// Unwrap makes errors.Is(err, ErrFull) true.
func (e *FullError) Unwrap() error { return ErrFull }
