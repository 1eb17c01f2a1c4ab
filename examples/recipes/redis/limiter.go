// Package redislimit keeps the rates of a fleet in Redis: the recipe for a limiter of your
// own. Its tests show two replicas that have one budget.
package redislimit

import (
	"context"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"github.com/bonafide-go/bonafide/policy"
)

// Limiter keeps rates in Redis, by its clock: all who share the server have one
// budget for each owner and tool. One script does it, in one round trip.
type Limiter struct {
	limiter *redis_rate.Limiter
	prefix  string
}

var _ policy.Limiter = Limiter{}

// New returns a limiter whose keys begin with the prefix.
func New(client *redis.Client, prefix string) Limiter {
	return Limiter{redis_rate.NewLimiter(client), prefix}
}

// Take implements [policy.Limiter].
func (l Limiter) Take(ctx context.Context, owner, tool string, rate policy.Rate) (time.Duration, error) {
	limit := redis_rate.Limit{Rate: rate.Calls, Burst: rate.Burst, Period: rate.Per}
	result, err := l.limiter.Allow(ctx, l.prefix+tool+":"+owner, limit)
	if err != nil {
		return 0, err
	}
	if result.Allowed > 0 {
		return 0, nil
	}
	return max(result.RetryAfter, time.Millisecond), nil
}
