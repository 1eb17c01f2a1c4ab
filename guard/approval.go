package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
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

// decideHeld is what becomes of a call that the policy leaves to a person: a standing grant covers it, a person has
// approved it, or a person is to be asked.
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
	grant, err := callHost("Ledger.UseGrant", func() (*tooltrack.Grant, error) {
		return t.guard.ledger.UseGrant(ctx, t.input.Owner, call)
	})
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

// askPerson writes a call down that needs a person's approval, exactly as it would run, and asks. What a person has
// rejected in this turn is not asked about again.
//
// Where another's loop runs the calls, the call is denied, with the approval's id; the identical call passes, once,
// after it was approved, whichever turn asked for it.
func (t *Turn) askPerson(ctx context.Context, p *pending) (err error) {
	ask := *p.ask
	p.ask = nil
	ask.Summary = cmp.Or(ask.Summary, t.summaryFor(p))
	for _, record := range t.records {
		rejected := record.Ruling.Rule == tooltrack.RuleRejected && record.Tool == p.call.Tool
		if rejected && isSameArgs(record.Args, p.call.Args) {
			p.deny(tooltrack.RuleRejected, record.Ruling.Reason)
			return nil
		}
	}
	var begun tooltrack.Begun
	var approval *tooltrack.Approval
	handedOn := t.driver == messagesOnly
	if handedOn {
		approval, err = t.approvalFor(ctx, p.call)
	}
	if err == nil && approval == nil {
		begun, approval, err = t.holdCall(ctx, p, ask)
	}
	switch {
	case err != nil:
		return err
	case approval == nil && handedOn:
		p.deny(tooltrack.RuleApproval, cannotHold)
	case approval == nil:
		t.answerFrom(ctx, p, begun)
	case !handedOn:
		p.approval = approval
		t.remember(begun.Record)
	case approval.State == tooltrack.Waiting:
		_, reason := approval.Refusal()
		p.deny(tooltrack.RuleApproval, reason)
	default:
		return t.handOnDecided(ctx, p, approval)
	}
	return nil
}

