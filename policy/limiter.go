package policy

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Limiter keeps the rates of all owners. The one of [NewLimiter] knows this process
// alone: with n replicas an owner has n times as many calls. Replicas that shall have one
// budget share a limiter, such as the one of package sqltrack.
type Limiter interface {
	// Take spends one call of a tool by an owner and returns 0, or spends nothing and
	// returns how long to wait before the next try. The burst of the rate is at least 1.
	// An error means that it could not be found out. It is safe for concurrent use, and
	// ends with its context.
	Take(ctx context.Context, owner, tool string, rate Rate) (wait time.Duration, err error)
}

// LimiterDown says what becomes of calls with a rate while the [Limiter] cannot be reached.
type LimiterDown uint8

const (
	// ReadsOnly lets tools run that only read, and refuses all others.
	ReadsOnly LimiterDown = iota
	// NoCalls refuses them all.
	NoCalls
	// AllCalls lets them all run.
	AllCalls
)

// Spend takes one call from the rate of its tool. It is asked right before an approved
// call runs, since a review spends nothing: whoever repeats a review, or answers a call
// from an earlier one, pays once. An approval lets it run. A limiter that could not be
// asked is an error beside the decision that [Options.LimiterDown] makes.
func (s *Set) Spend(ctx context.Context, owner string, call tooltrack.Call) (Decision, error) {
	approved := Decision{Kind: Approve, Args: call.Args}
	if s.rates == nil {
		return approved, nil
	}
	limit, limited := s.rates.limits[call.Tool]
	if !limited {
		return approved, nil
	}
	if owner == "" {
		return Decision{}, errors.New("the call names no owner; rate limits are kept for each owner")
	}
	wait, err := s.rates.take(ctx, owner, call.Tool, limit)
	switch {
	case err != nil && s.passesUnlimited(call.Tool):
		return approved, err
	case err != nil:
		return deny("limiter", "it cannot be found out at the moment whether %s may be called again; nothing was run: "+
			"say so, or try it later", call.Tool), err
	case wait <= 0:
		return approved, nil
	}
	return deny("rate", "%s may be called %s per %s; wait %s before the next call", call.Tool,
		plural(limit.Calls, "time", "times"), inWords(limit.Per), inWords(roundUp(wait))), nil
}

// take survives a limiter that panics: it could not be asked.
func (r *rates) take(ctx context.Context, owner, tool string, limit Rate) (wait time.Duration, err error) {
	defer survive("the limiter panicked", &err)
	return r.limiter.Take(ctx, owner, tool, limit)
}

// passesUnlimited reports whether a tool may run while its rate is not known.
func (s *Set) passesUnlimited(tool string) bool {
	rules, down := s.tools[tool], s.rates.down
	return down == AllCalls || down == ReadsOnly && rules != nil && !rules.tool.Effect.MayChange()
}

// maxLimits bounds the memory for rate limits; owners whose allowance is full
// again are forgotten first, since a new one is full, too.
const maxLimits = 1 << 16

// processLimiter keeps the rates of one process.
type processLimiter struct {
	clock func() time.Time

	mu     sync.Mutex
	limits map[limitKey]*rate.Limiter
	swept  time.Time
}

type limitKey struct {
	owner, tool string
	rate        Rate
}

// NewLimiter returns a limiter for one process, in bounded memory. A nil clock is
// time.Now.
func NewLimiter(clock func() time.Time) Limiter {
	if clock == nil {
		clock = time.Now
	}
	return &processLimiter{clock: clock, limits: make(map[limitKey]*rate.Limiter)}
}

// Take implements [Limiter].
func (l *processLimiter) Take(ctx context.Context, owner, tool string, of Rate) (time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	now := l.clock()
	limit := l.limit(limitKey{owner, tool, of}, now)
	if limit == nil { // too many callers at once
		return time.Second, nil
	}
	reserved := limit.ReserveN(now, 1)
	wait := reserved.DelayFrom(now)
	if wait > 0 {
		reserved.CancelAt(now)
	}
	return wait, nil
}

func (l *processLimiter) limit(key limitKey, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if limit := l.limits[key]; limit != nil {
		return limit
	}
	if len(l.limits) >= maxLimits {
		l.sweep(now)
		if len(l.limits) >= maxLimits {
			return nil
		}
	}
	limit := rate.NewLimiter(rate.Limit(float64(key.rate.Calls)/key.rate.Per.Seconds()), key.rate.Burst)
	l.limits[key] = limit
	return limit
}

// sweep forgets the allowances that are full, at most once a second.
func (l *processLimiter) sweep(now time.Time) {
	if age := now.Sub(l.swept); age >= 0 && age < time.Second {
		return
	}
	l.swept = now
	maps.DeleteFunc(l.limits, func(_ limitKey, r *rate.Limiter) bool { return r.TokensAt(now) >= float64(r.Burst()) })
}
