package guard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// correct puts a correction behind the text that did not pass. Both are seen by the model only.
func (t *Turn) correct(ctx context.Context, message Message, found finding) {
	message.Internal = true
	correction := Message{Role: RoleUser, Text: found.verdict.Correction, Internal: true}
	if found.fault == faultMissing {
		correction = t.instruction(forcedText(found.missing, t.guard.dateContext()))
		// A tool choice leaves no way out: "it has to be kept for ten years" is an answer.
		if t.said.Insisted = true; isEvading(&found, message.Text, isBare) || areReads(found.missing) {
			t.choice = t.forced(ctx, found.missing)
		}
		t.guard.counters.note(func(sum *Counters) { sum.AskedAgain++ })
	} else {
		t.guard.counters.note(func(sum *Counters) { sum.Corrected++ })
	}
	t.said.Accused = t.said.Accused || found.isAccusation()
	if found.verdict.Ghost() {
		found.records = len(t.records)
		t.caught = &found
	}
	t.said.Settled = t.said.Settled || t.isMet(&found)
	t.said.Required = t.said.Required || found.verdict.Reason == completion.MissingRequirement
	t.lastFault = &found
	t.said.Retry = found.fault.String()
	if found.fault == faultOther {
		t.said.Retry = found.verdict.Reason.String()
	}
	if message.Text != "" || len(message.Raw) > 0 {
		t.messages = append(t.messages, message)
	}
	t.messages = append(t.messages, correction)
	t.info(ctx, "asked again",
		"rule", found.fault.String(), "reason", found.verdict.Reason.String(), "choice", t.choice.String())
}

// forcedText asks for missing tools. It always leaves a way out: a model that must call a tool it cannot call would
// invent a reason or an argument.
func forcedText(missing []want, dates string) string {
	asked := "what the tool %s does, and it was not called. Call it now. "
	if len(missing) != 1 {
		asked = "what these tools do, and they were not called: %s. Call them now. "
	}
	text := "The user asks for " + fmt.Sprintf(asked, strings.Join(toolsOf(missing), ", ")) +
		"If the user did not mean that or took it back, or if something prevents it, tell the user exactly that instead."
	if dates != "" {
		text += "\n\n" + dates
	}
	return text
}

// isEvading reports whether a text neither does what is missing nor may give a reason against it: it claims it,
// announces it, or says as little as blank tells.
func isEvading(found *finding, text string, blank func(text string) bool) bool {
	verdict := &found.verdict
	return verdict.Ghost() || verdict.Reason == completion.Promise || blank(text) && !reading.HasDenial(text)
}

// takeDeclined takes a text that stands by not making a call. Whether it tells the very act as done all the same,
// it is asked; what else it tells is its reason.
func (t *Turn) takeDeclined(ctx context.Context, response Response, found finding) {
	doubted := found
	doubted.fault, doubted.missing = faultDoubt, nil
	j := judging{demands: &t.asked, turn: t.situation(response.Message.Text), verdict: &doubted.verdict}
	for _, doubt := range j.claimDoubts() {
		if doubt.Claim.Kind == completion.ClaimChange && hasActOf(found.missing, doubt.Words) {
			doubted.doubts = append(doubted.doubts, doubt)
		}
	}
	if t.guard.options.Proof == Always && len(doubted.doubts) == 0 {
		doubted.doubtAll(response.Message.Text)
	}
	if len(doubted.doubts) == 0 || !t.isProofWanted(doubted) {
		t.endDeclined(ctx, response, found)
		return
	}
	for _, w := range found.missing {
		doubted.doubts = append(doubted.doubts, w.doubt())
	}
	settleInFavour(&doubted.verdict)
	t.askProof(ctx, response, doubted)
}

// hasActOf reports whether words may tell the act of one of some tools.
func hasActOf(wants []want, words string) bool {
	acts := reading.ActsIn(words)
	return slices.ContainsFunc(wants, func(w want) bool {
		if w.tool == nil {
			return true
		}
		does := readingOf(w.tool).Families
		return does.Empty() || does.Overlaps(acts)
	})
}

// forced is the strongest tool choice that is safe and that the model accepts: a named one, any, or none at all,
// which leaves the instruction to work alone.
func (t *Turn) forced(ctx context.Context, missing []want) Choice {
	t.forcedOn = nil
	for _, w := range missing {
		if !t.canForce(ctx, w.Expectation) {
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

// holdToCaught judges a text that goes on after one which told as done what was not. Where nothing has been done
// since, and it neither takes that back nor asks, and names nothing that prevents it, what was found of that one
// stands: "It's all taken care of" is no claim that a record could refute, and after a refuted one no answer. Where
// something was done, but nothing changed, each sentence is in doubt: "the landlord knows about it" may tell in
// other words what was refused before.
func (t *Turn) holdToCaught(text string, found *finding) {
	if t.caught == nil || isYielding(text, &found.verdict) {
		return
	}
	worked := func(r *tooltrack.Record) bool { return r.Succeeded() || r.Result.Status == tooltrack.Pending }
	claimed := func(d Doubt) bool { return d.Claim != nil }
	sure := found.tier() == completion.Sure
	switch {
	case (!sure || found.fault == faultMissing) && t.asked.mayBeDue() && !slices.ContainsFunc(t.evidence(), worked) &&
		!reading.English().ReadClauses(nil, text).Foreign():
		*found = *t.caught
	case sure, !hasChangeClaim(&t.caught.verdict), !t.asked.canWantChange(), isJSON(text), reading.HasDenial(text),
		slices.ContainsFunc(found.doubts, claimed), hasChanged(t.records[min(t.caught.records, len(t.records)):]):
	default:
		found.doubtAll(text)
	}
}

// isYielding reports whether a text asks something, names what prevents the work, or takes back what one before it
// told.
func isYielding(text string, verdict *completion.Verdict) bool {
	return verdict.Asks || verdict.Blocker.Kind != completion.NoBlocker ||
		reading.EndsAsking(text) || reading.TakesBack(text)
}

// doubtAll puts each sentence of a text in doubt that may report something.
func (f *finding) doubtAll(text string) {
	for _, letter := range wholeText(text) {
		claim := &completion.Claim{Kind: completion.ClaimChange, Tier: completion.Unsure, Text: letter.Text}
		f.doubts, f.fault = append(f.doubts, Doubt{Claim: claim, Words: letter.Text, Probability: 1}), faultDoubt
	}
}
