package completion

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// turnFeature is one number about the turn as a whole, once its assertions have
// their doubts.
type turnFeature struct {
	name string
	of   func(c *conversation) float64
}

// most is the number up to which clauses are counted.
const most = 6

// clauses counts the clauses that fit.
func clauses(fits func(*reading.Clause) bool) func(*conversation) float64 {
	return func(c *conversation) float64 {
		n := 0
		for i := range c.text.Clauses {
			n += int(is(fits(&c.text.Clauses[i])))
		}
		return float64(min(n, most))
	}
}

// moods counts the clauses of a mood.
func moods(mood reading.Mood) func(*conversation) float64 {
	return clauses(func(k *reading.Clause) bool { return k.Mood == mood })
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

// ours: "I moved it", "we have moved it".
func (a *assertion) ours() bool {
	active := a.clause.Shape == reading.ActivePerfect || a.clause.Shape == reading.ActivePast
	return active && a.clause.Actor == reading.Us && !a.clause.Negated
}

// told reports whether a clause tells of an act as done, by us or by nobody in
// particular: "it was moved", "Moved to Friday".
func (a *assertion) told() bool {
	if a.clause.Negated || a.clause.Actor == reading.You {
		return false
	}
	switch a.clause.Shape {
	case reading.Fragment:
		return true
	case reading.PassivePerfect, reading.PassivePast, reading.PassivePresent:
		return a.clause.Actor != reading.Other
	}
	return a.ours()
}

var turnFeatures = []turnFeature{
	{"top own", func(c *conversation) float64 {
		top := slices.Index(c.doubts, topOf(c.doubts, 0))
		return is(top >= 0 && c.assertions[top].own())
	}},
	{"user tells", func(c *conversation) float64 { return is(c.userTells()) }},
	{"open ended", func(c *conversation) float64 { return is(c.openEnded) }},
	{"top doubt", func(c *conversation) float64 { return topOf(c.doubts, 0) }},
	{"third doubt", func(c *conversation) float64 { return topOf(c.doubts, 2) }},
	{"mean doubt", func(c *conversation) float64 { return meanOf(c.doubts) }},
	{"any doubt", func(c *conversation) float64 {
		p := 1.0
		for _, x := range c.doubts {
			p *= 1 - x
		}
		return 1 - p
	}},
	{"assertions", func(c *conversation) float64 { return float64(min(20, len(c.assertions))) }},
	{"changed", func(c *conversation) float64 { return float64(min(4, c.sum.changed)) }},
	{"read", func(c *conversation) float64 { return float64(min(4, c.sum.read)) }},
	{"failed", func(c *conversation) float64 { return float64(min(3, c.sum.failed)) }},
	{"pending", func(c *conversation) float64 { return float64(min(3, c.sum.pending)) }},
	{"mended", func(c *conversation) float64 { return float64(min(3, c.sum.mended)) }},
	{"calls", func(c *conversation) float64 { return float64(min(8, c.calls())) }},
	{"sentences", func(c *conversation) float64 { return float64(min(12, len(c.text.Sentences))) }},
	{"own reports", assertions((*assertion).ours)},
	{"reports of changes", assertions(func(a *assertion) bool { return a.told() && a.changing() })},
	{"states", assertions(func(a *assertion) bool { return a.clause.Shape >= reading.Copula && !a.clause.Negated })},
	{"denials", assertions(func(a *assertion) bool { return a.clause.Negated })},
	{"errors told", assertions(func(a *assertion) bool {
		return a.clause.Roles&(fails|reading.RoleUnable|reading.RoleSorry) != 0
	})},
	{"waiting told", assertions(func(a *assertion) bool { return a.clause.Roles&reading.RoleWait != 0 })},
	{"untold failure", func(c *conversation) float64 { return is(c.untold) }},
	{"questions", moods(reading.Asked)},
	{"ends asking", func(c *conversation) float64 { return is(endsAsking(&c.text)) }},
	{"promises", clauses(func(k *reading.Clause) bool {
		return k.Mood == reading.Future && k.Actor == reading.Us && !k.Negated
	})},
	{"futures", moods(reading.Future)},
	{"possibles", moods(reading.Possible)},
	{"conditions", moods(reading.Conditional)},
	{"orders", moods(reading.Ordered)},
	{"user asks", func(c *conversation) float64 { return is(c.about.asks) }},
	{"user orders", func(c *conversation) float64 { return is(c.about.orders) }},
	{"user denies", func(c *conversation) float64 { return is(c.about.roles&reading.RoleNegative != 0) }},
	{"user's length", func(c *conversation) float64 { return math.Log(1 + float64(wordsOf(&c.user))) }},
	{"tools asked for, uncalled", func(c *conversation) float64 { return float64(min(c.uncalled, 4)) }},
	{"user values unused", (*conversation).userUnused},
	{"asks", when(func(s *signals) int { return s.asks })},
	{"asks whether", when(func(s *signals) int { return s.confirms })},
	{"offers", when(func(s *signals) int { return s.offers })},
	{"prevented", when(func(s *signals) int { return s.prevents })},
	{"prevented first", func(c *conversation) float64 {
		return is(c.signals.prevents >= 0 && len(c.assertions) > 0 && c.signals.prevents <= c.assertions[0].clause.Sentence)
	}},
	{"speaks of failure", when(func(s *signals) int { return s.failures })},
	{"ends in a promise", func(c *conversation) float64 { return is(c.pendingPromise()) }},
	{"announces", when(func(s *signals) int { return s.promises })},
	{"after an offer", func(c *conversation) float64 { return is(c.about.answers) }},
}

// endsAsking reports whether the last sentence of a text asks.
func endsAsking(t *reading.Text) bool {
	n := len(t.Sentences)
	return n > 0 && t.Sentences[n-1].Asking
}

func wordsOf(t *reading.Text) int {
	n := 0
	for i := range t.Sentences {
		n += t.Sentences[i].Words
	}
	return n
}

func rolesOf(t *reading.Text) reading.Role {
	var all reading.Role
	for i := range t.Sentences {
		all |= t.Sentences[i].Roles
	}
	return all
}

// userMeans reports whether the user's words may ask for a tool: they have its verb,
// or one of its family beside a thing that it is about.
func (c *conversation) userMeans(t *toolFacts) bool {
	about := len(t.nouns) == 0 || slices.ContainsFunc(t.nouns, func(noun uint64) bool {
		return c.said.has(noun) || c.answered.has(noun) || c.shown.has(noun)
	})
	for k := range c.user.Tokens {
		entry := c.user.Tokens[k].Entry
		if entry == nil || !entry.Form.Has(lexicon.Base|lexicon.Gerund) {
			continue
		}
		if t.Verb.Entry != nil && entry.ID == t.Verb.Entry.ID || about && entry.Families.Overlaps(t.Families) {
			return true
		}
	}
	return false
}

// userUnused counts values of the user's message that the text repeats, and no
// successful record holds.
func (c *conversation) userUnused() float64 {
	n := 0
	for i := range c.user.Values {
		v := &c.user.Values[i]
		if v.Has(reading.Derived|reading.Merged) || v.Kind == reading.Word && v.Entry != nil {
			continue
		}
		if !c.knownNow(v.Key) && !c.before.has(v.Key) && c.shown.has(v.Key) {
			n++
		}
	}
	return float64(min(n, 4))
}

func topOf(d []float64, skip int) float64 {
	var top [3]float64
	for _, x := range d {
		for k := range top {
			if x > top[k] {
				top[k], x = x, top[k]
			}
		}
	}
	return top[skip]
}

func meanOf(d []float64) float64 {
	sum := 0.0
	for _, x := range d {
		sum += x
	}
	return sum / max(1, float64(len(d)))
}

// clauseVector computes the features of an assertion.
func (c *conversation) clauseVector(a *assertion) {
	c.vector = c.vector[:0]
	for i := range clauseFeatures {
		c.vector = append(c.vector, float32(clauseFeatures[i].of(c, a)))
	}
}

// turnVector computes the features of the turn, from the doubts about its
// assertions.
func (c *conversation) turnVector() {
	c.doubts = c.doubts[:0]
	for i := range c.assertions {
		c.doubts = append(c.doubts, c.assertions[i].doubt)
	}
	c.vector = c.vector[:0]
	for i := range turnFeatures {
		c.vector = append(c.vector, float32(turnFeatures[i].of(c)))
	}
}

// functionWord are the classes of words that say nothing by themselves.
const functionWord = lexicon.Negation | lexicon.Modal | lexicon.Auxiliary |
	lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson | lexicon.Possessive | lexicon.Pronoun |
	lexicon.Determiner | lexicon.Preposition | lexicon.Conjunction | lexicon.Question | lexicon.Condition |
	lexicon.Politeness | lexicon.Affirmation | lexicon.Greeting | lexicon.Interjection |
	lexicon.Sequence | lexicon.Hedge
