package intent

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// support is the most that one clause of a message says for a tool.
type support struct {
	tally
	clause *clause // nil if none speaks of the tool
	plain  float32
	like   float32 // how the verb relates to the tool's
	said   float32 // the same, of any verb of the message
	again  int     // clauses that say much
}

// The likeness of an act to a tool's.
const (
	sameVerb = 4    // the very verb of the name
	sameWord = 3.5  // another word of the name
	sameLead = 3.25 // the first verb of the description
	nearVerb = 3.1  // one that may stand for the verb of the name
	sameAct  = 3    // of the same family as the name's
	toldAct  = 2    // of the family of another verb of the description
	akinAct  = 1    // of a family that may stand for it
	otherAct = 0    // none, or another
)

// likeness is how an act relates to what a tool does.
func (p *profile) likeness(d *deed) float32 {
	switch {
	case d.verb >= 0 && d.verb == p.verb:
		return sameVerb
	case d.verb >= 0 && slices.Contains(p.words, d.verb):
		return sameWord
	case d.verb >= 0 && d.verb == p.lead:
		return sameLead
	case d.verb >= 0 && !(p.info && d.does) && slices.Contains(p.near, d.verb): // who buys gets nothing shown
		return nearVerb
	case d.families.Overlaps(p.acts):
		return sameAct
	case d.families.Overlaps(p.told):
		return toldAct
	case d.families.Overlaps(p.kin):
		return akinAct
	}
	return otherAct
}

// isUndone reports whether a clause asks for what undoes or excludes the act of a tool: "add
// a test" runs none.
func (p *profile) isUndone(v *clause, like float32) bool {
	return p.opposed.Overlaps(v.families) || p.executes && like < toldAct && v.families.Overlaps(making)
}

// plainly sums up what a clause says for a tool, roughly: enough to choose the
// clause and the tools that are weighed.
func (v *clause) plainly(p *profile, t *tally, like float32) float32 {
	sum := like + 1.5*min(t.nameRare, 2) + min(t.toldRare, 2) + 0.5*one(t.head) + pleas[v.request.Plea]
	switch {
	case p.isUndone(v, like):
		sum -= 3
	case v.asks && p.info:
		sum += 1
	case v.request.Plea == reading.Named:
	case v.asks != p.info && like == otherAct:
		sum -= 0.5
	}
	return sum
}

// pleas is how plainly a clause asks for something.
var pleas = [reading.NumPleas]float32{reading.Commanded: 1, reading.Suggested: 0.8, reading.Inquired: 0.8,
	reading.Named: 0.3, reading.Wished: 0.6, reading.Barred: -1, reading.Pondered: -0.3, reading.Learned: -0.5}

// fewTools is how many tools are all compared, whatever a message says: the
// thing that it names may be known to none of them. More of them need more
// evidence; an unrelated one among few changes nothing.
const fewTools = 24

// canMean reports whether a clause may mean a tool at all: by one of its words here or
// elsewhere in the message, by a verb that is the tool's or may stand for it, or by what
// any verb of the message does; or because the tool takes anything.
func (m *message) canMean(p *profile, v *clause, t *tally) bool {
	return len(m.profiles) <= fewTools || p.general || p.runs || t.hits > 0 || m.whole[p.number].hits > 0 ||
		p.acts.Union(p.told).Union(p.kin).Overlaps(v.families) || !p.entity && p.acts.Overlaps(m.said)
}

// judge notes what a request says for the tools that it may mean.
func (m *message) judge(q *reading.Request) {
	v, tallies := m.newClause(q)
	if q.Verb < 0 && v.content == 0 && v.times+v.numbers+v.names == 0 && !v.pronoun && !v.quoted && len(m.clauses) > 0 {
		return // "Thank you!" says nothing of any tool
	}
	m.clauses = append(m.clauses, v)
	if len(m.Requests) == 1 {
		m.whole = tallies
	}
	if q.Able && v.generic {
		q.Plea = reading.Inquired // for the ability
	}
	for i, p := range m.profiles {
		t, s := &tallies[i], &m.supports[i]
		if !m.canMean(p, v, t) {
			continue
		}
		like := p.likeness(&v.deed)
		plain := v.plainly(p, t, like)
		v.likest.add(i, like)
		v.plainest.add(i, plain)
		v.rarest.add(i, t.rare())
		if plain > 3 {
			s.again++
		}
		s.said = max(s.said, like)
		if s.clause == nil || plain > s.plain {
			s.tally, s.clause, s.plain, s.like = *t, v, plain, like
		}
	}
}

// top is the highest of some numbers, and the second, so that each can be
// compared with the best of the others.
type top struct {
	first, second float32
	tool          int
	equal         int // how many have the highest
}

// newTop compares with nothing at first: the only tool is as far ahead as what
// is said for it.
func newTop() top { return top{first: -8, tool: -1} }

func (t *top) add(tool int, x float32) {
	switch {
	case x > t.first:
		t.first, t.second, t.tool, t.equal = x, max(t.first, t.second), tool, 1
	case x == t.first:
		t.second = max(x, t.second)
		t.equal++
	case x > t.second:
		t.second = x
	}
}

// ties is how many of the highest there are, of which x is one; none otherwise.
func (t *top) ties(x float32) int {
	if x == t.first {
		return t.equal
	}
	return 0
}

// without is the highest number of all tools but one.
func (t *top) without(tool int) float32 {
	if t.tool == tool {
		return t.second
	}
	return t.first
}
