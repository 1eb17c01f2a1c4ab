package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// rated is a set with a rate for two tools, kept by a limiter.
func rated(t *testing.T, options Options) *Set {
	t.Helper()
	limit := Rate{Calls: 2, Per: time.Minute}
	options.Rates = map[string]Rate{"send": limit, "search": limit}
	options.Rules = ruleFor("send", Arg("n", Range(1, 5)))
	return mustSet(t, []tooltrack.Tool{
		{Name: "send", Effect: tooltrack.Changes}, {Name: "search", Effect: tooltrack.Reads}, {Name: "read"},
	}, &options)
}

func TestRates(t *testing.T) {
	now := clockAt("2026-03-01")
	set := rated(t, Options{Limiter: NewLimiter(func() time.Time { return now })})
	spend := func(owner, tool string) Decision {
		t.Helper()
		d, err := set.Spend(t.Context(), owner, tooltrack.Call{Tool: tool, Args: json.RawMessage(`{"n":1}`)})
		require.NoError(t, err)
		return d
	}
	for range 10 { // a review spends nothing, whatever it decides
		for _, args := range []string{`{"n":9}`, `{"n":1}`} {
			_, err := set.Review(t.Context(), Proposal{Owner: "ada", Now: now, Call: tooltrack.Call{Tool: "send", Args: json.RawMessage(args)}})
			require.NoError(t, err)
		}
	}
	for i := range 2 {
		require.Equal(t, Approve, spend("ada", "send").Kind, "call %d", i)
	}
	d := spend("ada", "send")
	require.Equal(t, "rate", d.Rule)
	require.Equal(t, "send may be called 2 times per 1 minute; wait 30 seconds before the next call", d.Reason)
	require.Equal(t, Approve, spend("eve", "send").Kind, "another owner")
	require.Equal(t, Approve, spend("ada", "search").Kind, "another tool")
	require.Equal(t, Approve, spend("ada", "read").Kind, "a tool without a rate")
	now = now.Add(29 * time.Second)
	require.Equal(t, "send may be called 2 times per 1 minute; wait 1 second before the next call", spend("ada", "send").Reason)
	now = now.Add(time.Second)
	require.Equal(t, Approve, spend("ada", "send").Kind, "after the wait")
	none, err := set.Spend(t.Context(), "", tooltrack.Call{Tool: "send"})
	require.ErrorContains(t, err, "names no owner")
	require.False(t, none.Allowed())
}

// downLimiter cannot be asked.
type downLimiter struct{}

var errDown = errors.New("connection refused")

func (downLimiter) Take(context.Context, string, string, Rate) (time.Duration, error) {
	return 0, errDown
}

// brokenLimiter panics.
type brokenLimiter struct{}

func (brokenLimiter) Take(context.Context, string, string, Rate) (time.Duration, error) {
	panic("no database")
}

func TestLimiterDown(t *testing.T) {
	for _, c := range []struct {
		down         LimiterDown
		send, search bool
	}{{ReadsOnly, false, true}, {NoCalls, false, false}, {AllCalls, true, true}} {
		set := rated(t, Options{Limiter: downLimiter{}, LimiterDown: c.down})
		for tool, passes := range map[string]bool{"send": c.send, "search": c.search} {
			d, err := set.Spend(t.Context(), "ada", tooltrack.Call{Tool: tool})
			require.ErrorIs(t, err, errDown)
			require.Equal(t, passes, d.Allowed(), "%s, %d", tool, c.down)
			if !passes {
				require.Equal(t, "limiter", d.Rule)
				require.Equal(t, "it cannot be found out at the moment whether "+tool+" may be called again; nothing was run: "+
					"say so, or try it later", d.Reason)
			}
		}
	}
}

func TestLimiterThatPanicsIsDown(t *testing.T) {
	noClock := NewLimiter(func() time.Time { panic("no clock") })
	for _, limiter := range []Limiter{brokenLimiter{}, noClock} {
		set := rated(t, Options{Limiter: limiter})
		d, err := set.Spend(t.Context(), "ada", tooltrack.Call{Tool: "send"})
		require.ErrorContains(t, err, "the limiter panicked: no ")
		require.Equal(t, "limiter", d.Rule)
	}
}

func TestLimiterFaults(t *testing.T) {
	_, err := New([]tooltrack.Tool{{Name: "t"}}, &Options{Limiter: NewLimiter(nil)})
	require.ErrorContains(t, err, "nothing to limit")
	_, err = New([]tooltrack.Tool{{Name: "t"}}, &Options{LimiterDown: 9})
	require.ErrorContains(t, err, "LimiterDown is 9; use ReadsOnly, NoCalls or AllCalls")
}

func TestLimiterIsBounded(t *testing.T) {
	now := clockAt("2026-03-01")
	l := NewLimiter(func() time.Time { return now }).(*processLimiter)
	take := func(owner string) bool {
		wait, err := l.Take(t.Context(), owner, "send", Rate{Calls: 1, Per: time.Hour, Burst: 1})
		require.NoError(t, err)
		return wait == 0
	}
	for i := range maxLimits {
		if !take(fmt.Sprint(i)) {
			t.Fatalf("owner %d is refused", i)
		}
	}
	require.False(t, take("one too many"), "the memory of rate limits grows without bound")
	now = now.Add(2 * time.Hour) // all allowances are full again
	require.True(t, take("one more"))
	require.Len(t, l.limits, 1)
}
