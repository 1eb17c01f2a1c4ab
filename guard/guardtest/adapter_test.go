package guardtest_test

import (
	"context"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/promisetable"
)

// conversation is what a host with a loop of its own remembers.
type conversation struct {
	previous []guard.Message
}

func (c *conversation) input(ctx context.Context, user string) guard.Input {
	input, _ := guard.FromContext(ctx)
	input.User, input.Previous = user, c.previous
	return input
}

func (c *conversation) take(reply *guard.Reply, err error) (string, error) {
	if err != nil {
		return "", err
	}
	c.previous = append(c.previous, reply.Messages...)
	return reply.Text, nil
}

// TestAdaptersOfTheCore holds the ways in that need no client.
func TestAdaptersOfTheCore(t *testing.T) {
	messagesOnly := map[string]string{"written": "no: it does not run it", "once": "no: it does not run it"}
	columns := guardtest.TestAdapters(t,
		guardtest.Adapter{Name: "Run, Begin", Pauses: true, Open: func(s *guardtest.Setting) guardtest.Talk {
			return guardtest.Conversation(s.Guard, s.Model, s.Executor, false)
		}},
		guardtest.Adapter{Name: "Run, Begin", Variant: "streamed", Streams: true, Pauses: true, Open: func(s *guardtest.Setting) guardtest.Talk {
			return guardtest.Conversation(s.Guard, s.Model, s.Executor, true)
		}},
		guardtest.Adapter{Name: "Run, Begin", Variant: "step by step", Pauses: true, Open: openSteps},
		guardtest.Adapter{Name: "Run, Begin", Variant: "both halves of a turn", Pauses: true, Open: openHalves},
		guardtest.Adapter{Name: "Wrap", Pauses: true, Except: messagesOnly, Open: func(s *guardtest.Setting) guardtest.Talk {
			return guardtest.Loop(s.Guard.Wrap(s.Model), s.Executor, s.Tools)
		}},
	)
	promisetable.Check(t, guardtest.Promises(), columns)
}

// openHalves gives a framework that hides its loop a model and an executor for
// each turn. What it says before a turn is part of its own messages.
func openHalves(s *guardtest.Setting) guardtest.Talk {
	c := &conversation{}
	return func(ctx context.Context, user string) (string, error) {
		turn, err := s.Guard.Begin(ctx, c.input(ctx, user))
		if err != nil {
			return "", err
		}
		text, err := guardtest.Loop(turn.Model(s.Model), turn.Executor(s.Executor), s.Tools)(ctx, user)
		if _, err := c.take(turn.Reply()); err != nil {
			return "", err
		}
		return text, err
	}
}

func openSteps(s *guardtest.Setting) guardtest.Talk {
	c := &conversation{}
	return func(ctx context.Context, user string) (string, error) {
		turn, err := s.Guard.Begin(ctx, c.input(ctx, user))
		if err != nil {
			return "", err
		}
		for turn.Open() {
			response, err := s.Model.Generate(ctx, turn.Request(ctx))
			if err != nil {
				return c.take(turn.Fail(err))
			}
			for _, call := range turn.Take(ctx, response) {
				if _, err := turn.Do(ctx, call, s.Executor.Execute); err != nil {
					return "", err
				}
			}
		}
		return c.take(turn.Reply())
	}
}
