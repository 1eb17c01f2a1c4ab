package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard/otelguard"
)

// TestSpans: a turn that lies at first is seen with its calls and verdicts, and
// without anybody's words.
func TestSpans(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	telemetry, err := otelguard.New(&otelguard.Options{TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))})
	require.NoError(t, err)
	w := newWorld(t, worldOptions{telemetry: telemetry})
	_, _, err = w.service.chat(t.Context(), chatRequest{user: "demo", message: "delete Read book", faults: simmodel.Faults{"ghost-success"}})
	require.NoError(t, err)
	var names []string
	for _, span := range spans.GetSpans() {
		names = append(names, span.Name)
	}
	require.Equal(t, []string{"chat", "judge", "chat", "execute_tool delete_task", "chat", "judge", "invoke_agent agent"}, names)
	require.NotContains(t, fmt.Sprint(spans.GetSpans()), "Read book")
}

// TestSpansReachACollector that the environment names.
func TestSpansReachACollector(t *testing.T) {
	got := make(chan string, 8)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/v1/traces" {
			got <- string(body)
		}
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	telemetry, stop, err := newTelemetry(t.Context())
	require.NoError(t, err)
	w := newWorld(t, worldOptions{telemetry: telemetry})
	_, _, err = w.service.chat(t.Context(), chatRequest{user: "demo", message: "list my tasks"})
	require.NoError(t, err)
	require.NoError(t, stop())
	require.Contains(t, <-got, "invoke_agent taskmanager")
}
