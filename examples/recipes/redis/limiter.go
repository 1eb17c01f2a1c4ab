// Package redislimit keeps the rates of a fleet in Redis: the recipe for a limiter of your
// own. Its tests show two replicas that have one budget.
package redislimit

import (
	"context"
	"time"

	"github.com/go-redis/redis_rate/v10"

	"github.com/bonafide-go/bonafide/policy"
)

// Limiter keeps rates in Redis, by its clock: all who share the server, and the prefix of its
// keys, have one budget for each owner and tool. One script does it, in one round trip.
type Limiter struct {
	*redis_rate.Limiter
	Prefix string
}

// Take implements [policy.Limiter].
func (l Limiter) Take(ctx context.Context, owner, tool string, rate policy.Rate) (time.Duration, error) {
	limit := redis_rate.Limit{Rate: rate.Calls, Burst: rate.Burst, Period: rate.Per}
	result, err := l.Allow(ctx, l.Prefix+tool+":"+owner, limit)
	if err != nil || result.Allowed > 0 {
		return 0, err
	}
	return max(result.RetryAfter, time.Millisecond), nil
}
