package guard

import (
	"context"
	"log/slog"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Every decision is one event, with its rule and reason. Arguments, results and
// texts are not logged: they belong to the user, and to the ledger.

func (g *Guard) debug(ctx context.Context, event string, args ...any) {
	g.log(ctx, slog.LevelDebug, event, args)
}

func (g *Guard) info(ctx context.Context, event string, args ...any) {
	g.log(ctx, slog.LevelInfo, event, args)
}

func (g *Guard) warn(ctx context.Context, event string, args ...any) {
	g.log(ctx, slog.LevelWarn, event, args)
}

func (g *Guard) log(ctx context.Context, level slog.Level, event string, args []any) {
	if g.options.Logger == nil {
		return
	}
	defer func() { _ = recover() }() // a handler that panics must not end a turn
	g.options.Logger.Log(ctx, level, "guard: "+event, args...)
}

// loud reports whether anybody listens, where putting an event together costs
// something.
func (g *Guard) loud() bool { return g.options.Logger != nil }

func (g *Guard) bound(ctx context.Context, request Request) {
	if g.loud() {
		g.debug(ctx, "tools bound", "tools", len(request.Tools), "choice", request.Choice.String())
	}
}

func (g *Guard) judged(ctx context.Context, found finding) {
	g.counters.doubted(found.doubts)
	if !g.loud() {
		return
	}
	level := slog.LevelDebug
	if found.fault != noFault {
		level = slog.LevelInfo
	}
	g.log(ctx, level, "judged", []any{
		"outcome", found.verdict.Outcome.String(), "rule", found.fault.String(), "reason", found.verdict.Reason.String(), "observe", g.options.Observe,
	})
}

func (g *Guard) reviewed(ctx context.Context, p *pending) {
	switch {
	case p.ruling.Denied:
		g.counters.deny(p.ruling.Rule)
		if g.loud() {
			g.info(ctx, "call denied", "tool", printable(p.call.Tool, maxName), "rule", p.ruling.Rule, "observe", g.options.Observe)
		}
	case p.ruling.Rewritten != nil:
		g.counters.rewritten.Add(1)
		if g.loud() {
			g.info(ctx, "call rewritten", "tool", p.call.Tool, "rule", p.ruling.Rule, "observe", g.options.Observe)
		}
	}
}

func (g *Guard) executed(ctx context.Context, record *tooltrack.Record) {
	if g.loud() {
		g.debug(ctx, "call executed", "tool", record.Tool, "status", record.Result.Status.String())
	}
}

func (g *Guard) repeated(ctx context.Context, record *tooltrack.Record) {
	g.counters.repeated.Add(1)
	if g.loud() {
		g.info(ctx, "call not repeated", "tool", record.Tool, "rule", "at_most_once", "status", record.Result.Status.String())
	}
}

func (g *Guard) failed(ctx context.Context, err error) {
	if g.loud() {
		g.warn(ctx, "turn failed", "error", errorKind(err))
	}
}

// errorKind names an error without its text, which may quote the model.
func errorKind(err error) string {
	switch err.(type) {
	case *ToolNotTriggeredError:
		return "tool not triggered"
	case *InsufficientProgressError:
		return "insufficient progress"
	case *StoppedError:
		return "stopped by the provider"
	case *ProviderError:
		return "provider fault"
	}
	return "ended from outside"
}
