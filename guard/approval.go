package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// editedText tells the model that other arguments ran than it sent; empty where none did.
func editedText(approval *tooltrack.Approval) string {
	if approval.Original == nil {
		return ""
	}
	return fmt.Sprintf("%s approved it with other arguments, and only those ran: %s\n", printable(approval.By, maxName),
		approval.Call.Args)
}

// decideHeld is what becomes of a call that the policy leaves to a person: a standing
// grant covers it, a person has approved it, or a person is to be asked.
func (t *Turn) decideHeld(
	ctx context.Context, p *pending, decision policy.Decision, history []*tooltrack.Record,
) (policy.Decision, error) {
	rule := decision.Rule
	decision.Kind = policy.Approve
	if decision.Original != nil {
		decision.Kind = policy.Rewrite
	}
	p.ruling = tooltrack.Ruling{Rewritten: decision.Original}
	switch {
	case t.guard.options.Observe:
		t.guard.counters.wouldHave("approval of " + p.call.Tool)
		return decision, nil
	case slices.Contains(p.approved, rule): // by a reviewer that does not look at what was approved
		return decision, nil
	case t.track == nil || !t.guard.ledger.CanHold():
		p.deny(tooltrack.RuleApproval, cannotHold)
		return decision, nil
	}
	call := p.call
	call.Args = decision.Args
	grant, err := t.useGrant(ctx, call)
	if err != nil {
		return decision, err
	}
	if grant == nil {
		p.ask = &tooltrack.Ask{Rule: rule, Summary: decision.Summary, Within: decision.Within}
		return decision, nil
	}
	p.approved = append(p.approved, rule)
	decision, err = t.decide(ctx, p, history) // another rule may deny it, or hold it, too
	if err == nil && !p.ruling.Denied {
		p.ruling.Rule, p.ruling.Reason = "grant", "a standing grant by "+printable(grant.By, maxName)+" covers it"
	}
	return decision, err
}

func (t *Turn) useGrant(ctx context.Context, call tooltrack.Call) (grant *tooltrack.Grant, err error) {
	defer survive("Ledger.UseGrant", &err)
	if grant, err = t.guard.ledger.UseGrant(ctx, t.input.Owner, call); err != nil {
		return nil, &HostError{"Ledger.UseGrant", err}
	}
	return grant, nil
}

// askPerson writes a call down that needs a person's approval, exactly as it would run,
// and asks. What a person has rejected in this turn is not asked about again.
func (t *Turn) askPerson(ctx context.Context, p *pending) error {
	ask := *p.ask
	p.ask = nil
	ask.Summary = cmp.Or(ask.Summary, t.summaryFor(p))
	for _, record := range t.records {
		if record.Ruling.Rule == tooltrack.RuleRejected && record.Tool == p.call.Tool && sameArgs(record.Args, p.call.Args) {
			p.deny(tooltrack.RuleRejected, record.Ruling.Reason)
			return nil
		}
	}
	if t.driver == messagesOnly {
		return t.askOnWire(ctx, p, ask)
	}
	begun, approval, err := t.holdCall(ctx, t.track, p, ask)
	if err != nil {
		return err
	}
	if approval == nil {
		t.answerFrom(ctx, p, begun)
		return nil
	}
	p.approval = approval
	t.remember(begun.Record)
	return nil
}

func (t *Turn) holdCall(
	ctx context.Context, track *tooltrack.Turn, p *pending, ask tooltrack.Ask,
) (begun tooltrack.Begun, approval *tooltrack.Approval, err error) {
	defer survive("Ledger.Hold", &err)
	options, err := t.callOptions(p)
	if err != nil {
		return begun, nil, err
	}
	options.Message, ask.State = t.digest, stateBefore(ctx, t, p)
	begun, approval, err = track.Hold(ctx, *p.tool, p.call, &options, ask)
	if err == nil && !t.about(begun.Record, p.call.Tool) {
		err = errOtherRecord
	}
	if err != nil {
		return tooltrack.Begun{}, nil, &HostError{"Ledger.Hold", err}
	}
	if approval != nil {
		t.info(ctx, "call held", "tool", p.call.Tool, "rule", approval.Rule, "approval", approval.ID)
	}
	return begun, approval, nil
}

// summaryFor says to people what a call would do, where the rule has no words for it.
func (t *Turn) summaryFor(p *pending) string {
	var titles []string
	for _, subject := range p.touched {
		if subject.Title != "" {
			titles = append(titles, subject.Title)
		}
	}
	about := strings.Join(titles, ", ")
	if about == "" && string(p.call.Args) != "{}" {
		about = policy.LoggableArgs(p.call.Args)
	}
	if about == "" {
		return inWords(p.call.Tool)
	}
	return inWords(p.call.Tool) + ": " + printable(clip.Text(about, maxLogged), maxLogged)
}

