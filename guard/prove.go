package guard

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// maxProofs bounds how often one turn asks for proof anew, after answers with calls: a model that answers each
// request with another call makes progress, up to a point.
const maxProofs = 3

// isProofWanted reports whether a text is to be asked about.
func (t *Turn) isProofWanted(found finding) bool {
	options := &t.guard.options
	if options.Observe || options.Proof == Never || t.guard.budgets.Proof <= 0 || t.spent.Proofs >= maxProofs {
		return false
	}
	if options.Proof == Always {
		asked := t.demands()
		talk := found.tier() == completion.Clean && len(t.records) == 0 && asked.due < asked.threshold
		return !talk
	}
	return found.tier() == completion.Unsure
}

// askProof asks the model what its text rests on, or lets the referee say it.
func (t *Turn) askProof(ctx context.Context, draft Response, found finding) {
	asked := proving{draft: draft, found: found, list: proof.NewList(t.earlier, t.evidence())}
	asked.letters = t.lettersFor(draft.Message.Text, found.doubts)
	if t.guard.breaker.isOpen(t.caps.Name) {
		t.guard.counters.note(func(sum *Counters) { sum.ProofsSkipped++ })
		t.info(ctx, "proof not asked for", "rule", "breaker", "model", printable(t.caps.Name, maxName))
		if t.isOnlyPromised(found) { // it does not pass unasked
			t.act(ctx, draft, found.asPromise())
			return
		}
		t.endDoubted(ctx, &asked, true)
		return
	}
	t.proving, t.aside = &asked, nil
	t.spent.Proofs++
	t.guard.counters.note(func(sum *Counters) { sum.ProofsAsked++ })
	t.info(ctx, "proof asked for", "doubts", len(found.doubts), "records", t.proving.list.Len())
	message := draft.Message
	message.Internal = true
	words := proof.Ask(t.proving.list, t.proving.letters, t.mayCall(t.proving.found.doubts, t.said.Accused))
	question := Message{Role: RoleUser, Text: t.redact(ctx, words), Internal: true}
	t.said.Retry = "proof"
	if referee := t.guard.options.Referee; referee != nil {
		t.askReferee(ctx, referee, message, question)
		return
	}
	if message.Text != "" || len(message.Raw) > 0 {
		t.messages = append(t.messages, message)
	}
	t.messages = append(t.messages, question)
}

// askReferee asks another model, which cannot call tools: it says whether the text is backed, and the acting model
// is not asked at all. A referee that cannot be asked costs the proof, not the answer.
func (t *Turn) askReferee(ctx context.Context, referee Model, draft, question Message) {
	messages := append(slices.Clip(t.messages), draft, question)
	request := Request{Tools: t.offered, Choice: Choice{Mode: ChooseNone}, Report: true}
	for t.proving != nil {
		request.Messages = messages
		t.refereed++
		t.guard.counters.note(func(sum *Counters) { sum.ModelCalls++ })
		asked, cancel := t.limited(ctx)
		response, err := generate(asked, referee, request)
		cancel()
		if err != nil {
			t.guard.hostFault(ctx, "Options.Referee", err)
			t.giveUp(ctx, true)
			return
		}
		can, _ := capabilitiesOf(referee)
		charge(ctx, t, can.Name, response.Usage)
		result, reasons := t.checkProof(ctx, response)
		messages = append(messages, t.settleProof(ctx, response, result, reasons)...)
	}
}

// takeProof takes the model's answer to a request for proof.
func (t *Turn) takeProof(ctx context.Context, response Response) {
	result, reasons := t.checkProof(ctx, response)
	t.messages = append(t.messages, t.settleProof(ctx, response, result, reasons)...)
}

