package redislimit_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	redislimit "github.com/bonafide-go/bonafide/examples/recipes/redis"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var _ policy.Limiter = redislimit.Limiter{}

// connect returns a limiter with a connection of its own, as a replica has one.
func connect(t *testing.T, prefix string) redislimit.Limiter {
	t.Helper()
	url := os.Getenv("BONAFIDE_TEST_REDIS")
	if url == "" {
		t.Skip("BONAFIDE_TEST_REDIS is not set; set it to the URL of a Redis server to run this test")
	}
	options, err := redis.ParseURL(url)
	require.NoError(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	require.NoError(t, client.Ping(t.Context()).Err())
	return redislimit.Limiter{Limiter: redis_rate.NewLimiter(client), Prefix: prefix}
}

// prefix gives each run a budget of its own.
func prefix(t *testing.T) string {
	return fmt.Sprintf("bonafide:%s:%d:", t.Name(), time.Now().UnixNano())
}

// Two replicas send three messages each, of the four that their user has in an hour.
func TestReplicasHaveOneBudget(t *testing.T) {
	shared, sent := prefix(t), 0
	var refused string
	for range 2 {
		g, err := guard.New([]tooltrack.Tool{{
			Name: "send_message", Description: "Sends a message to a customer", Effect: tooltrack.Changes,
		}}, &guard.Options{Policy: &policy.Options{
			Rates:   map[string]policy.Rate{"send_message": {Calls: 4, Per: time.Hour}},
			Limiter: connect(t, shared),
		}})
		require.NoError(t, err)
		for n := range 3 {
			model := guardtest.Script(guardtest.Call(guardtest.Tool("send_message", fmt.Sprintf(`{"part":%d}`, n))),
				guardtest.Say("That is all I can say about it. Shall I go on?"))
			executor := guardtest.Tools(map[string]guard.ExecutorFunc{"send_message": guardtest.Returns(`{"sent":true}`)})
			reply, err := g.Run(t.Context(), model, executor, guard.Input{User: "send the customer a message", Owner: "ann"})
			require.NoError(t, err)
			if record := reply.Records[0]; record.Ruling.Denied {
				refused = record.Ruling.Reason
			} else {
				sent++
			}
		}
	}
	require.Equal(t, 4, sent)
	require.Contains(t, refused, "send_message may be called 4 times per 1 hour; wait ")
}

// Many connections at once are let through exactly as often as the rate says.
func TestLimiterIsExact(t *testing.T) {
	var granted atomic.Int64
	var group sync.WaitGroup
	shared := prefix(t)
	for range 4 {
		limiter := connect(t, shared)
		for range 4 {
			group.Go(func() {
				for range 10 {
					wait, err := limiter.Take(context.Background(), "ann", "send", policy.Rate{Calls: 40, Per: 24 * time.Hour, Burst: 40})
					if err != nil {
						t.Error(err)
					}
					if err == nil && wait == 0 {
						granted.Add(1)
					}
				}
			})
		}
	}
	group.Wait()
	require.EqualValues(t, 40, granted.Load())
}

// Without a server it is an error: what that means is said by policy.Options.LimiterDown.
func TestNoServer(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	t.Cleanup(func() { _ = client.Close() })
	_, err := redislimit.Limiter{Limiter: redis_rate.NewLimiter(client)}.Take(t.Context(), "ann", "send", policy.Rate{Calls: 1, Per: time.Hour, Burst: 1})
	require.Error(t, err)
}
