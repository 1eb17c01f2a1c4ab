package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// TestTelemetry: a lie that is mended is one trace, in which every step can be
// seen, and none of what was said.
func TestTelemetry(t *testing.T) {
	spans, reader := tracetest.NewInMemoryExporter(), sdkmetric.NewManualReader()
	shown, err := newTelemetry(t.Context(), sdktrace.NewSimpleSpanProcessor(spans), reader)
	check(t, err)
	w := newWorld(t, worldOptions{telemetry: shown})
	w.say(message{text: "delete Read book", faults: []string{"ghost-success"}})
	var names []string
	traces := map[string]bool{}
	for _, span := range spans.GetSpans() {
		names = append(names, span.Name)
		traces[span.SpanContext.TraceID().String()] = true
	}
	want := []string{"chat", "judge", "chat", "execute_tool delete_task", "chat", "judge", "invoke_agent taskmanager"}
	if !slices.Equal(names, want) || len(traces) != 1 {
		t.Errorf("the spans are %q in %d traces, want %q in one", names, len(traces), want)
	}
	if all := fmt.Sprint(spans.GetSpans()); strings.Contains(all, "Read book") {
		t.Errorf("the spans tell what was said: %s", all)
	}
	var collected metricdata.ResourceMetrics
	check(t, reader.Collect(t.Context(), &collected))
	for _, metric := range []string{
		"bonafide.turns", "bonafide.extra.model_calls", "gen_ai.client.operation.duration", "enforcing",
	} {
		if !strings.Contains(fmt.Sprint(collected), metric) {
			t.Errorf("there is no metric %s", metric)
		}
	}
}

// TestOTLP: with OpenTelemetry's own variable, spans and metrics reach a collector
// when the program ends, at the latest.
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
	var out, errs bytes.Buffer
	args := []string{"chat", "-db", ":memory:", "add Buy milk"}
	if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("%d: %s%s", code, out.String(), errs.String())
	}
	mu.Lock()
	defer mu.Unlock()
	for path, want := range map[string]string{"/v1/traces": "invoke_agent taskmanager", "/v1/metrics": "bonafide.turns"} {
		if !strings.Contains(got[path], want) || strings.Contains(got[path], "Buy milk") {
			t.Errorf("%s: %q", path, got[path])
		}
	}
}
