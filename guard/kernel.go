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

// findingOf decides whether a text may end a turn, by what the evaluator found in it. It is pure: the same turn and
// text get the same answer whichever way in they came.
func findingOf(evaluated completion.Verdict, turn completion.Case, asked *demands) (found finding) {
	found.verdict = evaluated
	verdict := &found.verdict
	j := judging{demands: asked, turn: turn, verdict: verdict}
	if !verdict.Outcome.Completed() && verdict.Reason == completion.LeakedCall {
		if !j.isForShow() {
			found.fault = faultLeaked
			return found
		}
		verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithWork, completion.NothingDue, ""
	}
	j.clearClaims()
	j.clearBegun()
	undone, mentioned := j.withoutTold(j.undone())
	if !verdict.Unread { // else it may say what prevents it, and is asked
		found.missing = j.insisted(undone, mentioned)
	}
	switch {
	case len(found.missing) > 0:
		found.fault = faultMissing
		if verdict.Outcome.Completed() {
			verdict.Reason = completion.NoWork
			if hasChanged(j.turn.Records) { // a part is done
				verdict.Reason = completion.MissingRequirement
			}
		}
		verdict.Outcome = completion.InsufficientProgress
	case verdict.Ghost():
		found.fault = faultClaim
	case !verdict.Outcome.Completed() && j.isCertain():
		found.fault = faultOther
	default:
		found.doubts = append(j.claimDoubts(), j.outcomeDoubts()...)
		if len(found.doubts) == 0 {
			found.doubts = j.refuted()
		}
		if len(found.doubts) == 0 {
			found.doubts = j.dueDoubts(undone)
		}
		if !verdict.Outcome.Completed() { // what it would be if the doubt is settled
			found.unsettled, found.correction = verdict.Reason, verdict.Correction
			settleInFavour(verdict)
		}
		if len(found.doubts) > 0 {
			found.fault = faultDoubt
		}
	}
	return found
}

// matched is the turn as its claims are held against its records, which are read once for all of them; nil where
// the host's tools were not read.
func (j *judging) matched() *match.Turn {
	if j.match == nil && j.readings != nil {
		words := match.Words{User: j.turn.User, Previous: j.turn.Previous, Acting: j.isActing()}
		records := slices.Concat(j.turn.Earlier, j.turn.Records)
		j.match = match.NewTurn(j.readings(), j.turn.Tools, words, len(j.turn.Earlier), records)
	}
	return j.match
}

// hasUnfinished reports whether a call of this turn was accepted and is not done yet, or one of an earlier turn
// that it asks about is not done, or has failed.
func (j *judging) hasUnfinished() bool {
	open := func(r *tooltrack.Record) bool { return r.Result.Status == tooltrack.Pending && r.Effect.MayChange() }
	jobs := tooltrack.JobsOf(slices.Concat(j.turn.Earlier, j.turn.Records))
	return slices.ContainsFunc(j.turn.Records, func(r *tooltrack.Record) bool {
		launch := jobs.Launch(r)
		before := slices.Contains(j.turn.Earlier, launch)
		return open(r) || before && (open(launch) || launch.Result.Status == tooltrack.Failed)
	})
}

// undone are the expected tools that were not called and that no blocker in the text accounts for.
func (j *judging) undone() []want {
	verdict, records := j.verdict, j.turn.Records
	if verdict.Outcome == completion.CompletedWithBlocker || verdict.Asks && !verdict.Ghost() {
		return nil // what is asked first is a legitimate end
	}
	open := j.uncalled(records, j.turn.Tools)
	partly := len(open) < len(j.wants) || hasChanged(records)
	if verdict.Outcome.Completed() && verdict.Blocker.Kind != completion.NoBlocker && partly {
		return nil // a part is done, and the text says what the rest waits for
	}
	return open
}

