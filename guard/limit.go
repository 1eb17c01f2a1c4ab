package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// keepRates gives rates and spending to this process where the host has nobody for them.
func keepRates(g *Guard, rules *policy.Options) {
	if len(rules.Rates) > 0 && rules.Limiter == nil {
		rules.Limiter = policy.NewLimiter(g.now)
	}
	if g.budgets.Meter == nil {
		g.budgets.Meter = policy.NewMeter(g.now)
	}
}

// deniedWhileRunning is the error of a call that was denied once it had begun.
func deniedWhileRunning(record *tooltrack.Record, err error) error {
	if err != nil || !record.Ruling.Denied {
		return err
	}
	return &DeniedError{Tool: record.Tool, Rule: record.Ruling.Rule, Reason: record.Ruling.Reason}
}

// runLimited runs a call that has begun, unless its rate is spent: then it has its record,
// which says so; nil otherwise. What an earlier record answers for costs nothing.
func runLimited(
	ctx context.Context, t *Turn, p *pending, executor Executor, begun tooltrack.Begun,
) (*tooltrack.Record, error) {
	decision := policy.Decision{Kind: policy.Approve}
	if begun.Run {
		decision = askLimiter(ctx, t, p.call)
	}
	if decision.Allowed() {
		t.guard.runTool(t.Context(ctx), p, executor)
		return nil, nil
	}
	record, err := t.stored("Ledger.Finish", p.call.Tool, func() (*tooltrack.Record, error) {
		return t.track.Deny(ctx, begun.Record, decision.Rule, decision.Reason)
	})
	if err == nil {
		p.record, p.result = record, record.Result
		t.rememberOf(p, record)
		t.reviewed(ctx, &pending{call: p.call, ruling: record.Ruling})
	}
	return record, err
}

// spendHandedOn takes the calls of a message from their rates where another's loop runs
// them. A message with a denied call goes back to the model, and costs nothing.
func spendHandedOn(ctx context.Context, t *Turn, batch []pending) {
	if t.driver != messagesOnly {
		return
	}
	for i := range batch {
		if batch[i].ruling.Denied {
			return
		}
	}
	for i := range batch {
		p := &batch[i]
		paid := p.ruling.Rule == tooltrack.RuleApproval // before the approval was used up
		if p.isRunnable() && !paid && !mayHandOn(ctx, t, p) {
			t.reviewed(ctx, p)
			return
		}
	}
}

// mayHandOn takes a call from its rate, or denies it.
func mayHandOn(ctx context.Context, t *Turn, p *pending) bool {
	decision := askLimiter(ctx, t, p.call)
	if !decision.Allowed() {
		p.deny(decision.Rule, decision.Reason)
	}
	return decision.Allowed()
}

// askLimiter takes a call from its rate. An observing guard takes nothing.
func askLimiter(ctx context.Context, t *Turn, call tooltrack.Call) (decision policy.Decision) {
	if t.guard.options.Observe {
		return policy.Decision{Kind: policy.Approve}
	}
	decision, err := t.guard.policy.Spend(ctx, t.input.Owner, call)
	if err != nil && ctx.Err() == nil {
		t.guard.hostFault(ctx, "Limiter.Take", err)
	}
	return decision
}
