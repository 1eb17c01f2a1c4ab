package main

import (
	"context"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/policy"
)

func server(t *testing.T) string {
	url := os.Getenv("BONAFIDE_TEST_REDIS")
	if url == "" {
		t.Skip("BONAFIDE_TEST_REDIS is not set; set it to the URL of a Redis server to run this test")
	}
	return url
}

// Two replicas have four messages together, whoever asks first.
func TestReplicasHaveOneBudget(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, server(t)))
	require.Equal(t, 4, strings.Count(out.String(), ": sent\n"), out.String())
	require.Equal(t, 2, strings.Count(out.String(), "second replica: refused: send_message may be called 4 times per 1 hour; wait "), out.String())
}

// Many connections at once are let through exactly as often as the rate says.
func TestLimiterIsExact(t *testing.T) {
	options, err := redis.ParseURL(server(t))
	require.NoError(t, err)
	var granted atomic.Int64
	var group sync.WaitGroup
	prefix := "bonafide:" + t.Name() + time.Now().String() + ":"
	for range 4 {
		client := redis.NewClient(options)
		t.Cleanup(func() { require.NoError(t, client.Close()) })
		limiter := newRedisLimiter(client, prefix)
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

func TestNoServer(t *testing.T) {
	err := run(t.Context(), &strings.Builder{}, "redis://127.0.0.1:1/0")
	require.ErrorIs(t, err, errNoServer)
}
