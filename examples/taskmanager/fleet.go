//go:build fleet

package main

import (
	"context"
	"errors"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/bonafide-go/bonafide/examples/internal/collector"
	"github.com/bonafide-go/bonafide/guard/otelguard"
)

// spans show turns to a collector.
type spans = *otelguard.Telemetry

// newSpans shows turns to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names,
// and to none where it names none. What it returns sends what waits.
func newSpans(ctx context.Context) (spans, func() error, error) {
	if !collector.Named() {
		telemetry, err := otelguard.New(nil)
		return telemetry, func() error { return nil }, err
	}
	to, err := collector.OTLP(ctx)
	if err != nil {
		return nil, nil, err
	}
	about, err := collector.Resource(ctx, "taskmanager")
	if err != nil {
		return nil, nil, err
	}
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(to.Spans), sdktrace.WithResource(about))
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(to.Metrics), sdkmetric.WithResource(about))
	telemetry, err := otelguard.New(
		&otelguard.Options{Agent: "taskmanager", TracerProvider: tracers, MeterProvider: meters})
	return telemetry, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return errors.Join(tracers.Shutdown(ctx), meters.Shutdown(ctx))
	}, err
}
