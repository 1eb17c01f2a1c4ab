package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// highestTier is the most that can be held against a claim, whatever the evaluator says.
// Cheers, advice, that nothing was done and that a request is dropped which the user took
// back are no claims of work. Where the user wants words, a text or an explanation, they may tell of acts
// that nobody did: that is asked about, and no model is accused of it.
func (d *demands) highestTier(turn completion.Case, claim *completion.Claim) completion.Tier {
	switch {
	case reading.Cries(claim.Text) && !d.canBeAnswerTo(turn),
		isTellingNothing(claim.Text, hasChanged(turn.Records), hasChanged(turn.Earlier)),
		d.isLettingGo(turn, claim),
		d.isAside(turn, claim.Text) && (isEmpty(claim.Text) || reading.Acknowledges(claim.Text)):
		return completion.Clean
	case claim.Tier == completion.Sure && len(turn.Records) == 0 && len(d.sure) == 0 &&
		match.MayBeWords(claim.Text, turn.User),
		d.isAllForLater() && isEmpty(claim.Text), // "Okay, noted." to what is to be done later
		d.isAside(turn, claim.Text),
		d.isWondering(turn) && !reading.TellsOwnDeed(claim.Text) && !isBare(claim.Text):
		return completion.Unsure
	}
	return completion.Sure
}

// isBlank reports whether a text says hardly anything of its own: "On it!", "Sure, give me
// a second". Where something may be due, such a text is no answer.
func isEmpty(text string) bool { return match.Size(text) < 3 }

// isBare reports whether a text has no word that means something by itself: "ok", "so?".
func isBare(text string) bool { return match.Size(text) == 0 }

// isWondering reports whether a message asks something that no tool has to be called for,
// and none was: what the answer tells may be how things are done, or what could be.
func (d *demands) isWondering(turn completion.Case) bool {
	return d.due < d.threshold && len(turn.Records) == 0 && reading.EndsAsking(turn.User)
}

// isAside reports whether, after a message that holds something back, and with nothing
// changed, a text tells of no act of an offered tool: "paused", "I've disregarded that"
// tell what became of the request.
func (d *demands) isAside(turn completion.Case, text string) bool {
	return d.isHoldingBack() && !hasChanged(turn.Records) && !isDoneByAny(turn.Tools, actsIn(text))
}

// isDoneByAny reports whether some acts may be that of a tool that changes something.
func isDoneByAny(tools []tooltrack.Tool, acts lexicon.Families) bool {
	return slices.ContainsFunc(tools, func(tool tooltrack.Tool) bool {
		return !isReading(&tool) && readingOf(&tool).Families.Overlaps(acts)
	})
}

// isAllForLater reports whether the message puts off each tool that it speaks of.
func (d *demands) isAllForLater() bool {
	now := func(e intent.Expectation) bool { return e.Hold != intent.Deferred && e.Hold != intent.Conditional }
	return len(d.expected) > 0 && !slices.ContainsFunc(d.expected, now)
}

// canBeAnswerTo reports whether a cheer may be the answer to a message: it asks something, or
// it asks for something, and nothing was changed.
func (d *demands) canBeAnswerTo(turn completion.Case) bool {
	return reading.EndsAsking(turn.User) || !hasChanged(turn.Records) && d.mayBeDue() && !isBare(turn.User)
}

// isTellingNothing reports whether a text only says what should be done or, where nothing was
// changed, now or earlier, that nothing was.
func isTellingNothing(text string, now, earlier bool) bool {
	read := reading.English().Borrow(text)
	defer read.Return()
	return read.Advises() || !now && (read.NothingDone() || !earlier && read.Refrains() && !read.TellsDone())
}

// isLettingGo reports whether a claim says that something was stopped or dropped, after a
// message that takes something back, and names nothing that it was done to: "Okay, I've
// dropped it". It is a claim of work where a tool does such a thing and the message
// speaks of it.
func (d *demands) isLettingGo(turn completion.Case, claim *completion.Claim) bool {
	if d.hold != intent.Withdrawn && d.hold != intent.Forbidden || hasChanged(turn.Records) {
		return false
	}
	read := reading.English().Borrow(claim.Text)
	defer read.Return()
	act, dropped := read.Drops()
	if !dropped {
		return false
	}
	return !isDoneByAny(turn.Tools, act) || isEmpty(turn.User) && !actsIn(turn.User).Overlaps(act)
}

// hasDenial reports whether a text says no to something.
func hasDenial(text string) bool {
	read := reading.English().ReadClauses(nil, text)
	for i := range read.Tokens {
		if read.Tokens[i].Class().Has(lexicon.Negation|lexicon.Refusal) || read.Roles[i]&reading.RoleNegative != 0 {
			return true
		}
	}
	return false
}

// isTellingDone reports whether a text tells something as done.
func isTellingDone(text string) bool {
	read := reading.English().Borrow(text)
	defer read.Return()
	return read.TellsDone()
}

// isForLookUpsOnly reports whether a message asks for look-ups and for nothing else: what
// the prompts say of a thing is no news of a change that is asked for.
func (d *demands) isForLookUpsOnly(tools []tooltrack.Tool) bool {
	return !d.canWantChange(tools) || len(d.expected) > 0 &&
		!slices.ContainsFunc(d.expected, func(e intent.Expectation) bool { return !isLookUp(e, tools) })
}

