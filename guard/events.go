package guard

import (
	"context"
	"log/slog"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Every decision is one event, with its rule and reason. Arguments, results and
// texts are not logged: they belong to the user, and to the ledger.

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

// The events of a turn say whose it is. Their context is that of executors, so
// that a handler can ask [FromContext] for more.

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

func (t *Turn) bound(ctx context.Context, request Request) {
	if t.guard.loud() {
		t.debug(ctx, "tools bound", "tools", len(request.Tools), "choice", request.Choice.String())
	}
}

// judged tells what the guard makes of a text, and what it would do about it.
func (t *Turn) judged(ctx context.Context, found finding) {
	t.guard.counters.note(func(sum *Counters) {
		for _, doubt := range found.doubts {
			sum.Doubts[doubt.Kind()]++
		}
	})
	if !t.guard.loud() && !t.guard.options.Observe {
		return
	}
	measures := t.measures(found)
	if t.guard.options.Observe {
		t.guard.counters.wouldHave(measures...)
	}
	if !t.guard.loud() {
		return
	}
	level := slog.LevelDebug
	if found.fault != noFault || t.guard.options.Observe { // shares need the turns that passed, too
		level = slog.LevelInfo
	}
	t.log(ctx, level, "judged", append([]any{
		"tier", found.tier().String(), "outcome", found.verdict.Outcome.String(), "rule", found.fault.String(),
		"reason", found.verdict.Reason.String(), "observe", t.guard.options.Observe, "measures", measures,
	}, t.concerning(found)...))
}

// concerning are the tools and claims that a judgement rests on. There may be several
// of each, and an attribute stands in a line once, so each is a list: tools with their
// confidences, doubts with their tools and probabilities.
func (t *Turn) concerning(found finding) []any {
	var (
		tools, doubts, claims      []string
		confidences, probabilities []float64
		args                       []any
	)
	for _, expected := range found.missing {
		tools, confidences = append(tools, expected.Tool), append(confidences, expected.Confidence)
	}
	for _, doubt := range found.doubts {
		tools, doubts = append(tools, doubt.Tool), append(doubts, doubt.Kind())
		probabilities = append(probabilities, doubt.Probability)
		if doubt.Claim != nil {
			claims = append(claims, doubt.Words)
		}
	}
	if unbacked := found.verdict.Unbacked(); unbacked != nil {
		args = append(args, "claim_rule", unbacked.Rule)
		if tool := t.unbackedTool(&found.verdict); tool != "" {
			args = append(args, "claim_tool", tool)
		}
		claims, probabilities = append(claims, unbacked.Text), append(probabilities, unbacked.Doubt)
	}
	for i, claim := range claims {
		claims[i] = printable(policy.HideSecrets(claim), maxLogged)
	}
	if !t.guard.options.LogClaims {
		claims = nil
	}
	args = appendList(args, "tools", tools)
	args = appendList(args, "confidences", confidences)
	args = appendList(args, "doubts", doubts)
	args = appendList(args, "probabilities", probabilities)
	return appendList(args, "claims", claims)
}

func appendList[T any](args []any, name string, list []T) []any {
	if len(list) == 0 {
		return args
	}
	return append(args, name, list)
}

func (t *Turn) reviewed(ctx context.Context, p *pending) {
	g := t.guard
	switch {
	case p.ruling.Denied:
		g.counters.deny(p.ruling.Rule)
		if g.options.Observe {
			g.counters.wouldHave(t.denial(p.call.Tool, p.ruling.Rule))
		}
		if g.loud() {
			t.info(ctx, "call denied",
				"tool", printable(p.call.Tool, maxName), "rule", p.ruling.Rule, "observe", g.options.Observe,
				"measures", []string{t.denial(p.call.Tool, p.ruling.Rule)})
		}
	case p.ruling.Rewritten != nil:
		g.counters.note(func(sum *Counters) { sum.Rewritten++ })
		if g.options.Observe {
			g.counters.wouldHave(rewriting(p.call.Tool, p.ruling.Rule))
		}
		if g.loud() {
			t.info(ctx, "call rewritten", "tool", p.call.Tool, "rule", p.ruling.Rule, "observe", g.options.Observe,
				"measures", []string{rewriting(p.call.Tool, p.ruling.Rule)})
		}
	}
}

func (t *Turn) executed(ctx context.Context, record *tooltrack.Record) {
	if t.guard.loud() {
		t.debug(ctx, "call executed", "tool", record.Tool, "status", record.Result.Status.String())
	}
}

func (t *Turn) repeated(ctx context.Context, record *tooltrack.Record) {
	t.guard.counters.note(func(sum *Counters) { sum.Repeated++ })
	if t.guard.loud() {
		t.info(ctx, "call not repeated", "tool", record.Tool, "rule", "at_most_once", "status", record.Result.Status.String())
	}
}

// ranAgain is a repeat that runs, because the guard only observes.
func (t *Turn) ranAgain(ctx context.Context, record *tooltrack.Record) {
	measure := "no second run of " + record.Tool
	t.guard.counters.wouldHave(measure)
	if t.guard.loud() {
		t.info(ctx, "call repeated", "tool", record.Tool, "rule", "at_most_once", "observe", true,
			"measures", []string{measure})
	}
}

func (t *Turn) failedWith(ctx context.Context, err error) {
	t.log(ctx, slog.LevelWarn, "turn failed", []any{"error", errorKind(err)})
}

// errorKind names an error without its text, which may quote the model.
func errorKind(err error) string {
	switch e := err.(type) {
	case *ToolNotTriggeredError:
		return "tool not triggered"
	case *InsufficientProgressError:
		return "insufficient progress"
	case *StoppedError:
		return "stopped by the provider"
	case *ProviderError:
		return "provider fault"
	case *UnjudgedError:
		return "could not be judged"
	case limitError:
		return e.limit()
	}
	return "ended from outside"
}
