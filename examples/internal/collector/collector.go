// Package collector answers one question: where do spans and metrics go? To the
// collector that OpenTelemetry's own variables name, if they name one.
package collector

import (
	"context"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Exporters are where spans and metrics are sent to. Zero fields are nowhere.
type Exporters struct {
	Spans   sdktrace.SpanProcessor
	Metrics sdkmetric.Reader
}

// Named reports whether the environment names a collector.
func Named() bool {
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// OTLP are exporters by OpenTelemetry's variables (OTEL_EXPORTER_OTLP_…).
func OTLP(ctx context.Context) (Exporters, error) {
	spans, err := otlptracehttp.New(ctx)
	if err != nil {
		return Exporters{}, err
	}
	metrics, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return Exporters{}, err
	}
	return Exporters{sdktrace.NewBatchSpanProcessor(spans), sdkmetric.NewPeriodicReader(metrics)}, nil
}

// Resource says who speaks. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
func Resource(ctx context.Context, service string) (*resource.Resource, error) {
	name := attribute.String("service.name", service)
	return resource.New(ctx, resource.WithAttributes(name), resource.WithFromEnv(), resource.WithTelemetrySDK())
}
