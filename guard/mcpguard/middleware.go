package mcpguard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Metadata by which both sides of a connection understand one another.
const (
	// MetaTurn is the name of the turn in the metadata of a call.
	MetaTurn = "io.github.bonafide-go/turn"
	// MetaRuling is in the metadata of a result that no run of the tool made: an
	// object with "status" ("denied", or that of the earlier call which answers),
	// "rule" and "reason".
	MetaRuling = "io.github.bonafide-go/ruling"
)

const (
	methodCall    = "tools/call"
	methodList    = "tools/list"
	methodChanged = "notifications/tools/list_changed"
)

// MiddlewareOptions configure [Middleware] and [ServerMiddleware]. Nil is the
// default.
type MiddlewareOptions struct {
	// Ledger remembers calls. Default: in memory, bounded.
	Ledger *tooltrack.Ledger
	// Policy says which calls may run. Default: strict decoding and the tools'
	// own schemas. Arguments called user_id pass as sent, unless it says something
	// about identity.
	Policy *policy.Options
	// Observe runs calls as sent, repeats included, and only writes down and logs
	// what would have been decided.
	Observe bool
	// Scope says on whose behalf and in which turn a call is made; an empty turn
	// is one of its own, in which nothing can be a repeat. An error refuses the
	// call. Default: see [Middleware] and [ServerMiddleware].
	Scope func(ctx context.Context, request mcp.Request) (tooltrack.Scope, error)
	// Describe corrects what was read from the list of tools, as
	// [Options.Describe] does; the name stays. A tool that it leaves out may not
	// be called. Default: as listed.
	Describe func(listed *mcp.Tool, tool *tooltrack.Tool) bool
	// Elicit asks the client's user about a call that needs approval, by elicitation. It is
	// for servers. The answer is that of the call's owner, whose client is asked: a ledger
	// with SeparateApprover does not take it, and the call waits for another person.
	// Default: the call is answered with the approval's id, and waits for
	// [tooltrack.Ledger.Answer].
	Elicit bool
	// AnnounceTurn sends the name of the turn with each call, under [MetaTurn].
	// It is for clients. Default: nothing is sent.
	AnnounceTurn bool
	// Clock tells the time in the user's time zone. Default: time.Now.
	Clock func() time.Time
	// Logger hears of every call that was not run as sent, without arguments and
	// results. Default: silent.
	Logger *slog.Logger
}

// Middleware gives an MCP client the ledger and the policy, whatever its host's
// loop looks like. A call is reviewed by the schema that the server listed and
// by the policy, written down before it is sent, and completed with what came of
// it. A call that is not sent is answered with a result that is an error, says
// why in words for the model, and has the [MetaRuling].
//
//	client.AddSendingMiddleware(mcpguard.Middleware(nil))
//
// Owner and turn come from the context (see guard.NewContext); without a turn
// each call is a turn of its own, and none is a repeat. In a turn, a change runs
// at most once: the same call again is answered from the record of the first.
//
// It learns the tools from the lists that pass by, and lists them itself when a
// call comes first. Added to the receiving side, too, it hears of lists that
// changed before the host has read them. One value may serve several sessions.
//
// It sees calls, not what the model says about them: that is judged by a guard's
// Run, Begin or Wrap.
func Middleware(options *MiddlewareOptions) mcp.Middleware {
	g := newGate(options, clientScope)
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			session, ours := request.GetSession().(*mcp.ClientSession)
			if !ours {
				return next(ctx, method, request)
			}
			switch method {
			case methodChanged:
				g.catalogs.forget(session)
			case methodCall:
				if params, ok := request.GetParams().(*mcp.CallToolParams); ok && params != nil {
					return g.sendCall(ctx, session, request, params, next)
				}
			}
			result, err := next(ctx, method, request)
			if page, ok := result.(*mcp.ListToolsResult); ok && page != nil && method == methodList && err == nil {
				g.catalogs.learn(session, request.GetParams(), page)
			}
			return result, err
		}
	}
}

