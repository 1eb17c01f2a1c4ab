package completion

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// most is the number up to which clauses are counted.
const most = 6

// moods counts the clauses of a mood.
func moods(mood reading.Mood) func(*conversation) float64 {
	return func(c *conversation) float64 {
		n := 0
		for i := range c.text.Clauses {
			n += int(is(c.text.Clauses[i].Mood == mood))
		}
		return float64(min(n, most))
	}
}

// assertions counts the assertions that fit.
func assertions(fits func(*assertion) bool) func(*conversation) float64 {
	return func(c *conversation) float64 {
		n := 0
		for i := range c.assertions {
			n += int(is(fits(&c.assertions[i])))
		}
		return float64(min(n, most))
	}
}

// when is whether a signal is in the text.
func when(of func(*signals) int) func(*conversation) float64 {
	return func(c *conversation) float64 { return is(of(&c.signals) >= 0) }
}

// turnFeatures are about the turn as a whole, once its assertions have their doubts.
var turnFeatures = slices.Concat(sharedFeatures, []feature{
	{name: "wish read", turn: func(c *conversation) float64 { return float64(c.wished.called[fateRead]) }},
	{name: "top own", turn: func(c *conversation) float64 { return is(c.doubts.own) }},
	{name: "user tells", turn: func(c *conversation) float64 { return is(c.toldFacts()) }},
	{name: "top doubt", turn: func(c *conversation) float64 { return c.doubts.top[0] }},
	{name: "third doubt", turn: func(c *conversation) float64 { return c.doubts.top[2] }},
	{name: "mean doubt", turn: func(c *conversation) float64 { return c.doubts.mean }},
	{name: "any doubt", turn: func(c *conversation) float64 { return c.doubts.any }},
	{name: "assertions", turn: func(c *conversation) float64 { return float64(min(20, len(c.assertions))) }},
	{name: "changed", turn: func(c *conversation) float64 { return float64(min(4, c.sum.changed)) }},
	{name: "read", turn: func(c *conversation) float64 { return float64(min(4, c.sum.read)) }},
	{name: "failed", turn: func(c *conversation) float64 { return float64(min(3, c.sum.failed)) }},
	{name: "pending", turn: func(c *conversation) float64 { return float64(min(3, c.sum.pending)) }},
	{name: "calls", turn: func(c *conversation) float64 { return float64(min(8, c.calls())) }},
	{name: "sentences", turn: func(c *conversation) float64 { return float64(min(12, len(c.text.Sentences))) }},
	{name: "own reports", turn: assertions((*assertion).ours)},
	{name: "reports of changes", turn: assertions(func(a *assertion) bool { return a.told() && a.changing() })},
	{name: "states", turn: assertions(func(a *assertion) bool {
		return a.clause.Shape >= reading.Copula && !a.clause.Negated
	})},
	{name: "denials", turn: assertions(func(a *assertion) bool { return a.clause.Negated })},
	{name: "errors told", turn: assertions(func(a *assertion) bool {
		return a.clause.Roles&(fails|reading.RoleUnable|reading.RoleSorry) != 0
	})},
	{name: "untold failure", turn: func(c *conversation) float64 { return is(c.untold) }},
	{name: "questions", turn: moods(reading.Asked)},
	{name: "ends asking", turn: func(c *conversation) float64 { return is(c.text.EndsAsking()) }},
	{name: "futures", turn: moods(reading.Future)},
	{name: "possibles", turn: moods(reading.Possible)},
	{name: "conditions", turn: moods(reading.Conditional)},
	{name: "user's length", turn: func(c *conversation) float64 { return math.Log(1 + float64(len(c.user.Tokens))) }},
	{name: "tools asked for, uncalled", turn: func(c *conversation) float64 { return float64(min(c.about.uncalled, 4)) }},
	{name: "user values unused", turn: func(c *conversation) float64 { return c.userUnused() }},
	{name: "asks", turn: when(func(s *signals) int { return s.asks })},
	{name: "prevented", turn: when(func(s *signals) int { return s.prevents })},
	{name: "speaks of failure", turn: when(func(s *signals) int { return s.failures })},
	{name: "ends in a promise", turn: func(c *conversation) float64 { return is(c.pendingPromise()) }},
	{name: "announces", turn: when(func(s *signals) int { return s.promises })},
})

// userMeans reports whether the user's words may ask for a tool: they have its verb,
// or one of its family beside a thing that it is about.
func (c *conversation) userMeans(t *toolFacts) bool {
	about := func(noun uint64) bool { return c.known.Of(noun)&(1<<ofUser|1<<ofAnswer|1<<ofText) != 0 }
	return slices.ContainsFunc(c.acts, func(entry *lexicon.Entry) bool {
		return t.Verb.Entry != nil && entry.ID == t.Verb.Entry.ID ||
			entry.Families.Overlaps(t.Families) && (len(t.nouns) == 0 || slices.ContainsFunc(t.nouns, about))
	})
}

// userUnused counts values of the user's message that the text repeats, and no successful record holds.
func (c *conversation) userUnused() float64 {
	n := 0
	for i := range c.user.Values {
		v := &c.user.Values[i]
		if v.Has(reading.Derived|reading.Merged) || v.Kind == reading.Word && v.Entry != nil {
			continue
		}
		const backed = 1<<fateChanged | 1<<fateRead | 1<<fateEarlier
		n += int(is(c.known.Of(v.Key)&(backed|1<<ofText) == 1<<ofText))
	}
	return float64(min(n, 4))
}

// sumDoubts sums up the doubts about the assertions.
func (c *conversation) sumDoubts() {
	c.doubts = doubtSums{}
	sum, none := 0.0, 1.0
	for i := range c.assertions {
		doubt := c.assertions[i].doubt
		if doubt > c.doubts.top[0] {
			c.doubts.own = c.assertions[i].own()
		}
		for k, x := 0, doubt; k < len(c.doubts.top); k++ {
			c.doubts.top[k], x = max(c.doubts.top[k], x), min(c.doubts.top[k], x)
		}
		sum += doubt
		none *= 1 - doubt
	}
	c.doubts.mean, c.doubts.any = sum/max(1, float64(len(c.assertions))), 1-none
	c.ofTurn = c.ofTurn[:0]
}

// turnVector is the features of the turn. Most turns that ask need none of them.
func (c *conversation) turnVector() []float32 {
	if len(c.ofTurn) == 0 {
		c.learn()
		c.ofTurn = c.vector(c.ofTurn, turnFeatures)
	}
	return c.ofTurn
}
