package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Request is what the model is to be asked next. It settles the calls before it: the model is told that a call
// which the loop did not run was not run, and that the outcome of one which is still running is not known.
//
// Ids in results are replaced by titles first. It waits for the directories no longer than the context allows.
func (t *Turn) Request(ctx context.Context) Request {
	if ctx != nil {
		t.Context(ctx)
	}
	request := t.next()
	if t.caps.NoTools {
		return asText(request)
	}
	return request
}

// next is the request before it is put into the words of a model without tool calls.
func (t *Turn) next() Request {
	ctx := t.lastContext()
	fault := t.guard.contained(ctx, "settling", func() { t.settle(ctx) })
	if fault != nil && !t.guard.options.Observe {
		t.unjudged("", fault)
	}
	t.messages = append(t.messages, warning(ctx, t)...)
	request := Request{
		Messages: t.messages[:len(t.messages):len(t.messages)],
		Tools:    t.withReport(t.offered, t.choice),
		Choice:   t.choice,
		Report:   t.proving != nil,
	}
	t.choice = Choice{} // a forced choice is released after one use
	return request
}

// Take judges what the model answered and returns the calls that may run now, in order, with their final arguments.
// No calls mean that the turn has ended, or that the model has to be asked again: [Turn.Open] tells which.
func (t *Turn) Take(ctx context.Context, response Response) (calls []tooltrack.Call) {
	if t.closed {
		return nil
	}
	if ctx == nil {
		t.fail(ErrNoContext)
		return nil
	}
	defer func() {
		if fault := contain.Recovered("taking an answer", recover()); fault != nil {
			t.guard.panicked(ctx, fault)
			calls = t.takeUnjudged(response, fault)
		}
	}()
	contain.Enter("taking an answer")
	t.Context(ctx) // remembered for Request
	if t.settle(ctx); t.closed {
		return nil
	}
	if t.caps.NoTools {
		response = fromText(response)
	}
	t.countAnswer(ctx, response.Usage)
	t.takeSeen(&response.Message)
	response, report := t.splitReport(response)
	tooLong := t.oversized(response)
	switch {
	case ctx.Err() != nil:
		t.fail(ctx.Err())
	case tooLong != nil && t.proving != nil: // an answer was given, and proves nothing
		t.unasked(ctx, tooLong)
		t.notProven(ctx)
	case tooLong != nil:
		_, _ = t.Fail(tooLong) // Reply tells
	case report != nil && response.Stop.Whole():
		t.takeReport(ctx, response, *report)
	case t.proving != nil && (len(response.Message.Calls) == 0 || !response.Stop.Whole() || t.barred):
		t.takeProof(ctx, response)
	case !response.Stop.Whole() && !t.isHandingOnStopped(response):
		t.takeStopped(ctx, response)
	case len(response.Message.Calls) > 0:
		text, answers, faults := t.answerIn(response)
		if answers {
			t.takeAnswer(ctx, response, text)
			return nil
		}
		response.Faults = append(slices.Clip(response.Faults), faults...)
		return t.takeCalls(ctx, response)
	default:
		t.takeText(ctx, response, false)
	}
	return nil
}

// takeStopped ends a turn whose answer is not whole. Nothing of it runs, and it costs no retry. A pause is
// continued, within the bound on rounds.
func (t *Turn) takeStopped(ctx context.Context, response Response) {
	t.info(ctx, "stopped by the provider", "stop", response.Stop.String())
	if t.mayContinue(response) {
		t.spent.Rounds++
		t.messages = append(t.messages, response.Message)
		return
	}
	t.guard.counters.refused(faultStopped)
	t.fail(stoppedError(response))
}

// stoppedError is the error of an answer that is not whole. Of a refusal it has the provider's own words, where
// there are any.
func stoppedError(response Response) *TurnError {
	reason := "it was " + response.Stop.String()
	if response.Refusal != "" {
		reason = "the provider refused: " + response.Refusal
	}
	return &TurnError{Kind: ErrStopped, Reason: reason, Stop: response.Stop, Text: response.Refusal}
}

func (t *Turn) takeCalls(ctx context.Context, response Response) []tooltrack.Call {
	if t.proving != nil { // the missing call, instead of a proof
		t.proving.answering = t.answering
		t.aside, t.proving = t.proving, nil
		t.guard.counters.note(func(sum *Counters) { sum.ProofsCalled++ })
	}
	if limit := t.countRound(ctx); limit != "" {
		if t.fallBack(ctx) {
			return nil
		}
		t.fail(&TurnError{
			Kind: ErrInsufficientProgress, Reason: limit, Attempts: t.spent.Calls, Text: response.Message.Text,
		})
		return nil
	}
	response.Message.Calls = withIDs(response.Message.Calls)
	t.messages = append(t.messages, response.Message)
	circling, err := stopCircling(ctx, t, response.Message.Calls)
	if err == nil {
		err = t.review(ctx, response, circling)
	}
	t.forcedOn = nil // what was forced has been answered
	if err != nil {
		t.fail(err)
		return nil
	}
	calls := make([]tooltrack.Call, 0, len(t.batch))
	for i := range t.batch {
		if t.batch[i].isRunnable() {
			calls = append(calls, t.batch[i].call)
		}
	}
	return calls
}