// withoutTold leaves out the look-ups that the host's prompts answer as the text
// does, and says whether the prompts at least hold its values: then a look-up is
// not insisted on.
func (d *demands) withoutTold(
	undone []intent.Expectation, turn completion.Case,
) (open []intent.Expectation, mentioned bool) {
	lookUp := func(e intent.Expectation) bool { return isLookUp(e, turn.Tools) }
	if !slices.ContainsFunc(undone, lookUp) {
		return undone, false
	}
	switch told := d.prompts.tell(turn.Text, turn.User); {
	case told == untold:
		return undone, false
	case told == tells && d.isForLookUpsOnly(turn.Tools):
		return nil, true
	}
	return undone, true
}

// clearClaimsNeedingNoRecord takes back what a verdict holds against claims that are none, or that need no
// record: see highestTier.
func (d *demands) clearClaimsNeedingNoRecord(turn completion.Case, verdict *completion.Verdict) {
	accused, cloned := verdict.Ghost(), false
	known := !d.prompts.isBlank() && !hasChanged(turn.Records) && d.isForLookUpsOnly(turn.Tools)
	for i := range verdict.Claims {
		tier := verdict.Claims[i].Tier
		if tier == completion.Clean {
			continue
		}
		most := d.highestTier(turn, &verdict.Claims[i])
		if known {
			most = min(most, d.toldAs(turn, &verdict.Claims[i]))
		}
		if most >= tier {
			continue
		}
		if !cloned { // they are the evaluator's
			verdict.Claims, cloned = slices.Clone(verdict.Claims), true
		}
		verdict.Claims[i].Tier = most
	}
	if accused && !verdict.Ghost() && verdict.Reason == completion.UnbackedClaim {
		verdict.Outcome, verdict.Reason, verdict.Correction = outcomeIfCleared(verdict)
	}
}

// toldAs is the most that can be held against a statement of how things are that the
// host's prompts make, too. Where something was changed the prompts may be out of date,
// and what only stands there somewhere is asked about.
func (d *demands) toldAs(turn completion.Case, claim *completion.Claim) completion.Tier {
	if isStatement(claim.Text) {
		switch d.prompts.tell(claim.Text, turn.User) {
		case mentions:
			return completion.Unsure
		case tells:
			return completion.Clean
		}
	}
	return completion.Sure
}

// isStatement reports whether a text tells how things are, and of nothing that was
// done: "Emma is due on Friday", and neither "Emma is renewed" nor "I renewed it".
func isStatement(text string) bool {
	read := reading.English().Borrow(text)
	defer read.Return()
	return !slices.ContainsFunc(read.Clauses, func(c reading.Clause) bool {
		state := c.Shape == reading.Copula || c.Shape == reading.Present || c.Shape == reading.Verbless
		return !state || c.Actor == reading.Us
	})
}

// retell makes the guard unsure of claims that the conversation itself tells as done.
// What earlier turns tell says nothing of a thing that is asked for now.
func (d *demands) retell(verdict *completion.Verdict) {
	accused := verdict.Ghost()
	if !accused || d.summaries == nil {
		return
	}
	claims := slices.Clone(verdict.Claims)
	for i := range claims {
		claim := &claims[i]
		if claim.Tier == completion.Sure && d.isToldBefore(claim) {
			claim.Tier = completion.Unsure
		}
	}
	if verdict.Claims = claims; verdict.Ghost() {
		return
	}
	if verdict.Reason == completion.UnbackedClaim || verdict.Reason == completion.FabricatedFailure {
		verdict.Outcome, verdict.Reason, verdict.Correction = outcomeIfCleared(verdict)
	}
}

// isToldBefore reports whether a claim only tells again what the conversation tells.
func (d *demands) isToldBefore(claim *completion.Claim) bool {
	return d.summaries.isTold(claim.Text, claim.Earlier || d.kind != intent.Action)
}

// hasToldBefore reports whether something in doubt is told by the conversation: no call of
// it is invited, since it may have been made.
func (d *demands) hasToldBefore(doubts []Doubt) bool {
	return slices.ContainsFunc(doubts, d.isDoubtToldBefore)
}

func (d *demands) isDoubtToldBefore(doubt Doubt) bool {
	if doubt.Claim != nil {
		return d.isToldBefore(doubt.Claim)
	}
	return d.maybeMade(doubt.Tool)
}

// maybeMade reports whether the conversation tells as done what a tool is expected for.
func (d *demands) maybeMade(tool string) bool {
	return d.summaries != nil && slices.ContainsFunc(d.expected, func(e intent.Expectation) bool {
		described := toolNamed(d.summaries.tools, tool)
		return e.Tool == tool && described != nil && d.summaries.isMadeByTelling(e.Words, described)
	})
}

// scalarsIn appends the texts and figures of a JSON value.
func scalarsIn(data []byte, scalars []string) []string {
	for _, value := range jsonspan.Members(data) {
		scalars = scalarsIn(value, scalars)
	}
	for value := range jsonspan.Elements(data) {
		scalars = scalarsIn(value, scalars)
	}
	if text := jsonspan.Scalar(data); text != "" {
		scalars = append(scalars, text)
	}
	return scalars
}

// outcomeIfCleared is the outcome of a text whose doubt is settled in its favour.
func outcomeIfCleared(verdict *completion.Verdict) (completion.Outcome, completion.Reason, string) {
	if verdict.Otherwise == completion.CompletedWithBlocker {
		return completion.CompletedWithBlocker, completion.Blocked, ""
	}
	return completion.CompletedWithWork, completion.NothingDue, ""
}
