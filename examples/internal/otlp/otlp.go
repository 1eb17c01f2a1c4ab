// Package otlp sends the spans and metrics of an example to a collector, where the
// environment names one as OpenTelemetry wants it (OTEL_EXPORTER_OTLP_ENDPOINT and
// its relatives).
package otlp

import (
	"context"
	"os"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Wanted reports whether the environment names a collector.
func Wanted() bool {
	for _, name := range []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
	} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}

// Exporters send spans and metrics over HTTP, by the variables of the environment.
func Exporters(ctx context.Context) (sdktrace.SpanProcessor, sdkmetric.Reader, error) {
	spans, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, nil, err
	}
	measures, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return nil, nil, err
	}
	return sdktrace.NewBatchSpanProcessor(spans), sdkmetric.NewPeriodicReader(measures), nil
}
