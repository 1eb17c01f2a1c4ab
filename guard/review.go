package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// pendingOf are calls with their tools.
func (r *userRequest) pendingOf(calls []tooltrack.Call) []pending {
	batch := make([]pending, len(calls))
	for i, call := range calls {
		p := &batch[i]
		p.call, p.batch, p.at = call, batch, i
		if p.tool = toolNamed(r.offered, call.Tool); p.tool == nil {
			p.tool, p.unknown = &tooltrack.Tool{Name: call.Tool}, true
		}
	}
	return batch
}

// review decides about each call of a message, in order: faults of the format, then whether they go on in a circle,
// what the guard itself may have prompted, the entity that is meant, and the policy. Calls approved before count in
// the history of those after them, so that a batch cannot get past a limit.
func (t *Turn) review(ctx context.Context, response Response, circling tooltrack.Ruling) error {
	calls := response.Message.Calls
	if len(calls) > MaxCalls && !t.guard.options.Observe {
		return t.refuseAll(ctx, calls)
	}
	batch := t.pendingOf(calls)
	history := t.fullHistory(len(calls))
	for i, call := range calls {
		p := &batch[i]
		if reason, broken := faultOf(response.Faults, i); broken {
			p.deny("format", reason)
		} else if len(calls) > MaxCalls {
			p.deny("format", tooManyCalls(len(calls)))
		} else if p.ruling = circling; !circling.Denied {
			if err := t.reviewSafely(ctx, p, history); err != nil {
				return err
			}
		}
		if p.touched == nil {
			p.touched = subjectArg(p.tool, p.call.Args)
		}
		if !p.ruling.Denied && i+1 < len(calls) {
			history = append(history, &tooltrack.Record{
				Scope: t.input.scope(), Call: p.call, Effect: p.tool.Effect, Result: tooltrack.Result{Status: tooltrack.Pending},
			})
		}
		t.reviewed(ctx, p)
		if t.guard.options.Observe {
			p.call, p.args, p.ruling = call, nil, tooltrack.Ruling{}
		}
	}
	spendHandedOn(ctx, t, batch)
	deferChanges(batch)
	t.batch = batch
	return t.recordDenied(ctx, t.untilApproved(batch))
}

func tooManyCalls(n int) string {
	return fmt.Sprintf("the message holds %d calls; at most %d are allowed in one message", n, MaxCalls)
}

// refuseAll denies the calls of a message that holds too many, without a look at them. One record stands for all,
// and the first answer says why.
func (t *Turn) refuseAll(ctx context.Context, calls []tooltrack.Call) error {
	t.batch = t.pendingOf(calls)
	first := &t.batch[0]
	first.deny("format", tooManyCalls(len(calls)))
	t.reviewed(ctx, first)
	record, err := t.writeDenied(ctx, first)
	if err != nil {
		return fmt.Errorf("recording a denied call of %s: %w", clipped(first.call.Tool), err)
	}
	t.remember(record)
	for i := range t.batch {
		p := &t.batch[i]
		if p.record, p.result, p.ruling = record, record.Result, first.ruling; i > 0 {
			p.result = tooltrack.DeniedResult("See the first one.")
		}
	}
	return nil
}

func faultOf(faults []CallFault, call int) (string, bool) {
	for _, fault := range faults {
		if fault.Call == call {
			return fault.Reason, true
		}
	}
	return "", false
}

// reviewSafely denies a call whose review panics.
func (t *Turn) reviewSafely(ctx context.Context, p *pending, history []*tooltrack.Record) (err error) {
	sent := p.call.Args
	fault := t.guard.contained(ctx, "reviewing a call", func() {
		if t.denyPrompted(p); !p.ruling.Denied {
			err = t.reviewOne(ctx, p, history)
		}
	})
	if fault != nil {
		p.call.Args, p.args = sent, nil
		p.deny(ruleUnreviewed, unreviewed)
	}
	return err
}

// reviewOne resolves and reviews one call, and asks a person where one has to decide. An error ends the turn: the
// context has ended, or a checklist's last attempt is over.
func (t *Turn) reviewOne(ctx context.Context, p *pending, history []*tooltrack.Record) error {
	if err := t.examine(ctx, p, history); err != nil || p.ask == nil || p.ruling.Denied {
		return err
	}
	return t.askPerson(ctx, p)
}

// examine is reviewOne, and asks nobody.
func (t *Turn) examine(ctx context.Context, p *pending, history []*tooltrack.Record) error {
	sent := p.call.Args
	if p.unknown {
		p.deny("unknown_tool", fmt.Sprintf(
			"there is no tool %q; the tools are %s", clipped(p.call.Tool), strings.Join(names(t.offered), ", ")))
		return nil
	}
	if denied := t.resolve(ctx, p); denied {
		return ctx.Err()
	}
	resolved := string(sent) != string(p.call.Args)
	decision, err := t.decide(ctx, p, history)
	if err != nil || p.ruling.Denied {
		return err
	}
	if decision.Kind != policy.Approve {
		p.args = nil // other bytes are to run
	}
	p.call.Args = decision.Args
	if decision.Kind == policy.Rewrite && !resolved { // an unwrapped layer may have hidden the reference
		if denied := t.resolve(ctx, p); denied {
			return ctx.Err()
		}
	}
	p.ruling.Rewritten = nil
	if string(sent) != string(p.call.Args) {
		p.ruling.Rewritten = sent
	}
	return nil
}

