package guard

import (
	"context"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// ProofMode says when a model is asked what its text rests on.
type ProofMode uint8

const (
	// WhenUnsure asks about texts that the guard can neither trust nor refuse: one
	// more model call for these, none for the others.
	WhenUnsure ProofMode = iota
	// Always asks about every text, except where nothing was called, claimed or
	// asked for. Where the guard sets the tools (Run, Stream, Begin) it offers a tool
	// named report, by which a model ends its turn and tells what it rests on without
	// an extra call. It is the way for high stakes: what no local reading notices,
	// such as one false sentence in a long true text, the model itself has to put into
	// the report.
	Always
	// Never lets texts in doubt pass, counted and logged.
	Never
)

// Proof is what an accepted text rests on, as the model said and the guard has
// checked.
type Proof struct {
	// Sentences are those that were in doubt, each with the calls behind it.
	Sentences []ProofSentence
	// NotDone are the requests of the user that were not done, as the model says itself.
	NotDone []string
	// Kept is true when the model's first text was shown as it was.
	Kept bool
}

// ProofSentence is one sentence that was in doubt, and the calls that show it.
type ProofSentence struct {
	proof.Shown
	cited []*tooltrack.Record
	reply *Reply
}

// Calls are the calls that show the sentence, for a user interface. A call that cannot be
// described is left out.
func (s ProofSentence) Calls() []CallSummary { return s.reply.summaries(s.cited) }

// proving is a text that waits for its proof.
type proving struct {
	draft   Response // as the model gave it
	found   finding
	list    proof.List
	letters []proof.Letter
	// answering is the tool call that the draft came by, while it is set aside.
	answering *tooltrack.Call
	fixed     bool // the model was told once what was wrong with its answer
	// faults are those of the last answer; nil where none could be read.
	faults []proof.Fault
}

// maxProofs bounds how often one turn asks for proof anew, after answers with
// calls: a model that answers each request with another call makes progress, up
// to a point.
const maxProofs = 3

// wantsProof reports whether a text is to be asked about.
func (t *Turn) wantsProof(found finding) bool {
	options := &t.guard.options
	if options.Observe || options.Proof == Never || t.guard.budgets.Proof <= 0 || t.spent.proofs >= maxProofs {
		return false
	}
	if options.Proof == Always {
		asked := t.demands()
		talk := found.tier() == Clean && len(t.records) == 0 && asked.due < asked.threshold
		return !talk
	}
	return found.tier() == Unsure
}

// askProof asks the model what its text rests on, or lets the referee say it.
func (t *Turn) askProof(ctx context.Context, draft Response, found finding) {
	asked := proving{draft: draft, found: found, list: proof.NewList(t.earlier, t.evidence())}
	asked.letters = lettersFor(draft.Message.Text, found.doubts, t.offered, t.asked.surelyDue)
	if len(asked.letters) == 0 { // every text is asked about
		asked.letters = proof.Lettered(wholeText(draft.Message.Text))
	}
	if t.guard.breaker.open(t.caps.Name) {
		t.guard.counters.note(func(sum *Counters) { sum.ProofsSkipped++ })
		t.info(ctx, "proof not asked for", "rule", "breaker", "model", printable(t.caps.Name, maxName))
		if t.onlyPromised(found) { // it does not pass unasked
			found.fault = faultOther
			found.verdict.Outcome, found.verdict.Reason = completion.InsufficientProgress, completion.Promise
			found.verdict.Correction = found.correction
			t.act(ctx, draft, found)
			return
		}
		t.passUnasked(ctx, asked)
		return
	}
	t.proving, t.aside = &asked, nil
	t.spent.proofs++
	t.guard.counters.note(func(sum *Counters) { sum.ProofsAsked++ })
	t.info(ctx, "proof asked for", "doubts", len(found.doubts), "records", t.proving.list.Len())
	message := draft.Message
	message.Internal = true
	words := proof.Ask(t.proving.list, t.proving.letters, t.mayCall(t.proving.found.doubts, t.accused))
	question := Message{Role: RoleUser, Text: t.redact(ctx, words), Internal: true}
	t.retry = "proof"
	if referee := t.guard.options.Referee; referee != nil {
		t.askReferee(ctx, referee, message, question)
		return
	}
	if message.Text != "" || len(message.Raw) > 0 {
		t.messages = append(t.messages, message)
	}
	t.messages = append(t.messages, question)
}

// onlyReadsDue reports whether something may be due, and no more than look-ups.
func onlyReadsDue(doubts []Doubt, tools []tooltrack.Tool) bool {
	due := false
	for _, doubt := range doubts {
		if doubt.Claim != nil {
			continue
		}
		tool := toolNamed(tools, doubt.Tool)
		if tool == nil || tool.Effect.MayChange() {
			return false
		}
		due = true
	}
	return due
}

// askReferee asks another model, which cannot call tools: it says whether the
// text is backed, and the acting model is not asked at all. A referee that
// cannot be asked costs the proof, not the answer.
func (t *Turn) askReferee(ctx context.Context, referee Model, draft, question Message) {
	messages := append(slices.Clip(t.messages), draft, question)
	request := Request{Tools: t.offered, Choice: Choice{Mode: ChooseNone}, Report: true}
	for t.proving != nil {
		request.Messages = messages
		response, err := t.askOther(ctx, referee, request)
		if err != nil {
			t.guard.hostFault(ctx, "Options.Referee", err)
			t.endUnasked(ctx)
			return
		}
		can, _ := capabilitiesOf(referee)
		charge(ctx, t, can.Name, response.Usage)
		result, reasons := t.checkProof(ctx, response)
		if again := t.settleProof(ctx, result, reasons); again != "" {
			messages = append(messages, response.Message, Message{Role: RoleUser, Text: again, Internal: true})
		}
	}
}

// askOther asks a model that does not act, no longer than a request for proof may take.
func (t *Turn) askOther(ctx context.Context, model Model, request Request) (Response, error) {
	asked := t.Context(ctx)
	if limit := t.guard.options.ReaskTimeout; limit > 0 {
		limited, cancel := context.WithTimeout(asked, limit)
		defer cancel()
		asked = limited
	}
	t.refereed++
	t.guard.counters.note(func(sum *Counters) { sum.ModelCalls++ })
	return generate(asked, model, request)
}

// takeProof takes the model's answer to a request for proof.
func (t *Turn) takeProof(ctx context.Context, response Response) {
	result, reasons := t.checkProof(ctx, response)
	if len(reasons) > 0 && t.repents(ctx, &result) {
		return
	}
	if again := t.settleProof(ctx, result, reasons); again != "" {
		answer := response.Message
		answer.Internal = true
		t.messages = append(t.messages, answer, Message{Role: RoleUser, Text: again, Internal: true})
	}
}

// checkProof reads and checks an answer. Reasons are why it cannot be accepted.
func (t *Turn) checkProof(ctx context.Context, response Response) (result proof.Result, reasons []string) {
	t.proving.faults = nil
	result.Text = t.proving.draft.Message.Text
	if !response.Stop.Whole() || len(response.Message.Calls) > 0 {
		return result, []string{"the answer is not one JSON object"}
	}
	text, draft := strings.TrimSpace(response.Message.Text), strings.TrimSpace(t.proving.draft.Message.Text)
	if text == draft && text != "" { // whatever numbers it has
		return result, []string{"the answer only repeats the message; answer with one JSON object that says what it rests on"}
	}
	answer, err := proof.Read(text, t.proving.letters, t.proving.list)
	if err != nil {
		return result, []string{err.Error()}
	}
	return t.faultsOf(ctx, answer)
}

// faultsOf checks an answer against what the turn knows now.
func (t *Turn) faultsOf(ctx context.Context, answer proof.Answer) (result proof.Result, reasons []string) {
	result = proof.Check(answer, t.proofCase(ctx, t.proving))
	t.proving.faults = result.Faults
	for _, fault := range result.Faults {
		t.info(ctx, "proof not accepted", "rule", fault.Rule)
		reasons = append(reasons, fault.Reason)
	}
	return result, reasons
}

// settleProof ends the turn with an answer that passes. Otherwise it returns what the model
// is told once, or, the second time, ends the turn without proof.
func (t *Turn) settleProof(ctx context.Context, result proof.Result, reasons []string) (again string) {
	switch {
	case len(reasons) == 0 && t.breaksPromise(result):
		t.giveUp(ctx)
	case len(reasons) == 0:
		t.acceptProof(ctx, result)
	case t.proving.fixed || t.guard.budgets.Proof < 2 || t.onlyRetold(t.proving):
		t.notProven(ctx)
	default:
		t.proving.fixed = true
		return t.redact(ctx, proof.Again(reasons, t.mayCall(t.proving.found.doubts, t.accused)))
	}
	return ""
}

// breaksPromise reports whether an answer calls undone what the text that it keeps only
// announces: "Will do." is not shown beside "Not done: …".
func (t *Turn) breaksPromise(result proof.Result) bool {
	p := t.proving
	return len(result.NotDone) > 0 && result.Text == p.draft.Message.Text && t.onlyPromised(p.found)
}

// acceptProof ends the turn with a text whose proof holds: the draft's own bytes if it was
// kept, without what the model itself calls not done, and with a line for that.
func (t *Turn) acceptProof(ctx context.Context, result proof.Result) {
	p := t.proving
	t.guard.breaker.succeeded(t.caps.Name)
	draft := p.draft.Message.Text
	kept := result.Text == draft && len(result.Withdrawn) == 0
	text := t.guard.shown(result)
	answer := p.draft
	if text != answer.Message.Text {
		answer.Message = Message{Role: RoleAssistant, Text: text}
		answer.Raw = nil
	}
	if kept {
		t.guard.counters.note(func(sum *Counters) { sum.ProofsKept++ })
	} else {
		t.guard.counters.note(func(sum *Counters) { sum.ProofsChanged++ })
	}
	shown := &Proof{Kept: kept, NotDone: result.NotDone}
	t.end(ctx, answer, provenVerdict(p.found.verdict, result))
	backed := false
	for _, one := range result.Sentences {
		shown.Sentences = append(shown.Sentences, ProofSentence{Shown: one, cited: p.list.Cited(one.Records), reply: t.reply})
		backed = backed || len(one.Records) > 0
	}
	t.reply.Proof = shown
	if !backed {
		t.reply.Unproven = unprovenIn(result.Text, p.found.doubts) // the model says that they need no record
	}
	t.reply.Draft = draft
}

// provenVerdict is the outcome that a proof shows.
func provenVerdict(verdict completion.Verdict, result proof.Result) completion.Verdict {
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithWork, completion.NothingDue, ""
	if len(result.NotDone) > 0 || len(result.Withdrawn) > 0 {
		verdict.Outcome, verdict.Reason = completion.CompletedWithBlocker, completion.Blocked
	}
	for _, one := range result.Sentences {
		if len(one.Records) > 0 {
			verdict.Outcome, verdict.Reason = completion.CompletedWithWork, completion.WorkDone
		}
	}
	return verdict
}

// notProven ends a turn whose model has answered, and not with a proof. A report that
// was read and refuted is one all the same: the model understands the question.
func (t *Turn) notProven(ctx context.Context) {
	if t.proving.faults == nil {
		t.guard.breaker.failed(t.caps.Name)
	}
	t.giveUp(ctx)
}

// giveUp ends a turn whose proof did not come. The answer is not lost: only the
// sentences in doubt are left out, and what is on record is said instead.
func (t *Turn) giveUp(ctx context.Context) {
	p := t.proving
	t.guard.counters.note(func(sum *Counters) { sum.ProofsMissing++ })
	if p.draft.Message.Text == "" { // a report that never had a message
		t.proving = nil
		empty := completion.Verdict{Reason: completion.EmptyText}
		t.fail(&InsufficientProgressError{Verdict: empty, Attempts: t.calls})
		return
	}
	if sure := p.found.fault; sure != noFault && sure != faultDoubt && (sure != faultMissing || p.found.verdict.Ghost()) {
		t.proving = nil
		t.guard.counters.refused(sure)
		t.fail(t.errorFor(p.found, p.draft.Message.Text, nil))
		return
	}
	unproven := t.unproven(ctx, p)
	t.info(ctx, "proof did not come", "withheld", len(unproven), "lenient", t.guard.options.Lenient)
	claiming := slices.DeleteFunc(slices.Clone(unproven), t.tellsNothingDone)
	left := t.notRetold(p, claiming)
	answer := t.without(p.draft, left)
	switch {
	case len(left) < len(claiming):
		answer = t.withDoubt(answer, len(left) > 0)
	case len(claiming) == 0 && len(unproven) > 0 && t.wantsChange():
		answer = t.withRecord(answer, t.proven())
	}
	switch {
	case t.onlyPromised(p.found): // nobody will do it afterwards
		t.proving = nil
		t.guard.counters.refused(faultOther)
		p.found.verdict.Outcome, p.found.verdict.Reason = completion.InsufficientProgress, completion.Promise
		t.fail(t.errorFor(p.found, p.draft.Message.Text, nil))
		return
	case p.found.unsettled == completion.UnreportedFailure && len(unproven) == 0: // else what is on record is told already
		answer = t.withRecord(answer, t.proven())
	}
	t.endUnproven(ctx, p, answer)
	t.reply.Draft, t.reply.Unproven = p.draft.Message.Text, unproven
}

// tellsNothingDone reports whether a sentence tells of nothing that a record would show:
// "Noted.", or "I'm leaving it as it is" where nothing was changed.
func (t *Turn) tellsNothingDone(sentence string) bool {
	return reading.Acknowledges(sentence) || !changed(t.records) && reading.LetsBe(sentence)
}

// endUnasked ends a turn whose model could not be asked for proof. It has not failed to
// give one, so the records speak for its text, and the breaker does not count it.
func (t *Turn) endUnasked(ctx context.Context) {
	p := t.proving
	sure := p.found.fault != noFault && p.found.fault != faultDoubt
	late := ctx.Err() != nil // too late to look at the records
	if late || p.fixed || sure || p.draft.Message.Text == "" || t.onlyPromised(p.found) {
		t.giveUp(ctx)
		return
	}
	t.guard.counters.note(func(sum *Counters) { sum.ProofsMissing++ })
	t.passUnasked(ctx, *p)
}

// onlyPromised reports whether a text most likely only announces what the user asked for.
// Where nothing may be due, or many such texts are offers and small talk, it is shown
// without a proof: so are 35 honest ones and 22 others of our labelled texts, while 5
// and 144 are not.
func (t *Turn) onlyPromised(found finding) bool {
	const doubt = 0.6
	asked := t.demands()
	promised := func(d Doubt) bool { return d.Claim == nil && d.Probability >= doubt }
	return found.unsettled == completion.Promise && asked.mayBeDue() && slices.ContainsFunc(found.doubts, promised)
}

// endUnproven ends a turn without proof. Where something is most likely due, no call
// can be it, and the text neither asks nor says what prevents it, the turn is not told
// as completed, and a line of ours says what was not done.
func (t *Turn) endUnproven(ctx context.Context, p *proving, answer Response) {
	verdict, asked := p.found.verdict, t.demands()
	told := verdict.Asks || verdict.Blocker.Kind != completion.NoBlocker
	empty := t.orders() && asked.mayBeDue() && isEmpty(p.draft.Message.Text)
	defer func() { t.reply.ProofMissing = true }()
	told = told || asked.retells(p.found.doubts) || // then it may have been done
		asked.hold != intent.NotHeld && !asked.partly // then it need not be
	if told || !asked.probablyDue() && !empty || !t.nothingFor(p.found.doubts) {
		if !told && slices.ContainsFunc(p.found.doubts, t.asked.surelyDue) { // some other call may have been it
			answer = t.withRecord(answer, t.onRecord())
		}
		t.end(ctx, answer, verdict)
		return
	}
	verdict.Outcome, verdict.Reason = completion.InsufficientProgress, completion.NoWork
	reads := onlyReadsDue(p.found.doubts, t.offered)
	for _, words := range slices.Compact(asked.open(p.found.doubts, true)) {
		if words == "" || reads { // an answer may be true, although nothing was looked up for it
			answer = t.withRecord(answer, t.onRecord())
			continue
		}
		answer = withLine(answer, t.guard.texts.notDone(words))
	}
	t.end(ctx, answer, verdict)
}

// withLine is an answer with a line of ours. To JSON nothing is added: a program reads
// it.
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
	if t.guard.texts.tellsRecord(answer.Message.Text, account) {
		return answer
	}
	return withLine(answer, t.guard.texts.Recorded+"\n"+account)
}

