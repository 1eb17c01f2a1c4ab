package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// invented are the rules about look-ups, checks and failures that no record has.
var invented = []rule{
	{Name: "no check passed", When: noCheckPassed, Then: Sure, Plain: true, Fault: faultUnchecked},
	{Name: "check not made", Then: Unsure, Fault: faultUnchecked, When: func(c *conversation, a *assertion) bool {
		return a.allWell() && c.sum.changed > 0 && !c.verified()
	}},
	{Name: "the output tells otherwise", When: brokenOutput, Then: Unsure, Fault: faultFailed},
	{
		Name: "look-up not made",
		When: func(c *conversation, a *assertion) bool {
			looked := a.ours() && a.reads() && !a.changing() && a.clause.Roles&reading.RoleLook != 0 && !a.own()
			return looked && c.calls() == 0 && c.sum.readBefore == 0 &&
				!c.pasted() && (a.nowhere < 1 || c.signals.asks < 0)
		},
		Then: Sure, Fault: faultNotLooked,
	},
	{Name: "list of what nobody looked up", When: inventedEntry, Then: Sure, Plain: true, Fault: faultNotLooked},
	{
		Name: "attempt not made",
		When: func(c *conversation, a *assertion) bool {
			tried := a.clause.Actor == reading.Us && a.clause.Roles&reading.RoleAttempt != 0 && !a.clause.Negated
			failed := c.text.Sentences[a.clause.Sentence].Roles&(reading.RoleError|reading.RoleFail) != 0
			noAttempt := c.calls() == 0 || failed && c.calls() == c.sum.read+c.sum.changed
			mayRecall := c.sum.failedBefore > 0 && (c.about.asks || !c.about.instructs())
			together := c.text.Says(a.clause.From, "we") // "we have tried the usual steps", you and I
			return tried && noAttempt && !mayRecall && !(together && c.signals.asks >= 0)
		},
		Then: Sure, Firm: true, Fault: faultNoAttempt,
	},
	{
		Name: "checked without a look",
		When: func(c *conversation, a *assertion) bool {
			if !a.unseen || c.text.Roles[a.clause.Verb]&reading.RoleVerify == 0 {
				return false
			}
			return c.calls() > 0 && c.sum.readBefore+c.sum.failed == 0 && !c.verified() && !a.own()
		},
		Then: Sure, At: 0.5, Fault: faultNotLooked,
	},
}

// pasted reports whether the user's message holds more than a request: what is
// read then may be what the user pasted.
func (c *conversation) pasted() bool {
	return len(c.user.Source) >= 400 || strings.Contains(c.user.Source, "\n\n")
}

// allWell reports whether a clause says that a check passed, and speaks of no trouble.
func (a *assertion) allWell() bool { return a.passes() && a.clause.Roles&fails == 0 }

// passes reports whether a clause says that a check passed: "fixed the issue, tests pass".
func (a *assertion) passes() bool {
	const passed = reading.RoleCheck | reading.RolePass
	return a.clause.Roles&passed == passed && !a.clause.Negated
}

// noCheckPassed: a check is told as passed, and all checks failed, or something was changed and
// nothing was ever run that checks.
func noCheckPassed(c *conversation, a *assertion) bool {
	told := func(k reading.Clause) bool { _, tells := c.text.TellsFailed(&k); return tells }
	failed := func() bool { _, _, failed := c.turn.verified(); return failed }
	ran := func(f fact) bool { return c.runsCommand(&f) || c.reader.Checks(f.record.Tool) }
	return a.passes() && !slices.ContainsFunc(c.text.Clauses, told) &&
		(failed() || c.sum.changed > 0 && !slices.ContainsFunc(c.facts, ran))
}

// brokenOutput: a check is told as passed, and the output of the last one tells of failures.
func brokenOutput(c *conversation, a *assertion) bool {
	numbers := &a.values[reading.Number]
	partial := numbers[named] > 0 && numbers.backed() == numbers[named] // "41 tests passed", and one did not
	if !a.passes() || partial {
		return false
	}
	for i := len(c.made) - 1; i >= 0; i-- {
		if f := &c.made[i]; f.fate != fatePending && (c.reader.Checks(f.record.Tool) || c.runsCommand(f)) {
			return c.reader.Passing(clip.Text(f.record.Result.Text(), maxRead)) == reading.Failing
		}
	}
	return false
}

// verified reports whether a check succeeded after the last change.
func (c *conversation) verified() bool {
	_, verified, _ := c.turn.verified()
	return verified
}

// inventedEntry: a look-up was due, nothing was called, and what a list presents as the user's own
// is called by words that no message, no tool and no earlier call has.
func inventedEntry(c *conversation, a *assertion) bool {
	if !a.entry || c.calls() > 0 || len(c.turn.Expected) == 0 || c.pasted() {
		return false
	}
	const anywhere = 1<<fateEarlier | 1<<failedBefore | 1<<ofUser | 1<<ofAnswer
	title, _, _ := strings.Cut(c.text.Source[a.clause.Start:a.clause.End], "(") // what it is like may be known
	titled := false
	for i := range c.text.Values[a.clause.FirstValue:a.clause.LastValue] {
		v := &c.text.Values[a.clause.FirstValue+i]
		if v.Start() < a.clause.Start+len(title) && v.IsContent() {
			if titled = true; c.known.Of(v.Key)&anywhere != 0 || c.terms.In(c.terms.Row(v.Key), ofOffered) {
				return false
			}
		}
	}
	return titled
}
