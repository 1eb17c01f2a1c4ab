package guard

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// findingOf decides whether a text may end a turn, by what the evaluator found in
// it. It is pure: the same turn and text get the same answer whichever way in
// they came.
func findingOf(evaluated completion.Verdict, turn completion.Case, asked demands) finding {
	found := finding{verdict: evaluated}
	verdict := &found.verdict
	if !verdict.Outcome.Completed() && verdict.Reason == completion.LeakedCall {
		if !asked.isForShow() {
			found.fault = faultLeaked
			return found
		}
		verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithWork, completion.NothingDue, ""
	}
	asked.clearClaims(turn, verdict)
	asked.begun(turn, verdict)
	undone, mentioned := asked.withoutTold(asked.undone(turn, verdict), turn)
	if !verdict.Unread { // else it may say what prevents it, and is asked
		found.missing = asked.insisted(undone, turn, verdict.FoundSo || canBeFoundByLook(turn, verdict), mentioned)
	}
	switch {
	case len(found.missing) > 0:
		found.fault = faultMissing
		if verdict.Outcome.Completed() {
			verdict.Reason = completion.NoWork
			if hasChanged(turn.Records) { // a part is done
				verdict.Reason = completion.MissingRequirement
			}
		}
		verdict.Outcome = completion.InsufficientProgress
	case verdict.Ghost():
		found.fault = faultClaim
	case !verdict.Outcome.Completed() && asked.isCertain(verdict):
		found.fault = faultOther
	default:
		found.doubts = append(asked.claimDoubts(turn, verdict), asked.outcomeDoubts(verdict)...)
		if len(found.doubts) == 0 {
			found.doubts = asked.refuted(turn, verdict)
		}
		if len(found.doubts) == 0 {
			found.doubts = asked.dueDoubts(undone, turn, verdict)
		}
		if !verdict.Outcome.Completed() { // what it would be if the doubt is settled
			found.unsettled, found.correction = verdict.Reason, verdict.Correction
			verdict.Outcome, verdict.Reason, verdict.Correction = outcomeIfCleared(verdict)
		}
		if len(found.doubts) > 0 {
			found.fault = faultDoubt
		}
	}
	return found
}

// hasUnfinished reports whether a call of this turn was accepted and is not done yet, or one of
// an earlier turn that it asks about is not done, or has failed.
func hasUnfinished(turn completion.Case) bool {
	open := func(r *tooltrack.Record) bool { return r.Result.Status == tooltrack.Pending && r.Effect.MayChange() }
	jobs := tooltrack.JobsOf(slices.Concat(turn.Earlier, turn.Records))
	return slices.ContainsFunc(turn.Records, func(r *tooltrack.Record) bool {
		launch := jobs.Launch(r)
		return open(r) || slices.Contains(turn.Earlier, launch) && (open(launch) || launch.Result.Status == tooltrack.Failed)
	})
}

// isForShow reports whether a message wants to see a call rather than have it made: "show me
// the JSON, but don't run it", "how do I call it?".
func (d *demands) isForShow() bool {
	switch d.hold {
	case intent.Forbidden, intent.Drafted, intent.Explained, intent.Supposed:
		return true
	}
	return false
}

// undone are the expected tools that were not called and that no blocker in the
// text accounts for.
func (d *demands) undone(turn completion.Case, verdict *completion.Verdict) []intent.Expectation {
	if verdict.Outcome == completion.CompletedWithBlocker || verdict.Asks && !verdict.Ghost() {
		return nil // what is asked first is a legitimate end
	}
	open := uncalled(d.expected, turn.Records, turn.Tools)
	partly := len(open) < len(d.expected) || hasChanged(turn.Records)
	if verdict.Outcome.Completed() && verdict.Blocker.Kind != completion.NoBlocker && partly {
		return nil // a part is done, and the text says what the rest waits for
	}
	return open
}

// insisted are the undone expectations that are beyond doubt. That the text claims
// to have done them does not make them so: the claim is refused for what it is, and
// the model may call the tool, or say that it did not. A change of what was found to be
// so already is not.
func (d *demands) insisted(
	undone []intent.Expectation, turn completion.Case, found, mentioned bool,
) []intent.Expectation {
	var sure []intent.Expectation
	for _, expected := range undone {
		tool := toolNamed(turn.Tools, expected.Tool)
		already := found && tool != nil && tool.Effect.MayChange()
		known := isKnownOtherwise(expected, turn, mentioned) || isPerhapsDoneByAnotherTool(expected, d.expected, turn) ||
			d.maybeMade(expected.Tool)
		if d.isSureOf(expected.Tool) && !already && !known {
			sure = append(sure, expected)
		}
	}
	return sure
}