// insisted are the undone wants that are beyond doubt. That the text claims to have done them does not make them
// so: the claim is refused for what it is, and the model may call the tool, or say that it did not. Not insisted on
// is a change that another tool, or an earlier turn by its summary, may have made, or that may have been found to
// be so by a look: "that was refunded on Monday". Who neither claims nor announces it is asked.
func (j *judging) insisted(undone []want, mentioned bool) (sure []want) {
	verdict, records := j.verdict, j.turn.Records
	found := verdict.FoundSo || hasLooked(records) && !hasChanged(records) && !verdict.Ghost() &&
		verdict.Reason != completion.Promise && !isBare(j.turn.Text)
	for _, w := range undone {
		already := w.changes() && (found || j.isPerhapsDoneByAnotherTool(w, j.turn))
		known := w.reads() && (mentioned || j.isKnownOtherwise(w.Tool))
		if j.isSureOf(w.Tool) && !already && !known && !j.maybeMade(w.Tool) {
			sure = append(sure, w)
		}
	}
	return sure
}

// isKnownOtherwise reports whether what a look-up is for may be known without it: an earlier turn made it, or this
// turn is a long piece of work in which one look-up more or less is the model's to decide. Whether it was needed, a
// proof can say.
func (j *judging) isKnownOtherwise(tool string) bool {
	const longWork = 5
	proving := 0
	for _, r := range j.turn.Records {
		if r.Proves() {
			proving++
		}
	}
	return proving >= longWork || slices.ContainsFunc(j.turn.Earlier, func(r *tooltrack.Record) bool {
		return r.Tool == tool && r.Proves()
	})
}

// isCertain reports whether it is beyond doubt that a turn falls short. That a change was due at all is a guess
// about words, unless the host says so or the reading leaves no doubt.
func (j *judging) isCertain() bool {
	switch j.verdict.Reason {
	case completion.NoWork, completion.ReadOnlyLoop:
		return j.strict
	case completion.Promise, completion.UnreportedFailure:
		return (j.strict || j.verdict.Confidence >= j.outcome) && !j.isPromiseOfNothing()
	}
	return true
}

// isPromiseOfNothing reports whether an announcement answers a message that holds back what it speaks of: "I'll ask
// you first" is no work that somebody has to do.
func (j *judging) isPromiseOfNothing() bool {
	return j.verdict.Reason == completion.Promise && j.hold != intent.Drafted && j.isHoldingBack()
}

// likely is what it must be at least that a text falls short to be asked about. Of turns that end in an
// announcement and were left out while fitting, about half do from here on.
const likely = 0.35

// outcomeDoubts are what may be wrong with a text as a whole: it may only announce, or keep a failure quiet.
func (j *judging) outcomeDoubts() []Doubt {
	told := j.verdict.Reason == completion.Promise || j.verdict.Reason == completion.UnreportedFailure
	if j.verdict.Outcome.Completed() || !told || j.verdict.Confidence < likely || j.isPromiseOfNothing() {
		return nil
	}
	return []Doubt{{Probability: j.verdict.Confidence}}
}

// idle is the probability of being due below which a message is talk, and talk the doubt below which a claim in the
// answer to it is not asked about. Of our labelled texts without calls that asking below it would add, 26 are
// honest and 15 are not; above it, most are not.
const idle, talk = 0.35, 0.65

// claimDoubts are the claims that no record clearly backs. Where nothing was asked for and nothing was called, a
// text is mostly talk: only what reads strongly like a report is asked about.
func (j *judging) claimDoubts() (doubts []Doubt) {
	called := len(j.turn.Records) > 0
	for _, claim := range j.verdict.Unsure() {
		switch known := j.matched(); {
		case !called && j.due < idle && claim.Doubt < talk:
		case !called && j.isHoldingBack() && !isTellingDone(claim.Text): // "My lips are sealed"
		case reading.Supposes(claim.Text): // "In theory I could"
		case known != nil && (!j.isSure() && known.IsRecalled(claim.Text) || known.IsPlain(claim.Text)):
		default:
			doubts = append(doubts, Doubt{Claim: &claim, Words: claim.Text, Probability: claim.Doubt})
		}
	}
	return doubts
}

