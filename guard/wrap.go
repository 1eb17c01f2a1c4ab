package guard

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Wrap guards a model for a loop that knows nothing of turns. Each request is a turn rebuilt from its messages: the
// last user message that asks for something, the calls and results after it, and the conversation before. A user
// message right after a result that only hands something on, or says to go on, is part of the turn. Owner, turn and
// mode come from the context (see [NewContext]); without owner and turn nothing is stored.
//
// A tool that the request does not offer is not insisted on. A request without any tools, such as one for a title
// or a summary, goes to the inner model as it is. Only if it follows calls of the turn, its text is judged by those
// calls.
//
// Wrap sees messages only. It judges texts, also those beside calls, denies and rewrites calls, and asks again. But
// it does not run the calls. So it cannot promise that a change is recorded before it runs, or that it runs at most
// once. Budgets hold for each request. Only Budgets.Rounds counts the answers with calls of the whole turn, and
// only if it is set, because the loop ends by itself.
//
// It learns from the messages which calls have run. So a loop that shortens its history must keep the calls and
// results of the open turn. If a summary takes their place, as a message of the system or of the assistant, the
// guard asks about what it tells as done. It does not insist on the work again, and does not call it a lie. Without
// a proof the answer is shown, followed by [Texts].Unshown.
//
// The model it returns is [Capable], with the name and the limits of the inner one, and a [Streamer], which gives a
// text in one piece, once it has passed.
func (g *Guard) Wrap(inner Model) Model {
	return turnModel{g, inner, func(ctx context.Context, model Model, request Request) (Response, error) {
		if ctx == nil {
			return Response{}, ErrNoContext
		}
		asking, bare := ctx.Value(askingKey{}) != nil, len(request.Tools) == 0
		if bare { // a title, a summary, or the last answer of a turn that may call no more
			if asking || !g.hasCalled(ctx, request.Messages) {
				return generate(ctx, model, request)
			}
			model = withTools(model, nil, request.Choice)
			request.Tools, request.Choice = g.tools, Choice{Mode: ChooseNone} // it is judged by the calls before it
		}
		t, err := g.rebuild(ctx, request)
		if err != nil {
			return Response{}, err
		}
		t.Adapt(inner)
		t.caps.NoTools = t.caps.NoTools && !bare // there are none to be told in words
		if asking {
			response, err := t.ask(ctx, model, request)
			if err != nil || len(response.Message.Calls) == 0 {
				return response, err
			}
			t.inquired, t.answered = true, &response // calls are reviewed, whoever asked for them
		}
		return t.conduct(ctx, model, request)
	}, nil}
}

// hasCalled reports whether the last turn of a conversation has made calls.
func (g *Guard) hasCalled(ctx context.Context, messages []Message) bool {
	_, _, turn := lastTurn(ctx, g, messages)
	return slices.ContainsFunc(turn, func(message Message) bool { return len(message.Calls) > 0 })
}

// withTools is a model that is asked with other tools.
func withTools(model Model, tools []tooltrack.Tool, choice Choice) Model {
	return ModelFunc(func(ctx context.Context, request Request) (Response, error) {
		request.Tools, request.Choice = tools, choice
		return model.Generate(ctx, request)
	})
}

// TurnStart returns the index of the message that begins the last turn of a conversation, or -1 if there is none.
// It is for hosts that name turns by what was said. A message right after a result begins one only where it asks
// for something by itself, as in [Guard.Wrap].
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
	t, err := g.open(ctx, input, wantedIn(said), offered, !known || input.Owner == "")
	if err != nil {
		return nil, err
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
			t.spent.Rounds++
		}
	}
	return t, nil
}

// offer finds the guard's own description of each tool that a request offers. A tool that nobody described cannot
// be judged, and to let it pass would be a way around the guard.
func (g *Guard) offer(tools []tooltrack.Tool) ([]tooltrack.Tool, error) {
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

// turnModel is a model behind a guard, for loops that see a model only.
type turnModel struct {
	guard  *Guard
	inner  Model
	answer func(ctx context.Context, asked Model, request Request) (Response, error)
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
	var last struct { // what a guard that only observes hands on if it could not judge it
		response Response
		err      error
		given    bool
	}
	asked := ModelFunc(func(ctx context.Context, request Request) (Response, error) {
		last.response, last.err = c.inner.Generate(ctx, request)
		last.given = true
		return last.response, last.err
	})
	var response Response
	var err error
	fault := c.guard.contained(ctx, "conducting", func() { response, err = c.answer(ctx, asked, request) })
	switch {
	case fault == nil:
		return response, err
	case !c.guard.options.Observe:
		return Response{}, unjudgedError(fault)
	case !last.given:
		last.response, last.err = generate(ctx, c.inner, request)
	}
	if c.turn != nil && last.err == nil {
		c.turn.handOn(last.response) // its executor runs the calls
	}
	return last.response, last.err
}

// Stream gives the text in one piece: what was shown cannot be unsaid, so nothing is before it has passed.
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

// Capabilities are those of the inner model, so that whoever asks from outside knows its name and limits. Calls it
// can make in any case: where it has none of its own, the guard before it tells it the tools in words.
func (c turnModel) Capabilities() Capabilities {
	if isAbsent(c.inner) {
		return Capabilities{}
	}
	can, _ := capabilitiesOf(c.inner)
	can.NoTools = false
	return can
}

// Model hands the asking half of the turn to a framework that hides its loop. Texts that do not pass are corrected
// inside Generate, so the framework sees only answers it may act on. Run its calls with [Turn.Executor]. Like that
// of [Guard.Wrap], the model is [Capable] and a [Streamer].
func (t *Turn) Model(inner Model) Model {
	t.Adapt(inner)
	t.driver = foreignLoop
	return turnModel{t.guard, inner, t.conduct, t}
}

// Executor hands the running half of the turn to a framework. A call that was denied is answered with the reason
// instead of being run, and a call that failed with its error as text: both are for the model to read. An error
// means that the turn cannot go on.
func (t *Turn) Executor(inner Executor) Executor {
	return ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		if isAbsent(inner) {
			return nil, ErrNoExecutor
		}
		done, err := t.do(ctx, call, inner)
		if err != nil && !errors.Is(err, ErrDenied) && !errors.Is(err, ErrHeld) {
			return nil, err
		}
		return []byte(t.redact(ctx, done.text())), nil
	})
}

