package guard

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Wrap guards a model for a loop that knows nothing of turns. Each request is a
// turn rebuilt from its messages: the last user message that asks for something,
// the calls and results after it, and the conversation before. A user message right
// after a result that only hands something on, or says to go on, is part of the turn.
// Owner, turn and mode come from the context (see [NewContext]); without owner and
// turn nothing is stored.
//
// A tool that the request does not offer is not insisted on. A request without any tools,
// such as one for a title or a summary, goes to the inner model as it is. Only if it
// follows calls of the turn, its text is judged by those calls.
//
// Wrap sees messages only. It judges texts, also those beside calls, denies and rewrites
// calls, and asks again. But it does not run the calls. So it cannot promise that a change is
// recorded before it runs, or that it runs at most once. Budgets hold for each request. Only
// Budgets.Rounds counts the answers with calls of the whole turn, and only if it is set,
// because the loop ends by itself.
//
// It learns from the messages which calls have run. So a loop that shortens its history
// must keep the calls and results of the open turn. If a summary takes their place, as a
// message of the system or of the assistant, the guard asks about what it tells as done. It
// does not insist on the work again, and does not call it a lie. Without a proof the answer
// is shown, followed by [Texts].Unshown.
//
// The model it returns is [Capable], with the name and the limits of the inner one,
// and a [Streamer], which gives a text in one piece, once it has passed.
func (g *Guard) Wrap(inner Model) Model {
	return turnModel{g, inner, func(ctx context.Context, inner Model, request Request) (Response, error) {
		if len(request.Tools) == 0 {
			return g.answerOnly(ctx, inner, request)
		}
		t, err := g.rebuild(ctx, request)
		if err != nil {
			return Response{}, err
		}
		t.Adapt(inner)
		model := inner
		if ctx.Value(askingKey{}) != nil {
			response, err := t.ask(ctx, inner, request)
			if err != nil || len(response.Message.Calls) == 0 {
				return response, err
			}
			model = first(response, inner) // calls are reviewed, whoever asked for them
			t.inquired = true
		}
		return t.conduct(ctx, model, request)
	}, nil}
}

// first is a model that has answered already, once.
func first(response Response, then Model) Model {
	given := false
	return ModelFunc(func(ctx context.Context, request Request) (Response, error) {
		if !given {
			given = true
			return response, nil
		}
		return then.Generate(ctx, request)
	})
}

// TurnStart returns the index of the message that begins the last turn of a conversation,
// or -1 if there is none. It is for hosts that name turns by what was said. A message right
// after a result begins one only where it asks for something by itself, as in [Guard.Wrap].
func (g *Guard) TurnStart(ctx context.Context, messages []Message) int {
	if ctx == nil {
		ctx = context.Background()
	}
	start := -1
	g.contained(ctx, "finding the turn", func() {
		if before, said, _ := lastTurn(ctx, g, messages); len(said) > 0 {
			start = len(before)
		}
	})
	return start
}

// lastTurn is the last turn of a conversation; see [split].
func lastTurn(
	ctx context.Context, g *Guard, messages []Message,
) (before []Message, said []string, turn []Message) {
	input, _ := FromContext(ctx)
	goes := continuation{ctx: ctx, guard: g, messages: messages, owner: input.Owner}
	return split(messages, goes.begins)
}

// rebuild makes a turn of the messages of one request.
func (g *Guard) rebuild(ctx context.Context, request Request) (*Turn, error) {
	if ctx == nil {
		return nil, ErrNoContext
	}
	if len(request.Messages) == 0 {
		return nil, ErrNoMessage
	}
	offered, err := g.offer(request.Tools)
	if err != nil {
		return nil, err
	}
	input, known := FromContext(ctx)
	before, said, behind := lastTurn(ctx, g, request.Messages)
	input.User, input.Previous = strings.Join(said, "\n\n"), before
	t, err := g.open(ctx, input, wanted(said), offered, !known || input.Owner == "")
	if err != nil {
		return nil, err
	}
	if known && input.Owner != "" && input.Turn != "" {
		if t.track, err = g.ledger.Open(t.input.scope()); err != nil {
			return nil, err
		}
	}
	t.asked.summaries = newHistorySummaries(offered, before, behind)
	t.earlier, t.records = withLaterReads(g, recordsOf(before, g.tools, g.options.Results),
		recordsOf(behind, g.tools, g.options.Results))
	for _, record := range t.records {
		record.Scope = t.input.scope()
	}
	if len(behind) == 0 { // later requests of the same turn are not counted again
		g.counters.understood(t.intent)
	}
	t.steps.noteAll(t.records, offered)
	t.attempt = input.Attempt
	for _, message := range behind {
		if len(message.Calls) > 0 {
			t.rounds++
		}
	}
	return t, nil
}

