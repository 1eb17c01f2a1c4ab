package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/bonafide-go/bonafide/examples/internal/collector"
)

// TestSpans: each request is a turn with its model calls and verdicts, below the
// client's own span, and without anybody's words.
func TestSpans(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	w := newWorldTo(t, collector.Exporters{Spans: sdktrace.NewSimpleSpanProcessor(spans)}, model(t, simulated), "-enforce")
	const parent = "4bf92f3577b34da6a3ce929d0e0e4736"
	send(t, w.url+formats[0].path, formats[0].request(false, false), "Traceparent", "00-"+parent+"-00f067aa0ba902b7-01")
	send(t, w.url+formats[0].path, formats[0].request(true, true))
	var names []string
	for _, span := range spans.GetSpans() {
		names = append(names, span.Name)
		if len(names) <= 4 {
			require.Equal(t, parent, span.SpanContext.TraceID().String())
		}
	}
	require.Equal(t, []string{"chat sim", "judge", "chat sim", "invoke_agent proxy", "chat sim", "judge", "invoke_agent proxy"}, names)
	require.NotContains(t, fmt.Sprint(spans.GetSpans()), "Read book")
	metrics := get(t, w.url+"/metrics").body
	require.Contains(t, metrics, `bonafide_turns_total{bonafide_outcome="calling"} 1`)
	require.Contains(t, metrics, `bonafide_turns_total{bonafide_outcome="completed_with_work"} 1`)
	require.Contains(t, metrics, `bonafide_extra_model_calls_total{bonafide_purpose="reask"} 1`)
	require.Contains(t, metrics, `gen_ai_client_operation_duration_seconds_count{`)
}

// TestOTLP: with OpenTelemetry's own variable, spans and metrics reach a collector
// when the proxy ends, at the latest.
func TestOTLP(t *testing.T) {
	var mu sync.Mutex
	got := map[string]string{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		got[r.URL.Path] += string(body)
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
	p := startProgram(t, "-upstream", "sim")
	send(t, p.url+formats[0].path, formats[0].request(false, false))
	require.Equal(t, 0, p.end(t), p.errs.String())
	mu.Lock()
	defer mu.Unlock()
	require.Contains(t, got["/v1/traces"], "invoke_agent proxy")
	require.Contains(t, got["/v1/traces"], "bonafide-proxy")
	require.Contains(t, got["/v1/metrics"], "bonafide.proxy.requests")
	require.NotContains(t, got["/v1/traces"], "Read book")
}

// TestMetricsAreReadable: each line is a comment or a sample, and each metric has
// its type before its samples, once.
func TestMetricsAreReadable(t *testing.T) {
	w := newWorld(t, model(t, liar))
	send(t, w.url+formats[0].path, formats[0].request(false, false))
	w.settled(1)
	require.Equal(t, `{a_b="x\"y\\z\n"}`, labels(attribute.NewSet(attribute.String("a.b", "x\"y\\z\n"))))
	types := map[string]bool{}
	for line := range strings.Lines(get(t, w.url+"/metrics").body) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			metric, _, _ := strings.Cut(rest, " ")
			require.False(t, types[metric], metric)
			types[metric] = true
			continue
		}
		if strings.HasPrefix(line, "# HELP ") {
			continue
		}
		require.Regexp(t, `^[a-z_]+(\{([a-z_]+="([^"\\\n]|\\.)*",?)+\})? [0-9.e+-]+$`, line)
		metric, _, _ := strings.Cut(strings.Fields(line)[0], "{")
		known := types[metric]
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			known = known || types[strings.TrimSuffix(metric, suffix)]
		}
		require.True(t, known, line)
	}
	require.Greater(t, len(types), 10)
}
