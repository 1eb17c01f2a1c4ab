package main

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/bonafide-go/bonafide/examples/internal/otlp"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/otelguard"
)

// telemetry shows turns to OpenTelemetry. Nil shows nothing.
type telemetry struct {
	*otelguard.Telemetry
	tracers *sdktrace.TracerProvider
	meters  *sdkmetric.MeterProvider
}

// openTelemetry sends spans and metrics to where the environment says; it is nil
// where it says nothing.
func openTelemetry(ctx context.Context) (*telemetry, error) {
	if !otlp.Wanted() {
		return nil, nil
	}
	spans, measures, err := otlp.Exporters(ctx)
	if err != nil {
		return nil, err
	}
	return newTelemetry(ctx, spans, measures)
}

func newTelemetry(ctx context.Context, spans sdktrace.SpanProcessor, measures sdkmetric.Reader) (*telemetry, error) {
	name := attribute.String("service.name", "taskmanager") // OTEL_SERVICE_NAME wins
	about, err := resource.New(ctx, resource.WithAttributes(name), resource.WithFromEnv(), resource.WithTelemetrySDK())
	if err != nil {
		return nil, err
	}
	t := &telemetry{
		tracers: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans), sdktrace.WithResource(about)),
		meters:  sdkmetric.NewMeterProvider(sdkmetric.WithReader(measures), sdkmetric.WithResource(about)),
	}
	t.Telemetry, err = otelguard.New(&otelguard.Options{
		Agent: "taskmanager", TracerProvider: t.tracers, MeterProvider: t.meters,
	})
	return t, err
}

// watch exports the counters of the guards, as long as it is open.
func (t *telemetry) watch(guards map[string]*guard.Guard) error {
	if t == nil {
		return nil
	}
	for name, g := range guards {
		if _, err := t.Watch(g, name); err != nil {
			return err
		}
	}
	return nil
}

// turn opens the span of a turn around its model and its tools. What it returns
// last ends the span.
func (t *telemetry) turn(
	ctx context.Context, input guard.Input, model guard.Model, executor guard.Executor,
) (context.Context, guard.Model, guard.Executor, func(*guard.Reply, error)) {
	if t == nil {
		return ctx, model, executor, func(*guard.Reply, error) {}
	}
	ctx, span := t.Begin(ctx, input)
	return ctx, t.Model(model), t.Executor(executor), span.End
}

// close sends what waits.
func (t *telemetry) close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return errors.Join(t.tracers.Shutdown(ctx), t.meters.Shutdown(ctx))
}
