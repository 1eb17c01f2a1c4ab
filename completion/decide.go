package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// decide settles the outcome. What the records and the contract say comes
// first; where words decide, the fitted models say how sure that is.
func (e *Evaluator) decide(c *conversation, v *Verdict) {
	unbacked := v.Unbacked()
	if unbacked == nil {
		for _, requirement := range c.turn.Contract.Require {
			if requirement == nil { // a host's list may have a gap
				continue
			}
			if missing := requirement.Unmet(*c.turn, v.Blocker); missing != "" {
				v.Missing = append(v.Missing, missing)
			}
		}
		v.Reason = e.reasonOf(c, v)
	}
	switch v.Reason {
	case WorkDone, NothingDue:
		v.Outcome = CompletedWithWork
	case Blocked:
		v.Outcome = CompletedWithBlocker
	}
	if v.Otherwise = v.Outcome; v.Outcome.Completed() {
		return
	}
	if v.Otherwise = CompletedWithWork; e.endsBlocked(c, v) {
		v.Otherwise = CompletedWithBlocker
	}
	if v.Confidence = certain; v.Reason != MissingRequirement {
		v.Confidence = e.models().insufficient.Probability(c.turnVector())
	}
	switch {
	case v.Reason != MissingRequirement && c.unread,
		v.Reason == UnreportedFailure && (c.sum.failed == 0 || c.text.Unlisted(4) || c.sum.repeatsAnswer):
		v.Confidence = min(v.Confidence, announced) // who can tell what it says?
	case c.fallsShort(v.Reason):
		v.Confidence = max(v.Confidence, announced)
	}
	if unbacked != nil {
		v.Reason, v.Confidence = UnbackedClaim, max(unbacked.Doubt, v.Confidence)
		if unbacked.Kind == ClaimFailure {
			v.Reason = FabricatedFailure
		}
	}
}

// announced is how likely it is at least that nothing came of what a text announces as the next thing, or that a
// failure is kept quiet beside a success: enough to ask, not to correct.
const announced = 0.7

// fallsShort reports whether a reason is likely right whatever the models say.
func (c *conversation) fallsShort(r Reason) bool {
	return r == Promise && c.imminent() || r == UnreportedFailure && c.sum.changed > 0 && !c.openEnded
}

// endsBlocked reports whether a turn, if it is complete, rather ends in a blocker.
func (e *Evaluator) endsBlocked(c *conversation, v *Verdict) bool {
	mayBlock := v.Blocker.Kind != NoBlocker || c.sum.failed+c.sum.pending > 0 || c.turn.Contract.Due == DueChange
	return mayBlock && e.models().blocked.Probability(c.turnVector()) >= 0.5
}

// reasonOf is what the records, the contract and the plain words say.
func (e *Evaluator) reasonOf(c *conversation, v *Verdict) Reason {
	blocked, due := v.Blocker.Kind != NoBlocker, c.turn.Contract.Due
	changed := c.sum.changed + c.sum.doubtful
	switch {
	case len(v.Missing) > 0 && blocked && e.endsBlocked(c, v): // a "cannot" in a long text is no blocker yet
		return Blocked
	case len(v.Missing) > 0:
		return MissingRequirement
	case c.keepsQuiet(blocked):
		return UnreportedFailure
	case changed > 0 && (c.sum.failed+c.sum.pending == 0 || !e.endsBlocked(c, v)):
		return WorkDone
	case changed > 0 || c.sum.pending > 0:
		return Blocked
	case c.pendingPromise() && c.signals.awaits < 0:
		return Promise
	case c.isAnswer(v): // nothing is left to do
		return NothingDue
	case blocked && (due == DueChange || e.endsBlocked(c, v)):
		return Blocked
	case c.expectedRead():
		return WorkDone
	case due != DueChange:
		return NothingDue
	case c.sum.read > 0:
		return ReadOnlyLoop
	}
	return NoWork
}

// isAnswer reports whether all that is asked for are words, and the text has some: a poem, a summary of what was
// pasted. What stands in a pasted text asks for nothing, and what it tells of failures is no blocker of ours.
func (c *conversation) isAnswer(v *Verdict) bool {
	if c.turn.Contract.Due != DueChange || c.calls() > 0 || reading.WantedOf(c.turn.User) == reading.Report ||
		len(strings.Fields(c.turn.Text)) < leastWords {
		return false
	}
	lead, handed := reading.HandedOver(c.turn.User)
	if v.Blocker.Kind != NoBlocker && (handed == "" || v.Blocker.Rule != "prevented") {
		return false
	}
	c.learn()
	acts := c.acts
	defer func() { c.acts = acts }()
	c.acts = c.actsIn(nil, len(lead))
	return !slices.ContainsFunc(c.tools, func(t toolFacts) bool { return t.changes && c.userMeans(&t) })
}

// leastWords is how much is more than a "Sure, gladly".
const leastWords = 6

// keepsQuiet reports whether a call did not do its work, and the text does not say
// so. What is only in doubt is for a proof.
func (c *conversation) keepsQuiet(blocked bool) bool {
	failed, changed := c.sum.failed-c.sum.doubtful, c.sum.changed+c.sum.doubtful
	switch {
	case blocked, c.sum.read > 0 && c.tellsRecords():
		return false
	case failed > 0 && !c.tellsFailure() && c.all&(reading.RoleAttempt|reading.RoleLonger) == 0:
		return changed == 0 || c.failedAsked()
	}
	return c.sum.pending > 0 && changed == 0 && c.all&(reading.RoleWait|reading.RoleAsk) == 0
}

// tellsFailure reports whether a text says that something did not work.
func (c *conversation) tellsFailure() bool {
	return c.signals.failures >= 0 || c.signals.prevents >= 0 || c.all&(reading.RoleSorry|reading.RoleUnable) != 0 ||
		slices.ContainsFunc(c.text.Clauses, func(k reading.Clause) bool { return k.Negated })
}

// failedAsked reports whether a change failed that the user's words ask for, and that no other call has done.
func (c *conversation) failedAsked() bool {
	for i := range c.made {
		f := &c.made[i]
		strange := func(word uint64) bool { return c.known.Of(word)&(1<<ofUser) == 0 }
		asked := c.userMeans(f.tool) || len(f.tool.names) > 0 && !slices.ContainsFunc(f.tool.names, strange)
		failed := f.fate == fateFailed && !f.mended && !f.record.Succeeded() && f.tool.changes && asked
		if failed && !c.changedAfter(f) && !slices.ContainsFunc(c.made[:i], func(other fact) bool {
			return other.fate == fateChanged && other.tool.Families.Overlaps(f.tool.Families) && !c.apart(f, &other)
		}) {
			return true
		}
	}
	return false
}

// expectedRead reports whether a tool that the request needs was called with success.
func (c *conversation) expectedRead() bool {
	return slices.ContainsFunc(c.made, func(f fact) bool {
		return f.worked() && slices.Contains(c.turn.Expected, f.record.Tool)
	})
}
