package main

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/bonafide-go/bonafide/examples/internal/collector"
	"github.com/bonafide-go/bonafide/guard/otelguard"
)

// maxSeries bounds the combinations of attributes of one metric: names of tools
// are the clients' own.
const maxSeries = 2000

// telemetry is where spans and metrics go. Metrics are always kept, for /metrics;
// spans only where somebody collects them.
type telemetry struct {
	*otelguard.Telemetry
	metrics *metrics
	meter   metric.Meter
	meters  *sdkmetric.MeterProvider
	tracers *sdktrace.TracerProvider
}

func newTelemetry(ctx context.Context, to collector.Exporters) (*telemetry, error) {
	about, err := collector.Resource(ctx, "bonafide-proxy")
	if err != nil {
		return nil, err
	}
	reader := sdkmetric.NewManualReader()
	options := []sdkmetric.Option{
		sdkmetric.WithReader(reader), sdkmetric.WithResource(about), sdkmetric.WithCardinalityLimit(maxSeries),
	}
	if to.Metrics != nil {
		options = append(options, sdkmetric.WithReader(to.Metrics))
	}
	t := &telemetry{meters: sdkmetric.NewMeterProvider(options...)}
	t.meter = t.meters.Meter("github.com/bonafide-go/bonafide/examples/proxy")
	own := &otelguard.Options{Agent: "proxy", MeterProvider: t.meters}
	if to.Spans != nil {
		t.tracers = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(to.Spans), sdktrace.WithResource(about))
		own.TracerProvider = t.tracers
	}
	if t.Telemetry, err = otelguard.New(own); err != nil {
		return nil, err
	}
	t.metrics, err = newMetrics(reader, t.meter)
	return t, err
}

// close sends what waits.
func (t *telemetry) close(ctx context.Context) error {
	var spans error
	if t.tracers != nil {
		spans = t.tracers.Shutdown(ctx)
	}
	return errors.Join(spans, t.meters.Shutdown(ctx))
}
