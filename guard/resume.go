package guard

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// resumeLease is how long a process that has died keeps others from its turn.
const resumeLease = 30 * time.Second

// Resume goes on with a turn that waits for approval, in whatever process: what was
// approved runs, once and exactly as it was shown; what was rejected, has expired or may
// not run any more is told to the model, which is not asked for those calls again. While
// something still waits, the error is [ErrHeld] again, and no model was asked.
//
// One process at a time goes on with a turn: the others get
// [tooltrack.ErrResumedElsewhere], or [tooltrack.ErrNoPausedTurn] after it has ended. A
// turn that ends because the model could not be asked, or the context has ended, stays
// paused and can be resumed again; nothing of it runs twice.
func (g *Guard) Resume(ctx context.Context, model Model, executor Executor, owner, turn string) (*Reply, error) {
	if ctx == nil {
		return g.unbegun(ErrNoContext), ErrNoContext
	}
	if err := given(model, executor); err != nil {
		return g.unbegun(err), err
	}
	claim := tooltrack.NewTurn()
	data, err := g.claim(ctx, owner, turn, claim)
	if err != nil {
		return g.unbegun(err), err
	}
	kept, release := g.keepClaim(ctx, owner, turn, claim)
	defer release()
	var t *Turn
	if fault := g.contained(kept, "resuming", func() { t, err = g.reopen(kept, data) }); fault != nil {
		err = unjudgedError(fault)
	}
	if err != nil {
		_, _ = g.ledger.Claim(ctx, owner, turn, claim, 0) // another program may be able to
		return g.unbegun(err), err
	}
	t.claimed, t.driver = claim, guardLoop
	if fault := g.contained(kept, "resuming", func() { t.decideWaiting(kept, executor) }); fault != nil {
		t.unjudged("", fault)
	}
	reply, err := t.loop(kept, model, executor, nil)
	return reply, errors.Join(err, t.endResumed(ctx))
}

func (g *Guard) claim(ctx context.Context, owner, turn, claim string) (data []byte, err error) {
	defer survive("Ledger.Claim", &err)
	return g.ledger.Claim(ctx, owner, turn, claim, resumeLease)
}

// keepClaim renews the claim on a turn until it is released. When another process has
// taken the turn over, or a newer message its place, the context ends.
func (g *Guard) keepClaim(ctx context.Context, owner, turn, claim string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	contain.Go("keeping a turn", func() {
		for tick := time.NewTicker(resumeLease / 3); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
			}
			_, err := g.claim(ctx, owner, turn, claim)
			if errors.Is(err, tooltrack.ErrResumedElsewhere) || errors.Is(err, tooltrack.ErrNoPausedTurn) {
				cancel()
			}
		}
	}, func(fault *contain.Panic) {
		if fault != nil {
			g.panicked(ctx, fault)
			cancel()
		}
		close(done)
	})
	return ctx, func() {
		cancel()
		<-done
	}
}

// reopen makes the turn again that was paused.
func (g *Guard) reopen(ctx context.Context, data []byte) (*Turn, error) {
	paused, err := decodePaused(data)
	if err != nil {
		return nil, err
	}
	t, err := g.open(ctx, paused.Input, paused.Input.User, nil, false)
	if err != nil {
		return nil, err
	}
	if t.track, err = g.ledger.Open(t.input.scope()); err != nil {
		return nil, err
	}
	if err := t.recall(ctx); err != nil {
		return nil, err
	}
	if err := t.compose(ctx); err != nil {
		return nil, err
	}
	// What the paused run did is not proposed again; what a resumed one did before it
	// was cut off is, and is answered from its records.
	later := func(record *tooltrack.Record) bool { return record.Seq > paused.Seq }
	t.track.Continue(slices.DeleteFunc(slices.Clone(t.records), later))
	t.messages = append(t.messages, paused.Messages...)
	t.spent = spending{missing: paused.Missing, progress: paused.Progress, proofs: paused.Proofs}
	t.rounds, t.calls, t.usage, t.retry = paused.Rounds, paused.ModelCalls, paused.Usage, paused.Retry
	t.insisted, t.accused, t.required = paused.Insisted, paused.Accused, paused.Required
	calls := make([]tooltrack.Call, len(paused.Calls))
	for i, call := range paused.Calls {
		calls[i] = call.Call
	}
	t.batch = t.pendingOf(calls)
	for i, call := range paused.Calls {
		p := &t.batch[i]
		p.touched, p.told, p.approved = call.Touched, call.Told, call.Approved
		p.deferred = call.Told == nil && call.Approval == ""
		if call.Approval != "" {
			p.approval = &tooltrack.Approval{ID: call.Approval}
		}
	}
	return t, nil
}

