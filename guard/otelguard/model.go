package otelguard

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/bonafide-go/bonafide/guard"
)

// Model gives each call of a model a span and the metrics of the conventions. It
// streams where the inner one does, and says of itself what the inner one says.
// Model calls that the guard added have the purpose "reask" or "proof".
func (t *Telemetry) Model(inner guard.Model) guard.Model {
	if inner == nil {
		return nil // the guard says that there is none
	}
	m := &model{t, inner}
	if streams, ok := inner.(guard.Streamer); ok {
		return &streamer{m, streams}
	}
	return m
}

type model struct {
	telemetry *Telemetry
	inner     guard.Model
}

type streamer struct {
	*model
	streams guard.Streamer
}

var (
	_ guard.Capable  = (*model)(nil)
	_ guard.Streamer = (*streamer)(nil)
)

// Capabilities are those of the inner model.
func (m *model) Capabilities() guard.Capabilities {
	if capable, ok := m.inner.(guard.Capable); ok {
		return capable.Capabilities()
	}
	return guard.Capabilities{}
}

// Generate asks the inner model.
func (m *model) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	ctx, a := m.ask(ctx, request, false)
	defer a.close()
	response, err := m.inner.Generate(ctx, request)
	a.answered(ctx, response, err)
	return response, err
}

// Stream asks the inner model for the answer in pieces. The span lasts until the
// stream ends, or its reader leaves.
func (s *streamer) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return func(yield func(guard.Delta, error) bool) {
		ctx, a := s.ask(ctx, request, true)
		defer a.close()
		for delta, err := range s.streams.Stream(ctx, request) {
			if err != nil || delta.Response != nil {
				var response guard.Response
				if delta.Response != nil {
					response = *delta.Response
				}
				a.answered(ctx, response, err)
			}
			if !yield(delta, err) {
				return
			}
		}
	}
}

// asking is a model call under way.
type asking struct {
	telemetry *Telemetry
	span      trace.Span
	outer     trace.Span // "prove", around a request for proof
	began     time.Time
	about     []attribute.KeyValue
	purpose   string
}

func (m *model) ask(ctx context.Context, request guard.Request, streamed bool) (context.Context, *asking) {
	t := m.telemetry
	name := cmp.Or(t.options.Model, m.Capabilities().Name)
	a := &asking{telemetry: t, began: time.Now(), about: t.asked(name), purpose: purposeOf(ctx, request)}
	purpose := attribute.String("bonafide.purpose", a.purpose)
	if a.purpose == "proof" {
		ctx, a.outer = t.tracer.Start(ctx, "prove", trace.WithAttributes(purpose))
	}
	attributes := append([]attribute.KeyValue{
		purpose, attribute.String("bonafide.choice", request.Choice.String()), semconv.GenAIRequestStream(streamed),
	}, a.about...)
	if t.options.Content {
		attributes = append(attributes, semconv.GenAIInputMessagesKey.String(t.messages(request.Messages, "")))
	}
	title := strings.TrimSpace("chat " + name)
	ctx, a.span = t.tracer.Start(ctx, title, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes...))
	return ctx, a
}

// purposeOf says why a model is asked: the guard marks what it says itself, and
// tells its logger when it asks for proof.
func purposeOf(ctx context.Context, request guard.Request) string {
	isProving := false
	note(ctx, func(turn *Span) { isProving = turn.proving })
	switch n := len(request.Messages); {
	case request.Report || isProving:
		return "proof"
	case n > 0 && request.Messages[n-1].Internal && request.Messages[n-1].Role != guard.RoleTool:
		return "reask"
	}
	return "turn"
}

// answered tells what came of it.
func (a *asking) answered(ctx context.Context, response guard.Response, err error) {
	now := time.Now()
	note(ctx, func(turn *Span) { turn.answered = now })
	i := a.telemetry.instruments
	about := a.about
	if err != nil {
		a.telemetry.failed(a.span, err)
		about = append(about[:len(about):len(about)], errorType(err))
	}
	i.duration.Record(ctx, now.Sub(a.began).Seconds(), metric.WithAttributes(about...))
	purpose := attribute.String("bonafide.purpose", a.purpose)
	if a.purpose != "turn" {
		i.extraCalls.Add(ctx, 1, metric.WithAttributes(purpose))
	}
	if err != nil {
		return
	}
	a.count(ctx, purpose, "input", response.Usage.Input)
	a.count(ctx, purpose, "output", response.Usage.Output)
	a.span.SetAttributes(
		semconv.GenAIResponseFinishReasons(response.Stop.String()),
		semconv.GenAIUsageInputTokens(response.Usage.Input), semconv.GenAIUsageOutputTokens(response.Usage.Output),
		attribute.Int("bonafide.calls.proposed", len(response.Message.Calls)),
	)
	if a.telemetry.options.Content {
		said := a.telemetry.messages([]guard.Message{response.Message}, response.Stop.String())
		a.span.SetAttributes(semconv.GenAIOutputMessagesKey.String(said))
	}
}

// count counts tokens; a provider that does not tell them leaves no zeros.
func (a *asking) count(ctx context.Context, purpose attribute.KeyValue, kind string, tokens int) {
	if tokens <= 0 {
		return
	}
	i, of := a.telemetry.instruments, semconv.GenAITokenTypeKey.String(kind)
	i.tokens.Record(ctx, int64(tokens), metric.WithAttributes(append(a.about[:len(a.about):len(a.about)], of)...))
	if a.purpose != "turn" {
		i.extraTokens.Add(ctx, int64(tokens), metric.WithAttributes(purpose, of))
	}
}

func (a *asking) close() {
	a.span.End()
	if a.outer != nil {
		a.outer.End()
	}
}