// canBeFoundByLook reports whether a text may say why a change was not made by what was looked
// up: "that was refunded on Monday". Whoever neither claims nor announces the change is asked.
func canBeFoundByLook(turn completion.Case, verdict *completion.Verdict) bool {
	return hasLooked(turn.Records) && !hasChanged(turn.Records) && !verdict.Ghost() &&
		verdict.Reason != completion.Promise && !isBare(turn.Text)
}

func (d *demands) isSureOf(tool string) bool { return slices.Contains(d.sure, tool) }

// isKnownOtherwise reports whether what a look-up is for may be known without it: an
// earlier turn made it, the values that the text tells are mentioned in the host's
// prompts, or this turn is a long piece of work in which one look-up more or less is
// the model's to decide. Whether it was needed, a proof can say.
func isKnownOtherwise(expected intent.Expectation, turn completion.Case, mentioned bool) bool {
	const longWork = 5
	if tool := toolNamed(turn.Tools, expected.Tool); tool == nil || tool.Effect.MayChange() {
		return false
	}
	if mentioned {
		return true
	}
	proving := 0
	for _, r := range turn.Records {
		if r.Proves() {
			proving++
		}
	}
	return proving >= longWork || slices.ContainsFunc(turn.Earlier, func(r *tooltrack.Record) bool {
		return r.Tool == expected.Tool && r.Proves()
	})
}

// isCertain reports whether it is beyond doubt that a turn falls short. That a
// change was due at all is a guess about words, unless the host says so or the
// reading leaves no doubt.
func (d *demands) isCertain(verdict *completion.Verdict) bool {
	switch verdict.Reason {
	case completion.NoWork, completion.ReadOnlyLoop:
		return d.strict
	case completion.Promise, completion.UnreportedFailure:
		return (d.strict || verdict.Confidence >= d.outcome) && !d.isPromiseOfNothing(verdict)
	}
	return true
}

// isPromiseOfNothing reports whether an announcement answers a message that holds back what
// it speaks of: "I'll ask you first" is no work that somebody has to do.
func (d *demands) isPromiseOfNothing(verdict *completion.Verdict) bool {
	return verdict.Reason == completion.Promise && d.hold != intent.Drafted && d.isHoldingBack()
}

// outcomeDoubts are what may be wrong with a text as a whole: it may only
// announce, or keep a failure quiet.
func (d *demands) outcomeDoubts(verdict *completion.Verdict) []Doubt {
	told := verdict.Reason == completion.Promise || verdict.Reason == completion.UnreportedFailure
	if verdict.Outcome.Completed() || !told || verdict.Confidence < likely || d.isPromiseOfNothing(verdict) {
		return nil
	}
	return []Doubt{{Probability: verdict.Confidence}}
}

// idle is the probability of being due below which a message is talk, and talk the
// doubt below which a claim in the answer to it is not asked about. Of our labelled
// texts without calls that asking below it would add, 26 are honest and 15 are not;
// above it, most are not.
const idle, talk = 0.35, 0.65

// claimDoubts are the claims that no record clearly backs. Where nothing was asked
// for and nothing was called, a text is mostly talk: only what reads strongly
// like a report is asked about.
func (d *demands) claimDoubts(turn completion.Case, verdict *completion.Verdict) []Doubt {
	var doubts []Doubt
	for _, claim := range verdict.Unsure() {
		if d.isDoubtful(turn, &claim) {
			doubts = append(doubts, Doubt{Claim: &claim, Words: claim.Text, Probability: claim.Doubt})
		}
	}
	return doubts
}

func (d *demands) isDoubtful(turn completion.Case, claim *completion.Claim) bool {
	if d.due < idle && len(turn.Records) == 0 && claim.Doubt < talk {
		return false
	}
	if d.isHoldingBack() && len(turn.Records) == 0 && !isTellingDone(claim.Text) {
		return false // "My lips are sealed"
	}
	if reading.Supposes(claim.Text) {
		return false // "In theory I could"
	}
	if d.readings == nil {
		return true
	}
	known := d.matched(turn)
	recalled := len(d.sure) == 0 && known.IsRecalled(claim.Text)
	return !recalled && !known.IsPlain(claim.Text)
}