// ServerMiddleware gives those who write tools the same on the server: arguments
// are reviewed before the handler sees them, calls are written down before they
// run, and a change runs at most once in a turn. A handler that panics has an
// unknown outcome, and does not end the server.
//
//	server.AddReceivingMiddleware(mcpguard.ServerMiddleware(nil))
//
// The owner is the authenticated user, or else the session, or else, on a
// transport without either such as stdio, "local". The turn is what the client
// announces under [MetaTurn]. Without it each call is a turn of its own; so it is
// for clients of an HTTP server that have neither user nor session, since one
// could get another's results by guessing a name.
func ServerMiddleware(options *MiddlewareOptions) mcp.Middleware {
	g := newGate(options, serverScope)
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			call, ours := request.(*mcp.CallToolRequest)
			if !ours || method != methodCall || call.Params == nil {
				return next(ctx, method, request)
			}
			return g.receiveCall(ctx, call, next)
		}
	}
}

// sendCall guards a call on the client.
func (g *gate) sendCall(
	ctx context.Context, session *mcp.ClientSession, request mcp.Request, params *mcp.CallToolParams,
	next mcp.MethodHandler,
) (mcp.Result, error) {
	args, err := json.Marshal(params.Arguments)
	if err != nil {
		return nil, &CallError{Tool: params.Name, Kind: ErrNotSent, Err: fmt.Errorf("its arguments are not JSON: %w", err)}
	}
	scope, err := g.scopeOf(ctx, request)
	if err != nil {
		return nil, &CallError{Tool: params.Name, Kind: ErrNotSent, Err: err}
	}
	asked := ask{scope: scope, call: tooltrack.Call{Tool: params.Name, Args: args}, session: session, lister: session,
		request: request}
	return g.pass(ctx, asked, func(ctx context.Context, run json.RawMessage) (*mcp.CallToolResult, error) {
		sent := *params
		if string(run) != string(args) {
			sent.Arguments = run
		}
		if g.options.AnnounceTurn && scope.Turn != "" {
			sent.Meta = mcp.Meta{}
			maps.Copy(sent.Meta, params.Meta)
			sent.Meta[MetaTurn] = scope.Turn
		}
		result, err := next(ctx, methodCall, &mcp.ClientRequest[mcp.Params]{Session: session, Params: &sent})
		called, _ := result.(*mcp.CallToolResult)
		return called, err
	})
}

// receiveCall guards a call on the server.
func (g *gate) receiveCall(
	ctx context.Context, request *mcp.CallToolRequest, next mcp.MethodHandler,
) (mcp.Result, error) {
	scope, err := g.scopeOf(ctx, request)
	if err != nil {
		return nil, err
	}
	asked := ask{
		scope: scope, call: tooltrack.Call{Tool: request.Params.Name, Args: request.Params.Arguments},
		lister: chain{request.Session, next}, request: request,
	}
	return g.pass(ctx, asked, func(ctx context.Context, run json.RawMessage) (*mcp.CallToolResult, error) {
		received, params := *request, *request.Params
		params.Arguments = run
		received.Params = &params
		result, err := next(ctx, methodCall, &received)
		called, _ := result.(*mcp.CallToolResult)
		return called, err
	})
}

// chain lists tools by the rest of a server's chain of middleware, so that what
// is hidden from a client there is hidden here.
type chain struct {
	session *mcp.ServerSession
	next    mcp.MethodHandler
}

// ListTools asks the server's own handler.
func (c chain) ListTools(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	result, err := c.next(ctx, methodList, &mcp.ListToolsRequest{Session: c.session, Params: params})
	if err != nil {
		return nil, err
	}
	listed, ok := result.(*mcp.ListToolsResult)
	if !ok || listed == nil {
		return nil, errors.New("the server has no list of tools")
	}
	return listed, nil
}

// clientScope is who asks, by the context.
func clientScope(ctx context.Context, _ mcp.Request) (tooltrack.Scope, error) {
	input, _ := guard.FromContext(ctx)
	return tooltrack.Scope{Owner: input.Owner, Conversation: input.Conversation, Task: input.Task, Turn: input.Turn}, nil
}

// serverScope is who asks, by what the transport knows of the client.
func serverScope(_ context.Context, request mcp.Request) (tooltrack.Scope, error) {
	scope := tooltrack.Scope{}
	if params := request.GetParams(); params != nil {
		scope.Turn, _ = params.GetMeta()[MetaTurn].(string)
	}
	extra := request.GetExtra()
	switch {
	case extra != nil && extra.TokenInfo != nil && extra.TokenInfo.UserID != "":
		scope.Owner = "user:" + extra.TokenInfo.UserID
	case request.GetSession().ID() != "":
		scope.Owner = "session:" + request.GetSession().ID()
	case extra != nil && extra.Header != nil:
		scope.Turn = ""
	}
	return scope, nil
}
