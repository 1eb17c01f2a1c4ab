package guard

import (
	"context"
	"slices"

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