// End offers a text of the host's own as the end of the turn: a fallback, or what a framework returned when it hit
// a limit. It passes the same check as the model's texts, and nothing is asked again.
func (t *Turn) End(ctx context.Context, text string) (*Reply, error) {
	if ctx == nil {
		t.fail(ErrNoContext)
	}
	if t.closed {
		return t.Reply()
	}
	if t.settle(ctx); t.closed {
		return t.Reply()
	}
	t.takeText(ctx, Response{Message: Message{Role: RoleAssistant, Text: text}}, true)
	return t.Reply()
}

// conduct answers one request of a foreign loop. The loop keeps its own messages; what passes between guard and
// model in here stays in here. Where only messages are known, nobody can answer a denied call later, so a message
// that holds one is not handed out at all.
func (t *Turn) conduct(ctx context.Context, inner Model, request Request) (Response, error) {
	switch {
	case ctx == nil:
		return Response{}, ErrNoContext
	case t.closed:
		return Response{}, ErrTurnClosed
	case t.isWaiting(): // the model is asked when every call has its result
		if t.settle(ctx); t.closed {
			return t.handOutEnd()
		}
	}
	asked := Request{Messages: request.Messages, Tools: t.offered, Choice: request.Choice}
	if len(t.messages) > 0 && t.messages[0].Role == RoleSystem && t.messages[0].Internal { // the turn's own prompt
		asked.Messages = append(t.messages[:1:1], request.Messages...)
	}
	t.barred = request.Choice.Mode == ChooseNone
	t.counted = t.spent.Usage // the loop has counted what it was handed before
	for {
		asked.Choice, t.choice = request.Choice.narrowed(t.choice), Choice{}
		asked.Messages = append(slices.Clip(asked.Messages), warning(ctx, t)...)
		response, err := t.ask(ctx, inner, asked)
		if err != nil {
			_, _ = t.Fail(err) // it may be that only a proof is lost
			return t.handOutEnd()
		}
		if t.driver == messagesOnly && !response.Stop.Whole() && !t.guard.options.Observe && t.proving == nil {
			return t.handOutStopped(ctx, response)
		}
		t.settle(ctx) // the loop has told the model what came of its calls
		before := len(t.messages)
		t.Take(ctx, response)
		denied := slices.IndexFunc(t.batch, func(p pending) bool { return p.ruling.Denied })
		switch {
		case t.closed:
		case t.driver == messagesOnly && denied >= 0:
			t.sendBack(ctx, &t.batch[denied])
		case len(t.batch) > 0:
			return t.handOut(ctx, response)
		}
		if t.closed {
			return t.handOutEnd()
		}
		asked.Messages = append(slices.Clip(asked.Messages), t.messages[before:]...)
		asked.Report = t.proving != nil
	}
}

// handOutEnd is the response that ends a foreign loop.
func (t *Turn) handOutEnd() (Response, error) {
	switch {
	case t.err != nil:
		return Response{}, t.err
	case t.reply.Err != nil: // the host wants the account as text
		return Response{Message: Message{Role: RoleAssistant, Text: t.reply.Text}}, nil
	}
	response := *t.final
	response.Usage = t.uncounted()
	if response.Message.Text != t.reply.Text {
		response.Message.Text, response.Message.Raw, response.Raw = t.reply.Text, nil, nil
	}
	if t.answering != nil {
		response = t.asAnswer(response)
	}
	return response, nil
}

// failed ends the turn with an error, and is what a foreign loop gets of it.
func (t *Turn) failed(err error) (Response, error) {
	t.fail(err)
	return t.handOutEnd()
}

