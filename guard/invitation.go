package guard

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What the guard invites is what it permits: mayCall words its messages, denyPrompted reviews the calls that follow
// them, and both ask notAsked.

// mayCall says which calls a message of the guard may ask for, or invite: none that the user's message holds back,
// and no change where none would be permitted. Of a call whose fate is not known the model was told not to repeat
// it.
func (t *Turn) mayCall(doubts []Doubt, accused bool) proof.Calling {
	permitted := func(tool tooltrack.Tool) bool {
		open := func(r *tooltrack.Record) bool {
			fate := r.Result.Status
			return r.Tool == tool.Name && r.Effect.MayChange() && !r.Ruling.Denied &&
				(fate == tooltrack.Unknown || fate == tooltrack.Pending)
		}
		return !isReading(&tool) && t.notAsked(&tool, accused) == "" && !slices.ContainsFunc(t.records, open)
	}
	switch {
	case t.barred:
		return proof.CallsBarred
	case slices.ContainsFunc(doubts, t.asked.isDoubtToldBefore):
		return proof.CallsThatRead
	case slices.ContainsFunc(t.offered, permitted) && (t.isWantedByHost() || !isOnlyReadsDue(doubts, t.offered)):
		return proof.CallsInvited
	case t.asked.isHoldingBack():
		return proof.CallsHeldBack
	}
	return proof.CallsThatRead
}

// denyPrompted denies a call that follows a message of the guard and must not run: the guard spoke, so it answers
// for what comes of it. A change that the user's message holds back, or that nothing in it asks for, is none that
// was missing. One that equals a change which has succeeded would run twice where the guard does not run the calls
// itself.
func (t *Turn) denyPrompted(p *pending) {
	if !t.hasSpoken() || t.inquired || p.unknown || isReading(p.tool) {
		return
	}
	switch rule := t.notAsked(p.tool, t.said.Accused); {
	case rule != "":
		p.deny(rule, promptedReasons[rule])
	case !t.isRequiredByHost(p.tool) && t.isDoneBefore(p.tool, p.call):
		p.deny(ruleRepeated, promptedReasons[ruleRepeated])
	case t.asked.maybeMade(p.tool.Name):
		p.deny(ruleRepeated, toldAsDone)
	}
}

// notAsked is the rule against a change that follows a message of the guard: the user's message holds it back, or
// nothing in it asks for a change. It is empty where neither is so: then which tool does it is the model's to say,
// as it was before the guard spoke.
func (t *Turn) notAsked(tool *tooltrack.Tool, accused bool) (rule string) {
	at := slices.IndexFunc(t.asked.wants, func(w want) bool { return w.Tool == tool.Name })
	expected := at >= 0
	switch {
	case expected && t.asked.isHeld(tool.Name) && !t.mayHaveComeTrue(t.asked.wants[at]),
		!expected && (t.asked.hold != intent.NotHeld && !t.asked.partly || t.asked.isHoldingWhatItExpects()):
		return ruleHeld
	case t.said.Settled && (!expected || isCalled(t.records, tool.Name)):
		return ruleUnasked
	case t.isRequiredByHost(tool):
		return ""
	case t.asked.isSureOf(tool.Name) && !t.isFoundOtherwise(), t.isToldAsOrdered(tool):
		return ""
	case t.isFoundOtherwise():
		return ruleUnasked
	case t.isDeclined(), expected && t.isInTextHandedOver(t.asked.wants[at].Words):
		return ruleUnasked
	case expected:
		return ""
	case !t.isOnlyTelling() && reading.WantedOf(t.wanted) == reading.Report && t.mayMean(tool, accused):
		return ""
	}
	return ruleUnasked
}

// isToldAsOrdered reports whether the text that the guard spoke about tells as done what a tool does, and the
// message may be an order to do it. Who told the user that it is done took it for one.
func (t *Turn) isToldAsOrdered(tool *tooltrack.Tool) bool {
	does := readingOf(tool).Families
	tells := func(text string) bool {
		told := reading.ActsIn(text)
		said := told.Empty() && (isTellingDone(text) || match.Meets(t.wanted, text))
		return (said || does.Empty() || does.Overlaps(told)) && !reading.ToldAsFound(text)
	}
	return t.tellsAsDone(tells) && t.canOrder(tool)
}

