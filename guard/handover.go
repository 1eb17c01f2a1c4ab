package guard

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Model hands the asking half of the turn to a framework that hides its loop. Texts that do
// not pass are corrected inside Generate, so the framework sees only answers it may act on.
// Run its calls with [Turn.Executor]. Like that of [Guard.Wrap], the model is [Capable] and
// a [Streamer].
func (t *Turn) Model(inner Model) Model {
	t.Adapt(inner)
	t.driver = foreignLoop
	return turnModel{t.guard, inner, func(ctx context.Context, inner Model, request Request) (Response, error) {
		return t.conduct(ctx, inner, request)
	}, t}
}

// Executor hands the running half of the turn to a framework. A call that was
// denied is answered with the reason instead of being run, and a call that
// failed with its error as text: both are for the model to read. An error means
// that the turn cannot go on.
func (t *Turn) Executor(inner Executor) Executor {
	return ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		if isAbsent(inner) {
			return nil, ErrNoExecutor
		}
		run := func(ctx context.Context, call tooltrack.Call) ([]byte, error) { return inner.Execute(ctx, call) }
		_, done, err := t.do(ctx, call, run)
		if err != nil && !errors.Is(err, ErrDenied) && !errors.Is(err, ErrHeld) {
			return nil, err
		}
		return []byte(t.redact(ctx, done.text())), nil
	})
}

// End offers a text of the host's own as the end of the turn: a fallback, or
// what a framework returned when it hit a limit. It passes the same check as
// the model's texts, and nothing is asked again.
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

// conduct answers one request of a foreign loop. The loop keeps its own
// messages; what passes between guard and model in here stays in here. Where only
// messages are known, nobody can answer a denied call later, so a message that
// holds one is not handed out at all.
func (t *Turn) conduct(ctx context.Context, inner Model, request Request) (Response, error) {
	switch {
	case ctx == nil:
		return Response{}, ErrNoContext
	case t.closed:
		return Response{}, ErrTurnClosed
	case t.isWaiting(): // the model is asked when every call has its result
		if t.settle(ctx); t.closed {
			return t.handOutEnd(Response{})
		}
	}
	asked := Request{Messages: t.withSystem(request.Messages), Tools: t.offered, Choice: request.Choice}
	t.barred = request.Choice.Mode == ChooseNone
	t.counted = t.usage // the loop has counted what it was handed before
	for {
		if t.choice != (Choice{}) {
			asked.Choice, t.choice = request.Choice.narrowed(t.choice), Choice{}
		}
		asked.Messages = append(slices.Clip(asked.Messages), warning(ctx, t)...)
		response, err := t.ask(ctx, inner, asked)
		if err != nil {
			if _, err = t.Fail(err); err == nil { // only the proof is lost
				return t.handOutEnd(response)
			}
			return t.delivered(err)
		}
		if t.driver == messagesOnly && !response.Stop.Whole() && !t.guard.options.Observe && t.proving == nil {
			return t.handOutStopped(ctx, response)
		}
		t.settle(ctx) // the loop has told the model what came of its calls
		before := len(t.messages)
		t.Take(ctx, response)
		switch {
		case t.closed:
			return t.handOutEnd(response)
		case len(t.batch) > 0 && !(t.driver == messagesOnly && slices.ContainsFunc(t.batch, isDenied)):
			return t.handOut(ctx, response)
		case len(t.batch) > 0:
			if t.sendBack(ctx); t.closed {
				return t.handOutEnd(response)
			}
		}
		asked.Messages = append(slices.Clip(asked.Messages), t.messages[before:]...)
		asked.Choice, asked.Report = request.Choice, t.proving != nil
	}
}

// withSystem puts the turn's own system prompt before a framework's messages.
func (c *conversation) withSystem(messages []Message) []Message {
	if len(c.messages) == 0 || c.messages[0].Role != RoleSystem || !c.messages[0].Internal {
		return messages
	}
	return append([]Message{c.messages[0]}, messages...)
}

// handOutEnd is the response that ends a foreign loop.
func (t *Turn) handOutEnd(response Response) (Response, error) {
	if t.err != nil {
		return t.delivered(t.err)
	}
	if t.reply.Err != nil {
		return t.delivered(nil)
	}
	if t.final != nil {
		response = *t.final
	}
	response.Usage = t.uncounted()
	if response.Message.Text != t.reply.Text {
		response.Message.Text, response.Message.Raw, response.Raw = t.reply.Text, nil, nil
	}
	if t.answering != nil {
		response = t.asAnswer(response)
	}
	return response, nil
}

// delivered is an error, or the account as text where the host wants that.
func (o *outcome) delivered(err error) (Response, error) {
	if err != nil || o.reply == nil || o.reply.Err == nil {
		return Response{}, err
	}
	return Response{Message: Message{Role: RoleAssistant, Text: o.reply.Text}}, nil
}

