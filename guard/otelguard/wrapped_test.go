package otelguard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/otelguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// wrapped sends one request through a wrapped model, with a span around it.
func wrapped(t *testing.T, l *lab, model guard.Model) {
	t.Helper()
	ctx, span := l.Begin(t.Context(), guard.Input{Conversation: "c1"})
	response, err := l.guard.Wrap(l.Model(model)).Generate(ctx, guard.Request{
		Tools: l.guard.Tools(), Messages: []guard.Message{{Role: guard.RoleUser, Text: "delete the task Read book"}},
	})
	span.EndWith(response, err)
	span.End(nil, nil) // only the first counts
}

// TestTurnsThatOnlyMessagesAreKnownOf: what is handed out says how they ended.
func TestTurnsThatOnlyMessagesAreKnownOf(t *testing.T) {
	lie := guardtest.Say("I've deleted Read book.")
	cases := []struct {
		name, outcome string
		observe       bool
		steps         []guardtest.Step
		judged        int
	}{
		{
			"calls",
			"calling",
			false,
			[]guardtest.Step{guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book"}`))},
			0,
		},
		{"a blocker", "completed_with_blocker", false, []guardtest.Step{
			guardtest.Say("Which one do you mean, Read book or Read a book?"),
		}, 1},
		{"lies", "refused", false, []guardtest.Step{lie, lie, lie, lie}, 2},
		{"lies, observed", "insufficient_progress", true, []guardtest.Step{lie}, 1},
		{"fails", "refused", false, []guardtest.Step{{Err: errBoom}}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t, otelguard.Options{}, guard.Options{Observe: c.observe})
			wrapped(t, l, guardtest.Script(c.steps...))
			spans := l.find("invoke_agent agent")
			require.Len(t, spans, 1)
			require.Equal(t, c.outcome, value(spans[0], "bonafide.outcome"))
			require.Len(t, l.find("judge"), c.judged)
			require.Equal(t, map[string]int64{c.outcome: 1}, l.metrics(t, "bonafide.turns", "bonafide.outcome"))
		})
	}
}

// TestWatchedCountersCallback: a host that sums up wrongly loses the counters, and
// no other metric.
func TestWatchedCountersCallback(t *testing.T) {
	l := newLab(t, otelguard.Options{}, guard.Options{})
	_, err := l.Watch(func() guard.Counters { return guard.Counters{Turns: 7} }, "all")
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"begun": 7, "accepted": 0}, l.metrics(t, "bonafide.guard.turns", "state"))

	l = newLab(t, otelguard.Options{}, guard.Options{})
	_, err = l.Watch(func() guard.Counters { panic(errBoom) }, "all")
	require.NoError(t, err)
	lyingTurn(t, l)
	require.NotEmpty(t, l.metricsDespite(t, "bonafide.turns", "bonafide.outcome"))
}

var errBoom = tooltrack.ErrNoOwner
