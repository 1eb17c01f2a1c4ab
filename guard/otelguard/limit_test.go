package otelguard_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/otelguard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What limits, budgets and loops have done can be seen in a metric each.
func TestLimitsAreMetrics(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	telemetry, err := otelguard.New(&otelguard.Options{MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))})
	require.NoError(t, err)
	g, err := guard.New([]tooltrack.Tool{{Name: "read_file", Effect: tooltrack.Reads}}, &guard.Options{
		Budgets: guard.Budgets{Turn: guard.Allowance{Tokens: 1000}},
		Policy:  &policy.Options{Rates: map[string]policy.Rate{"read_file": {Calls: 4, Per: time.Hour}}},
	})
	require.NoError(t, err)
	registration, err := telemetry.Watch(g.Counters, "g")
	require.NoError(t, err)
	defer func() { require.NoError(t, registration.Unregister()) }()
	run := func(owner string, usage int) error {
		model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			response := guardtest.Call(tooltrack.Call{Tool: "read_file", Args: []byte(`{}`)}).Response
			response.Usage.Input = usage
			return response, nil
		})
		_, err := g.Run(t.Context(), model, guardtest.Tools(map[string]guard.ExecutorFunc{"read_file": guardtest.Returns("package main")}),
			guard.Input{User: "look", Owner: owner})
		return err
	}
	require.ErrorIs(t, run("ann", 1), guard.ErrLoop)
	require.ErrorIs(t, run("ann", 1), guard.ErrLoop) // its rate is spent now: one runs, the others are refused alike
	require.ErrorIs(t, run("bob", 5000), guard.ErrBudget)
	var collected metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &collected))
	found := map[string]int64{}
	for _, scope := range collected.ScopeMetrics {
		for _, metric := range scope.Metrics {
			if metric.Name != "bonafide.guard.limits" {
				continue
			}
			for _, point := range metric.Data.(metricdata.Sum[int64]).DataPoints {
				value, _ := point.Attributes.Value(attribute.Key("limit"))
				found[value.AsString()] = point.Value
			}
		}
	}
	require.Equal(t, map[string]int64{
		"rate": 3, "limiter_down": 0, "loop_told": 2, "loop_ended": 2, "budget_ended": 1, "meter_down": 0,
	}, found)
}
