package guard

import (
	"context"
	"fmt"
	"log/slog"
)

// Note writes an event of an adapter to Options.Logger. Like
// the guard's own events it must not hold arguments, results or texts.
func (g *Guard) Note(ctx context.Context, event string, args ...any) {
	if ctx == nil {
		ctx = context.Background()
	}
	g.warn(ctx, event, args...)
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

func (t *Turn) log(ctx context.Context, level slog.Level, event string, args []any) {
	if !t.guard.loud() {
		return
	}
	if _, known := FromContext(ctx); !known {
		ctx = context.WithValue(ctx, inputKey{}, &t.input)
	}
	whose := []any{"owner", printable(t.input.Owner, maxName), "turn", printable(t.input.Turn, maxName)}
	if t.input.Conversation != "" {
		whose = append(whose, "conversation", printable(t.input.Conversation, maxName))
	}
	t.guard.log(ctx, level, event, append(whose, args...))
}

func (t *Turn) debug(ctx context.Context, event string, args ...any) {
	t.log(ctx, slog.LevelDebug, event, args)
}

func (t *Turn) info(ctx context.Context, event string, args ...any) {
	t.log(ctx, slog.LevelInfo, event, args)
}

// loud reports whether anybody listens, where putting an event together costs
// something.
func (g *Guard) loud() bool { return g.options.Logger != nil }

// hostFault reports a failure of the host's code that the turn survives.
func (g *Guard) hostFault(ctx context.Context, callback string, err error) {
	g.counters.hostFault(callback)
	if g.loud() {
		g.warn(ctx, "host code failed", "callback", callback, "error", g.logged(err))
	}
}

// logged is an error as it may be logged. Its text may quote a message, an
// argument or a key, so by default only its type is.
func (g *Guard) logged(err error) string {
	if g.options.LogErrors {
		return printable(shown(err), maxLogged)
	}
	return fmt.Sprintf("%T", err)
}
