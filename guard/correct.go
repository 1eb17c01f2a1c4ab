package guard

import (
	"context"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
)

// correct puts a correction behind the text that did not pass. Both are seen by
// the model only.
func (t *Turn) correct(ctx context.Context, message Message, found finding) {
	message.Internal = true
	correction := Message{Role: RoleUser, Text: found.verdict.Correction, Internal: true}
	if found.fault == faultMissing {
		correction = t.instruction(found.missing)
		// A tool choice leaves no way out: "it has to be kept for ten years" is an answer.
		changes := func(e intent.Expectation) bool { return !readsAlone(e, t.offered) }
		if t.insisted = true; evades(&found, message.Text, isBare) || !slices.ContainsFunc(found.missing, changes) {
			t.choice = t.forced(ctx, found.missing)
		}
		t.guard.counters.note(func(sum *Counters) { sum.AskedAgain++ })
	} else {
		t.guard.counters.note(func(sum *Counters) { sum.Corrected++ })
	}
	t.accused = t.accused || found.accuses()
	if found.verdict.Ghost() {
		found.records = len(t.records)
		t.caught = &found
	}
	t.settled = t.settled || t.met(&found)
	t.required = t.required || found.verdict.Reason == completion.MissingRequirement
	t.lastFault = &found
	t.retry = found.fault.String()
	if found.fault == faultOther {
		t.retry = found.verdict.Reason.String()
	}
	if message.Text != "" || len(message.Raw) > 0 {
		t.messages = append(t.messages, message)
	}
	t.messages = append(t.messages, correction)
	t.info(ctx, "asked again",
		"rule", found.fault.String(), "reason", found.verdict.Reason.String(), "choice", t.choice.String())
}

// evades reports whether a text neither does what is missing nor may give a reason
// against it: it claims it, announces it, or says as little as blank tells.
func evades(found *finding, text string, blank func(text string) bool) bool {
	verdict := &found.verdict
	return verdict.Ghost() || verdict.Reason == completion.Promise || blank(text) && !denies(text)
}

// takeDeclined takes a text that stands by not making a call. Whether it tells the very
// act as done all the same, it is asked; what else it tells is its reason.
func (t *Turn) takeDeclined(ctx context.Context, response Response, found finding) {
	doubted, asked := found, t.asked
	doubted.fault, doubted.missing = faultDoubt, nil
	for _, doubt := range asked.claimDoubts(t.situation(response.Message.Text), &doubted.verdict) {
		if doubt.Claim.Kind == completion.ClaimChange && t.tellsOf(found.missing, doubt.Words) {
			doubted.doubts = append(doubted.doubts, doubt)
		}
	}
	if t.guard.options.Proof == Always && len(doubted.doubts) == 0 {
		doubted.doubtAll(response.Message.Text)
	}
	if len(doubted.doubts) == 0 || !t.wantsProof(doubted) {
		t.endDeclined(ctx, response, found)
		return
	}
	for _, expected := range found.missing {
		due := Doubt{Tool: expected.Tool, Words: expected.Words, Probability: expected.Confidence}
		doubted.doubts = append(doubted.doubts, due)
	}
	doubted.verdict.Outcome, doubted.verdict.Reason, doubted.verdict.Correction = otherwise(&doubted.verdict)
	t.askProof(ctx, response, doubted)
}

// tellsOf reports whether words may tell the act of one of some tools.
func (r *userRequest) tellsOf(expected []intent.Expectation, words string) bool {
	acts := actsIn(words)
	return slices.ContainsFunc(expected, func(e intent.Expectation) bool {
		tool := toolNamed(r.offered, e.Tool)
		if tool == nil {
			return true
		}
		reading := readingOf(tool)
		return reading.Families.Empty() || reading.Families.Overlaps(acts)
	})
}

// endDeclined ends a turn whose model was told to call a tool, or to tell the user what
// prevents it, and stands by a text that tells nothing as done. That is its reason, in
// whatever words; a line of ours says what was not done.
func (t *Turn) endDeclined(ctx context.Context, answer Response, found finding) {
	t.info(ctx, "declined", "rule", found.fault.String())
	verdict := found.verdict
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithBlocker, completion.Blocked, ""
	draft := answer.Message.Text
	for _, expected := range found.missing {
		what := t.inUsersWords(expected, len(found.missing) == 1)
		answer = withLine(answer, t.guard.texts.notDone(what))
	}
	t.end(ctx, answer, verdict)
	t.reply.Draft, t.reply.ProofMissing = draft, true
}

// inUsersWords is what an expectation is about: the piece of the message that asks for
// it, a short message as a whole, or what the tool is for.
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

// forced is the strongest tool choice that is safe and that the model accepts:
// a named one, any, or none at all, which leaves the instruction to work alone.
func (t *Turn) forced(ctx context.Context, missing []intent.Expectation) Choice {
	t.forcedOn = nil
	for _, expected := range missing {
		if !t.certain(ctx, expected) {
			t.forcedOn = nil
			return Choice{}
		}
	}
	switch {
	case len(missing) == 1 && !t.caps.NoNamedChoice:
		return Choice{Mode: ChooseNamed, Tool: missing[0].Tool}
	case !t.caps.NoRequiredChoice:
		return Choice{Mode: ChooseRequired}
	}
	t.forcedOn = nil
	return Choice{}
}
