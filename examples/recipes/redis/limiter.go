package main

import (
	"context"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"github.com/bonafide-go/bonafide/policy"
)

// redisLimiter keeps rates in Redis, by its clock: all who share the server have one
// budget for each owner and tool. One script does it, in one round trip.
type redisLimiter struct {
	limiter *redis_rate.Limiter
	prefix  string
}

var _ policy.Limiter = redisLimiter{}

func newRedisLimiter(client *redis.Client, prefix string) redisLimiter {
	return redisLimiter{redis_rate.NewLimiter(client), prefix}
}

// Take implements [policy.Limiter].
func (l redisLimiter) Take(ctx context.Context, owner, tool string, rate policy.Rate) (time.Duration, error) {
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
