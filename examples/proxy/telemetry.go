package main

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/sdk/resource"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/bonafide-go/bonafide/guard/otelguard"
)

// serviceName is the proxy in the words of OpenTelemetry; OTEL_SERVICE_NAME wins.
var serviceName = attribute.String("service.name", "bonafide-proxy")

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

// exporters are where spans and metrics are sent to. Zero fields are nowhere.
type exporters struct {
	spans   sdktrace.SpanProcessor
	metrics sdkmetric.Reader
}

func newTelemetry(ctx context.Context, to exporters) (*telemetry, error) {
	about, err := resource.New(ctx, resource.WithAttributes(serviceName), resource.WithFromEnv(), resource.WithTelemetrySDK())
	if err != nil {
		return nil, err
	}
	reader := sdkmetric.NewManualReader()
	options := []sdkmetric.Option{sdkmetric.WithReader(reader), sdkmetric.WithResource(about), sdkmetric.WithCardinalityLimit(maxSeries)}
	if to.metrics != nil {
		options = append(options, sdkmetric.WithReader(to.metrics))
	}
	t := &telemetry{meters: sdkmetric.NewMeterProvider(options...)}
	t.meter = t.meters.Meter("github.com/bonafide-go/bonafide/examples/proxy")
	own := &otelguard.Options{Agent: "proxy", MeterProvider: t.meters}
	if to.spans != nil {
		t.tracers = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(to.spans), sdktrace.WithResource(about))
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
