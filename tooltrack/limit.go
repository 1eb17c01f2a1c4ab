package tooltrack

import (
	"context"
	"errors"
)

// Deny completes a record that Begin returned and whose call does not run after all, by a
// rule that is asked only about calls which would run. The next attempt may.
func (t *Turn) Deny(ctx context.Context, record *Record, rule, reason string) (*Record, error) {
	if record == nil {
		return nil, errNoRecord
	}
	denied := *record
	deny(&denied, rule, reason)
	return t.Finish(ctx, &denied, denied.Result, denied.Touched...)
}

var errNoRecord = errors.New("record is nil; pass the one that Begin returned")

// Completing is for use in a [Store]: it makes the record that is handed to [Store.Finish]
// the one to keep, and returns it. Only what came of the call is its own, and the ruling if
// the call was denied after it had begun; all else is that of the record as it was begun. What
// was not finished, Unknown or Pending can be completed; to any other a read-back can be added
// once, or the stored one is returned with [ErrFinished].
func (r *Record) Completing(begun *Record) (*Record, error) {
	before, isUnseen := begun.Result.Status, begun.Sight() == "" || begun.Sight() == NotConfirmed
	addsSight := isUnseen && r.Sight() != "" && r.Result.Status == before && !begun.Ruling.Denied
	if begun.Done() && before != Unknown && before != Pending && !addsSight {
		return begun, ErrFinished
	}
	result, touched, finished, ruling := r.Result, r.Touched, r.Finished, r.Ruling
	*r = *begun
	r.Result, r.Touched, r.Finished = result, touched, finished
	if result.Status == Denied {
		r.Ruling = ruling
	}
	return r, nil
}