// handOut is the response with the calls as they were reviewed, and beside them what
// may be shown before they have run.
func (t *Turn) handOut(ctx context.Context, response Response) (Response, error) {
	calls := slices.Clone(response.Message.Calls)
	changed := false
	for i := range t.batch {
		p := &t.batch[i]
		if !p.ruling.Denied && string(calls[i].Args) != string(p.call.Args) {
			calls[i], changed = p.call, true
		}
	}
	response.Message.Calls, response.Usage = calls, t.uncounted()
	if t.screenBeside(ctx, &response.Message) {
		t.messages[len(t.messages)-1].Text, changed = response.Message.Text, true
	}
	if err := ctx.Err(); err != nil && response.Message.Text != "" && !t.guard.options.Observe {
		t.fail(err) // the judgement may not be one
		return t.delivered(t.err)
	}
	if changed {
		response.Message.Raw, response.Raw = nil, nil
	}
	return response, nil
}

// uncounted is the usage of all answers to one request of a foreign loop, discarded
// ones included.
func (c *costs) uncounted() Usage {
	return Usage{Input: c.usage.Input - c.counted.Input, Output: c.usage.Output - c.counted.Output}
}

func isDenied(p pending) bool { return p.ruling.Denied }

// sendBack answers every call of a message that holds a denied one, so that the
// model can send the message again as it should be. When the budget is spent,
// the turn ends.
func (t *Turn) sendBack(ctx context.Context) {
	var denied *pending
	for i := range t.batch {
		p := &t.batch[i]
		switch {
		case p.ruling.Denied && denied == nil:
			denied = p
		case !p.ruling.Denied:
			p.result = tooltrack.DeniedResult(
				"another call of the same message was denied; send this one again together with a corrected one")
		}
	}
	t.settle(ctx)
	if t.spent.allow(faultOther, t.guard.budgets) {
		t.guard.counters.note(func(sum *Counters) { sum.Corrected++ })
		return
	}
	if t.fallBack(ctx) {
		return
	}
	t.fail(&TurnError{Kind: ErrDenied, Cause: denied.deniedError()})
}

// handOutStopped hands on an answer that the provider cut off, without its
// calls: whoever drives the loop sees how it ended. A text that claims what is
// not backed does not pass even then.
func (t *Turn) handOutStopped(ctx context.Context, response Response) (Response, error) {
	t.takeSeen(&response.Message)
	said := strings.TrimSpace(response.Message.Text + "\n" + response.Refusal) // clients show both
	var verdict completion.Verdict
	fault := t.guard.contained(ctx, "judging", func() { verdict = t.evaluateBeside(ctx, said) })
	if err := ctx.Err(); err != nil {
		t.fail(err)
		return t.delivered(t.err)
	}
	t.info(ctx, "stopped by the provider", "stop", response.Stop.String())
	t.guard.counters.refused(faultStopped)
	if fault != nil || verdict.Ghost() || verdict.Reason == completion.LeakedCall {
		t.fail(stoppedError(response))
		return t.delivered(t.err)
	}
	if len(response.Message.Calls) > 0 {
		response.Message.Calls, response.Faults = nil, nil
		response.Message.Raw, response.Raw = nil, nil
	}
	return response, nil
}

// screenBeside takes what is surely false out of a text that a foreign loop gets to
// see together with calls: it may show the text before they have run. So the calls
// count as if they had succeeded, and only what is a lie even then is taken out;
// announcements stay as they are. A text that could not be judged is withheld. It returns
// false where nothing changes.
func (t *Turn) screenBeside(ctx context.Context, message *Message) bool {
	text, observe := "", t.guard.options.Observe
	fault := t.guard.contained(ctx, "judging beside calls", func() { text = t.withoutLies(ctx, message.Text) })
	counted := observe && (fault != nil || t.driver != messagesOnly) // when the calls have finished
	if text == message.Text || counted {
		return false
	}
	t.info(ctx, "text beside calls withheld", "reason", completion.UnbackedClaim.String())
	t.guard.counters.note(func(sum *Counters) { sum.Withheld++ })
	if observe {
		return false
	}
	message.Text, message.Raw = text, nil
	return true
}

// withoutLies is a text without the sentences that are surely false, whatever comes of the
// calls that it stands beside. Each is judged by itself: beside an announcement a claim
// would read like a part of the plan.
func (t *Turn) withoutLies(ctx context.Context, text string) string {
	whole := t.evaluateBeside(ctx, text)
	if !whole.Ghost() && (whole.Reason != completion.Promise || len(whole.Claims) == 0) {
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

// evaluateBeside judges a text that does not end the turn: nothing is due yet.
func (t *Turn) evaluateBeside(ctx context.Context, text string) completion.Verdict {
	situation := t.situation(text)
	situation.Contract, situation.Expected = completion.Chat(), nil
	situation.Records = slices.Concat(situation.Records, t.presumed())
	verdict := t.guard.evaluate(ctx, situation)
	t.asked.retell(&verdict)
	return verdict
}

// presumed are records of the calls that wait to be run, as if they had succeeded.
func (t *Turn) presumed() []*tooltrack.Record {
	var records []*tooltrack.Record
	for i := range t.batch {
		p := &t.batch[i]
		if p.ruling.Denied {
			continue
		}
		records = append(records, &tooltrack.Record{
			Scope: t.input.scope(), Call: p.call, Effect: p.tool.Effect, Touched: p.touched, Occurrence: 1, Attempt: 1,
			Result: tooltrack.Result{Status: tooltrack.Succeeded, Grade: tooltrack.Reported},
		})
	}
	return records
}