func (t *Turn) holdCall(
	ctx context.Context, p *pending, ask tooltrack.Ask,
) (begun tooltrack.Begun, approval *tooltrack.Approval, err error) {
	options, err := t.callOptions(p)
	if err != nil {
		return begun, nil, err
	}
	options.Message, ask.State = t.digest, stateBefore(ctx, t, p)
	_, err = t.stored("Ledger.Hold", p.call.Tool, func() (*tooltrack.Record, error) {
		begun, approval, err = t.track.Hold(ctx, *p.tool, p.call, &options, ask)
		return begun.Record, err
	})
	if err == nil && approval != nil {
		t.info(ctx, "call held", "tool", p.call.Tool, "rule", approval.Rule, "approval", approval.ID)
	}
	return begun, approval, err
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

// handOnDecided uses an approval up for a call that another's loop runs.
func (t *Turn) handOnDecided(ctx context.Context, p *pending, approval *tooltrack.Approval) error {
	track, err := t.guard.ledger.Open(approval.Scope)
	if err != nil {
		return err
	}
	decided := answeredCall{t, track, p, approval}
	begun, err := decided.release(ctx)
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

// approvalFor finds the open approval of an identical call.
func (t *Turn) approvalFor(ctx context.Context, call tooltrack.Call) (*tooltrack.Approval, error) {
	scope := tooltrack.Scope{Owner: t.input.Owner, Conversation: t.input.Conversation}
	open, err := t.approvals(ctx, tooltrack.ApprovalQuery{Scope: scope})
	for _, approval := range open {
		asked := cmp.Or(string(approval.Original), string(approval.Call.Args))
		if approval.Call.Tool == call.Tool && asked == string(call.Args) {
			return approval, nil
		}
	}
	return nil, err
}

func (t *Turn) approvals(ctx context.Context, query tooltrack.ApprovalQuery) ([]*tooltrack.Approval, error) {
	return callHost("Ledger.Approvals", func() ([]*tooltrack.Approval, error) {
		return t.guard.ledger.Approvals(ctx, query)
	})
}

// answeredCall is a call whose approval was answered, with the turn that asked for it in the ledger.
type answeredCall struct {
	*Turn
	asker    *tooltrack.Turn
	p        *pending
	approval *tooltrack.Approval
}

// release begins the call, or ends its wait: then there is no record to run, and the ruling says why. The policy is
// asked again, since much may have changed while a person thought about it.
func (a *answeredCall) release(ctx context.Context) (begun tooltrack.Begun, err error) {
	p, approval := a.p, a.approval
	if approval.State != tooltrack.Approved {
		rule, reason := approval.Refusal()
		return begun, a.refuse(ctx, rule, reason)
	}
	p.call.Args, p.args, p.ask = approval.Call.Args, nil, nil
	p.approved = append(p.approved, approval.Rule)
	if err := a.examine(ctx, p, a.fullHistory(0)); err != nil {
		return begun, err
	}
	edited := string(p.call.Args) != string(approval.Call.Args)
	switch {
	case !p.ruling.Denied && (p.ask != nil || edited || isStateChanged(ctx, a.Turn, p, approval)):
		return begun, a.askAnew(ctx)
	case p.ruling.Denied, a.driver == messagesOnly && !mayHandOn(ctx, a.Turn, p):
		return begun, a.refuse(ctx, p.ruling.Rule, p.ruling.Reason)
	}
	p.ruling.Rule, p.ruling.Reason = tooltrack.RuleApproval, "approved by "+printable(approval.By, maxName)
	p.edited = editedText(approval)
	options, err := a.callOptions(p)
	if err != nil {
		return begun, err
	}
	_, err = a.stored("Ledger.Release", p.call.Tool, func() (*tooltrack.Record, error) {
		begun, err = a.asker.Release(ctx, *p.tool, p.call, &options, approval.ID)
		return begun.Record, err
	})
	switch {
	case errors.Is(err, tooltrack.ErrOtherCall):
		return tooltrack.Begun{}, a.refuse(ctx, tooltrack.RuleSuperseded, otherCall)
	case err != nil:
		return tooltrack.Begun{}, err
	}
	a.info(ctx, "call approved", "tool", p.call.Tool, "approval", approval.ID, "waited", approval.Waited(),
		"edited", approval.Original != nil)
	return begun, nil
}

// askAnew asks about a call that another rule holds by now, or that would not run as it was shown. The old approval
// is good for nothing any more.
func (a *answeredCall) askAnew(ctx context.Context) error {
	ask := a.p.ask
	if ask == nil {
		ask = &tooltrack.Ask{Rule: a.approval.Rule, Within: max(0, a.approval.Expires.Sub(a.approval.Asked))}
	}
	if err := a.refuse(ctx, tooltrack.RuleSuperseded, askedAnew); err != nil {
		return err
	}
	a.p.ruling, a.p.record, a.p.result, a.p.ask = tooltrack.Ruling{}, nil, tooltrack.Result{}, ask
	return a.askPerson(ctx, a.p)
}

// refuse ends the wait of a call that will not run.
func (a *answeredCall) refuse(ctx context.Context, rule, reason string) error {
	p := a.p
	record, err := callHost("Ledger.Refuse", func() (*tooltrack.Record, error) {
		return a.asker.Refuse(ctx, a.approval.ID, rule, reason)
	})
	if err != nil {
		return err
	}
	p.deny(rule, reason)
	p.approval = nil
	if a.driver != messagesOnly {
		p.record, p.result, p.ruling = record, record.Result, record.Ruling
		a.remember(record)
	}
	a.guard.counters.deny(rule)
	a.info(ctx, "call not approved", "tool", p.call.Tool, "rule", rule, "approval", a.approval.ID,
		"waited", a.approval.Waited())
	return nil
}

// meetHeld finds out what waits when a message comes in. The turn itself may: then it is not begun again. What
// waits in earlier turns of the conversation is superseded by the new message, whatever it says: no text ever
// approves.
func (t *Turn) meetHeld(ctx context.Context) error {
	ledger := t.guard.ledger
	asked := func(r *tooltrack.Record) bool { return r.Held() || r.Ruling.Rule == tooltrack.RuleApproval }
	if slices.ContainsFunc(t.records, asked) { // one that has begun may have been cut off
		paused, err := callHost("Ledger.IsPaused", func() (bool, error) {
			return ledger.IsPaused(ctx, t.input.Owner, t.input.Turn)
		})
		if err != nil {
			return err
		}
		if paused {
			scope := tooltrack.Scope{Owner: t.input.Owner, Turn: t.input.Turn}
			approvals, err := t.approvals(ctx, tooltrack.ApprovalQuery{Scope: scope})
			return cmp.Or(err, error(t.heldBy(approvals, t.heldAccount(approvals, nil))))
		}
	}
	if t.guard.options.Observe || !slices.ContainsFunc(t.earlier, (*tooltrack.Record).Held) {
		return nil
	}
	denied, err := callHost("Ledger.Supersede", func() ([]*tooltrack.Record, error) {
		return ledger.Supersede(ctx, t.input.scope())
	})
	for _, ended := range denied {
		for i, record := range t.earlier {
			if ended.Seq == record.Seq {
				t.earlier[i] = ended
			}
		}
	}
	return err
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
	if done := slices.DeleteFunc(slices.Clone(t.records), (*tooltrack.Record).Held); hasChanged(done) {
		lines = append(lines, texts.Recorded, t.told(done...))
	}
	return policy.HideSecrets(strings.Join(lines, "\n"))
}

// stateBefore is the state of what a call is to change, for those who must know whether it is another one by now;
// nil where that is not asked for, or cannot be read.
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

// isStateChanged reports whether what a held call is about has changed since a person was asked. What cannot be
// read now may have.
func isStateChanged(ctx context.Context, t *Turn, p *pending, approval *tooltrack.Approval) bool {
	at := slices.IndexFunc(t.records, func(r *tooltrack.Record) bool { return r.Seq == approval.Record })
	if at < 0 || t.records[at].Result.Confirmation == nil {
		return false
	}
	return string(stateBefore(ctx, t, p)) != string(t.records[at].Result.Confirmation.Found)
}

// heldBy is the error of the turn while it waits.
func (t *Turn) heldBy(approvals []*tooltrack.Approval, account string) *TurnError {
	var waiting []string
	for _, approval := range approvals {
		waiting = append(waiting, fmt.Sprintf("%s (%s)", approval.ID, approval.Call.Tool))
	}
	return &TurnError{
		Kind: ErrHeld, Reason: strings.Join(waiting, ", "), Owner: t.input.Owner, Turn: t.input.Turn,
		Approvals: approvals, Records: t.records, Account: account,
	}
}

// What the model is told of calls that a person decides about, beside what [tooltrack.Approval] says.
const (
	cannotHold = "a person has to approve it, and nobody can be asked here; say that it was not done"
	otherCall  = "it is not the call that was approved; nothing was run"
	askedAnew  = "the rules, or what it is about, have changed since it was approved; a person is asked again"
	firstWaits = "it waits for an earlier call that a person has to approve; nothing of it has been done"
)
