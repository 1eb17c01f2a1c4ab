// Command redis shows one budget of calls for two agents that share a Redis server.
//
//	redis-server --port 6379 &
//	go run -C examples/recipes ./redis
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const standard = "redis://127.0.0.1:6379/0"

func main() {
	url := os.Getenv("REDIS_URL")
	if url == "" {
		url = standard
	}
	if err := run(context.Background(), os.Stdout, url); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errNoServer = errors.New("no Redis server answers; start one with `redis-server`, or set REDIS_URL")

// run lets two replicas send three messages each, of the four that their user has in an
// hour.
func run(ctx context.Context, out io.Writer, url string) error {
	options, err := redis.ParseURL(url)
	if err != nil {
		return err
	}
	client := redis.NewClient(options)
	defer client.Close()
	if err := client.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("%s: %w: %w", options.Addr, errNoServer, err)
	}
	prefix := fmt.Sprintf("bonafide:%d:", time.Now().UnixNano()) // each run has a budget of its own
	for _, name := range []string{"first replica", "second replica"} {
		replica, err := newReplica(newRedisLimiter(client, prefix))
		if err != nil {
			return err
		}
		for n := range 3 {
			reply, err := replica.send(ctx, n)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s: %s\n", name, told(reply))
		}
	}
	return nil
}

var tools = []tooltrack.Tool{{
	Name: "send_message", Description: "Sends a message to a customer", Effect: tooltrack.Changes,
	Parameters: []byte(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
}}

// replica is one process of a fleet: a guard of its own, and a limiter that all share.
type replica struct{ guard *guard.Guard }

func newReplica(limiter policy.Limiter) (*replica, error) {
	g, err := guard.New(tools, &guard.Options{Policy: &policy.Options{
		Rates:   map[string]policy.Rate{"send_message": {Calls: 4, Per: time.Hour}},
		Limiter: limiter,
	}})
	return &replica{g}, err
}

// send asks for one message. The model is a script here; it tells what came of its call.
func (r *replica) send(ctx context.Context, n int) (*guard.Reply, error) {
	call := guardtest.Tool("send_message", fmt.Sprintf(`{"text":"Part %d has arrived"}`, n))
	script := guardtest.Script(guardtest.Call(call))
	model := guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
		last := request.Messages[len(request.Messages)-1]
		if last.Role != guard.RoleTool {
			return script.Generate(ctx, request)
		}
		text := "I have sent the message."
		if last.Failed {
			text = "I could not send the message: the limit is reached. Shall I try again later?"
		}
		return guardtest.Say(text).Response, nil
	})
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"send_message": guardtest.Returns(`{"sent":true}`)})
	return r.guard.Run(ctx, model, executor, guard.Input{User: "send the customer a message", Owner: "ann"})
}

func told(reply *guard.Reply) string {
	if record := reply.Records[0]; record.Ruling.Denied {
		return "refused: " + record.Ruling.Reason
	}
	return "sent"
}
