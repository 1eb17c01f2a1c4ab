package otelguard

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/bonafide-go/bonafide/guard"
)

// Span is the span of a turn under way.
type Span struct {
	telemetry *Telemetry
	span      trace.Span
	began     time.Time

	mu       sync.Mutex
	answered time.Time // when a model last answered
	proving  bool      // the model is asked for proof
	verdict  string    // the outcome of the last text that was judged
	ended    bool
}

type turnKey struct{}

// Begin opens the span of a turn, for loops of the host's own; Run does it by
// itself. The steps of the turn take the context that it returns.
//
//	ctx, span := telemetry.Begin(ctx, input)
//	turn, err := g.Begin(ctx, input)
//	...
//	reply, err := turn.Reply()
//	span.End(reply, err)
func (t *Telemetry) Begin(ctx context.Context, input guard.Input) (context.Context, *Span) {
	turn := &Span{telemetry: t, began: time.Now()}
	attributes := []attribute.KeyValue{
		semconv.GenAIOperationNameInvokeAgent, semconv.GenAIAgentName(t.options.Agent),
		semconv.GenAIProviderNameKey.String(t.options.Provider),
	}
	if input.Conversation != "" {
		attributes = append(attributes, semconv.GenAIConversationID(input.Conversation))
	}
	if input.Mode != "" {
		attributes = append(attributes, attribute.String("bonafide.mode", input.Mode))
	}
	if t.options.Content {
		user := guard.Message{Role: guard.RoleUser, Text: input.User}
		attributes = append(attributes, semconv.GenAIInputMessagesKey.String(t.messages([]guard.Message{user}, "")))
	}
	ctx, turn.span = t.tracer.Start(ctx, "invoke_agent "+t.options.Agent,
		trace.WithSpanKind(trace.SpanKindInternal), trace.WithAttributes(attributes...))
	return context.WithValue(ctx, turnKey{}, turn), turn
}

// End closes the span with what came of the turn. The reply may be nil beside an
// error. Only the first call counts.
func (t *Span) End(reply *guard.Reply, err error) {
	if err == nil && reply != nil {
		err = reply.Err // an account that was delivered is no success
	}
	outcome := "refused"
	switch {
	case errors.Is(err, guard.ErrHeld): // it waits for a person, and nothing went wrong
		outcome, err = "held", nil
	case err == nil && reply != nil:
		outcome = reply.Verdict.Outcome.String()
	}
	t.close(outcome, err, func() []attribute.KeyValue { return t.telemetry.replied(reply) })
}

// close closes the span once, and counts the turn.
func (t *Span) close(outcome string, err error, more func() []attribute.KeyValue) {
	t.mu.Lock()
	ended := t.ended
	t.ended = true
	t.mu.Unlock()
	if ended {
		return
	}
	defer t.span.End()
	about := []attribute.KeyValue{attribute.String("bonafide.outcome", outcome)}
	if err != nil {
		about = append(about, errorType(err))
		t.telemetry.failed(t.span, err)
	}
	measured := metric.WithAttributes(about...)
	ctx := trace.ContextWithSpan(context.Background(), t.span) // exemplars, even after the turn's own context
	t.telemetry.instruments.turns.Add(ctx, 1, measured)
	t.telemetry.instruments.turnDuration.Record(ctx, time.Since(t.began).Seconds(), measured)
	if t.span.IsRecording() {
		t.span.SetAttributes(append(about, more()...)...)
	}
}

// EndWith closes the span of a turn that only messages are known of, such as one
// behind guard.Wrap or chatwire: with the answer that was handed out, or why there
// is none. An answer that calls tools has the outcome "calling"; a text has that
// of its verdict, which the guard's logger has to tell (see [Telemetry.Logger]).
// Only the first call of EndWith or End counts.
func (t *Span) EndWith(response guard.Response, err error) {
	t.mu.Lock()
	outcome := t.verdict
	t.mu.Unlock()
	switch {
	case err != nil:
		outcome = "refused"
	case len(response.Message.Calls) > 0:
		outcome = "calling"
	case outcome == "":
		outcome = "unjudged"
	}
	t.close(outcome, err, func() []attribute.KeyValue {
		attributes := []attribute.KeyValue{
			semconv.GenAIUsageInputTokens(response.Usage.Input), semconv.GenAIUsageOutputTokens(response.Usage.Output),
			attribute.Int("bonafide.calls.proposed", len(response.Message.Calls)),
		}
		if t.telemetry.options.Content {
			said := t.telemetry.messages([]guard.Message{response.Message}, response.Stop.String())
			attributes = append(attributes, semconv.GenAIOutputMessagesKey.String(said))
		}
		return attributes
	})
}

// replied are what a reply says about its turn.
func (t *Telemetry) replied(reply *guard.Reply) []attribute.KeyValue {
	if reply == nil {
		return nil
	}
	attributes := []attribute.KeyValue{
		attribute.String("bonafide.turn", reply.Turn),
		attribute.String("bonafide.reason", reply.Verdict.Reason.String()),
		attribute.String("bonafide.intent", reply.Intent.Kind.String()),
		attribute.Int("bonafide.calls.executed", reply.Execution.Executed),
		attribute.Int("bonafide.reasks", reply.Execution.Retried),
		attribute.Int("bonafide.corrections", reply.Execution.Corrected),
		attribute.Int("bonafide.model_calls", reply.Execution.ModelCalls),
		attribute.Int("bonafide.unproven", len(reply.Unproven)),
		semconv.GenAIUsageInputTokens(reply.Usage.Input),
		semconv.GenAIUsageOutputTokens(reply.Usage.Output),
	}
	if reply.Proof != nil {
		attributes = append(attributes, attribute.Int("bonafide.proof.sentences", len(reply.Proof.Sentences)),
			attribute.Bool("bonafide.proof.kept", reply.Proof.Kept))
	}
	if t.options.Content {
		said := guard.Message{Role: guard.RoleAssistant, Text: reply.Text}
		attributes = append(attributes, semconv.GenAIOutputMessagesKey.String(t.messages([]guard.Message{said}, "stop")))
	}
	return attributes
}

// note reads or changes what is known of the turn that a context belongs to, if any.
func note(ctx context.Context, change func(*Span)) {
	if turn, ok := ctx.Value(turnKey{}).(*Span); ok {
		turn.mu.Lock()
		defer turn.mu.Unlock()
		change(turn)
	}
}

// failed marks a span. The error's text may quote what the user or the model
// said, so it is content.
func (t *Telemetry) failed(span trace.Span, err error) {
	description := ""
	if t.options.Content {
		description = t.clean(textOf(err))
	}
	span.SetStatus(codes.Error, description)
	span.SetAttributes(errorType(err))
}
