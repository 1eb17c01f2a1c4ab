package guard

import (
	"context"
	"iter"
)

// conducted is a model behind a guard, for loops that see a model only.
type conducted struct {
	guard  *Guard
	inner  Model
	answer func(ctx context.Context, inner Model, request Request) (Response, error)
	turn   *Turn // the one that runs the calls; nil where the guard does not see it
}

var (
	_ Streamer = conducted{}
	_ Capable  = conducted{}
)

// Generate asks the inner model, as often as it takes.
func (c conducted) Generate(ctx context.Context, request Request) (Response, error) {
	if absent(c.inner) {
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
func (c conducted) Stream(ctx context.Context, request Request) iter.Seq2[Delta, error] {
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
func (c conducted) Capabilities() Capabilities {
	if absent(c.inner) {
		return Capabilities{}
	}
	can, err := capabilitiesOf(c.inner)
	if err != nil {
		return cautious
	}
	can.NoTools = false
	return can
}
