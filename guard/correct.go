package guard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
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

// denies reports whether a text says no to something.
func denies(text string) bool {
	read := reading.English().ReadClauses(nil, text)
	for i := range read.Tokens {
		if read.Tokens[i].Class().Has(lexicon.Negation|lexicon.Refusal) || read.Roles[i]&reading.RoleNegative != 0 {
			return true
		}
	}
	return false
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
func (t *Turn) tellsOf(expected []intent.Expectation, words string) bool {
	acts := actsIn(words)
	return slices.ContainsFunc(expected, func(e intent.Expectation) bool {
		tool := toolNamed(t.offered, e.Tool)
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
func (t *Turn) inUsersWords(expected intent.Expectation, alone bool) string {
	const short = 80
	words, message := strings.TrimSpace(expected.Words), strings.TrimSpace(t.input.User)
	switch {
	case strings.Contains(words, " "):
		return words
	case alone && len(message) <= short && !strings.ContainsAny(message, "\r\n"):
		return message
	}
	return inWords(expected.Tool)
}

// wordCorrection puts the correction of a sure finding into words that ask for no call
// which the user's message does not ask for. What an evaluator of the host's own says is
// kept where every call may be asked for.
func (t *Turn) wordCorrection(found *finding, situation completion.Case) {
	calling, accused := completion.AnyCall, t.accused || found.accuses()
	switch t.mayCall(nil, accused) {
	case proof.CallsThatRead:
		calling = completion.LookUps
	case proof.CallsHeldBack, proof.CallsBarred:
		calling = completion.NoCall
	}
	if t.met(found) || found.verdict.Reason == completion.LeakedCall && !t.mayMake(found.verdict.Leak.Tool) {
		calling = completion.NoCall
	}
	if found.verdict.Reason == completion.LeakedCall && calling == completion.LookUps { // the tool only reads
		calling = completion.AnyCall
	}
	if calling == completion.AnyCall {
		return
	}
	if found.fault == faultDoubt {
		verdict := found.verdict
		verdict.Outcome, verdict.Reason = completion.InsufficientProgress, found.unsettled
		found.correction = verdict.CorrectionFor(situation, calling)
		return
	}
	found.verdict.Correction = found.verdict.CorrectionFor(situation, calling)
}

// mayMake reports whether a call that was written as text may be asked for.
func (t *Turn) mayMake(name string) bool {
	tool := toolNamed(t.offered, name)
	if tool == nil || t.barred {
		return false
	}
	return readsOnly(tool) && !t.asked.holdsBack() || t.notAsked(tool, true) == ""
}

// met reports whether a false claim of a change is about something that the user's
// message does not speak of, while the request itself is met: the words are wrong, and
// nothing is missing.
func (t *Turn) met(found *finding) bool {
	claim := found.verdict.Unbacked()
	if found.fault != faultClaim || claim == nil || claim.Kind != completion.ClaimChange || !changed(t.records) {
		return false
	}
	open := missing(t.asked.expected, t.records, t.offered)
	changes := func(e intent.Expectation) bool { return !readsAlone(e, t.offered) }
	return !slices.ContainsFunc(open, changes) && !speaksOf(t.input.User, claim.Text) && haveFigures(t.records, t.wanted)
}

// haveFigures reports whether calls have each figure of a message: who asked for 450 and got
// 45 has not got it.
func haveFigures(records []*tooltrack.Record, message string) bool {
	called := valueKeys{}
	for _, record := range records {
		called.add(valuesIn(string(record.Args)))
	}
	return !slices.ContainsFunc(valuesIn(message), func(v reading.Value) bool {
		return v.Kind == reading.Number && !called[v.Key]
	})
}

// speaksOf reports whether a message speaks of what a claim is about: it has each number
// and name of it, and half of its other words.
func speaksOf(message, claim string) bool {
	said, values := valuesIn(message).keys(), valuesIn(claim)
	shared := 0
	for _, v := range values {
		if said[v.Key] {
			shared++
		} else if v.Kind != reading.Word || v.Entry == nil {
			return false
		}
	}
	return 2*shared >= len(values)
}

// instruction is the instruction for missing tools. It always leaves a way
// out: a model that must call a tool it cannot call would invent a reason
// or an argument.
func (t *Turn) instruction(missing []intent.Expectation) Message {
	role := RoleSystem
	if t.caps.NoLateSystem {
		role = RoleUser
	}
	return Message{Role: role, Text: forcedText(missing, t.guard.dateContext()), Internal: true}
}

func forcedText(missing []intent.Expectation, dates string) string {
	var text strings.Builder
	if len(missing) == 1 {
		fmt.Fprintf(&text, "The user asks for what the tool %s does, and it was not called. Call it now. "+
			"If the user did not mean that or took it back, or if something prevents it, tell the user exactly that instead.",
			missing[0].Tool)
	} else {
		tools := make([]string, len(missing))
		for i, expected := range missing {
			tools[i] = expected.Tool
		}
		fmt.Fprintf(&text, "The user asks for what these tools do, and they were not called: %s. Call them now. "+
			"If the user did not mean that or took it back, or if something prevents it, tell the user exactly that instead.",
			strings.Join(tools, ", "))
	}
	if dates != "" {
		text.WriteString("\n\n")
		text.WriteString(dates)
	}
	return text.String()
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