// takeText judges a text that would end the turn. After the last one nothing is asked again.
func (t *Turn) takeText(ctx context.Context, response Response, last bool) {
	if !last && t.takeLateReport(ctx, response) {
		return
	}
	response = t.withoutReport(response)
	text := response.Message.Text
	if text == "" && response.Message.Shows != "" {
		t.takeShown(ctx, response)
		return
	}
	found, fault := t.judgeSafely(ctx, text)
	if fault != nil {
		t.takeUnjudged(response, fault)
		return
	}
	t.holdToCaught(text, &found)
	t.judged(ctx, found)
	switch {
	case ctx.Err() != nil: // the judgement may not be one
		t.fail(ctx.Err())
	case found.tier() != completion.Sure && !last && t.isProofWanted(found):
		t.askProof(ctx, response, found)
	case found.tier() == completion.Unsure:
		unproven := unprovenIn(text, found.doubts)
		t.end(ctx, ending{answer: response, verdict: found.verdict, unproven: unproven})
	case found.tier() == completion.Clean || t.guard.options.Observe:
		t.refusable = found.tier() == completion.Sure
		t.end(ctx, ending{answer: response, verdict: found.verdict})
	case last:
		t.refuse(found, text)
	default:
		t.act(ctx, response, found)
	}
}

// countAnswer counts an answer of the model, which begins a new judgement.
func (t *Turn) countAnswer(ctx context.Context, usage Usage) {
	t.spent.Calls++
	charge(ctx, t, t.caps.Name, usage)
	t.guard.counters.note(func(sum *Counters) { sum.ModelCalls++ })
	t.lastFault = nil
	if t.proving == nil {
		t.answering = nil
	}
}

// takeUnjudged takes an answer whose judgement panicked. No proof clears it, since the code that panicked would
// have to check the proof.
func (t *Turn) takeUnjudged(response Response, fault *contain.Panic) []tooltrack.Call {
	if t.guard.options.Observe {
		return t.handOn(response)
	}
	t.unjudged(response.Message.Text, fault)
	return nil
}

// act corrects a text that is surely wrong, or ends the turn when the budget for that is spent.
func (t *Turn) act(ctx context.Context, response Response, found finding) {
	if found.fault == faultMissing && t.said.Insisted && !isEvading(&found, response.Message.Text, isEmpty) {
		t.takeDeclined(ctx, response, found)
		return
	}
	if t.spent.allow(found.fault, t.guard.budgets) {
		t.correct(ctx, response.Message, found)
		return
	}
	failed := func(r *tooltrack.Record) bool { return r.Effect.MayChange() && !r.Proves() }
	if found.verdict.Reason == completion.NoClosure && response.Message.Text == "" && len(t.contract.Require) == 0 &&
		!slices.ContainsFunc(t.records, failed) {
		// The work is done, and the model has no word about it: what is on record is the answer.
		verdict := found.verdict
		verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithWork, completion.WorkDone, ""
		told := Message{Role: RoleAssistant, Text: t.guard.texts.Recorded + "\n" + t.toldNow()}
		t.end(ctx, ending{answer: Response{Message: told, Usage: response.Usage}, verdict: verdict})
		return
	}
	t.refuse(found, response.Message.Text)
}

// settle turns the finished batch into messages: one result for each call, in order, and the judgement of the text
// that stood beside the calls.
func (t *Turn) settle(ctx context.Context) {
	readBackNow(ctx, t)
	if t.isWaiting() {
		t.pause(ctx)
	} else if err := t.settleBatch(ctx); err != nil {
		t.fail(err)
	}
}

// settleBatch is settle for a turn that ends anyway. The error is that of the ledger about a denied call.
func (t *Turn) settleBatch(ctx context.Context) error {
	t.takeLate()
	if len(t.batch) == 0 {
		return nil
	}
	t.mu.Lock()
	batch := t.batch
	t.mu.Unlock()
	recorded := t.recordDenied(ctx, batch)
	t.mu.Lock()
	t.batch, t.said.Retry = nil, "" // calls behind these are nobody's second attempt
	t.mu.Unlock()
	for i := range batch {
		p := t.leave(&batch[i])
		if p.record == nil && p.result.Error == "" && p.told == nil {
			p.result = tooltrack.FailedResult("the call was not run")
		}
		if p.told == nil && p.ruling.Rule != ruleLoop && t.driver != messagesOnly {
			t.steps.note(p.tool, p.call, &p.result)
		}
		t.messages = append(t.messages, t.resultMessage(ctx, p))
	}
	t.screenBeside(ctx, &t.messages[len(t.messages)-len(batch)-1])
	return recorded
}

