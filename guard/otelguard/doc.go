// Package otelguard shows what a guard does to OpenTelemetry, by its conventions
// for generative AI:
//
//	telemetry, err := otelguard.New(nil)
//	g, err := guard.New(tools, &guard.Options{Logger: telemetry.Logger(nil)})
//	reply, err := telemetry.Run(ctx, g, model, executor, input) // instead of g.Run
//
// A turn is a span "invoke_agent", with a span "chat" for each model call,
// "execute_tool" for each tool that ran, "judge" for each verdict about a text and
// "prove" around each request for proof. What the guard decides beside that
// (calls denied, rewritten or not repeated, re-asks) are events of the turn.
//
// The metrics are those of the conventions (gen_ai.client.operation.duration,
// gen_ai.client.token.usage), and the guard's own: bonafide.turns and
// bonafide.turn.duration by outcome, bonafide.tool.calls by status,
// bonafide.extra.model_calls and bonafide.extra.tokens for what re-asks and proofs
// cost. [Telemetry.Watch] adds the guard's [guard.Counters].
//
// The guard tells what it decides to its logger, so judgements and proofs are seen
// only where that is [Telemetry.Logger]. A referee is wrapped by the host, with
// [Telemetry.Model].
//
// A loop of the host's own takes the parts: [Telemetry.Begin] opens the turn's
// span, [Telemetry.Model] and [Telemetry.Executor] wrap the two halves.
//
// Behind guard.Wrap and chatwire only messages are known: there each request is a
// turn, and [Span.EndWith] closes it with the answer that was handed out. A gateway
// with a guard for each set of tools sums their counters up for [Telemetry.Watch].
//
// Messages, arguments, results and texts of errors are the users'. They are left
// out unless [Options.Content] asks for them, and then cut, with what looks like a
// secret redacted.
//
// The package stands on what guard offers to everyone (Model, Executor, Logger,
// Reply, Counters) and lies in a module of its own. A Telemetry is safe for
// concurrent use.
package otelguard
