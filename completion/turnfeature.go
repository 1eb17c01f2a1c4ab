package completion

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
)

// turnFeature is one number about the turn as a whole.
type turnFeature struct {
	name string
	of   func(c *conversation, doubts []float64) float64
}

func countClauses(c *conversation, fits func(*reading.Clause) bool) float64 {
	n := 0
	for i := range c.text.Clauses {
		if fits(&c.text.Clauses[i]) {
			n++
		}
	}
	return float64(min(n, 6))
}

func countAssertions(c *conversation, fits func(*assertion) bool) float64 {
	n := 0
	for i := range c.assertions {
		if fits(&c.assertions[i]) {
			n++
		}
	}
	return float64(min(n, 6))
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

// top is a feature of the most doubtful assertion.
func top(of func(c *conversation, a *assertion) float64) func(*conversation, []float64) float64 {
	return func(c *conversation, d []float64) float64 {
		best := -1
		for i := range d {
			if best < 0 || d[i] > d[best] {
				best = i
			}
		}
		if best < 0 {
			return 0
		}
		return of(c, &c.assertions[best])
	}
}

var turnFeatures = []turnFeature{
	{"top own", top(func(_ *conversation, a *assertion) float64 { return is(a.own()) })},
	{"user tells", func(c *conversation, _ []float64) float64 { return is(c.userTells()) }},
	{"open ended", func(c *conversation, _ []float64) float64 { return is(c.openEnded) }},
	{"top doubt", func(_ *conversation, d []float64) float64 { return topOf(d, 0) }},
	{"third doubt", func(_ *conversation, d []float64) float64 { return topOf(d, 2) }},
	{"mean doubt", func(_ *conversation, d []float64) float64 { return meanOf(d) }},
	{"any doubt", func(_ *conversation, d []float64) float64 {
		p := 1.0
		for _, x := range d {
			p *= 1 - x
		}
		return 1 - p
	}},
	{"assertions", func(c *conversation, _ []float64) float64 { return float64(min(20, len(c.assertions))) }},
	{"changed", func(c *conversation, _ []float64) float64 { return float64(min(4, c.sum.changed)) }},
	{"read", func(c *conversation, _ []float64) float64 { return float64(min(4, c.sum.read)) }},
	{"failed", func(c *conversation, _ []float64) float64 { return float64(min(3, c.sum.failed)) }},
	{"pending", func(c *conversation, _ []float64) float64 { return float64(min(3, c.sum.pending)) }},
	{"mended", func(c *conversation, _ []float64) float64 { return float64(min(3, c.sum.mended)) }},
	{"calls", func(c *conversation, _ []float64) float64 { return float64(min(8, c.calls())) }},
	{"sentences", func(c *conversation, _ []float64) float64 {
		return float64(min(12, len(c.text.Sentences)))
	}},
	{"own reports", func(c *conversation, _ []float64) float64 { return countAssertions(c, (*assertion).ours) }},
	{"reports of changes", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.told() && a.changing() })
	}},
	{"states", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.clause.Shape >= reading.Copula && !a.clause.Negated })
	}},
	{"denials", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.clause.Negated })
	}},
	{"errors told", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool {
			return a.clause.Roles&(fails|reading.RoleUnable|reading.RoleSorry) != 0
		})
	}},
	{"waiting told", func(c *conversation, _ []float64) float64 {
		return countAssertions(c, func(a *assertion) bool { return a.clause.Roles&reading.RoleWait != 0 })
	}},
	{"untold failure", func(c *conversation, _ []float64) float64 { return is(c.untold) }},
	{"questions", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Asked })
	}},
	{"ends asking", func(c *conversation, _ []float64) float64 {
		n := len(c.text.Sentences)
		return is(n > 0 && c.text.Sentences[n-1].Asking)
	}},
	{"promises", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool {
			return k.Mood == reading.Future && k.Actor == reading.Us && !k.Negated
		})
	}},
	{"futures", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Future })
	}},
	{"possibles", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Possible })
	}},
	{"conditions", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Conditional })
	}},
	{"orders", func(c *conversation, _ []float64) float64 {
		return countClauses(c, func(k *reading.Clause) bool { return k.Mood == reading.Ordered })
	}},
	{"user asks", func(c *conversation, _ []float64) float64 { return is(c.about.asks) }},
	{"user orders", func(c *conversation, _ []float64) float64 { return is(c.about.orders) }},
	{"user denies", func(c *conversation, _ []float64) float64 { return is(c.about.roles&reading.RoleNegative != 0) }},
	{"user's length", func(c *conversation, _ []float64) float64 { return math.Log(1 + float64(wordsOf(&c.user))) }},
	{"tools asked for, uncalled", func(c *conversation, _ []float64) float64 {
		return float64(min(c.wanted.uncalled, 4))
	}},
	{"user values unused", func(c *conversation, _ []float64) float64 { return c.userUnused() }},
	{"asks", func(c *conversation, _ []float64) float64 { return is(c.signals.asks >= 0) }},
	{"asks whether", func(c *conversation, _ []float64) float64 { return is(c.signals.confirms >= 0) }},
	{"offers", func(c *conversation, _ []float64) float64 { return is(c.signals.offers >= 0) }},
	{"prevented", func(c *conversation, _ []float64) float64 { return is(c.signals.prevents >= 0) }},
	{"prevented first", func(c *conversation, _ []float64) float64 {
		return is(c.signals.prevents >= 0 && len(c.assertions) > 0 && c.signals.prevents <= c.assertions[0].clause.Sentence)
	}},
	{"speaks of failure", func(c *conversation, _ []float64) float64 { return is(c.signals.failures >= 0) }},
	{"ends in a promise", func(c *conversation, _ []float64) float64 { return is(c.pendingPromise()) }},
	{"announces", func(c *conversation, _ []float64) float64 { return is(c.signals.promises >= 0) }},
	{"after an offer", func(c *conversation, _ []float64) float64 {
		n := len(c.previous.Sentences)
		return is(n > 0 && c.previous.Sentences[n-1].Asking)
	}},
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
	about := len(t.Nouns) == 0 || slices.ContainsFunc(t.Nouns, func(noun toolname.Word) bool {
		key := c.reader.StemKey(noun.Text)
		return c.said.has(key) || c.answered.has(key) || c.shown.has(key)
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
	if len(d) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range d {
		sum += x
	}
	return sum / float64(len(d))
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
		c.vector = append(c.vector, float32(turnFeatures[i].of(c, c.doubts)))
	}
}

// functionWord are the classes of words that say nothing by themselves.
const functionWord = lexicon.Negation | lexicon.Modal | lexicon.Auxiliary |
	lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson | lexicon.Possessive | lexicon.Pronoun |
	lexicon.Determiner | lexicon.Preposition | lexicon.Conjunction | lexicon.Question | lexicon.Condition |
	lexicon.Politeness | lexicon.Affirmation | lexicon.Greeting | lexicon.Interjection |
	lexicon.Sequence | lexicon.Hedge
