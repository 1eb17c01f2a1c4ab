package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate limits the calls of a tool in time, for each owner on their own. It is
// kept by this process alone: with n replicas an owner has n times as many.
type Rate struct {
	// Calls may be made Per this time on average, and Burst at once. Burst is
	// Calls by default.
	Calls int
	Per   time.Duration
	Burst int
}

// maxLimiters bounds the memory for rate limits; owners whose allowance is full
// again are forgotten first, since a new limiter is full, too.
const maxLimiters = 1 << 16

// rates holds one limiter for each pair of tool and owner.
type rates struct {
	limits map[string]Rate

	mu       sync.Mutex
	limiters map[rateKey]*rate.Limiter
	swept    time.Time
}

type rateKey struct{ tool, owner string }

func newRates(limits map[string]Rate) (*rates, error) {
	if len(limits) == 0 {
		return nil, nil
	}
	r := &rates{limits: maps.Clone(limits), limiters: make(map[rateKey]*rate.Limiter)}
	var faults []error
	for _, tool := range slices.Sorted(maps.Keys(limits)) {
		limit := limits[tool]
		if limit.Calls <= 0 || limit.Per <= 0 || limit.Burst < 0 {
			faults = append(faults, fmt.Errorf("rate of %s is %d calls per %s, burst %d; calls and time must be positive", tool,
				limit.Calls, limit.Per, limit.Burst))
		}
		if limit.Burst == 0 {
			limit.Burst = limit.Calls
			r.limits[tool] = limit
		}
	}
	return r, errors.Join(faults...)
}

// take spends one call, or denies with the time to wait. A denial spends
// nothing.
func (r *rates) take(request *Proposal, now time.Time) (Decision, error) {
	limit, limited := r.limits[request.Call.Tool]
	if !limited {
		return Decision{}, nil
	}
	if request.Owner == "" {
		return Decision{}, errors.New("the request names no owner; rate limits are kept for each owner")
	}
	limiter := r.limiter(rateKey{request.Call.Tool, request.Owner}, limit, now)
	if limiter == nil {
		return deny("rate", "too many callers at once; try again in a second"), nil
	}
	reserved := limiter.ReserveN(now, 1)
	wait := reserved.DelayFrom(now)
	if wait <= 0 {
		return Decision{}, nil
	}
	reserved.CancelAt(now)
	return deny("rate", "%s may be called %s per %s; wait %s before the next call", request.Call.Tool,
		plural(limit.Calls, "time", "times"), inWords(limit.Per), inWords(roundUp(wait))), nil
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

func (r *rates) limiter(key rateKey, limit Rate, now time.Time) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	if limiter := r.limiters[key]; limiter != nil {
		return limiter
	}
	if len(r.limiters) >= maxLimiters {
		r.sweep(now)
		if len(r.limiters) >= maxLimiters {
			return nil
		}
	}
	limiter := rate.NewLimiter(rate.Limit(float64(limit.Calls)/limit.Per.Seconds()), limit.Burst)
	r.limiters[key] = limiter
	return limiter
}

// sweep forgets the limiters that are full, at most once a second.
func (r *rates) sweep(now time.Time) {
	if age := now.Sub(r.swept); age >= 0 && age < time.Second {
		return
	}
	r.swept = now
	maps.DeleteFunc(r.limiters, func(_ rateKey, l *rate.Limiter) bool { return l.TokensAt(now) >= float64(l.Burst()) })
}
