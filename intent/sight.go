package intent

import "github.com/bonafide-go/bonafide/internal/reading"

// sight is the most that one clause says of a tool.
type sight struct {
	tally
	plain float32
	like  float32 // how the verb relates to the tool's
	said  float32 // the same, of any verb of the message
	view  int32
	again int32
}

// plainly sums up what a clause says for a tool, roughly: enough to choose the
// clause and the tools that are weighed.
func (v *view) plainly(p *profile, t *tally, like float32) float32 {
	sum := like + 1.5*min(t.nameRare, 2) + min(t.toldRare, 2) +
		0.5*one(t.head) + pleas[v.clause.Plea]
	switch {
	case p.opposed.Overlaps(v.families), p.executes && like < toldAct && v.families.Overlaps(making):
		sum -= 3 // "add a test" runs none
	case v.asks && p.info:
		sum += 1
	case v.clause.Plea == reading.Named:
	case v.asks != p.info && like == otherAct:
		sum -= 0.5
	}
	return sum
}

// pleas is how plainly a clause asks for something.
var pleas = [reading.NumPleas]float32{reading.Commanded: 1, reading.Suggested: 0.8, reading.Inquired: 0.8,
	reading.Named: 0.3, reading.Wished: 0.6, reading.Barred: -1, reading.Pondered: -0.3, reading.Learned: -0.5}

// judge notes what a clause says for the tools that it may mean.
func (c *Classifier) judge(s *scratch, cl *reading.Request) {
	s.begin()
	number := int32(len(s.views))
	v := c.newView(s, cl)
	if o := &v.object; cl.Verb < 0 && o.content == 0 && o.times+o.numbers+o.names == 0 && !o.pronoun &&
		!o.quoted && number > 0 {
		s.views = s.views[:number]
		return // "Thank you!" says nothing of any tool
	}
	if cl.Able && v.generic {
		cl.Plea = reading.Inquired // for the ability; see Classifier.kind
	}
	s.candidates(c.candidacy, v.families)
	for tool := range s.open.all {
		p, t := c.profiles[tool], &s.tallies[tool]
		like := v.likeness(p)
		plain := v.plainly(p, t, like)
		v.likest.add(tool, like)
		v.plainest.add(tool, plain)
		v.rarest.add(tool, t.rare())
		seen := &s.sights[tool]
		if !s.sighted.has(tool) {
			s.sighted.add(int32(tool))
			*seen = sight{plain: -99}
		}
		if plain > 3 {
			seen.again++
		}
		seen.said = max(seen.said, like)
		if plain > seen.plain {
			seen.tally, seen.plain, seen.like, seen.view = *t, plain, like, number
		}
	}
}

// isLostInCrowd reports whether there are so many tools that one is near to anything, and a clause says neither
// the act of this one nor all words of its name.
func (c *Classifier) isLostInCrowd(seen *sight, tool int) bool {
	said := seen.like >= sameAct || seen.named > 0 && seen.named >= c.profiles[tool].weight
	return len(c.profiles) > manyTools && !said && !c.profiles[tool].info
}

// rare is how much a tool's words say that few other tools have.
func (t *tally) rare() float32 { return t.nameRare + t.toldRare }

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

// tops are the highest of what a message as a whole says for any tool.
type tops struct{ plain, all, prior top }

// tops compares the tools.
func (c *Classifier) tops(s *scratch) tops {
	t := tops{newTop(), newTop(), newTop()}
	for tool := range s.sighted.all {
		t.plain.add(tool, s.sights[tool].plain)
		t.all.add(tool, s.total(tool).rare())
	}
	if s.hasPrevious {
		for tool := range s.priors {
			t.prior.add(tool, s.priors[tool].strength())
		}
	}
	return t
}

// total is what the whole message says of a tool.
func (s *scratch) total(tool int) *tally {
	if s.whole {
		return &s.totals[tool]
	}
	return &s.tallies[tool]
}

// ahead is how many contenders the same clause says more for.
func (s *scratch) ahead(seen *sight) (n int) {
	for i := range s.contenders {
		if k := &s.contenders[i]; k.view == seen.view && k.view >= 0 && s.sights[k.tool].plain > seen.plain {
			n++
		}
	}
	return n
}
