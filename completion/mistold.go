package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// mistold are the rules about claims with a record behind them that shows less, or the opposite.
var mistold = []rule{
	{Name: "told as failed", When: (*conversation).toldFailed, Then: Unsure, Fault: faultWorked},
}

// runsCommand reports whether a call runs a command or a program, or checks something.
func (c *conversation) runsCommand(f *fact) bool {
	return f.tool.runs || f.tool.name == "" && c.reader.RunsCommand(f.record.Tool) || c.reader.TakesCommand(f.record.Args)
}

// isUnmet reports whether the user used a word, and no successful call of this turn or
// its tool has it.
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
