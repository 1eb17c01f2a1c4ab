package guard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/contain"
)

// Code of ours that panics must not end the host, and must not be a way past the guard:
// what could not be judged is withheld, what could not be reviewed does not run, and
// what could not be recorded is of unknown fate. A guard that only observes hands
// everything on as it came.

// Contain runs code of an adapter, such as one for a wire format. A panic in it does not
// reach the host: it is counted, logged and returned as an [ErrUnjudged], and the
// adapter withholds what it could not judge, unless the guard only observes.
func (g *Guard) Contain(ctx context.Context, stage string, run func()) error {
	if ctx == nil {
		return ErrNoContext
	}
	fault := contain.Do(stage, run)
	if fault == nil {
		return nil
	}
	if g != nil { // an adapter may get its guard with a request
		g.panicked(ctx, fault)
	}
	return unjudgedError(fault)
}

// contained runs a stage and returns its panic, which is counted, and logged with its
// stack.
func (g *Guard) contained(ctx context.Context, stage string, run func()) *contain.Panic {
	fault := contain.Do(stage, run)
	if fault != nil {
		g.panicked(ctx, fault)
	}
	return fault
}

func (g *Guard) panicked(ctx context.Context, fault *contain.Panic) {
	g.counters.note(func(sum *Counters) { sum.Panics[fault.Stage]++ })
	g.warn(ctx, "the guard itself panicked", "stage", fault.Stage, "stack", string(fault.Stack))
}

func (g *Guard) warn(ctx context.Context, event string, args ...any) {
	g.log(ctx, slog.LevelWarn, event, args)
}

// Note writes an event of an adapter to Options.Logger. Like
// the guard's own events it must not hold arguments, results or texts.
func (g *Guard) Note(ctx context.Context, event string, args ...any) {
	if ctx == nil {
		ctx = context.Background()
	}
	g.warn(ctx, event, args...)
}

func (g *Guard) log(ctx context.Context, level slog.Level, event string, args []any) {
	if g.options.Logger == nil {
		return
	}
	defer func() { _ = recover() }() // a handler that panics must not end a turn
	g.options.Logger.Log(ctx, level, "guard: "+event, args...)
}

// isHeard reports whether anybody listens, where putting an event together costs
// something.
func (g *Guard) isHeard() bool { return g.options.Logger != nil }

// hostFault reports a failure of the host's code that the turn survives.
func (g *Guard) hostFault(ctx context.Context, callback string, err error) {
	g.counters.hostFault(callback)
	if g.isHeard() {
		g.warn(ctx, "host code failed", "callback", callback, "error", g.logged(err))
	}
}

// logged is an error as it may be logged. Its text may quote a message, an
// argument or a key, so by default only its type is.
func (g *Guard) logged(err error) string {
	if g.options.LogErrors {
		return printable(shown(err), maxLogged)
	}
	if host := new(HostError); errors.As(err, &host) {
		err = host.Err // the callback is told beside it
	}
	return fmt.Sprintf("%T", err)
}

// classify asks the classifier. One of the host's own may panic.
func (g *Guard) classify(ctx context.Context, request intent.Utterance) (found intent.Intent, err error) {
	if g.options.Classifier != nil {
		defer survive("Options.Classifier", &err)
	}
	return g.classifier.Classify(ctx, request)
}

// now survives a clock that panics: time is the host's code.
func (g *Guard) now() (now time.Time) {
	defer func() {
		if recover() != nil {
			g.counters.hostFault("Options.Clock")
			now = time.Now()
		}
	}()
	return g.options.Clock()
}
