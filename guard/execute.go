package guard

import (
	"context"
	"time"

	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// runTool executes a call and sets its result. Without a way to cancel it there
// is nothing to wait for beside it, so it runs on the spot.
func (g *Guard) runTool(ctx context.Context, p *pending, executor Executor) {
	running := &callContext{Context: ctx}
	ctx, p.beside = running, &running.beside
	if g.options.ToolTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, g.options.ToolTimeout)
		defer cancel()
	}
	if ctx.Done() == nil {
		g.runSafely(ctx, p.tool, p.call, executor, &p.result)
		return
	}
	// The tool may outlive its call, so it has a result of its own.
	result, done := new(tooltrack.Result), make(chan struct{})
	*result = tooltrack.UnknownResult("the tool ended its goroutine")
	tool, call := p.tool, p.call
	contain.Go("running a tool", func() { g.runSafely(ctx, tool, call, executor, result) }, func(fault *contain.Panic) {
		if fault != nil {
			g.panicked(ctx, fault)
		}
		close(done)
	})
	select {
	case <-done:
		p.result = *result
	case <-ctx.Done():
		g.abandon(ctx, p, result, done)
	}
}

// abandon waits a little longer for a tool whose time is up.
func (g *Guard) abandon(ctx context.Context, p *pending, result *tooltrack.Result, done <-chan struct{}) {
	grace := time.NewTimer(g.options.AbandonAfter)
	defer grace.Stop()
	select {
	case <-done:
		p.result = *result
	case <-grace.C:
		g.counters.note(func(sum *Counters) { sum.Abandoned++ })
		g.warn(ctx, "tool abandoned", "tool", p.call.Tool)
		p.result = tooltrack.UnknownResult(
			"the tool did not stop when its time was up; it is not known whether it took effect")
	}
}

// runSafely survives an executor that panics, or is none.
func (g *Guard) runSafely(
	ctx context.Context, tool *tooltrack.Tool, call tooltrack.Call, executor Executor, result *tooltrack.Result,
) {
	*result = tooltrack.Execute(ctx, tool, call, func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		return executor.Execute(ctx, call)
	}, g.options.Results)
}