// checkProof reads and checks an answer. Reasons are why it cannot be accepted.
func (t *Turn) checkProof(ctx context.Context, response Response) (result proof.Result, reasons []string) {
	t.proving.faults, t.proving.report = nil, false
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

// settleProof ends the turn with an answer that passes. Otherwise it returns what the model is told once, or, the
// second time, ends the turn without proof.
func (t *Turn) settleProof(
	ctx context.Context, response Response, result proof.Result, reasons []string,
) (again []Message) {
	switch p := t.proving; {
	case len(reasons) == 0 && len(result.NotDone) > 0 && result.Text == p.draft.Message.Text && t.isOnlyPromised(p.found):
		t.giveUp(ctx, false) // "Will do." is not shown beside "Not done: …"
	case len(reasons) == 0:
		t.acceptProof(ctx, result)
	case p.fixed || t.guard.budgets.Proof < 2 || t.isOnlyToldBefore(p):
		t.notProven(ctx)
	default:
		p.fixed = true
		calling := t.mayCall(p.found.doubts, t.said.Accused)
		if p.report {
			return toldAgain(response, t.redact(ctx, reportAgain(reasons, calling)))
		}
		return toldAgain(response, t.redact(ctx, proof.Again(reasons, calling)))
	}
	return nil
}

// toldAgain are an answer that is not accepted, and why, as the model reads it: as the result of each call of it,
// or else as a message.
func toldAgain(response Response, why string) []Message {
	answer := response.Message
	answer.Internal, answer.Calls = true, withIDs(answer.Calls)
	messages := []Message{answer}
	for _, made := range answer.Calls {
		messages = append(messages, Message{
			Role: RoleTool, CallID: made.ID, Tool: made.Tool, Text: "Error: " + why, Internal: true,
		})
	}
	if len(answer.Calls) == 0 {
		messages = append(messages, Message{Role: RoleUser, Text: why, Internal: true})
	}
	return messages
}

// acceptProof ends the turn with a text whose proof holds: the draft's own bytes if it was kept, without what the
// model itself calls not done, and with a line for that.
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
	shown, backed := &Proof{Kept: kept, NotDone: result.NotDone}, false
	for _, one := range result.Sentences {
		shown.Sentences = append(shown.Sentences, ProofSentence{Shown: one, cited: p.list.Cited(one.Records), turn: t})
		backed = backed || len(one.Records) > 0
	}
	with := ending{answer: answer, verdict: provenVerdict(p.found.verdict, result), draft: draft, proof: shown}
	if !backed { // the model says that they need no record
		with.unproven = unprovenIn(result.Text, p.found.doubts)
	}
	t.end(ctx, with)
}

// provenVerdict is the outcome that a proof shows.
func provenVerdict(verdict completion.Verdict, result proof.Result) completion.Verdict {
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithWork, completion.NothingDue, ""
	if len(result.NotDone) > 0 || len(result.Withdrawn) > 0 {
		verdict.Outcome, verdict.Reason = completion.CompletedWithBlocker, completion.Blocked
	}
	if slices.ContainsFunc(result.Sentences, func(one proof.Shown) bool { return len(one.Records) > 0 }) {
		verdict.Outcome, verdict.Reason = completion.CompletedWithWork, completion.WorkDone
	}
	return verdict
}

// A text that was asked about, and answered with a call instead of a report, is set aside while the call runs. The
// model may still come back to the question, and the text is what is left to show when nothing else comes.

// resume goes back to the text that was set aside, as it is to be judged now: there are new records, which may have
// made it true or false.
func (t *Turn) resume(ctx context.Context) {
	p := t.aside
	t.aside, t.proving = nil, p
	known := p.list.Len()
	p.list, p.faults = proof.NewList(t.earlier, t.evidence()), nil
	if p.list.Ran(known) {
		p.found = t.judge(ctx, p.draft.Message.Text)
	}
	if t.answering == nil {
		t.answering = p.answering
	}
}

// takeLateReport takes a text that is a report about one that was set aside. No report is ever shown.
func (t *Turn) takeLateReport(ctx context.Context, response Response) (taken bool) {
	if t.aside == nil || !isProofAnswer(response.Message.Text) {
		return false
	}
	t.resume(ctx)
	if err := ctx.Err(); err != nil { // the judgement may not be one
		t.fail(err)
		return true
	}
	t.takeProof(ctx, response)
	return true
}