// decideWaiting goes on with the calls that wait, in their order, as far as people have
// decided.
func (t *Turn) decideWaiting(ctx context.Context, executor Executor) {
	t.readBacks.executor = executor
	scope := tooltrack.Scope{Owner: t.input.Owner, Turn: t.input.Turn}
	approvals, err := t.guard.ledger.Approvals(ctx, tooltrack.ApprovalQuery{Scope: scope, Closed: true})
	for i := 0; i < len(t.batch) && err == nil; i++ {
		p := &t.batch[i]
		waits := p.approval != nil
		switch {
		case waits:
			at := slices.IndexFunc(approvals, func(a *tooltrack.Approval) bool { return a.ID == p.approval.ID })
			if at < 0 {
				err = tooltrack.ErrNoApproval
				break
			}
			err = t.decideOne(ctx, executor, p, approvals[at])
		case p.deferred:
			p.deferred = false
			if err = t.reviewOne(ctx, p, t.fullHistory(0)); err == nil {
				t.reviewed(ctx, p)
				err = t.executeOne(ctx, executor, p)
			}
		}
		if err == nil && p.approval != nil { // a person has yet to decide: what follows waits, too
			return
		}
	}
	if err != nil {
		t.fail(err)
	}
}

func (t *Turn) decideOne(ctx context.Context, executor Executor, p *pending, approval *tooltrack.Approval) error {
	switch approval.State {
	case tooltrack.Waiting:
		p.approval = approval
		return nil
	case tooltrack.Consumed: // by a run that was cut off
		return t.takeFate(ctx, p, approval)
	}
	p.approval = nil
	decided := answered{t, t.track, p, approval}
	begun, err := decided.release(ctx)
	if errors.Is(err, tooltrack.ErrNotApproved) { // it has expired since it was read
		approval.State = tooltrack.Expired
		begun, err = decided.release(ctx)
	}
	if err != nil || begun.Record == nil {
		return err
	}
	return t.executeBegun(ctx, executor, p, begun)
}

// takeFate takes what came of a call that began under its approval in a run that was cut
// off. It never runs again.
func (t *Turn) takeFate(ctx context.Context, p *pending, approval *tooltrack.Approval) error {
	record, err := callHost("Ledger.Fate", func() (*tooltrack.Record, error) {
		return t.track.Fate(ctx, approval, reconcileBy(t, p.call.Tool))
	})
	if err != nil {
		return err
	}
	p.approval, p.call.Args, p.record, p.result = nil, record.Args, record, record.Result
	p.edited = editedText(approval)
	if !record.Done() {
		p.result = tooltrack.UnknownResult("the program was cut off while it ran")
	}
	t.remember(record)
	return nil
}

// endResumed lets go of the turn. It stays paused if it still waits, or if what ended it
// may be gone when it is resumed again.
func (t *Turn) endResumed(ctx context.Context) (err error) {
	defer survive("Ledger.Unpause", &err)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), accountTime)
	defer cancel()
	ledger, owner, turn := t.guard.ledger, t.input.Owner, t.input.Turn
	switch {
	case errors.Is(t.err, ErrHeld) || errors.Is(t.reply.Err, ErrHeld):
		return nil // kept by pause
	case t.err != nil && !isDeliverable(t.err):
		_, err = ledger.Claim(ctx, owner, turn, t.claimed, 0)
	default:
		err = ledger.Unpause(ctx, owner, turn, t.claimed)
	}
	if errors.Is(err, tooltrack.ErrResumedElsewhere) || errors.Is(err, tooltrack.ErrNoPausedTurn) {
		return nil // it is in other hands by now, or a newer message took its place
	}
	return err
}
