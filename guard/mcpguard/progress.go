package mcpguard

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// progress follows the calls that are under way.
type progress struct {
	patience time.Duration
	hear     func(context.Context, tooltrack.Call, *mcp.ProgressNotificationParams)

	mu     sync.Mutex
	last   uint64
	events map[string]*underway // by progress token
}

// underway is a call that waits for its result.
type underway struct {
	call  tooltrack.Call
	timer *time.Timer // nil without patience
	last  *mcp.ProgressNotificationParams
}

// run runs a call with a token by which the server can tell how far it is.
func (p *progress) run(
	ctx context.Context, call tooltrack.Call, run func(context.Context, any) ([]byte, error),
) ([]byte, error) {
	if p.hear == nil && p.patience <= 0 {
		return run(ctx, nil)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	token, u := p.begin(call, cancel)
	body, err := run(ctx, token)
	last := p.end(token, u)
	if failed, ok := err.(*CallError); ok {
		failed.Progress = last
		if failed.Kind == ErrCancelled && errors.Is(context.Cause(ctx), ErrSilent) {
			failed.Kind, failed.Err = ErrSilent, nil
		}
	}
	return body, err
}

func (p *progress) begin(call tooltrack.Call, cancel context.CancelCauseFunc) (string, *underway) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	token, u := "bonafide-"+strconv.FormatUint(p.last, 36), &underway{call: call}
	if p.patience > 0 {
		u.timer = time.AfterFunc(p.patience, func() { cancel(ErrSilent) })
	}
	if p.events == nil {
		p.events = map[string]*underway{}
	}
	p.events[token] = u
	return token, u
}

func (p *progress) end(token string, u *underway) *mcp.ProgressNotificationParams {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.events, token)
	if u.timer != nil {
		u.timer.Stop()
	}
	return u.last
}

// told takes note of a notification. One about a call that is over, or that is
// not ours, is none of our business.
func (p *progress) told(ctx context.Context, params *mcp.ProgressNotificationParams) {
	token, ok := params.ProgressToken.(string)
	if !ok {
		return
	}
	p.mu.Lock()
	u := p.events[token]
	if u == nil {
		p.mu.Unlock()
		return
	}
	u.last = params
	if u.timer != nil {
		u.timer.Reset(p.patience)
	}
	p.mu.Unlock()
	if p.hear != nil {
		defer func() { _ = recover() }() // the host's code; the call goes on
		p.hear(ctx, u.call, params)
	}
}