// isProofAnswer reports whether a text has the form of an answer to a request for proof, whether or not it holds.
func isProofAnswer(text string) bool {
	_, is := proof.IsAnswer(text)
	return is
}

// withoutReport is an answer that is a report nobody asked for by now, after a correction: what it says to the
// user, if anything. The rest is between the model and the guard.
func (t *Turn) withoutReport(response Response) Response {
	if said, is := proof.IsAnswer(response.Message.Text); is && t.hasSpoken() {
		response.Message, response.Raw = Message{Role: RoleAssistant, Text: said}, nil
	}
	return response
}

// fallBack ends a turn that has no budget left with the text that was set aside. It reports whether there is one
// that may be shown.
func (t *Turn) fallBack(ctx context.Context) bool {
	if t.aside == nil || t.guard.options.Observe {
		return false
	}
	t.resume(ctx)
	if ctx.Err() != nil || t.proving.found.tier() == completion.Sure {
		t.proving = nil
		return false
	}
	t.giveUp(ctx, false)
	return true
}

// lettersFor are what a request for proof asks about, the gravest doubts first among those beyond the bound, in the
// order of the text: whole sentences, and the requests that may be due. Where nothing is in doubt, they are all
// sentences that report something.
func (r *userRequest) lettersFor(draft string, doubts []Doubt) []proof.Letter {
	graver := func(a, b Doubt) int { return cmp.Compare(b.Probability, a.Probability) }
	first := slices.SortedStableFunc(slices.Values(doubts), graver)
	first = first[:min(len(first), proof.MaxLetters)]
	var letters []proof.Letter
	pieces := match.Pieces(draft)
	for _, sentence := range sentencesIn(draft, first) {
		if isHeader(pieces, sentence) {
			continue // the names of columns claim nothing
		}
		letters = append(letters, proof.Letter{
			Text: sentence, Header: headerOf(pieces, sentence), Doubt: gravest(sentence, first),
		})
	}
	for _, doubt := range doubts {
		if doubt.Claim == nil {
			tool := toolNamed(r.offered, doubt.Tool)
			letters = append(letters, proof.Letter{
				Text: doubt.Words, Due: true, Insisted: r.asked.isSurelyDue(doubt),
				Changes: tool != nil && tool.Effect == tooltrack.Changes,
			})
		}
	}
	if len(letters) == 0 {
		letters = wholeText(draft)
	}
	return proof.Lettered(letters)
}

// sentencesIn are the sentences of a text that doubts are about; where a doubt is about the text as a whole, all
// that report something.
func sentencesIn(text string, doubts []Doubt) []string {
	sentences := unprovenIn(text, doubts)
	if len(sentences) == 0 && slices.ContainsFunc(doubts, func(d Doubt) bool { return d.Claim != nil }) {
		for _, letter := range wholeText(text) {
			sentences = append(sentences, letter.Text)
		}
	}
	return sentences
}

// gravest is how grave the doubts about a sentence are. A grave one is so strong that the sentence is not shown
// without proof, whatever the model says of it. One about the text as a whole is no grave doubt about each of its
// sentences.
func gravest(sentence string, doubts []Doubt) (worst proof.Doubt) {
	const grave = 0.7
	for _, d := range doubts {
		words := strings.TrimSpace(d.Words)
		about := d.Claim != nil && strings.Contains(sentence, words)
		if about && (d.Probability >= grave || d.Claim.Tier == completion.Sure) {
			return proof.Grave
		}
		if d.Claim != nil && d.Probability < grave && (about || strings.Contains(words, strings.TrimSpace(sentence))) {
			worst = proof.Slight
		}
	}
	return worst
}

