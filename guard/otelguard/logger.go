package otelguard

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
)

// Logger hears the guard's decisions, for guard.Options.Logger: each verdict
// about a text becomes a span "judge", from the model's answer to the verdict, and
// every other decision an event of the turn's span. Everything is handed on to the
// next logger, as far as it wants it; nil is none.
func (t *Telemetry) Logger(next *slog.Logger) *slog.Logger {
	h := &handler{telemetry: t}
	if next != nil {
		h.next = next.Handler()
	}
	return slog.New(h)
}

type handler struct {
	telemetry *Telemetry
	next      slog.Handler // nil is none
}

// Enabled is always true: spans want every decision.
func (h *handler) Enabled(context.Context, slog.Level) bool { return true }

// Handle makes spans and events of what the guard says.
func (h *handler) Handle(ctx context.Context, record slog.Record) error {
	if event, ours := strings.CutPrefix(record.Message, "guard: "); ours {
		h.telemetry.heard(ctx, event, record)
	}
	if h.next == nil || !h.next.Enabled(ctx, record.Level) {
		return nil
	}
	return h.next.Handle(ctx, record)
}

// WithAttrs is for the next logger: the guard adds none.
func (h *handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	if h.next == nil {
		return h
	}
	return &handler{h.telemetry, h.next.WithAttrs(attributes)}
}

// WithGroup is for the next logger.
func (h *handler) WithGroup(name string) slog.Handler {
	if h.next == nil {
		return h
	}
	return &handler{h.telemetry, h.next.WithGroup(name)}
}

func (t *Telemetry) heard(ctx context.Context, event string, record slog.Record) {
	switch event {
	case "proof asked for":
		note(ctx, func(turn *Span) { turn.proving = true })
	case "judged", "accepted", "call executed", "call denied", "call not repeated", "proof did not come":
		note(ctx, func(turn *Span) { turn.proving = false }) // it came, or a call in its place, or nothing more is asked
	}
	switch event {
	case "call approved", "call not approved":
		t.decided(ctx, event, record)
	case "change read back":
		sight := attribute.String("bonafide.sight", valueIn(record, "sight").String())
		t.instruments.readBacks.Add(ctx, 1, metric.WithAttributes(sight))
	case "judged":
		note(ctx, func(turn *Span) { turn.verdict = valueIn(record, "outcome").String() })
	}
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	attributes := t.attributes(record)
	if event != "judged" {
		name := "bonafide." + strings.ReplaceAll(event, " ", "_")
		span.AddEvent(name, trace.WithTimestamp(record.Time), trace.WithAttributes(attributes...))
		return
	}
	began := record.Time
	note(ctx, func(turn *Span) {
		if !turn.answered.IsZero() && turn.answered.Before(began) {
			began = turn.answered
		}
	})
	attributes = append(attributes, semconv.GenAIEvaluationName("bonafide.completion"), // in the conventions' words
		semconv.GenAIEvaluationScoreLabel(valueIn(record, "outcome").String()),
		semconv.GenAIEvaluationExplanation(valueIn(record, "reason").String()))
	_, judged := t.tracer.Start(ctx, "judge", trace.WithTimestamp(began), trace.WithAttributes(attributes...))
	judged.End(trace.WithTimestamp(record.Time))
}

// decided measures how long a call has waited for a person: as a span of that length, up
// to where the turn went on with it, and as a metric.
func (t *Telemetry) decided(ctx context.Context, event string, record slog.Record) {
	waited, _ := valueIn(record, "waited").Any().(time.Duration)
	decision := attribute.String("bonafide.decision", strings.TrimPrefix(event, "call "))
	t.instruments.approvals.Record(ctx, waited.Seconds(), metric.WithAttributes(decision))
	if trace.SpanFromContext(ctx).IsRecording() {
		attributes := append(t.attributes(record), decision)
		_, span := t.tracer.Start(ctx, "await_approval", trace.WithTimestamp(record.Time.Add(-waited)),
			trace.WithAttributes(attributes...))
		span.End(trace.WithTimestamp(record.Time))
	}
}

// private are what the guard logs of people and their words. Whose turn it is
// stands in the span of the turn already.
var private = map[string]bool{"owner": true, "turn": true, "conversation": true}

// content are what quotes people, where a host lets the guard log it.
var content = map[string]bool{"claims": true, "why": true}

// valueIn is what an event says under a name.
func valueIn(record slog.Record, name string) (value slog.Value) {
	record.Attrs(func(a slog.Attr) bool {
		if a.Key == name {
			value = a.Value.Resolve()
		}
		return a.Key != name
	})
	return value
}

func (t *Telemetry) attributes(record slog.Record) []attribute.KeyValue {
	var list []attribute.KeyValue
	record.Attrs(func(a slog.Attr) bool {
		if private[a.Key] || content[a.Key] && !t.options.Content {
			return true
		}
		list = append(list, t.attribute(a))
		return true
	})
	return list
}

func (t *Telemetry) attribute(a slog.Attr) attribute.KeyValue {
	key := attribute.Key("bonafide." + a.Key)
	switch value := a.Value.Resolve(); value.Kind() {
	case slog.KindBool:
		return key.Bool(value.Bool())
	case slog.KindInt64:
		return key.Int64(value.Int64())
	case slog.KindFloat64:
		return key.Float64(value.Float64())
	case slog.KindDuration:
		return key.Float64(value.Duration().Seconds())
	default:
		switch list := value.Any().(type) {
		case []string:
			texts := slices.Clone(list)
			for i := range texts {
				texts[i] = t.cut(texts[i])
			}
			return key.StringSlice(texts)
		case []float64:
			return key.Float64Slice(list)
		}
		return key.String(t.cut(value.String()))
	}
}
