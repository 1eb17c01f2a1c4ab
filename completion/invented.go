package completion

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// invented are the rules about look-ups, checks and failures that no record has, or the opposite of.
var invented = []rule{
	{Name: "no check passed", When: noCheckPassed, Then: Sure, Plain: true, Fault: faultUnchecked},
	{Name: "check not made", Then: Unsure, Fault: faultUnchecked, When: func(c *conversation, a *assertion) bool {
		return a.allWell() && c.sum.changed > 0 && !c.verified()
	}},
	{Name: "the output tells otherwise", When: brokenOutput, Then: Unsure, Fault: faultFailed},
	{Name: "look-up not made", Then: Sure, Fault: faultNotLooked, When: func(c *conversation, a *assertion) bool {
		looked := a.ours() && a.looks() && a.clause.Roles&reading.RoleLook != 0 && !a.own()
		return looked && c.calls() == 0 && c.sum.readBefore == 0 && !c.pasted() && (a.nowhere < 1 || c.signals.asks < 0)
	}},
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
	{Name: "checked without a look", Then: Sure, At: 0.5, Fault: faultNotLooked,
		When: func(c *conversation, a *assertion) bool {
			return a.unseen && c.text.Roles[a.clause.Verb]&reading.RoleVerify != 0 && c.calls() > 0 &&
				c.sum.readBefore+c.sum.failed == 0 && !c.verified() && !a.own()
		}},
	{Name: "told as failed", When: (*conversation).toldFailed, Then: Unsure, Fault: faultWorked},
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
	for i := len(c.made) - 1; i >= 0 && a.passes() && !partial; i-- {
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
	words := slices.DeleteFunc(slices.Clone(c.text.ValuesIn(a.clause)), func(v reading.Value) bool {
		return v.Start() >= a.clause.Start+len(title) || !v.IsContent()
	})
	return len(words) > 0 && !slices.ContainsFunc(words, func(v reading.Value) bool {
		return c.known.Of(v.Key)&anywhere != 0 || c.terms.In(c.terms.Row(v.Key), ofOffered)
	})
}

// runsCommand reports whether a call runs a command or a program, or checks something.
func (c *conversation) runsCommand(f *fact) bool {
	return f.tool.runs || f.tool.name == "" && c.reader.RunsCommand(f.record.Tool) || c.reader.TakesCommand(f.record.Args)
}

// isUnmet reports whether the user used a word, and no successful call of this turn or its tool has it.
func (c *conversation) isUnmet(key uint64) bool {
	const now = 1<<fateChanged | 1<<fateRead
	return c.known.Of(key)&(now|1<<ofUser) == 1<<ofUser && !c.acted(c.terms.Row(key))
}

// toldFailed: all calls worked, nothing is told as done, and what a change did is told as
// failed. A word of failure that the records or the user have is about something else.
func (c *conversation) toldFailed(a *assertion) bool {
	best, other := a.best[fateChanged], c.sum.failed+c.sum.pending+c.sum.mended > 0 || a.total.backed() < a.total[named]
	if other || a.own() || !c.plain(best) || c.turn.effectOf(best.record) != tooltrack.Changes {
		return false
	}
	by, tells := c.text.TellsFailed(a.clause)
	const elsewhere = 1<<fateChanged | 1<<fateRead | 1<<fateEarlier | 1<<failedBefore | 1<<ofUser | 1<<ofAnswer
	if !tells || by >= 0 && c.known.Of(c.reader.StemKey(c.text.Word(by)))&elsewhere != 0 ||
		c.tellsDone() || c.runsCommand(best) || c.repeats(fateChanged, (*reading.Value).IsContent) { // it may say why
		return false
	}
	acts, about := c.namesAct(&c.text.Sentences[a.clause.Sentence], best.tool), a.cover[fateChanged] >= 0.5
	bare := len(a.words) == 0 && by >= 0 // "It didn't work"
	return acts && (by >= 0 || about || bare) || about && by >= 0 || bare && c.sum.changed == 1
}

// namesAct reports whether a sentence has a word for what a tool does.
func (c *conversation) namesAct(s *reading.Sentence, t *toolFacts) bool {
	return slices.ContainsFunc(c.text.Tokens[s.From:s.To], func(token lexicon.Token) bool {
		same := token.IsWord() && c.reader.StemKey(c.text.Source[token.Start:token.End]) == t.verbKey
		return same || token.Families().Overlaps(t.Families)
	})
}

// tellsDone reports whether a clause of the text tells of something that worked.
func (c *conversation) tellsDone() bool {
	return slices.ContainsFunc(c.assertions, func(a assertion) bool {
		_, failed := c.text.TellsFailed(a.clause)
		return !failed && (a.told() || a.clause.Roles&turned != 0 && !a.clause.Negated)
	})
}