// askOnWire is askPerson where another's loop runs the calls. The call is denied, with
// the approval's id; the identical call passes, once, after it was approved.
func (t *Turn) askOnWire(ctx context.Context, p *pending, ask tooltrack.Ask) (err error) {
	defer survive("Ledger.Approvals", &err)
	approval, err := t.approvalFor(ctx, p)
	if err != nil {
		return &HostError{"Ledger.Approvals", err}
	}
	if approval == nil {
		if _, approval, err = t.holdCall(ctx, t.track, p, ask); err != nil {
			return err
		}
	}
	if approval == nil || approval.State == tooltrack.Waiting {
		reason := cannotHold
		if approval != nil {
			_, reason = approval.Refusal()
		}
		p.deny(tooltrack.RuleApproval, reason)
		return nil
	}
	track, err := t.guard.ledger.Open(approval.Scope)
	if err != nil {
		return err
	}
	begun, err := t.release(ctx, track, p, approval)
	if err != nil || begun.Record == nil {
		return err
	}
	if !begun.Run {
		p.deny(ruleRepeated, begun.Reason)
		return nil
	}
	handedOn := tooltrack.UnknownResult("it was approved and handed on; what came of it is not seen here")
	_, err = track.Finish(ctx, begun.Record, handedOn)
	return err
}

// approvalFor finds the open approval of an identical call, whichever turn asked for it.
func (t *Turn) approvalFor(ctx context.Context, p *pending) (*tooltrack.Approval, error) {
	scope := tooltrack.Scope{Owner: t.input.Owner, Conversation: t.input.Conversation}
	open, err := t.guard.ledger.Approvals(ctx, tooltrack.ApprovalQuery{Scope: scope})
	for _, approval := range open {
		asked := approval.Call
		if approval.Original != nil {
			asked.Args = approval.Original
		}
		if asked.Tool == p.call.Tool && string(asked.Args) == string(p.call.Args) {
			return approval, err
		}
	}
	return nil, err
}

// release begins a call whose approval was answered, or ends its wait: then there is no
// record to run, and the ruling says why. The policy is asked again, since much may have
// changed while a person thought about it.
func (t *Turn) release(
	ctx context.Context, track *tooltrack.Turn, p *pending, approval *tooltrack.Approval,
) (tooltrack.Begun, error) {
	if approval.State == tooltrack.Approved {
		return t.releaseApproved(ctx, track, p, approval)
	}
	rule, reason := approval.Refusal()
	return tooltrack.Begun{}, t.refuse(ctx, track, p, approval, rule, reason)
}

func (t *Turn) releaseApproved(
	ctx context.Context, track *tooltrack.Turn, p *pending, approval *tooltrack.Approval,
) (tooltrack.Begun, error) {
	approved := approval.Call.Args
	p.call.Args, p.args, p.ask = approved, nil, nil
	p.approved = append(p.approved, approval.Rule)
	if err := t.examine(ctx, p, t.fullHistory(0)); err != nil {
		return tooltrack.Begun{}, err
	}
	switch {
	case p.ruling.Denied:
		return tooltrack.Begun{}, t.refuse(ctx, track, p, approval, p.ruling.Rule, p.ruling.Reason)
	case p.ask != nil || string(p.call.Args) != string(approved) || isStateChanged(ctx, t, p, approval):
		return tooltrack.Begun{}, t.askAnew(ctx, track, p, approval)
	}
	if t.driver == messagesOnly && !mayHandOn(ctx, t, p) {
		return tooltrack.Begun{}, t.refuse(ctx, track, p, approval, p.ruling.Rule, p.ruling.Reason)
	}
	p.ruling.Rule, p.ruling.Reason = tooltrack.RuleApproval, "approved by "+printable(approval.By, maxName)
	p.edited = editedText(approval)
	begun, err := t.consume(ctx, track, p, approval)
	if errors.Is(err, tooltrack.ErrOtherCall) {
		return tooltrack.Begun{}, t.refuse(ctx, track, p, approval, tooltrack.RuleSuperseded, otherCall)
	}
	return begun, err
}

// askAnew asks about a call that another rule holds by now, or that would not run as it
// was shown. The old approval is good for nothing any more.
func (t *Turn) askAnew(ctx context.Context, track *tooltrack.Turn, p *pending, approval *tooltrack.Approval) error {
	ask := p.ask
	if ask == nil {
		ask = &tooltrack.Ask{Rule: approval.Rule}
		if !approval.Expires.IsZero() {
			ask.Within = approval.Expires.Sub(approval.Asked)
		}
	}
	if err := t.refuse(ctx, track, p, approval, tooltrack.RuleSuperseded, askedAnew); err != nil {
		return err
	}
	p.ruling, p.record, p.result, p.ask = tooltrack.Ruling{}, nil, tooltrack.Result{}, ask
	return t.askPerson(ctx, p)
}

