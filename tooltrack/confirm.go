package tooltrack

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Confirm says how a change can be seen in the world: what to read after it, and what must
// then hold. Package guard/confirm describes both forms, and guard.New checks them.
type Confirm struct {
	// Read is a call of a tool that only reads: "get_order(id = $args.id)".
	Read string `json:"read,omitempty"`
	// By reads the state in its place, where no tool does. It returns JSON; nothing means
	// that there is no such thing. It must change nothing, and return when its context ends.
	By func(ctx context.Context, change *Record) (json.RawMessage, error) `json:"-"`
	// Expect is what must hold: "status = cancelled, total = $args.total".
	Expect string `json:"expect"`
	// When says which changes are read back. Default: [WhenInDoubt].
	When ConfirmMode `json:"when,omitempty"`
	// Delay is how long a change takes to be seen: so long is waited before each read.
	// Default: no time, or 200 ms where there are several Tries.
	Delay time.Duration `json:"delay,omitempty"`
	// Tries is how often it is read until it holds. Default: 1, or 3 where Delay is set.
	Tries int `json:"tries,omitempty"`
	// Within bounds all of it. Default: 5 seconds, and the waits.
	Within time.Duration `json:"within,omitempty"`
	// HoldChanged holds an approved call again where what is read has changed since the
	// person was asked.
	HoldChanged bool `json:"hold_changed,omitempty"`
}

// ConfirmMode says when a change is read back.
type ConfirmMode string

const (
	// WhenInDoubt reads back what a text claims and the record alone shows weakly: it is
	// pending, in doubt, of unknown fate, or its result is empty.
	WhenInDoubt ConfirmMode = ""
	// AlwaysConfirm reads back every change, before the model goes on.
	AlwaysConfirm ConfirmMode = "always"
	// NeverConfirm uses only what the model itself reads later.
	NeverConfirm ConfirmMode = "never"
)

// Sight is what a read-back showed of a change.
type Sight string

const (
	// NotConfirmed is a change that could not be read: it is shown by its receipt alone.
	NotConfirmed Sight = "not confirmed"
	// Confirmed is a change that was seen in the world.
	Confirmed Sight = "confirmed"
	// Contradicted is a change that is not there, whatever its tool said.
	Contradicted Sight = "contradicted"
)

// Confirmation is what came of reading a change back.
type Confirmation struct {
	Sight Sight `json:"sight"`
	// Found is what was read, where it is short enough to be kept.
	Found json.RawMessage `json:"found,omitempty"`
	// Reason says what does not hold, or why it could not be read.
	Reason string `json:"reason,omitempty"`
	// By names what read it: a tool, or "" for the host's function.
	By string `json:"by,omitempty"`
}

// Sight is what a read-back showed; empty where none was made.
func (r *Record) Sight() Sight {
	if r.Result.Confirmation == nil {
		return ""
	}
	return r.Result.Confirmation.Sight
}

// Contradicted reports whether the change is not there, whatever its tool said.
func (r *Record) Contradicted() bool { return r.Sight() == Contradicted }

// With is the record of a call that was read back. What was seen is done, whatever was known
// of it before, and its state is then what was found. Any other keeps what its tool said.
func (r *Record) With(seen Confirmation) *Record {
	read := *r
	if seen.Sight == Confirmed && !r.Result.Sure() {
		read.Result = Result{Status: Succeeded, Grade: r.Result.Grade, Data: r.Result.Data}
		if !r.Result.Success() {
			read.Result.Data = seen.Found
		}
	}
	read.Result.Confirmation = &seen
	return &read
}

// Confirm stores what a read-back showed with the record of a call. Of one that is not
// finished it stores only that it was seen: it may still run.
func (t *Turn) Confirm(ctx context.Context, record *Record, seen Confirmation) (*Record, error) {
	read := record.With(seen)
	if !record.Done() && read.Result.Status != Succeeded {
		return read, nil
	}
	return t.Finish(ctx, record, read.Result, record.Touched...)
}

// asSeen are records as their read-backs show them: a change that is not there has failed.
func asSeen(records []*Record) []*Record {
	for i, record := range records {
		if record == nil || !record.Contradicted() || record.Result.Status == Failed {
			continue
		}
		shown := *record
		shown.Result.Doubtful, shown.Result.settled = "", true
		shown.Result = shown.Result.fail(Failed, record.Result.Confirmation.Reason)
		records = slices.Concat(records[:i], []*Record{&shown}, records[i+1:])
	}
	return records
}
