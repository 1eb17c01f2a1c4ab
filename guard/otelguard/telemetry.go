package otelguard

import (
	"cmp"
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/bonafide-go/bonafide/guard"
)

const scope = "github.com/bonafide-go/bonafide/guard/otelguard"

// Options configure a [Telemetry]. Nil is the default.
type Options struct {
	// TracerProvider and MeterProvider take spans and metrics. Default: the global
	// ones.
	TracerProvider trace.TracerProvider
	MeterProvider  metric.MeterProvider
	// Agent names the agent that turns invoke. Default: "agent".
	Agent string
	// Provider is who serves the model, by the names of the conventions: "openai",
	// "anthropic", "aws.bedrock". Default: "unknown".
	Provider string
	// Model is the model that is asked. Default: what the model itself says in its
	// guard.Capabilities, or nothing.
	Model string
	// Content adds messages, arguments, results and texts of errors to spans, with
	// what looks like a secret redacted. Default: they are left out.
	Content bool
	// MaxContent cuts each text of the content, in bytes. Default: 4,096.
	MaxContent int
}

// Telemetry makes spans and metrics of turns.
type Telemetry struct {
	options     Options
	tracer      trace.Tracer
	meter       metric.Meter
	instruments instruments
}

// New returns a Telemetry. The error is that of the meter.
func New(options *Options) (*Telemetry, error) {
	t := &Telemetry{}
	if options != nil {
		t.options = *options
	}
	o := &t.options
	if o.TracerProvider == nil {
		o.TracerProvider = otel.GetTracerProvider()
	}
	if o.MeterProvider == nil {
		o.MeterProvider = otel.GetMeterProvider()
	}
	o.Agent, o.Provider = cmp.Or(o.Agent, "agent"), cmp.Or(o.Provider, "unknown")
	if o.MaxContent <= 0 {
		o.MaxContent = 4096
	}
	t.tracer = o.TracerProvider.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL))
	t.meter = o.MeterProvider.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL))
	var err error
	t.instruments, err = newInstruments(t.meter)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Run is g.Run with a span around it: it wraps the model and the executor, and
// tells how the turn ended.
func (t *Telemetry) Run(
	ctx context.Context, g *guard.Guard, model guard.Model, executor guard.Executor, input guard.Input,
) (*guard.Reply, error) {
	ctx, turn := t.Begin(ctx, input)
	var reply *guard.Reply
	var err error
	defer func() { turn.End(reply, err) }()
	reply, err = g.Run(ctx, t.Model(model), t.Executor(executor), input)
	return reply, err
}

// asked says who is asked: provider and model.
func (t *Telemetry) asked(model string) []attribute.KeyValue {
	provider := semconv.GenAIProviderNameKey.String(t.options.Provider)
	attributes := []attribute.KeyValue{semconv.GenAIOperationNameChat, provider}
	if model != "" {
		attributes = append(attributes, semconv.GenAIRequestModel(model))
	}
	return attributes
}
