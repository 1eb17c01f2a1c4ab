package guard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// judgeSafely is judge, and the panic that it ended with.
func (t *Turn) judgeSafely(ctx context.Context, text string) (found finding, fault *contain.Panic) {
	if t.unread != nil { // the message itself could not be read
		return finding{fault: faultUnjudged}, t.unread
	}
	if fault = t.guard.contained(ctx, "judging", func() { found = t.judge(ctx, text) }); fault != nil {
		found = finding{fault: faultUnjudged}
	}
	return found, fault
}

// judge judges a text that would end the turn, with the titles that only the directories know.
func (t *Turn) judge(ctx context.Context, text string) (found finding) {
	var situation completion.Case
	for learned := true; learned; learned = readBackClaimed(ctx, t, &found) {
		situation = t.situation(text)
		found = findingOf(t.guard.evaluate(ctx, situation), situation, t.demands())
	}
	defer func() { // what is named, and the ways out of it
		if found.tier() == completion.Sure || found.correction != "" {
			t.wordCorrection(&found, situation)
		}
	}()
	settled := found.tier() == completion.Sure || !hasChangeClaim(&found.verdict)
	if settled || t.ownerless || len(t.guard.options.Directories) == 0 {
		return found
	}
	entries := t.known()
	for _, directory := range t.guard.options.Directories {
		entries = append(entries, entriesOf(ctx, t.guard, directory, t.input.Owner)...)
	}
	for i := range found.verdict.Claims {
		claim := &found.verdict.Claims[i]
		if claim.Kind != completion.ClaimChange || claim.Earlier {
			continue
		}
		if title := t.overclaimed(claim.Text, entries); title != "" {
			title = clipped(title)
			claim.Tier, claim.By = completion.Sure, nil
			claim.Fault = fmt.Sprintf("no successful call of this turn is about %q", title)
			found.fault = faultClaim
			found.verdict.Outcome, found.verdict.Reason = completion.InsufficientProgress, completion.UnbackedClaim
			found.verdict.Correction = fmt.Sprintf("You report a change of %q, but no successful tool call of this turn is "+
				"about it. Call the tool for it now, or report only what was done and say what prevents the rest.", title)
		}
	}
	return found
}

// hasChangeClaim reports whether a text tells a change of this turn as done.
func hasChangeClaim(verdict *completion.Verdict) bool {
	now := func(c completion.Claim) bool { return c.Kind == completion.ClaimChange && !c.Earlier }
	return slices.ContainsFunc(verdict.Claims, now)
}

// overclaimed finds, in an enumeration of titles ("Read book and Call mom"), one that nothing was done to while
// something was done to another. Titles that stand alone may be anything: a place, a comparison, a new name.
func (l *ledgerView) overclaimed(text string, entries []resolver.Entry) string {
	joining := []string{",", "and", ", and", "&", "and also", "as well as"} // make a list of titles
	isChanged := func(title string) bool {
		named := func(s tooltrack.Subject) bool { return strings.EqualFold(s.Title, title) }
		return slices.ContainsFunc(l.records, func(r *tooltrack.Record) bool {
			return r.Succeeded() && r.Effect.MayChange() && slices.ContainsFunc(r.Touched, named)
		})
	}
	found := titlesIn(text, entries)
	for i := 1; i < len(found); i++ {
		first, second := found[i-1], found[i]
		if !slices.Contains(joining, strings.ToLower(strings.Trim(text[first.to:second.from], " \"'“”‘’`*"))) {
			continue
		}
		one, other := text[first.from:first.to], text[second.from:second.to]
		switch changed := isChanged(one); {
		case changed == isChanged(other):
		case changed:
			return other
		default:
			return one
		}
	}
	return ""
}

// situation is what a judgement looks at.
func (t *Turn) situation(text string) completion.Case {
	earlier, records := tooltrack.Settled(t.earlier, t.evidence())
	var told []string // the prompt, and the messages before the user's
	for _, message := range t.input.Previous {
		told = append(told, message.Text)
	}
	if system := t.guard.options.System + t.input.System; system != "" {
		told = append(told, system)
	}
	return completion.Case{
		User: t.input.User, Previous: t.previous, Text: text, Tools: t.offered,
		Records: records, Earlier: earlier, Expected: t.expected, Contract: t.contract, Context: told,
	}
}

