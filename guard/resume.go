package guard

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// resumeLease is how long a process that has died keeps others from its turn.
const resumeLease = 30 * time.Second

// Resume goes on with a turn that waits for approval, in whatever process: what was approved runs, once and exactly
// as it was shown; what was rejected, has expired or may not run any more is told to the model, which is not asked
// for those calls again. While something still waits, the error is [ErrHeld] again, and no model was asked.
//
// One process at a time goes on with a turn: the others get [tooltrack.ErrResumedElsewhere], or
// [tooltrack.ErrNoPausedTurn] after it has ended. A turn that ends because the model could not be asked, or the
// context has ended, stays paused and can be resumed again; nothing of it runs twice.
func (g *Guard) Resume(ctx context.Context, model Model, executor Executor, owner, turn string) (*Reply, error) {
	if ctx == nil {
		return g.unbegun(ErrNoContext), ErrNoContext
	}
	if err := checkBoth(model, executor); err != nil {
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
	reply, err := t.loop(kept, model, executor, new(streaming))
	return reply, errors.Join(err, t.endResumed(ctx))
}

func (g *Guard) claim(ctx context.Context, owner, turn, claim string) (data []byte, err error) {
	defer survive("Ledger.Claim", &err)
	return g.ledger.Claim(ctx, owner, turn, claim, resumeLease)
}

// keepClaim renews the claim on a turn until it is released. When another process has taken the turn over, or a
// newer message its place, the context ends.
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
	if err := t.prepare(ctx, false); err != nil {
		return nil, err
	}
	// What the paused run did is not proposed again; what a resumed one did before it was cut off is, and is
	// answered from its records.
	later := func(record *tooltrack.Record) bool { return record.Seq > paused.Seq }
	t.track.Continue(slices.DeleteFunc(slices.Clone(t.records), later))
	t.messages = append(t.messages, paused.Messages...)
	t.spent, t.said = paused.Spent, paused.Said
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

// decideWaiting goes on with the calls that wait, in their order, as far as people have decided.
func (t *Turn) decideWaiting(ctx context.Context, executor Executor) {
	t.seenBack.executor = executor
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
				err = t.execute(ctx, executor, p)
			}
		}
		err = cmp.Or(err, ctx.Err())
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
	decided := answeredCall{t, t.track, p, approval}
	begun, err := decided.release(ctx)
	if errors.Is(err, tooltrack.ErrNotApproved) { // it has expired since it was read
		approval.State = tooltrack.Expired
		begun, err = decided.release(ctx)
	}
	if err != nil {
		return err
	}
	return t.runBegun(ctx, p, executor, begun)
}

// takeFate takes what came of a call that began under its approval in a run that was cut off. It never runs again.
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

// endResumed lets go of the turn. It stays paused if it still waits, or if what ended it may be gone when it is
// resumed again.
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

// pausedVersion changes with the meaning or the shape of what is stored. A turn that another version has paused is
// refused, never misread.
const pausedVersion = 4

// pausedTurn is a turn that waits for a person. Everything else is made anew from the input when it is resumed: the
// prompt, whose date would be stale, and what is expected.
type pausedTurn struct {
	Input    Input
	Messages []Message // of this turn, after the user's
	Calls    []pausedCall
	Seq      int64 // of the last record that the turn knew
	Spent    spending
	Said     interventions
}

// pausedCall is one call of the message that the model waits for.
type pausedCall struct {
	Call     tooltrack.Call
	Touched  []tooltrack.Subject
	Told     *Message // what came of it, as the model will read it; nil while it waits
	Approval string   // the id of what it waits for; empty for a call that waits for another
	Approved []string
}

// pausedEnvelope is what the ledger keeps. The turn itself is in a form that keeps every byte of arguments and of
// providers' messages, which JSON would write anew.
type pausedEnvelope struct {
	Version int    `json:"version"`
	Turn    []byte `json:"turn"`
}

