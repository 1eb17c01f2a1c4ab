package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Rate limits the calls of a tool in time, for each owner on their own.
type Rate struct {
	// Calls may be made Per this time on average, and Burst at once. Burst is
	// Calls by default.
	Calls int
	Per   time.Duration
	Burst int
}

// rates are the rates of a set, and who keeps them.
type rates struct {
	limits  map[string]Rate
	limiter Limiter
	down    LimiterDown
}

func newRates(options *Options) (*rates, error) {
	switch {
	case options.LimiterDown > AllCalls:
		return nil, fmt.Errorf("option LimiterDown is %d; use ReadsOnly, NoCalls or AllCalls", options.LimiterDown)
	case len(options.Rates) == 0 && options.Limiter != nil:
		return nil, errors.New("there is a Limiter and nothing to limit; set Rates, or leave it out")
	case len(options.Rates) == 0:
		return nil, nil
	}
	limiter := cmp.Or(options.Limiter, NewLimiter(nil))
	r := &rates{limits: maps.Clone(options.Rates), limiter: limiter, down: options.LimiterDown}
	var wrong faults
	for _, tool := range slices.Sorted(maps.Keys(r.limits)) {
		limit := r.limits[tool]
		wrong.when(limit.Calls <= 0 || limit.Per <= 0 || limit.Burst < 0,
			"rate of %s is %d calls per %s, burst %d; calls and time must be positive", tool, limit.Calls, limit.Per,
			limit.Burst)
		if limit.Burst == 0 {
			limit.Burst = limit.Calls
			r.limits[tool] = limit
		}
	}
	return r, errors.Join(wrong...)
}

// inWords is a time as people and models read it: "1 minute", "1 minute and 30
// seconds".
func inWords(d time.Duration) string {
	if d < time.Second {
		return plural(int(d.Milliseconds()), "millisecond", "milliseconds")
	}
	var parts []string
	for _, unit := range []struct {
		length    time.Duration
		one, many string
	}{
		{24 * time.Hour, "day", "days"}, {time.Hour, "hour", "hours"}, {time.Minute, "minute", "minutes"},
		{time.Second, "second", "seconds"},
	} {
		if n := int(d / unit.length); n > 0 {
			parts = append(parts, plural(n, unit.one, unit.many))
			d %= unit.length
		}
	}
	return strings.Join(parts, " and ")
}

// roundUp keeps the advice short and never too early.
func roundUp(wait time.Duration) time.Duration {
	unit := time.Second
	if wait < time.Second {
		unit = 10 * time.Millisecond
	}
	return (wait + unit - 1) / unit * unit
}