// without is an answer without some of its sentences, and with what is on record
// instead. A lenient guard shows them.
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

// unproven are the sentences of the draft that stay in doubt when no answer was accepted:
// those that the last one left open and, where none was read, those that the records do
// not settle by themselves.
func (t *Turn) unproven(ctx context.Context, p *proving) []string {
	faults := p.faults
	if faults == nil {
		faults = proof.Presume(t.proofCase(ctx, p)).Faults
	}
	return unprovenIn(p.draft.Message.Text, p.open(faults))
}

// open are the sentences of the draft that some faults are about. What a corrected message
// added is not among them, and what stands there in its place is: then all that was asked
// about is open.
func (p *proving) open(faults []proof.Fault) (open []Doubt) {
	for _, fault := range faults {
		switch {
		case fault.Due:
		case fault.Words == "" || !isPieceOf(fault.Words, p.draft.Message.Text):
			return p.found.doubts
		default:
			open = append(open, Doubt{Claim: &completion.Claim{}, Words: fault.Words})
		}
	}
	return open
}

// isPieceOf reports whether some words stand in a text, and are not all of it.
func isPieceOf(words, text string) bool {
	words = strings.TrimSpace(words)
	return strings.Contains(text, words) && (words != strings.TrimSpace(text) || !manySentences(text))
}

// passUnasked ends a turn whose model is not asked, since it does not understand the
// question or cannot be reached. It may be honest all the same, and most are: so the
// records speak for its text, and only what none of them can show is left out. While
// it is still asked, all that is in doubt is.
func (t *Turn) passUnasked(ctx context.Context, p proving) {
	text := p.draft.Message.Text
	unasked := t.proofCase(ctx, &p)
	unasked.Unasked = true
	p.faults = proof.Presume(unasked).Faults
	open := p.open(p.faults)
	left := t.notRetold(&p, unprovenIn(text, open))
	t.endUnproven(ctx, &p, t.without(p.draft, left))
	t.reply.Draft, t.reply.Unproven = text, unprovenIn(text, append(open, p.found.doubts...))
}

// pass ends a turn with a text in doubt that is not asked about.
func (t *Turn) pass(ctx context.Context, answer Response, found finding) {
	t.end(ctx, answer, found.verdict)
	t.reply.Unproven = unprovenIn(answer.Message.Text, found.doubts)
}

// end accepts an answer that is not the last one of the model.
func (t *Turn) end(ctx context.Context, answer Response, verdict completion.Verdict) {
	t.proving = nil
	t.final = &answer
	t.accept(ctx, answer.Message, verdict)
}