// dueDoubts are what may be due and was not done, where the text neither asks
// nor says what prevents it.
func (d *demands) dueDoubts(undone []intent.Expectation, turn completion.Case, verdict *completion.Verdict) []Doubt {
	if !d.mayBeDue() || verdict.Asks {
		return nil
	}
	blocked := verdict.Blocker.Kind != completion.NoBlocker
	var doubts []Doubt
	worked := slices.ContainsFunc(turn.Records, (*tooltrack.Record).Proves)
	for _, expected := range undone {
		if blocked && !(d.isSureOf(expected.Tool) && isPerhapsDoneByAnotherTool(expected, d.expected, turn)) {
			continue // it says why not
		}
		if worked && !d.isSureOf(expected.Tool) && isBare(expected.Words) {
			continue // "yes" meant what was offered, and that may be the call that was made
		}
		doubts = append(doubts, Doubt{Tool: expected.Tool, Words: expected.Words, Probability: expected.Confidence})
	}
	nothing := !blocked && len(d.expected) == 0 && (len(turn.Records) == 0 || verdict.Reason == completion.ReadOnlyLoop)
	if len(doubts) == 0 && nothing {
		doubts = append(doubts, Doubt{Probability: d.due})
	}
	return doubts
}

// refuted are the pieces of a text that records say otherwise of, although nothing else speaks against them: a
// change that is believed and was made with another sum, one that is told as not made where none failed and no
// other is told, and a job that is told as over before it is.
func (d *demands) refuted(turn completion.Case, verdict *completion.Verdict) (doubts []Doubt) {
	if d.readings == nil {
		return nil
	}
	const doubt = 0.7 // as grave as a claim that is not shown without proof
	told := false
	add := func(words string) {
		claim := &completion.Claim{Kind: completion.ClaimChange, Text: words, Tier: completion.Unsure, Doubt: doubt}
		doubts = append(doubts, Doubt{Claim: claim, Words: words, Probability: doubt})
	}
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		change := claim.By != nil && claim.By.Effect.MayChange()
		told = told || change
		if change && claim.Tier == completion.Clean && hasOwnWords(claim, turn.User) &&
			d.matched(turn).Contradicted(claim.Text, claim.By) {
			add(claim.Text)
		}
	}
	failed := func(r *tooltrack.Record) bool {
		return r.Effect.MayChange() && (!r.Succeeded() || hasDenial(r.Result.Text()))
	}
	denied := !told && slices.ContainsFunc(turn.Records, isDeclaredChange) && !slices.ContainsFunc(turn.Records, failed)
	if early := !hasChanged(turn.Records) && hasUnfinished(turn); denied || early {
		known := d.matched(turn)
		for _, piece := range match.Pieces(turn.Text) {
			if words := piece.Text(); denied && known.Disowns(words) || early && known.IsTooEarly(words) {
				add(words)
			}
		}
	}
	return doubts
}

// hasOwnWords reports whether a claim has a figure, or a word of the user's, that does not stand in its call as it
// is written. Most have none, and need no closer look.
func hasOwnWords(claim *completion.Claim, user string) bool {
	const least = 4 // letters: shorter words seldom name a thing
	user = strings.ToLower(user)
	between := func(r rune) bool { return !unicode.IsLetter(r) && (r < '0' || r > '9') }
	for word := range strings.FieldsFuncSeq(strings.ToLower(claim.Text), between) {
		names := word[0] <= '9' || len(word) >= least && strings.Contains(user, word)
		if names && !reading.ContainsFold(claim.By.Args, word) && !reading.ContainsFold(claim.By.Result.Data, word) &&
			!strings.Contains(strings.ToLower(claim.By.Tool), word) {
			return true
		}
	}
	return false
}

// isDeclaredChange reports whether a call succeeded whose tool says itself that it changes
// something: one that says nothing may only look.
func isDeclaredChange(r *tooltrack.Record) bool {
	return r.Succeeded() && r.Effect == tooltrack.Changes
}

// likely is what it must be at least that a text falls short to be asked about. Of
// turns that end in an announcement and were left out while fitting, about half do
// from here on.
const likely = 0.3

// begun makes a verdict good that takes a text to keep quiet about a call which is not done
// yet, where the text tells just that: it was begun, and goes on.
func (d *demands) begun(turn completion.Case, verdict *completion.Verdict) {
	if verdict.Outcome.Completed() || verdict.Reason != completion.UnreportedFailure || d.readings == nil ||
		!d.matched(turn).IsBegun(turn.Text) {
		return
	}
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithBlocker, completion.Blocked, ""
}
