package guard

import (
	"context"
	"slices"
)

// answerOnly answers a request that offers no tools. Titles and summaries are asked
// for so, and go through as they are. So is the last answer of a turn that may call
// no more: it tells what came of the calls, and is judged by them, with nothing
// insisted on.
func (g *Guard) answerOnly(ctx context.Context, inner Model, request Request) (Response, error) {
	if ctx == nil {
		return Response{}, ErrNoContext
	}
	if ctx.Value(askingKey{}) != nil || !g.endsTurn(ctx, request.Messages) {
		return generate(ctx, inner, request)
	}
	judged := request
	judged.Tools, judged.Choice = g.tools, Choice{Mode: ChooseNone}
	t, err := g.rebuild(ctx, judged)
	if err != nil {
		return Response{}, err
	}
	t.Adapt(inner)
	t.caps.NoTools = false // there are none to be told in words
	bare := ModelFunc(func(ctx context.Context, asked Request) (Response, error) {
		asked.Tools, asked.Choice = request.Tools, request.Choice
		return inner.Generate(ctx, asked)
	})
	return t.conduct(ctx, bare, judged, true)
}

// endsTurn reports whether calls were made since the user spoke.
func (g *Guard) endsTurn(ctx context.Context, messages []Message) bool {
	input, _ := FromContext(ctx)
	goes := continuation{ctx: ctx, guard: g, messages: messages, owner: input.Owner}
	_, _, turn := split(messages, goes.begins)
	return slices.ContainsFunc(turn, func(message Message) bool { return len(message.Calls) > 0 })
}
