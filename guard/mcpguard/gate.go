package mcpguard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// gate is what a call passes on either side of a connection: review, record,
// run, record.
type gate struct {
	options  MiddlewareOptions
	ledger   *tooltrack.Ledger
	scope    func(context.Context, mcp.Request) (tooltrack.Scope, error)
	catalogs catalogs
	turns    turns
}

func newGate(options *MiddlewareOptions, scope func(context.Context, mcp.Request) (tooltrack.Scope, error)) *gate {
	g := &gate{scope: scope}
	if options != nil {
		g.options = *options
	}
	if g.options.Scope != nil {
		g.scope = g.options.Scope
	}
	if g.options.Clock == nil {
		g.options.Clock = time.Now
	}
	if g.ledger = g.options.Ledger; g.ledger == nil {
		g.ledger = tooltrack.NewLedger(nil, &tooltrack.LedgerOptions{Clock: g.options.Clock})
	}
	g.options.Policy = policyOptions(g.options.Policy)
	g.catalogs.correct, g.catalogs.rules = g.options.Describe, g.options.Policy
	return g
}

// ask is one call at the gate.
type ask struct {
	scope tooltrack.Scope
	call  tooltrack.Call
	// request is the one that was received, and approved the rules for which a person
	// has approved it.
	request  mcp.Request
	approved []string

	session *mcp.ClientSession // whose list it is; nil on a server, which lists at no cost
	lister  lister
}

// runFunc runs a call with the arguments that were approved.
type runFunc func(ctx context.Context, args json.RawMessage) (*mcp.CallToolResult, error)

// scopeOf asks who is asking; the host's code may panic.
func (g *gate) scopeOf(ctx context.Context, request mcp.Request) (scope tooltrack.Scope, err error) {
	defer survive("MiddlewareOptions.Scope", &err)
	if scope, err = g.scope(ctx, request); err != nil {
		return scope, err
	}
	if scope.Owner == "" {
		scope.Owner = guard.LocalOwner
	}
	return scope, nil
}

// pass lets a call through, or answers it.
func (g *gate) pass(ctx context.Context, asked ask, run runFunc) (mcp.Result, error) {
	asked.call = asked.call.WithID()
	tool, decision, err := g.review(ctx, asked)
	if err != nil && !g.options.Observe {
		return nil, &CallError{Tool: asked.call.Tool, Kind: ErrNotSent, Err: err}
	}
	if decision.Kind == policy.Hold && !g.options.Observe {
		return g.passHeld(ctx, asked, tool, decision, run)
	}
	ruling := decision.Record()
	if g.options.Observe {
		if ruling.Denied || decision.Kind == policy.Rewrite {
			g.log(ctx, "call would not run as sent", asked.call.Tool, "rule", ruling.Rule)
		}
		ruling, decision.Args = tooltrack.Ruling{}, asked.call.Args
	}
	if !ruling.Denied {
		asked.call.Args = decision.Args
	}
	return g.record(ctx, asked, tool, ruling, run)
}

// record writes a call down and runs it, or answers it from what is on record.
func (g *gate) record(
	ctx context.Context, asked ask, tool tooltrack.Tool, ruling tooltrack.Ruling, run runFunc,
) (mcp.Result, error) {
	turn, begun, err := g.begin(ctx, asked, tool, ruling)
	switch {
	case err != nil && !g.options.Observe:
		return nil, &CallError{Tool: asked.call.Tool, Kind: ErrNotSent, Err: err}
	case err != nil || !begun.Run && g.options.Observe: // observed only: it runs, on record or not
		g.log(ctx, "call would not run as sent", asked.call.Tool, "rule", "at_most_once", "unrecorded", err != nil)
		return answer(runSafely(ctx, asked.call, run))
	case !begun.Run:
		g.log(ctx, "call not run", asked.call.Tool, "rule", ruling.Rule, "status", begun.Record.Result.Status.String())
		return instead(begun, ruling), nil
	}
	return g.execute(ctx, turn, begun.Record, tool, run)
}

// review decides about a call. A tool that no server offers is made up for the
// record's sake.
func (g *gate) review(ctx context.Context, asked ask) (tool tooltrack.Tool, decision policy.Decision, err error) {
	defer survive("MiddlewareOptions.Policy", &err)
	tool = tooltrack.Tool{Name: asked.call.Tool}
	known, err := g.catalogs.of(ctx, asked)
	if err != nil {
		return tool, decision, err
	}
	if fault := known.faults[asked.call.Tool]; fault != nil {
		return tool, policy.Decision{Rule: "unusable_tool", Reason: fault.Error()}, nil
	}
	if listed, ok := known.tools[asked.call.Tool]; ok {
		tool = listed
	}
	var history []*tooltrack.Record
	if asked.scope.Turn != "" {
		query := tooltrack.Query{Scope: tooltrack.Scope{Owner: asked.scope.Owner, Turn: asked.scope.Turn}}
		if history, err = g.ledger.Records(ctx, query); err != nil {
			return tool, decision, &guard.HostError{Callback: "Ledger.Records", Err: err}
		}
	}
	decision, err = known.set.Review(ctx, policy.Proposal{
		Owner: asked.scope.Owner, Unnamed: asked.scope.Owner == guard.LocalOwner, Call: asked.call, History: history,
		Turn: asked.scope.Turn, Approved: asked.approved, Now: g.options.Clock(),
	})
	if err == nil && decision.Kind == policy.Hold && !g.options.Observe {
		return g.granted(ctx, known.set, asked, tool, decision)
	}
	return tool, decision, err
}

