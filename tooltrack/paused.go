package tooltrack

import (
	"context"
	"errors"
	"time"
)

// A turn that waits for approval is kept beside the ledger, by owner and turn, and
// never with the client. What is in it is the guard's business; the ledger sees to it
// that one process at a time goes on with it.

const kindPaused = "paused"

var (
	// ErrNoPausedTurn is returned for a turn that does not wait: it never did, it has
	// ended since, or a newer message took its place.
	ErrNoPausedTurn = errors.New("no such turn waits for approval")
	// ErrResumedElsewhere is returned while another process goes on with the turn.
	ErrResumedElsewhere = errors.New("another process is resuming this turn; try again when it is done")
)

// pausedDocument is a paused turn, and who goes on with it until when.
type pausedDocument struct {
	Turn  []byte    `json:"turn"`
	Claim string    `json:"claim,omitempty"`
	Until time.Time `json:"until,omitzero"`
}

// Pause keeps a turn whose calls wait, and ends the claim on it. A claim that was lost
// to another process cannot write: that is [ErrResumedElsewhere].
func (l *Ledger) Pause(ctx context.Context, scope Scope, claim string, turn []byte) error {
	if scope.Turn == "" {
		return ErrNoTurn
	}
	return l.atomically(ctx, scope.Owner, func(desk Desk, now time.Time) error {
		if _, _, err := pausedOn(desk, scope.Turn, claim, now); err != nil && !errors.Is(err, ErrNoPausedTurn) {
			return err
		}
		return putPaused(desk, scope, &pausedDocument{Turn: turn})
	})
}

// Claim returns a paused turn to the one process that goes on with it, for the length
// of the lease; claiming again under the same name renews it. While another claim
// holds it is [ErrResumedElsewhere].
func (l *Ledger) Claim(ctx context.Context, owner, turn, claim string, lease time.Duration) (paused []byte, err error) {
	err = l.atomically(ctx, owner, func(desk Desk, now time.Time) error {
		found, scope, err := pausedOn(desk, turn, claim, now)
		if err != nil {
			return err
		}
		found.Claim, found.Until, paused = claim, now.Add(lease.Truncate(time.Millisecond)), found.Turn
		return putPaused(desk, scope, found)
	})
	return paused, err
}

// Unpause forgets a paused turn that has ended. One that is gone already is no error.
func (l *Ledger) Unpause(ctx context.Context, owner, turn, claim string) error {
	return l.atomically(ctx, owner, func(desk Desk, now time.Time) error {
		if _, _, err := pausedOn(desk, turn, claim, now); err != nil && !errors.Is(err, ErrNoPausedTurn) {
			return err
		}
		return desk.Drop(kindPaused, turn)
	})
}

// IsPaused reports whether a turn waits.
func (l *Ledger) IsPaused(ctx context.Context, owner, turn string) (bool, error) {
	found, _, err := l.documents(ctx, DocumentQuery{Scope: Scope{Owner: owner}, Kind: kindPaused, ID: turn})
	return len(found) > 0, err
}

// pausedOn finds a paused turn for who has a claim on it, or wants one.
func pausedOn(desk Desk, turn, claim string, now time.Time) (*pausedDocument, Scope, error) {
	paused, scope, err := readOn[pausedDocument](desk, kindPaused, turn, ErrNoPausedTurn)
	if err == nil && paused.Claim != "" && paused.Claim != claim && now.Before(paused.Until) {
		err = ErrResumedElsewhere
	}
	return paused, scope, err
}

func putPaused(desk Desk, scope Scope, paused *pausedDocument) error {
	return putOn(desk, Document{Kind: kindPaused, ID: scope.Turn, Scope: scope, Open: true}, paused)
}