// nestedMetadata lets what a result has beside its data be stored, whatever JSON it was.
func nestedMetadata() {
	gob.Register(map[string]any{})
	gob.Register([]any{})
}

func (p *pausedTurn) encode() ([]byte, error) {
	nestedMetadata()
	var turn bytes.Buffer
	if err := gob.NewEncoder(&turn).Encode(p); err != nil {
		return nil, fmt.Errorf("the turn cannot be paused: %w", err)
	}
	return json.Marshal(pausedEnvelope{pausedVersion, turn.Bytes()})
}

func decodePaused(data []byte) (*pausedTurn, error) {
	var envelope pausedEnvelope
	if err := json.Unmarshal(data, &envelope); err != nil {
		return nil, fmt.Errorf("the paused turn is damaged: %w", err)
	}
	if envelope.Version != pausedVersion {
		return nil, wordedError(ErrPausedVersion, "the turn was paused in version %d of its form, and this program resumes "+
			"version %d; resume it with the program that paused it, or let the user ask again", envelope.Version, pausedVersion)
	}
	nestedMetadata()
	paused := new(pausedTurn)
	if err := gob.NewDecoder(bytes.NewReader(envelope.Turn)).Decode(paused); err != nil {
		return nil, fmt.Errorf("the paused turn is damaged: %w", err)
	}
	return paused, nil
}

// isWaiting reports whether a call of the batch waits for a person.
func (t *Turn) isWaiting() bool {
	return slices.ContainsFunc(t.batch, func(p pending) bool { return p.approval != nil })
}

// hasRunnable reports whether a call of the batch may still run now.
func (t *Turn) hasRunnable() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.batch, func(p pending) bool { return p.isRunnable() && p.phase != returned })
}

// pause ends this run of a turn whose calls wait, and keeps the turn for who resumes it.
func (t *Turn) pause(ctx context.Context) {
	if err := t.recordDenied(ctx, t.batch); err != nil {
		t.fail(err)
		return
	}
	t.takeLate()
	paused := &pausedTurn{
		Input: t.input, Messages: t.messages[min(t.first+1, len(t.messages)):], Spent: t.spent, Said: t.said,
	}
	var approvals []*tooltrack.Approval
	var results []Message
	var deferred []string
	for i := range t.batch {
		p := t.leave(&t.batch[i])
		call := pausedCall{Call: p.call, Touched: p.touched, Approved: p.approved}
		result := t.resultMessage(ctx, p)
		switch {
		case p.approval != nil:
			call.Approval = p.approval.ID
			approvals = append(approvals, p.approval)
		case p.deferred:
			deferred = append(deferred, t.summaryFor(p))
		default:
			call.Told = &result
		}
		paused.Calls, results = append(paused.Calls, call), append(results, result)
	}
	for _, record := range t.records {
		paused.Seq = max(paused.Seq, record.Seq)
	}
	_, err := callHost("Ledger.Pause", func() (any, error) {
		data, err := paused.encode()
		if err == nil {
			err = t.guard.ledger.Pause(ctx, t.input.scope(), t.claimed, data)
		}
		return nil, err
	})
	if err != nil {
		t.fail(err)
		return
	}
	t.endHeld(ctx, approvals, results, deferred)
}

// endHeld closes the turn with what may be shown while it waits: every call has a result among its messages, so
// that the conversation can go on without it.
func (t *Turn) endHeld(ctx context.Context, approvals []*tooltrack.Approval, results []Message, deferred []string) {
	t.batch = nil
	t.screenBeside(ctx, &t.messages[len(t.messages)-1])
	t.messages = append(t.messages, results...)
	t.close()
	held := t.heldBy(approvals, t.redact(ctx, t.heldAccount(approvals, deferred)))
	t.reply.Text, t.err = held.Account, held
	t.reply.Messages = append(t.reply.Messages, Message{Role: RoleAssistant, Text: t.reply.Text})
	if t.guard.options.DeliverAccount {
		t.reply.Err, t.err = held, nil
	}
	t.info(ctx, "turn paused", "approvals", len(approvals))
}