// offer finds the guard's own description of each tool that a request offers. A
// tool that nobody described cannot be judged, and to let it pass would be a way
// around the guard.
func (g *Guard) offer(tools []tooltrack.Tool) ([]tooltrack.Tool, error) {
	if len(tools) == 0 {
		return nil, ErrNoTools
	}
	offered := make([]tooltrack.Tool, len(tools))
	for i, tool := range tools {
		known := toolNamed(g.tools, tool.Name)
		switch {
		case known != nil:
			offered[i] = *known
		case g.options.Observe:
			offered[i] = tool
		default:
			return nil, wordedError(ErrUnknownTool, "the request offers a tool that the guard does not know: %q; "+
				"describe it in New", clipped(tool.Name))
		}
	}
	return offered, nil
}

// answerOnly answers a request that offers no tools. Titles and summaries are asked
// for so, and go through as they are. So is the last answer of a turn that may call
// no more: it tells what came of the calls, and is judged by them, with nothing
// insisted on.
func (g *Guard) answerOnly(ctx context.Context, inner Model, request Request) (Response, error) {
	if ctx == nil {
		return Response{}, ErrNoContext
	}
	if ctx.Value(askingKey{}) != nil || !g.isEndOfTurn(ctx, request.Messages) {
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
	return t.conduct(ctx, bare, judged)
}

// isEndOfTurn reports whether calls were made since the user spoke.
func (g *Guard) isEndOfTurn(ctx context.Context, messages []Message) bool {
	_, _, turn := lastTurn(ctx, g, messages)
	return slices.ContainsFunc(turn, func(message Message) bool { return len(message.Calls) > 0 })
}

// turnModel is a model behind a guard, for loops that see a model only.
type turnModel struct {
	guard  *Guard
	inner  Model
	answer func(ctx context.Context, inner Model, request Request) (Response, error)
	turn   *Turn // the one that runs the calls; nil where the guard does not see it
}

var (
	_ Streamer = turnModel{}
	_ Capable  = turnModel{}
)

// Generate asks the inner model, as often as it takes.
func (c turnModel) Generate(ctx context.Context, request Request) (Response, error) {
	if isAbsent(c.inner) {
		return Response{}, ErrNoModel
	}
	answers := &seen{Model: c.inner}
	var response Response
	var err error
	fault := c.guard.contained(ctx, "conducting", func() { response, err = c.answer(ctx, answers, request) })
	switch {
	case fault == nil:
		return response, err
	case !c.guard.options.Observe:
		return Response{}, unjudgedError(fault)
	case !answers.answered:
		answers.response, answers.err = generate(ctx, c.inner, request)
	}
	if c.turn != nil && answers.err == nil {
		c.turn.handOn(answers.response) // its executor runs the calls
	}
	return answers.response, answers.err
}

// Stream gives the text in one piece: what was shown cannot be unsaid, so nothing is
// before it has passed.
func (c turnModel) Stream(ctx context.Context, request Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		response, err := c.Generate(ctx, request)
		if err != nil {
			yield(Delta{}, err)
			return
		}
		if text := response.Message.Text; text != "" && !yield(Delta{Text: text}, nil) {
			return
		}
		yield(Delta{Response: &response}, nil)
	}
}

// Capabilities are those of the inner model, so that whoever asks from outside knows
// its name and limits. Calls it can make in any case: where it has none of its own,
// the guard before it tells it the tools in words.
func (c turnModel) Capabilities() Capabilities {
	if isAbsent(c.inner) {
		return Capabilities{}
	}
	can, _ := capabilitiesOf(c.inner)
	can.NoTools = false
	return can
}