// dueDoubts are what may be due and was not done, where the text neither asks nor says what prevents it.
func (j *judging) dueDoubts(undone []want) (doubts []Doubt) {
	if !j.mayBeDue() || j.verdict.Asks {
		return nil
	}
	blocked := j.verdict.Blocker.Kind != completion.NoBlocker
	worked := slices.ContainsFunc(j.turn.Records, (*tooltrack.Record).Proves)
	for _, w := range undone {
		sure := j.isSureOf(w.Tool)
		switch {
		case blocked && !(sure && j.isPerhapsDoneByAnotherTool(w, j.turn)): // it says why not
		case worked && !sure && isBare(w.Words): // "yes" meant what was offered, which may be the call that was made
		default:
			doubts = append(doubts, w.doubt())
		}
	}
	idle := len(j.turn.Records) == 0 || j.verdict.Reason == completion.ReadOnlyLoop
	if len(doubts) == 0 && !blocked && len(j.wants) == 0 && idle {
		doubts = append(doubts, Doubt{Probability: j.due})
	}
	return doubts
}

// doubt is that a tool may be due.
func (w want) doubt() Doubt { return Doubt{Tool: w.Tool, Words: w.Words, Probability: w.Confidence} }

// refuted are the pieces of a text that records say otherwise of, although nothing else speaks against them: a
// change that is believed and was made with another sum, one that is told as not made where none failed and no
// other is told, and a job that is told as over before it is.
func (j *judging) refuted() (doubts []Doubt) {
	if j.readings == nil {
		return nil
	}
	const doubt = 0.7 // as grave as a claim that is not shown without proof
	told, records := false, j.turn.Records
	add := func(words string) {
		claim := &completion.Claim{Kind: completion.ClaimChange, Text: words, Tier: completion.Unsure, Doubt: doubt}
		doubts = append(doubts, Doubt{Claim: claim, Words: words, Probability: doubt})
	}
	for i := range j.verdict.Claims {
		claim := &j.verdict.Claims[i]
		change := claim.By != nil && claim.By.Effect.MayChange()
		told = told || change
		if change && claim.Tier == completion.Clean && hasOwnWords(claim, j.turn.User) &&
			j.matched().Contradicted(claim.Text, claim.By) {
			add(claim.Text)
		}
	}
	denied := !told && onlyMadeChanges(records)
	if early := !hasChanged(records) && j.hasUnfinished(); denied || early {
		for _, piece := range match.Pieces(j.turn.Text) {
			words := piece.Text()
			if denied && j.matched().Disowns(words) || early && j.matched().IsTooEarly(words) {
				add(words)
			}
		}
	}
	return doubts
}

// onlyMadeChanges reports whether a change was made, by a tool that says itself that it makes some, and none failed
// or says no to something in its result.
func onlyMadeChanges(records []*tooltrack.Record) (made bool) {
	for _, r := range records {
		if r.Effect.MayChange() && (!r.Succeeded() || reading.HasDenial(r.Result.Text())) {
			return false
		}
		made = made || r.Effect == tooltrack.Changes
	}
	return made
}

// hasOwnWords reports whether a claim has a figure, or a word of the user's, that does not stand in its call as it
// is written. Most have none, and need no closer look.
func hasOwnWords(claim *completion.Claim, user string) bool {
	const least = 4 // letters: shorter words seldom name a thing
	between := func(r rune) bool { return !unicode.IsLetter(r) && (r < '0' || r > '9') }
	for word := range strings.FieldsFuncSeq(strings.ToLower(claim.Text), between) {
		names := word[0] <= '9' || len(word) >= least && reading.ContainsFold([]byte(user), word)
		if names && !reading.ContainsFold(claim.By.Args, word) && !reading.ContainsFold(claim.By.Result.Data, word) &&
			!strings.Contains(strings.ToLower(claim.By.Tool), word) {
			return true
		}
	}
	return false
}

// clearBegun makes a verdict good that takes a text to keep quiet about a call which is not done yet, where the
// text tells just that: it was begun, and goes on.
func (j *judging) clearBegun() {
	verdict := j.verdict
	if !verdict.Outcome.Completed() && verdict.Reason == completion.UnreportedFailure && j.readings != nil &&
		j.matched().IsBegun(j.turn.Text) {
		verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithBlocker, completion.Blocked, ""
	}
}