// handOut is the response with the calls as they were reviewed, and beside them what may be shown before they have
// run.
func (t *Turn) handOut(ctx context.Context, response Response) (Response, error) {
	calls := slices.Clone(response.Message.Calls)
	changed := false
	for i := range t.batch {
		p := &t.batch[i]
		if !p.ruling.Denied && string(calls[i].Args) != string(p.call.Args) {
			calls[i], changed = p.call, true
		}
	}
	said := response.Message.Text != ""
	response.Message.Calls, response.Usage = calls, t.uncounted()
	if t.screenBeside(ctx, &response.Message) {
		t.messages[len(t.messages)-1].Text, changed = response.Message.Text, true
	}
	if err := ctx.Err(); err != nil && said && !t.guard.options.Observe {
		return t.failed(err) // the judgement may not be one
	}
	if changed {
		response.Message.Raw, response.Raw = nil, nil
	}
	return response, nil
}

// uncounted is the usage of all answers to one request of a foreign loop, discarded ones included.
func (c *costs) uncounted() Usage {
	return Usage{Input: c.spent.Usage.Input - c.counted.Input, Output: c.spent.Usage.Output - c.counted.Output}
}

// sendBack answers every call of a message that holds a denied one, so that the model can send the message again as
// it should be. When the budget is spent, the turn ends.
func (t *Turn) sendBack(ctx context.Context, denied *pending) {
	for i := range t.batch {
		if p := &t.batch[i]; !p.ruling.Denied {
			p.result = tooltrack.DeniedResult(
				"another call of the same message was denied; send this one again together with a corrected one")
		}
	}
	t.settle(ctx)
	if t.spent.allow(faultOther, t.guard.budgets) {
		t.guard.counters.note(func(sum *Counters) { sum.Corrected++ })
		return
	}
	if !t.fallBack(ctx) {
		t.fail(&TurnError{Kind: ErrDenied, Cause: denied.deniedError()})
	}
}

// handOutStopped hands on an answer that the provider cut off, without its calls: whoever drives the loop sees how
// it ended. A text that claims what is not backed does not pass even then.
func (t *Turn) handOutStopped(ctx context.Context, response Response) (Response, error) {
	t.takeSeen(&response.Message)
	said := strings.TrimSpace(response.Message.Text + "\n" + response.Refusal) // clients show both
	var verdict completion.Verdict
	fault := t.guard.contained(ctx, "judging", func() { verdict = t.evaluateBeside(ctx, said) })
	if err := ctx.Err(); err != nil {
		return t.failed(err)
	}
	t.info(ctx, "stopped by the provider", "stop", response.Stop.String())
	t.guard.counters.refused(faultStopped)
	if fault != nil || verdict.Ghost() || verdict.Reason == completion.LeakedCall {
		return t.failed(stoppedError(response))
	}
	if len(response.Message.Calls) > 0 {
		response.Message.Calls, response.Faults = nil, nil
		response.Message.Raw, response.Raw = nil, nil
	}
	return response, nil
}

// screenBeside takes what is surely false out of a text that stands beside calls; an announcement is fine. While
// they wait to be run, they count as if they had succeeded, since a foreign loop may show the text before: only
// what is a lie even then is taken out. A text that could not be judged is withheld. The provider's own form stays
// as it is for the model. It returns false where nothing changes.
func (t *Turn) screenBeside(ctx context.Context, message *Message) bool {
	if message.Text == "" || message.Role != RoleAssistant {
		return false
	}
	text, observe := "", t.guard.options.Observe
	t.guard.contained(ctx, "judging beside calls", func() { text = t.withoutLies(ctx, message.Text) })
	if ctx.Err() != nil {
		text = ""
	}
	counted := observe && t.driver != messagesOnly && len(t.batch) > 0 // when the calls have finished
	if text == message.Text || counted {
		return false
	}
	t.info(ctx, "text beside calls withheld", "reason", completion.UnbackedClaim.String())
	t.guard.counters.note(func(sum *Counters) { sum.Withheld++ })
	if !observe {
		message.Text = text
	}
	return !observe
}

// withoutLies is a text without the sentences that are surely false. Each is judged by itself: beside an
// announcement a claim would read like a part of the plan.
func (t *Turn) withoutLies(ctx context.Context, text string) string {
	whole := t.evaluateBeside(ctx, text)
	if !whole.Ghost() && (whole.Reason != completion.Promise || len(whole.Claims) == 0) {
		switch whole.Reason {
		case completion.LeakedCall, completion.UnbackedClaim, completion.FabricatedFailure:
			if !whole.Outcome.Completed() {
				return ""
			}
		}
		return text
	}
	var honest strings.Builder
	for rest := text; rest != "" && !isJSON(text); {
		cut := sentenceEnd(rest)
		if cut == 0 {
			cut = len(rest)
		}
		if alone := t.evaluateBeside(ctx, rest[:cut]); !alone.Ghost() {
			honest.WriteString(rest[:cut])
		}
		rest = rest[cut:]
	}
	switch left := honest.String(); {
	case left != text:
		return strings.TrimSpace(left)
	case whole.Ghost(): // its sentences tell it together
		return ""
	}
	return text
}