// begin writes the call down.
func (g *gate) begin(
	ctx context.Context, asked ask, tool tooltrack.Tool, ruling tooltrack.Ruling,
) (turn *tooltrack.Turn, begun tooltrack.Begun, err error) {
	defer survive("Ledger.Begin", &err)
	if turn, err = g.turns.open(g.ledger, asked.scope); err != nil {
		return nil, begun, err
	}
	begun, err = turn.Begin(ctx, tool, asked.call, &tooltrack.CallOptions{Ruling: ruling})
	return turn, begun, err
}

// execute runs a call that is written down, and completes its record.
func (g *gate) execute(
	ctx context.Context, turn *tooltrack.Turn, record *tooltrack.Record, tool tooltrack.Tool, run runFunc,
) (mcp.Result, error) {
	result, failed := runSafely(ctx, record.Call, run)
	if err := finish(ctx, turn, record, outcome(ctx, tool, result, failed)); err != nil {
		g.log(ctx, "result not recorded", tool.Name)
		return nil, &CallError{Tool: tool.Name, Kind: ErrLost, Err: err}
	}
	return answer(result, failed)
}

func finish(ctx context.Context, turn *tooltrack.Turn, record *tooltrack.Record, result tooltrack.Result) (err error) {
	defer survive("Ledger.Finish", &err)
	if _, err = turn.Finish(ctx, record, result); err != nil {
		return &guard.HostError{Callback: "Ledger.Finish", Err: err}
	}
	return nil
}

// runSafely runs a call. What a handler did that panics is as unknown as what is lost.
func runSafely(ctx context.Context, call tooltrack.Call, run runFunc) (result *mcp.CallToolResult, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			result, err = nil, &CallError{Tool: call.Tool, Kind: ErrLost, Reason: fmt.Sprintf("the tool panicked: %v", fault)}
		}
	}()
	if result, err = run(ctx, call.Args); err == nil && result == nil {
		err = errors.New("the tool returned no result")
	}
	return result, err
}

// outcome is what the ledger keeps of a run.
func outcome(ctx context.Context, tool tooltrack.Tool, result *mcp.CallToolResult, err error) tooltrack.Result {
	var body []byte
	if err != nil {
		err = failure(ctx, tool.Name, err)
	} else {
		body, err = read(tool.Name, result)
	}
	if errors.Is(err, tooltrack.ErrOutcomeUnknown) && tool.Effect.MayChange() {
		return tooltrack.UnknownResult(err.Error())
	}
	return tooltrack.ResultOf(body, err)
}

// answer is what the caller gets of a run: what it made, untouched.
func answer(result *mcp.CallToolResult, err error) (mcp.Result, error) {
	if err != nil {
		return nil, err
	}
	return result, nil
}

// instead answers a call that did not run, in words for the model.
func instead(begun tooltrack.Begun, ruling tooltrack.Ruling) *mcp.CallToolResult {
	if ruling.Denied {
		return notRun(tooltrack.Denied, ruling.Rule, ruling.Reason, "Error: the call was not run. "+ruling.Reason)
	}
	result := begun.Record.Result
	text := fmt.Sprintf("%s identical to an earlier call: %s.", tooltrack.NotRunAgain, begun.Reason)
	answered := notRun(result.Status, "at_most_once", begun.Reason, text)
	if begun.Record.Done() {
		answered.Content = append(answered.Content, &mcp.TextContent{Text: result.Text()})
	}
	if result.Success() {
		answered.IsError = false
		if data := result.Data; len(data) > 0 && data[0] == '{' {
			answered.StructuredContent = data
		}
	}
	return answered
}

// notRun is a result that no run of the tool made.
func notRun(status tooltrack.Status, rule, reason, text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Meta:    mcp.Meta{MetaRuling: map[string]any{"status": status.String(), "rule": rule, "reason": reason}},
		Content: []mcp.Content{&mcp.TextContent{Text: text}},
		IsError: true,
	}
}

func (g *gate) log(ctx context.Context, message, tool string, more ...any) {
	if g.options.Logger == nil {
		return
	}
	defer func() { _ = recover() }() // the host's handler; the call goes on
	g.options.Logger.WarnContext(ctx, message, append([]any{"tool", policy.Printable(clipped(tool))}, more...)...)
}

// survive makes an error of a panic in the host's code: defer it around the call.
func survive(callback string, err *error) {
	if fault := recover(); fault != nil {
		*err = &guard.HostError{Callback: callback, Err: fmt.Errorf("panicked: %v", fault)}
	}
}