// consume turns the approval into a call that has begun.
func (t *Turn) consume(
	ctx context.Context, track *tooltrack.Turn, p *pending, approval *tooltrack.Approval,
) (begun tooltrack.Begun, err error) {
	defer survive("Ledger.Release", &err)
	options, err := t.callOptions(p)
	if err != nil {
		return begun, err
	}
	begun, err = track.Release(ctx, *p.tool, p.call, &options, approval.ID)
	switch {
	case err == nil && !t.about(begun.Record, p.call.Tool):
		return tooltrack.Begun{}, &HostError{"Ledger.Release", errOtherRecord}
	case err == nil:
		t.info(ctx, "call approved", "tool", p.call.Tool, "approval", approval.ID, "waited", approval.Waited(),
			"edited", approval.Original != nil)
	case !errors.Is(err, tooltrack.ErrOtherCall):
		err = &HostError{"Ledger.Release", err}
	}
	return begun, err
}

// refuse ends the wait of a call that will not run.
func (t *Turn) refuse(
	ctx context.Context, track *tooltrack.Turn, p *pending, approval *tooltrack.Approval, rule, reason string,
) (err error) {
	defer survive("Ledger.Refuse", &err)
	record, err := track.Refuse(ctx, approval.ID, rule, reason)
	if err != nil {
		return &HostError{"Ledger.Refuse", err}
	}
	p.deny(rule, reason)
	p.approval = nil
	if t.driver != messagesOnly {
		p.record, p.result, p.ruling = record, record.Result, record.Ruling
		t.remember(record)
	}
	t.guard.counters.deny(rule)
	t.info(ctx, "call not approved", "tool", p.call.Tool, "rule", rule, "approval", approval.ID,
		"waited", approval.Waited())
	return nil
}

// meetHeld finds out what waits when a message comes in. The turn itself may: then it
// is not begun again. What waits in earlier turns of the conversation is superseded by
// the new message, whatever it says: no text ever approves.
func (t *Turn) meetHeld(ctx context.Context) (err error) {
	defer survive("Ledger.Supersede", &err)
	held := func(record *tooltrack.Record) bool { return record.Held() }
	asked := func(r *tooltrack.Record) bool { return r.Held() || r.Ruling.Rule == tooltrack.RuleApproval }
	if slices.ContainsFunc(t.records, asked) { // one that has begun may have been cut off
		paused, err := t.guard.ledger.IsPaused(ctx, t.input.Owner, t.input.Turn)
		if err != nil {
			return &HostError{"Ledger.IsPaused", err}
		}
		if paused {
			return t.heldError(ctx)
		}
	}
	if t.guard.options.Observe || !slices.ContainsFunc(t.earlier, held) {
		return nil
	}
	denied, err := t.guard.ledger.Supersede(ctx, t.input.scope())
	if err != nil {
		return &HostError{"Ledger.Supersede", err}
	}
	for i, record := range t.earlier {
		for _, ended := range denied {
			if ended.Seq == record.Seq {
				t.earlier[i] = ended
			}
		}
	}
	return nil
}

// heldError says what the turn waits for, as the ledger has it.
func (t *Turn) heldError(ctx context.Context) error {
	scope := tooltrack.Scope{Owner: t.input.Owner, Turn: t.input.Turn}
	approvals, err := t.guard.ledger.Approvals(ctx, tooltrack.ApprovalQuery{Scope: scope})
	if err != nil {
		return &HostError{"Ledger.Approvals", err}
	}
	return &HeldError{
		Owner: t.input.Owner, Turn: t.input.Turn, Approvals: approvals,
		TurnEnd: TurnEnd{t.records, t.heldAccount(approvals, nil)},
	}
}

// heldAccount says to people what waits, and what is on record of the turn besides.
func (t *Turn) heldAccount(approvals []*tooltrack.Approval, deferred []string) string {
	texts := &t.guard.texts
	if len(approvals)+len(deferred) == 0 { // all is decided, and the turn has to be resumed
		return t.toldNow()
	}
	var lines []string
	for _, approval := range approvals {
		line := texts.Held + ": " + approval.Summary
		if !approval.Expires.IsZero() {
			until := approval.Expires.In(t.guard.now().Location()).Format("2006-01-02 15:04 MST")
			line += " (" + texts.HeldUntil + " " + until + ")"
		}
		lines = append(lines, line)
	}
	for _, what := range deferred {
		lines = append(lines, texts.HeldAfter+": "+what)
	}
	lines = append(lines, texts.HeldNothing)
	if done := slices.DeleteFunc(slices.Clone(t.records), (*tooltrack.Record).Held); changed(done) {
		lines = append(lines, texts.Recorded, t.told(done...))
	}
	return policy.HideSecrets(strings.Join(lines, "\n"))
}