// decide asks the policy and sets the ruling.
func (t *Turn) decide(ctx context.Context, p *pending, history []*tooltrack.Record) (policy.Decision, error) {
	decision, err := callHost("Options.Policy", func() (policy.Decision, error) {
		return t.guard.reviewer.Review(ctx, policy.Proposal{
			Owner: t.input.Owner, Unnamed: t.input.Owner == LocalOwner, Call: p.call, Args: p.args, History: history,
			Turn: t.input.Turn, Mode: t.input.Mode, Checklist: t.input.Checklist, Stage: t.attempt, Approved: p.approved,
			Now: t.guard.now(),
		})
	})
	if ctx.Err() != nil {
		return decision, ctx.Err()
	}
	if err == nil && decision.Kind == policy.Hold {
		return t.decideHeld(ctx, p, decision, history)
	}
	if err == nil {
		p.ruling = decision.Record()
		return decision, nil
	}
	var attempts *policy.AttemptsError
	if !errors.As(err, &attempts) {
		t.guard.hostFault(ctx, "Options.Policy", err)
		p.deny(ruleUnreviewed, unreviewed)
		return decision, nil
	}
	p.deny("attempts", attempts.Error())
	if t.guard.options.Observe {
		return decision, nil
	}
	return decision, attempts // the last attempt is over: an end, not a detour
}

// untilApproved are the calls before the first one that may run. Where the turn runs none there is nothing to wait
// for.
func (l *ledgerView) untilApproved(calls []pending) []pending {
	for i := range calls {
		if l.track != nil && !calls[i].ruling.Denied {
			return calls[:i]
		}
	}
	return calls
}

// recordDenied writes the denied ones among calls into the ledger, each once. They have no execution to wait for,
// but a place: those behind a call that runs are written when that one has begun, so that the records stand in the
// order of the answer.
func (t *Turn) recordDenied(ctx context.Context, calls []pending) error {
	t.denying.Lock()
	defer t.denying.Unlock()
	for i := range calls {
		p := &calls[i]
		if !p.ruling.Denied || p.record != nil {
			continue
		}
		record, err := t.writeDenied(ctx, p)
		if err != nil {
			return fmt.Errorf("recording a denied call of %s: %w", clipped(p.call.Tool), err)
		}
		t.conclude(p, record)
	}
	return nil
}

func (t *Turn) writeDenied(ctx context.Context, p *pending) (*tooltrack.Record, error) {
	if t.track == nil {
		return &tooltrack.Record{
			Scope: t.input.scope(), Call: p.call, Effect: p.tool.Effect, Ruling: p.ruling,
			Result: tooltrack.DeniedResult(p.ruling.Reason), Touched: p.touched,
		}, nil
	}
	options := p.options(t.said.Retry)
	begun, err := t.begin(ctx, p, &options)
	return begun.Record, err
}

// deferChanges makes what follows a held call wait for it. Reads run at once: they change nothing, and a person may
// want to see what they found.
func deferChanges(batch []pending) {
	held := false
	for i := range batch {
		p := &batch[i]
		if held && p.isRunnable() && p.tool.Effect != tooltrack.Reads {
			p.deferred = true
		}
		held = held || p.approval != nil
	}
}

func (p *pending) deniedError() *DeniedError {
	return &DeniedError{Tool: p.call.Tool, Rule: p.ruling.Rule, Reason: p.ruling.Reason}
}

// text is what the model reads of a call.
func (p *pending) text() string {
	switch {
	case p.repeat != "":
		return p.repeat
	case p.approval != nil:
		_, reason := p.approval.Refusal()
		return tooltrack.NotRun + " " + reason
	case p.deferred:
		return tooltrack.NotRun + " " + firstWaits
	}
	return p.edited + resultText(p.result)
}

// resultText is a result as the model reads it. What did not succeed begins with "Error", so that nobody who sees
// only the messages takes it for a success.
func resultText(result tooltrack.Result) string {
	text := result.Text()
	switch result.Status {
	case tooltrack.Succeeded:
		if text == "" {
			return "OK"
		}
		return text
	case tooltrack.Pending:
		return tooltrack.NotYetDone + " " + text
	case tooltrack.Denied:
		return tooltrack.NotRun + " " + result.Error
	case tooltrack.Failed:
		if tooltrack.ParseResult(text, nil).Status == tooltrack.Failed {
			return text // it says itself that it failed
		}
		return "Error: " + result.Error
	default:
		return tooltrack.NotKnown + "; do not repeat it and do not claim it. " + result.Error
	}
}

// withIDs gives calls without an id one. The calls may be shared: a model is free to return the same ones again.
func withIDs(calls []tooltrack.Call) []tooltrack.Call {
	if !slices.ContainsFunc(calls, func(call tooltrack.Call) bool { return call.ID == "" }) {
		return calls
	}
	named := make([]tooltrack.Call, len(calls))
	for i, call := range calls {
		named[i] = call.WithID()
	}
	return named
}

// options are those of a call that does not run.
func (p *pending) options(retry string) tooltrack.CallOptions {
	return tooltrack.CallOptions{Ruling: p.ruling, Retried: retry != "", RetryReason: retry, Touched: p.touched}
}