// wholeText are the sentences of a text that report something, or all.
func wholeText(text string) (letters []proof.Letter) {
	silent := func(s completion.Sentence) bool { return !s.Reports }
	sentences := slices.DeleteFunc(completion.Sentences(text), silent)
	for _, piece := range match.Pieces(text) { // whole rows of tables, without their columns' names
		within := func(s completion.Sentence) bool { return piece.Start() < s.End && s.Start < piece.End() }
		if slices.ContainsFunc(sentences, within) {
			letters = append(letters, proof.Letter{Text: piece.Text(), Header: piece.Header})
		}
	}
	if len(letters) == 0 && strings.TrimSpace(text) != "" {
		letters = []proof.Letter{{Text: text}}
	}
	return letters
}

// headerOf is the header of the table that a sentence is a row of; empty if it is none.
func headerOf(pieces []match.Piece, sentence string) string {
	for i := range pieces {
		if piece := &pieces[i]; strings.Contains(piece.Text(), strings.TrimSpace(sentence)) && piece.Header != "" {
			return piece.Header
		}
	}
	return ""
}

// isHeader reports whether a sentence is the first row of a table.
func isHeader(pieces []match.Piece, sentence string) bool {
	sentence = strings.TrimSpace(sentence)
	return slices.ContainsFunc(pieces, func(p match.Piece) bool { return p.Header != "" && p.Header == sentence })
}

// proofCase is what an answer about a text that waits for its proof is held against.
func (t *Turn) proofCase(ctx context.Context, p *proving) proof.Case {
	situation, asked := t.situation(p.draft.Message.Text), t.demands()
	return proof.Case{
		User: situation.User, Previous: situation.Previous, Draft: situation.Text,
		Before: textsBefore(t.input.Previous), Reported: t.reported(),
		Now: t.guard.now(), Tools: situation.Tools, Read: t.guard.readings(), List: p.list, Letters: p.letters,
		Acting: t.asked.isActing(), // where calls are forbidden, a claim is not more credible
		Doubts: func(message string) []string {
			situation.Text = message
			verdict := clearedVerdict(ctx, t.guard, situation, asked)
			var doubts []Doubt
			for i := range verdict.Claims {
				if claim := &verdict.Claims[i]; claim.Tier != completion.Clean {
					doubts = append(doubts, Doubt{Claim: claim, Words: claim.Text})
				}
			}
			return sentencesIn(message, doubts)
		},
	}
}

// textsBefore are the texts of messages, the latest first, as far back as a recap may go.
func textsBefore(messages []Message) (texts []string) {
	const farthest = 200
	for _, message := range slices.Backward(messages) {
		if said := message.Role == RoleUser || message.Role == RoleAssistant; said && message.Text != "" {
			texts = append(texts, message.Text)
		}
		if len(texts) == farthest {
			break
		}
	}
	return texts
}

// shown is what a user reads of an answer that holds: its text without what it calls not done, and a line for what
// is not done and not told. To JSON nothing is added: a program reads it, and finds the same in [Reply.Proof].
func (g *Guard) shown(result proof.Result) string {
	text := result.Text
	if isJSON(text) {
		return text
	}
	if len(result.Withdrawn) > 0 {
		text = withhold(text, result.Withdrawn)
		if text == "" && len(result.NotDone) == 0 {
			text = g.texts.Nothing
		}
	}
	for _, what := range result.NotDone {
		what = strings.ReplaceAll(plainWords(what, g.tools), " :", ":")
		text = strings.TrimSpace(text + "\n\n" + g.texts.notDone(strings.TrimPrefix(what, ": ")))
	}
	return text
}

// reportAgain tells the model why its report is not accepted.
func reportAgain(reasons []string, calling proof.Calling) string {
	end := "\nCall report once more, with texts that tell only what the calls show"
	if calling == proof.CallsInvited {
		end += ", or make the call that is missing"
	}
	told := strings.Join(reasons[:min(len(reasons), proof.MaxLetters)], "\n- ")
	return "the report is not accepted:\n- " + told + end + "."
}

// limited is the context of a question of the guard's own: who asks, and for how long.
func (t *Turn) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if limit := t.guard.options.ReaskTimeout; limit > 0 {
		return context.WithTimeout(t.Context(ctx), limit)
	}
	return t.Context(ctx), func() {}
}
