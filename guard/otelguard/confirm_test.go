package otelguard_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/otelguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Read-backs are counted by what they showed.
func TestReadBacksAreCounted(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	telemetry, err := otelguard.New(&otelguard.Options{MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))})
	require.NoError(t, err)
	tools := []tooltrack.Tool{
		{Name: "get_task", Effect: tooltrack.Reads},
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Confirm: &tooltrack.Confirm{
			Read: "get_task(id = $args.id)", Expect: "absent", When: tooltrack.AlwaysConfirm,
		}},
	}
	g, err := guard.New(tools, &guard.Options{Logger: telemetry.Logger(nil)})
	require.NoError(t, err)
	for _, found := range []string{"", "", `{"id":"Milk"}`} {
		run := guardtest.Tools(map[string]guard.ExecutorFunc{
			"delete_task": guardtest.Returns(`{"success":true}`), "get_task": guardtest.Returns(found),
		})
		script := guardtest.Script(guardtest.Call(guardtest.Tool("delete_task", `{"id":"Milk"}`)), guardtest.Say("I deleted the task Milk."),
			guardtest.Say("The task Milk could not be deleted."))
		_, _ = g.Run(t.Context(), script, run, guard.Input{User: "delete the task Milk"})
	}
	var metrics metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &metrics))
	counts := map[string]int64{}
	for _, m := range metrics.ScopeMetrics[0].Metrics {
		if sum, ok := m.Data.(metricdata.Sum[int64]); ok && m.Name == "bonafide.read_backs" {
			for _, point := range sum.DataPoints {
				sight, _ := point.Attributes.Value("bonafide.sight")
				counts[sight.AsString()] = point.Value
			}
		}
	}
	require.Equal(t, map[string]int64{"confirmed": 2, "contradicted": 1}, counts)
}
