package otelguard_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/otelguard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A turn that waits is no failed one, and the time until a person decided is a span and a
// metric.
func TestTimeWaitedForAPerson(t *testing.T) {
	spans, reader := tracetest.NewSpanRecorder(), sdkmetric.NewManualReader()
	telemetry, err := otelguard.New(&otelguard.Options{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)),
		MeterProvider:  sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)),
	})
	require.NoError(t, err)
	tools := []tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}}
	g, err := guard.New(tools, &guard.Options{
		Logger: telemetry.Logger(nil),
		Policy: &policy.Options{Approvals: []policy.Approval{policy.NeedsApproval("delete_task", policy.Always())}},
	})
	require.NoError(t, err)
	run := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns(`{"success":true}`)})
	input := guard.Input{User: "delete the task Milk", Owner: "ann", Turn: "t1"}
	ctx, span := telemetry.Begin(t.Context(), input)
	reply, err := g.Run(ctx, guardtest.Script(guardtest.Call(guardtest.Tool("delete_task", `{"id":"Milk"}`))), run, input)
	span.End(reply, err)
	var held *guard.TurnError
	require.ErrorAs(t, err, &held)
	require.ErrorIs(t, err, guard.ErrHeld)
	require.Equal(t, codes.Unset, spans.Ended()[len(spans.Ended())-1].Status().Code, "waiting is no error")
	_, err = g.Ledger().Answer(t.Context(), "ann", held.Approvals[0].ID, tooltrack.Answer{By: "carol", Approve: true})
	require.NoError(t, err)
	ctx, span = telemetry.Begin(t.Context(), input)
	reply, err = g.Resume(ctx, guardtest.Script(guardtest.Say("I deleted the task Milk.")), run, "ann", "t1")
	span.End(reply, err)
	require.NoError(t, err)
	var names []string
	for _, ended := range spans.Ended() {
		names = append(names, ended.Name())
	}
	require.Contains(t, names, "await_approval")
	var metrics metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &metrics))
	count := uint64(0)
	for _, m := range metrics.ScopeMetrics[0].Metrics {
		if waited, ok := m.Data.(metricdata.Histogram[float64]); ok && m.Name == "bonafide.approval.wait" {
			count = waited.DataPoints[0].Count
		}
	}
	require.EqualValues(t, 1, count)
}
