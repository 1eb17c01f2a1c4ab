package guardtest

import (
	"context"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// Conversation is a [Talk] that lets the guard run each turn, with Run or, if
// streamed, with Stream, and remembers what was said. It is how adapters that are
// a [guard.Model] are tried.
func Conversation(g *guard.Guard, model guard.Model, executor guard.Executor, streamed bool) Talk {
	var previous []guard.Message
	return func(ctx context.Context, user string) (string, error) {
		input, _ := guard.FromContext(ctx)
		input.User, input.Previous = user, previous
		if !streamed {
			reply, err := g.Run(ctx, model, executor, input)
			if err != nil {
				return "", err
			}
			previous = append(previous, reply.Messages...)
			return reply.Text, nil
		}
		var said strings.Builder
		for event, err := range g.Stream(ctx, model, executor, input) {
			if err != nil {
				return said.String(), err
			}
			said.WriteString(event.Text)
			if event.Kind == guard.EventReply {
				previous = append(previous, event.Reply.Messages...)
			}
		}
		return said.String(), nil
	}
}