// resultMessage is what the model reads of a call.
func (t *Turn) resultMessage(ctx context.Context, p *pending) Message {
	if p.told != nil {
		return *p.told
	}
	// One that an earlier call answers for has not failed.
	failed := p.repeat == "" && p.result.Status != tooltrack.Succeeded && p.result.Status != tooltrack.Pending
	text := tooltrack.NotKnown + ": its result cannot be shown. Do not repeat it."
	if t.guard.options.Observe {
		text = p.text()
	}
	t.guard.contained(ctx, "telling a result", func() { text = t.redact(ctx, p.text()) })
	return Message{
		Role: RoleTool, CallID: p.call.ID, Tool: p.call.Tool, Text: text, Failed: failed, Parts: p.beside.taken(),
	}
}

// Fail ends the turn because the model could not be asked, and returns what Reply returns.
func (t *Turn) Fail(err error) (*Reply, error) {
	if t.closed {
		return t.Reply()
	}
	if err == nil {
		err = errNoCause
	}
	if ctx := t.lastContext(); t.proving != nil && ctx.Err() == nil { // the answer is there, only its proof is not
		t.unasked(ctx, err)
		t.giveUp(ctx, true)
		return t.Reply()
	}
	switch {
	case errors.Is(err, ErrToolNotTriggered), errors.Is(err, ErrInsufficientProgress), errors.Is(err, ErrBudget),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		t.fail(err)
	default:
		t.guard.counters.refused(faultProvider)
		t.fail(&TurnError{Kind: ErrProvider, Cause: err})
	}
	return t.Reply()
}

var errNoCause = errors.New("Turn.Fail was given no error; pass the one that the model returned")

// unasked tells of an error for which no proof came: the turn does not end by it, so nobody else does.
func (t *Turn) unasked(ctx context.Context, err error) {
	var host *HostError
	if errors.As(err, &host) {
		t.guard.hostFault(ctx, host.Callback, err)
		return
	}
	t.info(ctx, "proof could not be asked for", "error", t.guard.logged(err))
}

// takeShown takes an answer that holds an image or the like in the place of words. It claims nothing, so there is
// nothing to ask about: only a tool that is surely missing is asked for.
func (t *Turn) takeShown(ctx context.Context, response Response) {
	found := t.judge(ctx, "")
	if found.fault == faultMissing && !t.guard.options.Observe {
		t.judged(ctx, found)
		response.Message.Raw = nil // it is long, and helps nobody to do better
		t.act(ctx, response, found)
		return
	}
	verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.NothingDue}
	t.judged(ctx, finding{verdict: verdict})
	t.end(ctx, ending{answer: response, verdict: verdict})
}

// oversized is an answer that is too large to be judged, or nil. Who only watches hands it on.
func (t *Turn) oversized(response Response) error {
	message := &response.Message
	if t.guard.options.Observe {
		return nil
	}
	if len(message.Text) > maxText {
		return fmt.Errorf("the answer has %d bytes of text; at most %d are read", len(message.Text), maxText)
	}
	if len(message.Calls) > maxTold {
		return fmt.Errorf("the answer holds %d calls; at most %d are read", len(message.Calls), maxTold)
	}
	size := 0
	for i := range message.Calls {
		size += len(message.Calls[i].Args) + len(message.Calls[i].Tool) + len(message.Calls[i].ID)
	}
	if size > maxArguments {
		return fmt.Errorf("the calls of the answer have %d bytes; at most %d are read", size, maxArguments)
	}
	return nil
}

// countRound counts an answer with calls, and says which limit it exceeds; empty if it may be taken. A loop that is
// another's ends by itself, unless the host has set a limit; in observe mode that one is only counted, as it is for
// every loop that the guard does not drive.
func (t *Turn) countRound(ctx context.Context) (limit string) {
	if t.driver >= foreignLoop && t.guard.options.Budgets.Rounds == 0 {
		return ""
	}
	most := t.guard.budgets.Rounds
	if t.spent.Rounds++; t.spent.Rounds <= most {
		return ""
	}
	limit = fmt.Sprintf("the turn has used its %d rounds of tool calls", most)
	t.measure(ctx, "limit", fmt.Sprintf("end of the turn after %d rounds", most), "rule", "rounds", "reason", limit)
	if t.guard.options.Observe && t.driver != guardLoop {
		return ""
	}
	return limit
}

// mayContinue reports whether an answer is a pause that is still within the rounds.
func (t *Turn) mayContinue(response Response) bool {
	return response.Stop == StopPaused && t.spent.Rounds < t.guard.budgets.Rounds
}

// isHandingOnStopped reports whether an answer that is not whole is taken as it came: an observing guard changes
// nothing, but for a pause without calls, which its own loop continues.
func (t *Turn) isHandingOnStopped(response Response) bool {
	paused := t.driver == guardLoop && t.mayContinue(response) && len(response.Message.Calls) == 0
	return t.guard.options.Observe && !paused
}
