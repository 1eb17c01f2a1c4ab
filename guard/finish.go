package guard

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// accept ends the turn with a text that passed.
func (t *Turn) accept(ctx context.Context, message Message, verdict completion.Verdict) {
	text := t.redactProse(ctx, message.Text)
	if text != message.Text {
		message.Text, message.Raw = text, nil // the provider's own form still holds the ids
	}
	t.messages = append(t.messages, message)
	t.leaveTrace(ctx)
	t.close()
	t.reply.Text = text
	t.reply.Verdict = verdict
	t.guard.counters.accepted(t)
	if t.guard.loud() && verdict.Outcome.Completed() { // what is only observed may not pass
		t.debug(ctx, "accepted", "outcome", verdict.Outcome.String(), "reason", verdict.Reason.String())
	}
}

// fail ends the turn with an error and the honest account of what is known.
func (t *Turn) fail(err error) {
	if t.closed {
		return
	}
	// The turn's own context may have ended; the account is due all the same.
	ctx, cancel := context.WithTimeout(context.Background(), accountTime)
	defer cancel()
	t.guard.contained(ctx, "settling", func() {
		_ = t.settleBatch(ctx) // what ends the turn is told already
		t.leaveTrace(ctx)
	})
	t.close()
	t.err = err
	if t.guard.contained(ctx, "account", func() { t.reply.Account = t.redact(ctx, t.account(err)) }) != nil {
		t.reply.Account = t.guard.texts.Ended + "\n" + t.guard.texts.Untold
	}
	var said string
	switch e := err.(type) {
	case *ToolNotTriggeredError:
		t.reply.Verdict, said = e.Verdict, e.Text
	case *InsufficientProgressError:
		t.reply.Verdict, said = e.Verdict, e.Text
	case *UnjudgedError:
		said = e.Text
	}
	if ended, is := err.(ending); is {
		*ended.turnEnd() = TurnEnd{t.records, t.reply.Account}
	}
	t.reply.Draft = cmp.Or(t.reply.Draft, said)
	t.failedWith(ctx, err)
	if t.guard.options.DeliverAccount && deliverable(err) {
		t.reply.Text, t.reply.Err, t.err = t.reply.Account, err, nil
		t.reply.Messages = append(t.reply.Messages, Message{Role: RoleAssistant, Text: t.reply.Text})
	}
}

// deliverable reports whether an error is the outcome of a turn rather than of
// its surroundings: a model that cannot be reached and a context that has ended
// stay errors, for the caller to act on.
func deliverable(err error) bool {
	switch err.(type) {
	case *ProviderError:
		return false
	case ending, *policy.AttemptsError:
		return true
	}
	return false
}

// accountTime bounds what the account may wait for a directory that hangs.
const accountTime = 5 * time.Second

// close builds what every reply holds, whatever came out.
func (t *Turn) close() {
	t.setClosed(true)
	latency := t.guard.now().Sub(t.started)
	t.reply = &t.answer
	t.answer = Reply{
		Intent: t.intent, Records: t.records, Turn: t.input.Turn, Messages: t.visible(), Draft: t.draft(), turn: t,
		Usage: t.usage,
		Execution: Execution{
			Executed: executedCalls(t.records), Retried: t.spent.missing, Corrected: t.spent.progress,
			ModelCalls: t.calls + t.refereed, ReadBacks: t.reads, Latency: latency,
		},
	}
}

// setClosed is seen by those who run beside the turn.
func (t *Turn) setClosed(closed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = closed
}

// draft is the first text of this turn that did not pass. Texts that were corrected
// or asked about stay between the guard and the model, and a request for proof or a
// report never comes before one.
func (c *conversation) draft() string {
	for _, message := range c.messages[min(c.first, len(c.messages)):] {
		if message.Internal && message.Role == RoleAssistant && message.Text != "" {
			return message.Text
		}
	}
	return ""
}

// visible are the messages of this turn without those between the guard and
// the model.
func (c *conversation) visible() []Message {
	mine := slices.Clip(c.messages[min(c.first, len(c.messages)):])
	if !slices.ContainsFunc(mine, func(message Message) bool { return message.Internal }) {
		return mine
	}
	visible := make([]Message, 0, len(mine)+1)
	for _, message := range mine {
		if !message.Internal {
			visible = append(visible, message)
		}
	}
	return visible
}

func executedCalls(records []*tooltrack.Record) int {
	n := 0
	for _, record := range records {
		if record.Succeeded() {
			n++
		}
	}
	return n
}

// Reply is the finished turn. The error is the typed error of a turn that did
// not pass; the reply is there beside it and holds the honest account.
func (t *Turn) Reply() (*Reply, error) {
	if !t.closed {
		return nil, ErrTurnOpen
	}
	return t.reply, t.err
}

// refuse ends the turn because of what is wrong with a text.
func (t *Turn) refuse(found finding, text string) {
	t.proving = nil
	t.guard.counters.refused(found.fault)
	t.fail(t.errorFor(found, text, nil))
}

// errorFor is the typed error of a fault.
func (t *Turn) errorFor(found finding, text string, cause error) error {
	if found.fault == faultMissing {
		return &ToolNotTriggeredError{
			Expected: toolsOf(found.missing), Attempts: t.calls, Text: text, Verdict: found.verdict, Cause: cause,
		}
	}
	return &InsufficientProgressError{Verdict: found.verdict, Attempts: t.calls, Text: text, Cause: cause}
}

func (c *counters) accepted(t *Turn) {
	c.note(func(sum *Counters) {
		if !t.refusable {
			sum.Accepted++
		}
		for _, tool := range t.expected {
			if called(t.records, tool) {
				sum.ToolsCalled++
			}
		}
		if t.spent.missing > 0 {
			sum.AskedAgainWithSuccess++
		}
		if t.spent.progress > 0 {
			sum.CorrectedWithSuccess++
		}
	})
}

// unjudged ends the turn: the text is withheld, and the account stands in its place.
// Where the turn had just ended with the text, the text is taken back.
func (t *Turn) unjudged(text string, fault *contain.Panic) {
	err := unjudgedError(fault)
	err.Text = text
	if t.closed {
		t.setClosed(false)
		t.err = nil
		t.messages = t.messages[:min(t.first+1, len(t.messages))]
	}
	t.proving = nil
	t.guard.counters.refused(faultUnjudged)
	t.fail(err)
}

// handOn takes an answer as it came, for a guard that only observes.
func (t *Turn) handOn(response Response) []tooltrack.Call {
	if t.closed {
		t.err, t.reply.Text = nil, response.Message.Text
		return nil
	}
	response.Message.Calls = withIDs(response.Message.Calls)
	t.messages = append(t.messages, response.Message)
	calls := response.Message.Calls
	if len(calls) == 0 {
		t.close()
		t.reply.Text = response.Message.Text
		return nil
	}
	t.batch = t.pendingOf(calls)
	return calls
}
