package guardtest_test

import (
	"context"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
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

// TestWaysOfTheCore holds the ways in that need no client.
func TestWaysOfTheCore(t *testing.T) {
	messagesOnly := map[string]string{"written": "no: it does not run it", "once": "no: it does not run it"}
	guardtest.TestAdapters(t,
		guardtest.Adapter{Name: "Run", Pauses: true, Open: func(s *guardtest.Setting) guardtest.Talk {
			return guardtest.Conversation(s.Guard, s.Model, s.Executor, false)
		}},
		guardtest.Adapter{Name: "Run", Variant: "streamed", Streams: true, Pauses: true, Open: func(s *guardtest.Setting) guardtest.Talk {
			return guardtest.Conversation(s.Guard, s.Model, s.Executor, true)
		}},
		guardtest.Adapter{Name: "Begin", Pauses: true, Open: openSteps},
		guardtest.Adapter{Name: "Turn.Model", Pauses: true, Open: func(s *guardtest.Setting) guardtest.Talk {
			c := &conversation{}
			return func(ctx context.Context, user string) (string, error) {
				turn, err := s.Guard.Begin(ctx, c.input(ctx, user))
				if err != nil {
					return "", err
				}
				return c.loop(ctx, turn.Model(s.Model), turn.Executor(s.Executor), s.Tools, user)
			}
		}},
		guardtest.Adapter{Name: "Wrap", Pauses: true, Except: messagesOnly, Open: func(s *guardtest.Setting) guardtest.Talk {
			c := &conversation{}
			return func(ctx context.Context, user string) (string, error) {
				return c.loop(ctx, s.Guard.Wrap(s.Model), s.Executor, s.Tools, user)
			}
		}},
	)
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

// loop is a loop that knows nothing of a guard.
func (c *conversation) loop(
	ctx context.Context, model guard.Model, executor guard.Executor, tools []tooltrack.Tool, user string,
) (string, error) {
	messages := append(c.previous, guard.Message{Role: guard.RoleUser, Text: user})
	for {
		response, err := model.Generate(ctx, guard.Request{Messages: messages, Tools: tools})
		if err != nil {
			return "", err
		}
		messages = append(messages, response.Message)
		c.previous = messages
		if response.Stop == guard.StopPaused {
			continue
		}
		if len(response.Message.Calls) == 0 {
			return response.Message.Text, nil
		}
		for _, call := range response.Message.Calls {
			body, err := executor.Execute(ctx, call)
			if err != nil {
				body = []byte("Error: " + err.Error())
			}
			messages = append(messages, guard.Message{Role: guard.RoleTool, CallID: call.ID, Tool: call.Tool, Text: string(body)})
		}
		c.previous = messages
	}
}