// canOrder reports whether a message may be an order to do what a tool does: something seems to be due, it is no
// question of how things are, and it does not tell what the tool does as something that was done: "he paid",
// "confirm that it was transferred".
func (r *userRequest) canOrder(tool *tooltrack.Tool) bool {
	const likely = 0.6
	toKnow := r.asked.kind == intent.Question || r.asked.kind == intent.Analysis
	orders := !toKnow && (r.asked.due >= likely || reading.Commands(r.wanted)) || reading.EndsAsking(r.previous)
	if !orders || reading.EndsAsking(r.wanted) || reading.WantedOf(r.wanted) != reading.Report {
		return false
	}
	return !reading.PastActsIn(r.wanted).Overlaps(readingOf(tool).Families)
}

// tellsAsDone reports whether the text that the guard spoke about may tell a change of a kind as done.
func (t *Turn) tellsAsDone(is func(claim string) bool) bool {
	if asked := t.questioned(); asked != nil && slices.ContainsFunc(asked.found.doubts, func(d Doubt) bool {
		return t.isTellingChange(d) && is(d.Claim.Text)
	}) {
		return true
	}
	return t.caught != nil && slices.ContainsFunc(t.caught.verdict.Claims, func(c completion.Claim) bool {
		return c.Kind == completion.ClaimChange && c.Tier == completion.Sure && is(c.Text)
	})
}

// isInTextHandedOver reports whether the words that speak for a tool stand in a text that the message wants to have
// put otherwise: "fix the grammar: i has send the mail".
func (r *userRequest) isInTextHandedOver(words string) bool {
	_, text := reading.HandedOver(r.wanted)
	return text != "" && strings.Contains(text, words) && reading.WantedOf(r.wanted) != reading.Report
}

// mayMean reports whether a message may mean a tool that is not expected.
func (t *Turn) mayMean(tool *tooltrack.Tool, accused bool) bool {
	change := t.asked.canWantChange()
	switch {
	case t.canBeCommand() && (change || hasChanged(t.records)): // what was changed was asked for
		return true
	case accused: // who was told that a text of his is false has been told what is missing
		return false
	case change && (reading.Commands(t.wanted) || readingOf(tool).Families.Overlaps(reading.ActsIn(t.wanted))):
		return true
	}
	return t.directoryFor(tool) != nil && !strings.Contains(t.wanted, "?") && // "get Read book off my plate"
		t.mentionOf(t.lastContext(), tool.Subject.Kind) != ""
}

// isRequiredByHost reports whether the host itself asks for a tool.
func (t *Turn) isRequiredByHost(tool *tooltrack.Tool) bool {
	return t.said.Required || t.isWantedByHost() || slices.Contains(t.contract.Tools(), tool.Name)
}

// questioned is the text that the guard asks about, or has asked about; nil if there is none.
func (d *drafts) questioned() *proving {
	if d.proving != nil {
		return d.proving
	}
	return d.aside
}

// isDeclined reports whether the text that the guard asked about tells no change as done, and says no to something:
// that it waits, that it cannot, that it did not. Without the guard nothing would have been done, and a question
// must not make it so.
func (t *Turn) isDeclined() bool {
	asked := t.questioned()
	if asked == nil || slices.ContainsFunc(asked.found.doubts, t.isTellingChange) {
		return false
	}
	verdict := &asked.found.verdict
	return verdict.Asks || verdict.Blocker.Kind != completion.NoBlocker || reading.HasDenial(asked.draft.Message.Text)
}

// isFoundOtherwise reports whether the text that the guard asked about tells, where nothing was changed, how
// something was found, or why it had better be left: "it was refunded on Monday", "the lot has been sold". What it
// tells as done is not what the message asks for.
func (t *Turn) isFoundOtherwise() bool {
	asked := t.questioned()
	known := hasLooked(t.records) || len(t.earlier) > 0
	if asked == nil || !known || hasChanged(t.records) || asked.found.unsettled == completion.Promise {
		return false
	}
	wanted := t.actsWanted()
	for _, doubt := range asked.found.doubts {
		if !t.isTellingChange(doubt) || reading.ToldAsFound(doubt.Claim.Text) {
			continue
		}
		told := reading.ActsIn(doubt.Claim.Text)
		if told.Empty() && hasLooked(t.records) && !isTellingDone(doubt.Claim.Text) {
			continue // "the cheapest costs 59"
		}
		if wanted.Empty() || told.Empty() || wanted.Overlaps(told) {
			return false
		}
	}
	text := asked.draft.Message.Text
	return reading.ToldAsFound(text) || hasLooked(t.records) && (reading.HasDenial(text) || reading.EndsAsking(t.wanted))
}

