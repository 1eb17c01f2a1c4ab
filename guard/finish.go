package guard

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// ending is a text that may be shown, and what the reply tells of it; see [Reply].
type ending struct {
	answer       Response
	verdict      completion.Verdict
	draft        string
	unproven     []string
	proofMissing bool
	proof        *Proof
}

// end ends the turn with a text. What can fail comes before the turn is closed.
func (t *Turn) end(ctx context.Context, with ending) {
	message, verdict := with.answer.Message, with.verdict
	if text := t.redactProse(ctx, message.Text); text != message.Text {
		message.Text, message.Raw = text, nil // the provider's own form still holds the ids
	}
	t.messages = append(t.messages, message)
	t.leaveTrace(ctx)
	t.close()
	t.final = &with.answer
	t.reply.Text, t.reply.Verdict, t.reply.Draft = message.Text, verdict, cmp.Or(with.draft, t.reply.Draft)
	t.reply.Unproven, t.reply.ProofMissing, t.reply.Proof = with.unproven, with.proofMissing, with.proof
	t.guard.counters.accepted(t)
	if t.guard.isHeard() && verdict.Outcome.Completed() { // what is only observed may not pass
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
	kind := "ended from outside" // its text may quote the model
	if ended, is := err.(*TurnError); is {
		kind = ended.Kind.Error()
		ended.Owner, ended.Turn, ended.Records, ended.Account = t.input.Owner, t.input.Turn, t.records, t.reply.Account
		t.reply.Verdict = ended.Verdict
		if ended.Kind != ErrStopped { // its words are the provider's
			t.reply.Draft = cmp.Or(t.reply.Draft, ended.Text)
		}
	}
	t.log(ctx, slog.LevelWarn, "turn failed", []any{"error", kind})
	if t.guard.options.DeliverAccount && isDeliverable(err) {
		t.reply.Text, t.reply.Err, t.err = t.reply.Account, err, nil
		t.reply.Messages = append(t.reply.Messages, Message{Role: RoleAssistant, Text: t.reply.Text})
	}
}

// isDeliverable reports whether an error is the outcome of a turn rather than of its surroundings: a model that
// cannot be reached and a context that has ended stay errors, for the caller to act on.
func isDeliverable(err error) bool {
	var attempts *policy.AttemptsError
	var ended *TurnError
	return errors.As(err, &attempts) || errors.As(err, &ended) && ended.Kind != ErrProvider
}

// accountTime bounds what the account may wait for a directory that hangs.
const accountTime = 5 * time.Second

// close builds what every reply holds, whatever came out. Those who run beside the turn see that it is closed.
func (t *Turn) close() {
	t.mu.Lock()
	t.closed, t.proving = true, nil
	t.mu.Unlock()
	executed := 0
	for _, record := range t.records {
		if record.Succeeded() {
			executed++
		}
	}
	t.reply = &Reply{
		Intent: t.intent, Records: t.records, Turn: t.input.Turn, Messages: t.visible(), Draft: t.draft(), turn: t,
		Usage: t.spent.Usage,
		Execution: Execution{
			Executed: executed, Retried: t.spent.Missing, Corrected: t.spent.Progress,
			ModelCalls: t.spent.Calls + t.refereed, ReadBacks: t.seenBack.reads,
		},
	}
}

// draft is the first text of this turn that did not pass. Texts that were corrected or asked about stay between the
// guard and the model, and a request for proof or a report never comes before one.
func (c *conversation) draft() string {
	for _, message := range c.messages[min(c.first, len(c.messages)):] {
		if message.Internal && message.Role == RoleAssistant && message.Text != "" {
			return message.Text
		}
	}
	return ""
}

// visible are the messages of this turn without those between the guard and the model.
func (c *conversation) visible() []Message {
	mine := slices.Clip(c.messages[min(c.first, len(c.messages)):])
	isInternal := func(message Message) bool { return message.Internal }
	if !slices.ContainsFunc(mine, isInternal) {
		return mine
	}
	return slices.DeleteFunc(slices.Clone(mine), isInternal)
}

// Reply is the finished turn. The error is the typed error of a turn that did not pass; the reply is there beside
// it and holds the honest account.
func (t *Turn) Reply() (*Reply, error) {
	if !t.closed {
		return nil, ErrTurnOpen
	}
	return t.reply, t.err
}

// refuse ends the turn because of what is wrong with a text.
func (t *Turn) refuse(found finding, text string) {
	t.guard.counters.refused(found.fault)
	t.fail(t.errorFor(found, text, nil))
}

// errorFor is the typed error of a fault.
func (t *Turn) errorFor(found finding, text string, cause error) error {
	ended := &TurnError{
		Kind: ErrInsufficientProgress, Reason: found.verdict.Reason.String(), Attempts: t.spent.Calls, Text: text,
		Verdict: found.verdict, Cause: cause,
	}
	if found.fault == faultMissing {
		ended.Kind, ended.Tools = ErrToolNotTriggered, toolsOf(found.missing)
		ended.Reason = "expected " + strings.Join(ended.Tools, ", ")
	}
	ended.Reason += ", asked " + timesInWords(t.spent.Calls)
	return ended
}

func (c *counters) accepted(t *Turn) {
	c.note(func(sum *Counters) {
		if !t.refusable {
			sum.Accepted++
		}
		for _, tool := range t.expected {
			if isCalled(t.records, tool) {
				sum.ToolsCalled++
			}
		}
		if t.spent.Missing > 0 {
			sum.AskedAgainWithSuccess++
		}
		if t.spent.Progress > 0 {
			sum.CorrectedWithSuccess++
		}
	})
}

// unjudged ends the turn: the text is withheld, and the account stands in its place.
func (t *Turn) unjudged(text string, fault *contain.Panic) {
	err := unjudgedError(fault)
	err.Text = text
	t.guard.counters.refused(faultUnjudged)
	t.fail(err)
}

// handOn takes an answer as it came, for a guard that only observes.
func (t *Turn) handOn(response Response) []tooltrack.Call {
	response.Message.Calls = withIDs(response.Message.Calls)
	t.messages = append(t.messages, response.Message)
	calls := response.Message.Calls
	if len(calls) == 0 {
		t.close()
		t.final, t.reply.Text = &response, response.Message.Text
		return nil
	}
	t.batch = t.pendingOf(calls)
	return calls
}

// notProven ends a turn whose model has answered, and not with a proof. A report that was read and refuted is one
// all the same: the model understands the question.
func (t *Turn) notProven(ctx context.Context) {
	if t.proving.faults == nil {
		t.guard.breaker.failed(t.caps.Name)
	}
	t.giveUp(ctx, false)
}

// giveUp ends a turn whose proof did not come. The answer is not lost: only the sentences in doubt are left out,
// and what is on record is said instead. A model that could not be asked has not failed to give one: the records
// speak for its text.
func (t *Turn) giveUp(ctx context.Context, unasked bool) {
	p := t.proving
	t.guard.counters.note(func(sum *Counters) { sum.ProofsMissing++ })
	fault := p.found.fault
	late := ctx.Err() != nil // too late to look at the records
	switch {
	case p.draft.Message.Text == "": // a report that never had a message
		t.fail(t.errorFor(finding{verdict: completion.Verdict{Reason: completion.EmptyText}}, "", nil))
	case p.found.tier() == completion.Sure && (fault != faultMissing || p.found.verdict.Ghost()):
		t.refuse(p.found, p.draft.Message.Text)
	case t.isOnlyPromised(p.found): // nobody will do it afterwards
		t.refuse(p.found.asPromise(), p.draft.Message.Text)
	default:
		t.endDoubted(ctx, p, unasked && !late && !p.fixed && p.found.tier() != completion.Sure)
	}
}

// asPromise is a text in doubt as one that only announces.
func (f finding) asPromise() finding {
	f.fault, f.verdict.Correction = faultOther, f.correction
	f.verdict.Outcome, f.verdict.Reason = completion.InsufficientProgress, completion.Promise
	return f
}

// endDoubted ends a turn with a text without what stays in doubt when no answer was accepted: what the last one
// left open and, where none was read, what the records do not settle by themselves. A model that is not asked,
// since it does not understand the question or cannot be reached, may be honest, and most are: so only what none of
// the records can show is left out.
func (t *Turn) endDoubted(ctx context.Context, p *proving, unasked bool) {
	if p.faults == nil || unasked {
		presumed := t.proofCase(ctx, p)
		presumed.Unasked = unasked
		p.faults = proof.Presume(presumed).Faults
	}
	text, open := p.draft.Message.Text, p.open(p.faults)
	unproven := unprovenIn(text, open)
	claiming := unproven
	if !unasked {
		t.info(ctx, "proof did not come", "withheld", len(unproven), "lenient", t.guard.options.Lenient)
		claiming = slices.DeleteFunc(slices.Clone(unproven), func(sentence string) bool { // no record would show it
			return reading.Acknowledges(sentence) || !hasChanged(t.records) && reading.LetsBe(sentence)
		})
	}
	left := t.notRetold(p, claiming)
	answer := t.without(p.draft, left)
	switch {
	case unasked:
		unproven = unprovenIn(text, append(open, p.found.doubts...))
	case len(left) < len(claiming):
		if len(left) == 0 && !t.guard.options.Lenient { // the records here do not show all of it
			line := t.guard.texts.Unshown
			if hasChanged(t.records) {
				line += "\n" + t.guard.texts.Recorded + "\n" + t.proven()
			}
			answer = withLine(answer, line)
		}
	case len(claiming) == 0 && len(unproven) > 0 && t.asked.canWantChange(),
		len(unproven) == 0 && p.found.unsettled == completion.UnreportedFailure:
		answer = t.withRecord(answer, t.proven())
	}
	answer, verdict := t.withUndone(p, answer)
	t.end(ctx, ending{answer: answer, verdict: verdict, draft: text, unproven: unproven, proofMissing: true})
}

// isOnlyPromised reports whether a text most likely only announces what the user asked for. Where nothing may be
// due, or many such texts are offers and small talk, it is shown without a proof: so are 35 honest ones and 22
// others of our labelled texts, while 5 and 144 are not.
func (t *Turn) isOnlyPromised(found finding) bool {
	const doubt = 0.6
	asked := t.demands()
	promised := func(d Doubt) bool { return d.Claim == nil && d.Probability >= doubt }
	return found.unsettled == completion.Promise && asked.mayBeDue() && slices.ContainsFunc(found.doubts, promised)
}

// withUndone is an answer without proof, and its outcome. Where something is most likely due, no call can be it,
// and the text neither asks nor says what prevents it, the turn is not told as completed, and a line of ours says
// what was not done.
func (t *Turn) withUndone(p *proving, answer Response) (Response, completion.Verdict) {
	verdict, asked := p.found.verdict, t.demands()
	told := verdict.Asks || verdict.Blocker.Kind != completion.NoBlocker
	empty := t.canBeOrder() && asked.mayBeDue() && isEmpty(p.draft.Message.Text)
	told = told || slices.ContainsFunc(p.found.doubts, asked.isDoubtToldBefore) || // then it may have been done
		asked.hold != intent.NotHeld && !asked.partly // then it need not be
	if told || !(asked.mayBeDue() && asked.due >= probablyDue) && !empty || hasChanged(t.evidence()) {
		if !told && slices.ContainsFunc(p.found.doubts, t.asked.isSurelyDue) { // some other call may have been it
			answer = t.withRecord(answer, t.onRecord())
		}
		return answer, verdict
	}
	verdict.Outcome, verdict.Reason = completion.InsufficientProgress, completion.NoWork
	reads := isOnlyReadsDue(p.found.doubts, t.offered)
	for i, doubt := range p.found.doubts {
		switch {
		case doubt.Claim != nil, i > 0 && doubt.Words == p.found.doubts[i-1].Words:
		case doubt.Words == "" || reads || reading.LetsBe(p.draft.Message.Text):
			// an answer may be true, although nothing was looked up for it, or what was asked for is taken back
			answer = t.withRecord(answer, t.onRecord())
		default:
			answer = withLine(answer, t.guard.texts.notDone(doubt.Words))
		}
	}
	return answer, verdict
}

// withLine is an answer with a line of ours. To JSON nothing is added: a program reads it.
func withLine(answer Response, line string) Response {
	if isJSON(answer.Message.Text) {
		return answer
	}
	answer.Message = Message{Role: RoleAssistant, Text: answer.Message.Text + "\n\n" + line}
	answer.Raw = nil
	return answer
}

// withRecord is an answer with what is on record, unless it tells that already.
func (t *Turn) withRecord(answer Response, account string) Response {
	if t.guard.texts.hasRecord(answer.Message.Text, account) {
		return answer
	}
	return withLine(answer, t.guard.texts.Recorded+"\n"+account)
}

// without is an answer without some of its sentences, and with what is on record instead. A lenient guard shows
// them.
func (t *Turn) without(answer Response, unproven []string) Response {
	if len(unproven) == 0 || t.guard.options.Lenient {
		return answer
	}
	text, whole := withholdJSON(answer.Message.Text, unproven)
	if !whole {
		text = t.guard.texts.withheld(withhold(answer.Message.Text, unproven), t.proven())
	}
	answer.Message, answer.Raw = Message{Role: RoleAssistant, Text: text}, nil
	t.guard.counters.note(func(sum *Counters) { sum.SentencesWithheld += uint64(len(unproven)) })
	return answer
}

// open are the sentences of the draft that some faults are about. What a corrected message added is not among them,
// and what stands there in its place is: then all that was asked about is open.
func (p *proving) open(faults []proof.Fault) (open []Doubt) {
	text := p.draft.Message.Text
	for _, fault := range faults {
		words := strings.TrimSpace(fault.Words)
		whole := words == strings.TrimSpace(text) && hasManySentences(text)
		switch {
		case fault.Due:
		case words == "" || whole || !strings.Contains(text, words):
			return p.found.doubts
		default:
			open = append(open, Doubt{Claim: &completion.Claim{}, Words: fault.Words})
		}
	}
	return open
}

// notRetold are the sentences in doubt without those that only tell again what the conversation tells. They are
// shown, and what is on record is said beside them: whether the records are all there is, nobody knows.
func (r *userRequest) notRetold(p *proving, sentences []string) []string {
	if r.asked.summaries == nil {
		return sentences
	}
	return slices.DeleteFunc(slices.Clone(sentences), func(sentence string) bool {
		found := false
		for _, doubt := range p.found.doubts {
			if doubt.Claim == nil || !strings.Contains(sentence, strings.TrimSpace(doubt.Words)) {
				continue
			}
			if found = r.asked.isDoubtToldBefore(doubt); !found {
				return false
			}
		}
		return found
	})
}

// isOnlyToldBefore reports whether a report leaves open no more than what the conversation tells. To ask again
// would be to have it denied.
func (t *Turn) isOnlyToldBefore(p *proving) bool {
	open := p.open(p.faults)
	said := func(fault proof.Fault) bool { return !fault.Due }
	if len(p.faults) > 0 && !slices.ContainsFunc(p.faults, said) {
		asked := t.demands()
		return slices.ContainsFunc(p.found.doubts, asked.isDoubtToldBefore)
	}
	return len(open) > 0 && len(t.notRetold(p, unprovenIn(p.draft.Message.Text, open))) == 0
}

// endDeclined ends a turn whose model was told to call a tool, or to tell the user what prevents it, and stands by
// a text that tells nothing as done. That is its reason, in whatever words; a line of ours says what was not done.
func (t *Turn) endDeclined(ctx context.Context, answer Response, found finding) {
	t.info(ctx, "declined", "rule", found.fault.String())
	verdict := found.verdict
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithBlocker, completion.Blocked, ""
	draft := answer.Message.Text
	for _, expected := range found.missing {
		what := t.inUsersWords(expected.Expectation, len(found.missing) == 1)
		answer = withLine(answer, t.guard.texts.notDone(what))
	}
	t.end(ctx, ending{answer: answer, verdict: verdict, draft: draft, proofMissing: true})
}

// inUsersWords is what an expectation is about: the piece of the message that asks for it, a short message as a
// whole, or what the tool is for.
func (r *userRequest) inUsersWords(expected intent.Expectation, alone bool) string {
	const short = 80
	words, message := strings.TrimSpace(expected.Words), strings.TrimSpace(r.input.User)
	switch {
	case strings.Contains(words, " "):
		return words
	case alone && len(message) <= short && !strings.ContainsAny(message, "\r\n"):
		return message
	}
	return inWords(expected.Tool)
}
