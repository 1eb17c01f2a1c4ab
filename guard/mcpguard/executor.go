package mcpguard

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Executor runs approved calls on a session, by the names that [Tools] gives
// them. Its errors are of type [*CallError]. A call whose context ends is cancelled on
// the server, too.
//
// Whether a tool only reads is not known here, so a lost answer always leaves
// the outcome unknown; [Servers] knows.
func Executor(session *mcp.ClientSession) guard.Executor {
	l := newLine(session)
	return guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		return l.call(ctx, call.Tool, call.Args, nil)
	})
}

// line is a session and whether it is still there.
type line struct {
	session *mcp.ClientSession
	closed  atomic.Bool
}

// newLine watches a session, so that a call on one that ended long ago is known
// not to have been sent. The watch ends with the session.
func newLine(session *mcp.ClientSession) *line {
	l := &line{session: session}
	if session == nil {
		return l
	}
	contain.Go("watching a session", func() {
		_ = session.Wait() // why it ended is told to the calls that were under way
		l.closed.Store(true)
	}, nil)
	return l
}

// call runs a tool by the server's own name for it.
func (l *line) call(ctx context.Context, tool string, args json.RawMessage, meta mcp.Meta) ([]byte, error) {
	if l.session == nil {
		return nil, &CallError{Tool: tool, Kind: ErrNotSent, Err: ErrNoSession}
	}
	if l.closed.Load() {
		return nil, &CallError{Tool: tool, Kind: ErrNotSent, Err: mcp.ErrConnectionClosed}
	}
	if err := ctx.Err(); err != nil {
		return nil, &CallError{Tool: tool, Kind: ErrNotSent, Err: err}
	}
	params := &mcp.CallToolParams{Meta: meta, Name: tool}
	if len(args) > 0 {
		params.Arguments = args
	}
	result, err := l.session.CallTool(ctx, params)
	if err != nil {
		return nil, failure(ctx, tool, err)
	}
	attach(ctx, result)
	return read(tool, result)
}

// failure is the error of a call that was not answered with a result.
func failure(ctx context.Context, tool string, err error) *CallError {
	var known *CallError
	if errors.As(err, &known) { // a middleware of this package has judged it
		return known
	}
	reason, kind := kindOf(ctx, err)
	return &CallError{Tool: tool, Kind: kind, Reason: reason, Err: err}
}
