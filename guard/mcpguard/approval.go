package mcpguard

import (
	"context"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// passHeld is pass for a call that a person has to approve. It is answered with the
// approval's id, unless the client's user decides at once; the identical call passes,
// once, after it was approved.
func (g *gate) passHeld(
	ctx context.Context, asked ask, tool tooltrack.Tool, decision policy.Decision, run runFunc,
) (mcp.Result, error) {
	asked.call.Args = decision.Args
	approval, err := g.approvalFor(ctx, asked, tool, decision)
	if err != nil {
		return nil, &CallError{Tool: asked.call.Tool, Kind: ErrNotSent, Err: err}
	}
	if approval == nil { // an earlier call answers for it
		return g.record(ctx, asked, tool, tooltrack.Ruling{}, run)
	}
	if approval.State == tooltrack.Waiting && g.options.Elicit {
		var question *mcp.CallToolResult
		if approval, question = g.elicit(ctx, asked.request, approval); question != nil {
			return question, nil
		}
	}
	if approval.State != tooltrack.Approved {
		return g.refuse(ctx, approval)
	}
	asked.approved = append(asked.approved, approval.Rule)
	asked.call.Args = approval.Call.Args
	tool, decision, err = g.review(ctx, asked) // what is true now counts
	switch {
	case err != nil:
		return nil, &CallError{Tool: asked.call.Tool, Kind: ErrNotSent, Err: err}
	case !decision.Allowed() && decision.Kind != policy.Hold:
		return g.end(ctx, approval, decision.Rule, decision.Reason)
	case decision.Kind == policy.Hold || string(decision.Args) != string(approval.Call.Args):
		if _, err := g.end(ctx, approval, tooltrack.RuleSuperseded, "a person is asked again"); err != nil {
			return nil, err
		}
		return g.passHeld(ctx, asked, tool, decision, run)
	}
	return g.release(ctx, asked, tool, approval, run)
}

// granted lets a call run that a standing grant covers, if no other rule is against it.
func (g *gate) granted(
	ctx context.Context, set *policy.Set, asked ask, tool tooltrack.Tool, held policy.Decision,
) (tooltrack.Tool, policy.Decision, error) {
	call := asked.call
	call.Args = held.Args
	grant, err := g.ledger.UseGrant(ctx, asked.scope.Owner, call)
	if errors.Is(err, tooltrack.ErrCannotHold) {
		return tool, policy.Decision{Rule: held.Rule, Reason: err.Error()}, nil
	}
	if err != nil || grant == nil {
		return tool, held, err
	}
	decision, err := set.Review(ctx, policy.Proposal{
		Owner: asked.scope.Owner, Unnamed: asked.scope.Owner == guard.LocalOwner, Call: call, Turn: asked.scope.Turn,
		Approved: append(asked.approved, held.Rule), Now: g.options.Clock(),
	})
	return tool, decision, err
}

// release begins an approved call and runs it.
func (g *gate) release(
	ctx context.Context, asked ask, tool tooltrack.Tool, approval *tooltrack.Approval, run runFunc,
) (result mcp.Result, err error) {
	turn, err := g.ledger.Open(approval.Scope)
	if err != nil {
		return nil, &CallError{Tool: tool.Name, Kind: ErrNotSent, Err: err}
	}
	ruling := tooltrack.Ruling{Rule: tooltrack.RuleApproval, Reason: "approved by " + policy.Printable(approval.By)}
	begun, err := turn.Release(ctx, tool, asked.call, &tooltrack.CallOptions{Ruling: ruling}, approval.ID)
	switch {
	case errors.Is(err, tooltrack.ErrOtherCall):
		return g.end(ctx, approval, tooltrack.RuleSuperseded, err.Error())
	case err != nil:
		return nil, &CallError{Tool: tool.Name, Kind: ErrNotSent, Err: err}
	case !begun.Run:
		return instead(begun, tooltrack.Ruling{}), nil
	}
	return g.execute(ctx, turn, begun.Record, tool, run)
}

// approvalFor finds the open approval of an identical call, or asks for one; nil where an
// earlier call answers.
func (g *gate) approvalFor(
	ctx context.Context, asked ask, tool tooltrack.Tool, decision policy.Decision,
) (approval *tooltrack.Approval, err error) {
	defer survive("Ledger.Hold", &err)
	open, err := g.ledger.Approvals(ctx, tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: asked.scope.Owner}})
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(open, func(a *tooltrack.Approval) bool {
		args := a.Call.Args
		if a.Original != nil {
			args = a.Original
		}
		return a.Call.Tool == asked.call.Tool && string(args) == string(asked.call.Args) && a.Rule == decision.Rule
	})
	if at >= 0 {
		return open[at], nil
	}
	turn, err := g.turns.open(g.ledger, asked.scope)
	if err != nil {
		return nil, err
	}
	summary := decision.Summary
	if summary == "" {
		summary = asked.call.Tool + " " + policy.LoggableArgs(asked.call.Args)
	}
	options := &tooltrack.CallOptions{Ruling: tooltrack.Ruling{Rewritten: decision.Original}}
	_, approval, err = turn.Hold(ctx, tool, asked.call, options,
		tooltrack.Ask{Rule: decision.Rule, Summary: summary, Within: decision.Within})
	return approval, err
}

// refuse answers a call whose approval is not given. One that only waits stays open.
func (g *gate) refuse(ctx context.Context, approval *tooltrack.Approval) (mcp.Result, error) {
	rule, reason := approval.Refusal()
	if approval.State == tooltrack.Waiting {
		return notRun(tooltrack.Held, rule, reason, tooltrack.NotRun+" "+reason), nil
	}
	return g.end(ctx, approval, rule, reason)
}

// end ends the wait of a call that will not run, and answers it.
func (g *gate) end(
	ctx context.Context, approval *tooltrack.Approval, rule, reason string,
) (result mcp.Result, err error) {
	defer survive("Ledger.Refuse", &err)
	turn, err := g.ledger.Open(approval.Scope)
	if err == nil {
		_, err = turn.Refuse(ctx, approval.ID, rule, reason)
	}
	if err != nil {
		return nil, &CallError{Tool: approval.Call.Tool, Kind: ErrNotSent, Err: err}
	}
	return notRun(tooltrack.Denied, rule, reason, tooltrack.NotRun+" "+reason), nil
}