// actsWanted are the acts of the changes that are expected or, where none is, those that the message has words of.
func (r *userRequest) actsWanted() (acts lexicon.Families) {
	for _, w := range r.asked.wants {
		if w.tool != nil && !isReading(w.tool) {
			acts = acts.Union(readingOf(w.tool).Families)
		}
	}
	if acts.Empty() {
		acts = reading.ActsIn(r.wanted)
	}
	return acts
}

// isTellingChange reports whether a doubt is about a change that the text may tell as done. That something was
// declined tells of one where the message asks for just that.
func (r *userRequest) isTellingChange(d Doubt) bool {
	return d.Claim != nil && d.Claim.Kind == completion.ClaimChange &&
		(!reading.English().ReadClauses(nil, d.Claim.Text).Refrains() ||
			reading.English().ReadClauses(nil, r.wanted).AllRoles()&reading.RoleRefrain != 0)
}

// mayHaveComeTrue reports whether what an act waits for may be so by now: the turn has looked at something.
func (t *Turn) mayHaveComeTrue(w want) bool {
	return w.Hold == intent.Conditional && t.asked.hold == intent.NotHeld &&
		slices.ContainsFunc(t.records, (*tooltrack.Record).Succeeded)
}

// isOnlyTelling reports whether a message only tells something, or says no to a question: "my colleague refunded
// it", "no, 20 is fine".
func (r *userRequest) isOnlyTelling() bool {
	if r.asked.unread {
		return false
	}
	if !reading.EndsAsking(r.previous) {
		return reading.OnlyTells(r.wanted)
	}
	return reading.SaysNo(r.wanted) && !reading.Commands(r.wanted)
}

// canBeCommand reports whether a message may command something. What is said in English, and reads neither like a
// command nor like an answer to a question, does so only where it can hardly mean anything else.
func (r *userRequest) canBeCommand() bool {
	const hardly = 0.9
	return r.asked.kind == intent.Action || r.asked.unread || reading.Commands(r.wanted) ||
		r.asked.due >= hardly && !reading.OnlyTells(r.wanted) ||
		reading.EndsAsking(r.previous) && !reading.OnlyTells(r.wanted)
}

// canBeOrder reports whether a message may be an order: it reads like one, and not only has words of a tool, as "I
// was going to cancel it" has.
func (r *userRequest) canBeOrder() bool {
	command := func(w want) bool { return w.Command }
	return r.asked.kind == intent.Action && (reading.Commands(r.wanted) || r.asked.any(command))
}

// hasSpoken reports whether the guard has told the model something in this turn.
func (t *Turn) hasSpoken() bool { return t.spent.corrections() > 0 }

// isDoneBefore reports whether a change that follows a message of the guard was made already: its tool has
// succeeded, or was accepted, and the call says nothing further. What failed may be tried again, and what the user
// wants once more is no repetition.
func (t *Turn) isDoneBefore(tool *tooltrack.Tool, call tooltrack.Call) bool {
	made := func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Effect.MayChange() && (r.Succeeded() || r.Result.Status == tooltrack.Pending)
	}
	failed := func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Result.Status == tooltrack.Failed && isSameArgs(r.Args, call.Args)
	}
	if slices.ContainsFunc(t.records, failed) || reading.OnceMore(t.wanted) {
		return false
	}
	same := func(r *tooltrack.Record) bool {
		known := slices.Concat(t.earlier, t.records)
		again := match.Repeat{Said: t.wanted, Args: call.Args, Earlier: r, Known: known, Harmless: mayRepeat(tool)}
		return made(r) && again.IsSame()
	}
	if slices.ContainsFunc(t.records, same) {
		return true
	}
	return !t.asked.isSureOf(call.Tool) && slices.ContainsFunc(t.earlier, same) // else it is ordered anew
}

// mayRepeat reports whether a tool does no harm when it runs twice: it neither sends, creates, pays nor deletes, as
// far as its declaration or its name tells.
func mayRepeat(tool *tooltrack.Tool) bool {
	return tool.Idempotent || tool.Implied != nil && tool.Implied.Repeats
}

// isNamedApart reports whether the user's words tell a call from an earlier one of this turn that says the same in
// other letters.
func (t *Turn) isNamedApart(call tooltrack.Call) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.records, func(earlier *tooltrack.Record) bool {
		return earlier.Tool == call.Tool && !isSameArgs(earlier.Args, call.Args) &&
			match.IsNamedApart(t.input.User, earlier.Args, call.Args)
	})
}