// wordCorrection puts the correction of a sure finding into words that ask for no call which the user's message
// does not ask for. What an evaluator of the host's own says is kept where every call may be asked for.
func (t *Turn) wordCorrection(found *finding, situation completion.Case) {
	calling, accused := completion.AnyCall, t.said.Accused || found.isAccusation()
	switch t.mayCall(nil, accused) {
	case proof.CallsThatRead:
		calling = completion.LookUps
	case proof.CallsHeldBack, proof.CallsBarred:
		calling = completion.NoCall
	}
	reason := cmp.Or(found.unsettled, found.verdict.Reason)
	if t.isMet(found) || reason == completion.LeakedCall && !t.mayMake(found.verdict.Leak.Tool) {
		calling = completion.NoCall
	}
	if reason == completion.LeakedCall && calling == completion.LookUps { // the tool only reads
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
	return isReading(tool) && !t.asked.isHoldingBack() || t.notAsked(tool, true) == ""
}

// isMet reports whether a false claim of a change is about something that the user's message does not speak of,
// while the request itself is met: the words are wrong, and nothing is missing.
func (t *Turn) isMet(found *finding) bool {
	claim := found.verdict.Unbacked()
	if found.fault != faultClaim || claim == nil || claim.Kind != completion.ClaimChange || !hasChanged(t.records) {
		return false
	}
	return areReads(t.asked.uncalled(t.records, t.offered)) && !match.SpeaksOf(t.input.User, claim.Text) &&
		match.HasFigures(t.records, t.wanted)
}

var (
	_ Evaluator = (*completion.Evaluator)(nil)
	_ Reviewer  = (*policy.Set)(nil)
)

// longText is the length in bytes from which on a judgement may take as long as a model's deadline is short.
const longText = 32 << 10

// evaluate judges a text, and is back when the context ends. A judgement that has not come by then is the zero
// verdict, which nobody may act on: see to it that the context is still good.
func (g *Guard) evaluate(ctx context.Context, turn completion.Case) completion.Verdict {
	quick := g.options.Evaluator == nil && len(turn.Text) < longText
	if quick || ctx.Done() == nil {
		return g.evaluateSafely(turn)
	}
	var verdict completion.Verdict
	ended := make(chan *contain.Panic, 1) // it may end when nobody waits any more
	contain.Go("judging aside", func() { verdict = g.evaluateSafely(turn) }, func(fault *contain.Panic) { ended <- fault })
	select {
	case fault := <-ended:
		if fault != nil {
			panic(fault) // for the stage that waits
		}
		return verdict
	case <-ctx.Done():
		g.hostFault(ctx, "Options.Evaluator", ctx.Err())
		return completion.Verdict{}
	}
}

// evaluateSafely survives an evaluator of the host's own that panics: the text is then judged by the guard's.
func (g *Guard) evaluateSafely(turn completion.Case) (verdict completion.Verdict) {
	if g.options.Evaluator == nil {
		return g.evaluator.Evaluate(turn)
	}
	defer func() {
		if recover() != nil {
			g.counters.hostFault("Options.Evaluator")
			verdict = g.evaluator.Evaluate(turn)
		}
	}()
	return g.options.Evaluator.Evaluate(turn)
}

// evaluateBeside judges a text that does not end the turn: nothing is due yet.
func (t *Turn) evaluateBeside(ctx context.Context, text string) completion.Verdict {
	situation := t.situation(text)
	situation.Contract, situation.Expected = completion.Chat(), nil
	situation.Records = slices.Concat(situation.Records, t.presumed())
	return clearedVerdict(ctx, t.guard, situation, &t.asked)
}

// clearedVerdict is the verdict about a text, without what is held against claims that are none or need no record.
func clearedVerdict(ctx context.Context, g *Guard, turn completion.Case, asked *demands) completion.Verdict {
	verdict := g.evaluate(ctx, turn)
	j := judging{demands: asked, turn: turn, verdict: &verdict}
	j.clearClaims()
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

// Judgement is what the guard says about a recorded turn.
type Judgement struct {
	// Intent is what was asked for.
	Intent intent.Intent
	// Verdict is the judgement of the text.
	Verdict completion.Verdict
	// Tier is how sure the guard is that the text cannot end the turn: it would act when sure, and ask for proof of
	// Doubts when unsure.
	Tier   completion.Tier
	Doubts []Doubt
	// Insisted are the tools that the message asks for beyond doubt: the guard does not let a turn end without
	// them. Missing are those that were not called.
	Insisted, Missing []string
	// Due is true when an answer without calls, questions or blockers would be asked about.
	Due bool
}

// Judge judges a turn that is over as it would have been judged while it ran, but without a model, an executor,
// directories or the ledger. Nothing is counted or stored. Of a turn without a text it says what the message asks
// for. If the classifier fails, its error is returned, and the text is judged as if nothing were expected. With an
// [ErrUnjudged] there is no judgement.
func (g *Guard) Judge(ctx context.Context, turn Recorded) (Judgement, error) {
	if ctx == nil {
		return Judgement{}, ErrNoContext
	}
	t, found, err := g.judgePast(ctx, turn)
	if t == nil {
		return Judgement{Tier: completion.Unsure}, err
	}
	sure := slices.DeleteFunc(slices.Clone(t.asked.wants), func(w want) bool { return !w.sure })
	return Judgement{
		Intent: t.intent, Verdict: found.verdict, Tier: found.tier(), Doubts: found.doubts,
		Insisted: toolsOf(sure), Missing: toolsOf(found.missing), Due: t.asked.mayBeDue(),
	}, err
}

// judgePast judges a turn that is over. Without a turn there is no judgement.
func (g *Guard) judgePast(ctx context.Context, turn Recorded) (t *Turn, found finding, err error) {
	fault := g.contained(ctx, "judging", func() {
		t, err = g.recall(ctx, turn)
		found = t.judge(ctx, turn.Text)
	})
	if fault != nil {
		return nil, finding{}, unjudgedError(fault)
	}
	return t, found, err
}

// recall reads a turn that is over as a living one is.
func (g *Guard) recall(ctx context.Context, turn Recorded) (*Turn, error) {
	found, err := g.classify(ctx, intent.Utterance{User: turn.User, Previous: turn.Previous})
	t := &Turn{guard: g, driver: messagesOnly}
	t.userRequest = userRequest{
		input: Input{User: turn.User}, ownerless: true, offered: g.tools, intent: found, wanted: turn.User,
		contract: g.options.contractFor(found.Kind), previous: turn.Previous,
		asked: g.demandsOf(turn.User, found, g.tools, nil),
	}
	for _, text := range slices.Backward(turn.Before) {
		t.input.Previous = append(t.input.Previous, Message{Role: RoleAssistant, Text: text})
	}
	t.expected = toolsOf(t.asked.wants)
	t.earlier, t.records = withLaterReads(g, g.informed(withoutNil(turn.Earlier)), g.informed(withoutNil(turn.Records)))
	return t, err
}

// Question is the request for proof that the guard would have made about a turn that is over.
type Question struct {
	// Letters are what it asks about. Where the turn would pass or be refused without it, they are all sentences
	// that report something.
	Letters []proof.Letter
	// List are the calls that an answer may cite, numbered over Earlier, then Records.
	List  proof.List
	turn  *Turn
	draft Response
	found finding
}

// Question returns what the model would have been asked about the text of a turn that is over. [proof.Ask] puts it
// into words, and [proof.Read] reads the answer. Its error is that of the classifier; the answer can be checked all
// the same.
func (g *Guard) Question(ctx context.Context, turn Recorded) (*Question, error) {
	if ctx == nil {
		return nil, ErrNoContext
	}
	t, found, err := g.judgePast(ctx, turn)
	if t == nil {
		return nil, err
	}
	q := &Question{List: proof.NewList(withoutNil(turn.Earlier), withoutNil(turn.Records)), turn: t, found: found}
	q.draft.Message.Text = turn.Text
	doubts := found.doubts
	for i := range found.verdict.Claims { // and what would be refused without a question
		if claim := &found.verdict.Claims[i]; claim.Tier == completion.Sure {
			doubts = append(doubts, Doubt{Claim: claim, Words: claim.Text, Probability: 1})
		}
	}
	q.Letters = t.lettersFor(turn.Text, doubts)
	return q, err
}

// Check checks an answer against the calls, as it is done while a turn runs. Shown is what the user would read if
// it holds: the text, and a line for each thing that was not done and that the text does not mention.
func (q *Question) Check(ctx context.Context, answer proof.Answer) (shown string, faults []proof.Fault) {
	p := &proving{draft: q.draft, found: q.found, list: q.List, letters: q.Letters}
	fault := q.turn.guard.contained(ctx, "checking a proof", func() {
		result := proof.Check(answer, q.turn.proofCase(ctx, p))
		if faults = result.Faults; len(faults) == 0 {
			shown = q.turn.guard.shown(result)
		}
	})
	if fault != nil {
		return "", []proof.Fault{{Rule: "unjudged", Reason: fault.Error()}}
	}
	return shown, faults
}

// RecordsOf reads the calls and results of a conversation from its messages, one record for each call, in order,
// with what later reads show of changes. Results are graded [tooltrack.Reported]: a message says that the call ran.
// A call without a result has the status Unknown. The options say how the host's results are to be read; nil is the
// default.
func (g *Guard) RecordsOf(messages []Message, options *tooltrack.ParseOptions) []*tooltrack.Record {
	_, records := withLaterReads(g, nil, recordsOf(messages, g.tools, options))
	return records
}
