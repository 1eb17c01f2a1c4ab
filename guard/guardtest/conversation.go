package guardtest

import (
	"context"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Conversation is a [Talk] that lets the guard run each turn, with Run or, if streamed, with
// Stream, and remembers what was said. It is how adapters that are a [guard.Model] are tried.
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
			if event.Reply != nil {
				previous = append(previous, event.Reply.Messages...)
			}
		}
		return said.String(), nil
	}
}

// Loop is a [Talk] that knows nothing of a guard: it asks, runs what is called
// and asks again, until an answer calls nothing. It shows what is said beside calls,
// too. A model that streams is read piece by piece.
func Loop(model guard.Model, executor guard.Executor, tools []tooltrack.Tool) Talk {
	var messages []guard.Message
	return func(ctx context.Context, user string) (string, error) {
		messages = append(messages, guard.Message{Role: guard.RoleUser, Text: user})
		text := ""
		for {
			said, response, err := listen(ctx, model, guard.Request{Messages: messages, Tools: tools})
			if text += said; err != nil {
				return text, err
			}
			messages = append(messages, response.Message)
			if len(response.Message.Calls) == 0 && response.Stop != guard.StopPaused {
				return text, nil
			}
			for _, call := range response.Message.Calls {
				body, err := executor.Execute(ctx, call)
				if err != nil {
					body = []byte("Error: " + err.Error())
				}
				messages = append(messages, guard.Message{
					Role: guard.RoleTool, CallID: call.ID, Tool: call.Tool, Text: string(body),
				})
			}
		}
	}
}

// listen asks once. The text is what a user would have read.
func listen(ctx context.Context, model guard.Model, request guard.Request) (string, guard.Response, error) {
	streamer, streams := model.(guard.Streamer)
	if !streams {
		response, err := model.Generate(ctx, request)
		return response.Message.Text, response, err
	}
	var said strings.Builder
	var response guard.Response
	for delta, err := range streamer.Stream(ctx, request) {
		if err != nil {
			return said.String(), response, err
		}
		said.WriteString(delta.Text)
		if delta.Response != nil {
			response = *delta.Response
		}
	}
	return said.String(), response, nil
}
