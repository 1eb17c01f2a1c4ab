package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// stateBefore is the state of what a call is to change, for those who must know whether it is
// another one by now; nil where that is not asked for, or cannot be read.
func stateBefore(ctx context.Context, t *Turn, p *pending) []byte {
	plan := t.guard.plans[p.call.Tool]
	if plan == nil || !plan.HoldChanged {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, plan.Within)
	defer cancel()
	found := look(ctx, t, plan, &tooltrack.Record{Call: p.call})
	if !found.Success() {
		return nil
	}
	return jsonspan.AppendQuoted(nil, tooltrack.CallDigest(tooltrack.Call{Tool: plan.Tool, Args: found.Data}))
}

// isStateChanged reports whether what a held call is about has changed since a person was
// asked. What cannot be read now may have.
func isStateChanged(ctx context.Context, t *Turn, p *pending, approval *tooltrack.Approval) bool {
	at := slices.IndexFunc(t.records, func(r *tooltrack.Record) bool { return r.Seq == approval.Record })
	if at < 0 || t.records[at].Result.Confirmation == nil {
		return false
	}
	return string(stateBefore(ctx, t, p)) != string(t.records[at].Result.Confirmation.Found)
}

// ErrHeld matches every [*HeldError] with errors.Is.
var ErrHeld = errors.New("the turn waits for a person's approval")

// HeldError is a turn with a call that a person has to approve. The turn is not over: once
// the approvals are answered ([tooltrack.Ledger.Answer]), [Guard.Resume] goes on with it,
// in this process or another. The reply beside the error says what waits. Its messages have
// a result for every call; replace them by those of the resumed turn.
type HeldError struct {
	// Owner and Turn name the turn.
	Owner, Turn string
	// Approvals are what it waits for.
	Approvals []*tooltrack.Approval
	// TurnEnd is what did happen so far. Its account says to people what waits.
	TurnEnd
}

// Error names what waits.
func (e *HeldError) Error() string {
	var waiting []string
	for _, approval := range e.Approvals {
		waiting = append(waiting, fmt.Sprintf("%s (%s)", approval.ID, approval.Call.Tool))
	}
	return "the turn waits for approval: " + strings.Join(waiting, ", ")
}

// Is makes errors.Is(err, ErrHeld) true.
func (e *HeldError) Is(target error) bool { return target == ErrHeld }

// What the model is told of calls that a person decides about, beside what
// [tooltrack.Approval] says.
const (
	cannotHold = "a person has to approve it, and nobody can be asked here; say that it was not done"
	otherCall  = "it is not the call that was approved; nothing was run"
	askedAnew  = "the rules, or what it is about, have changed since it was approved; a person is asked again"
	firstWaits = "it waits for an earlier call that a person has to approve; nothing of it has been done"
)
