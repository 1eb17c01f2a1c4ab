package intent

import (
	"math/bits"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// toolSet is a set of tools by their numbers, so that a clause costs what it
// says and not how many tools there are.
type toolSet []uint64

func newToolSet(tools int) toolSet { return make(toolSet, (tools+63)/64) }

func (s toolSet) add(tool int32) { s[tool>>6] |= 1 << (tool & 63) }

func (s toolSet) has(tool int) bool { return s[tool>>6]>>(tool&63)&1 == 1 }

func (s toolSet) union(t toolSet) {
	for i := range t {
		s[i] |= t[i]
	}
}

// all visits the tools of the set, in order.
func (s toolSet) all(visit func(tool int) bool) {
	for at, rest := range s {
		for ; rest != 0; rest &= rest - 1 {
			if !visit(at<<6 + bits.TrailingZeros64(rest)) {
				return
			}
		}
	}
}

// candidacy lists the tools that a clause may mean without one of their words.
type candidacy struct {
	byVerb [128]toolSet // by family of a verb that is theirs or may stand for it
	byAct  [128]toolSet // single functions by what they do, for verbs of other clauses
	always toolSet      // what takes anything, or answers what there is to do
	acts   lexicon.Families
}

// fewTools is how many tools are all compared, whatever a message says: the
// thing that it names may be known to none of them. More of them need more
// evidence; an unrelated one among few changes nothing.
const fewTools = 24

func newCandidacy(profiles []*profile) *candidacy {
	c := &candidacy{always: newToolSet(len(profiles))}
	for i, p := range profiles {
		c.acts = c.acts.Union(p.acts)
		list(&c.byVerb, p.acts.Union(p.told).Union(p.kin), int32(i), len(profiles))
		if !p.entity {
			list(&c.byAct, p.acts, int32(i), len(profiles))
		}
		if p.general || p.runs || len(profiles) <= fewTools {
			c.always.add(int32(i))
		}
	}
	return c
}

func list(sets *[128]toolSet, families lexicon.Families, tool int32, tools int) {
	for f := families.Next(lexicon.NoFamily); f != lexicon.NoFamily; f = families.Next(f) {
		if sets[f] == nil {
			sets[f] = newToolSet(tools)
		}
		sets[f].add(tool)
	}
}

// candidates collects the tools that a clause may mean.
func (s *scratch) candidates(c *candidacy, families lexicon.Families) {
	copy(s.open, c.always)
	s.open.union(s.touched)
	if s.whole {
		s.open.union(s.heard)
	}
	for family := families.Next(lexicon.NoFamily); family != lexicon.NoFamily; family = families.Next(family) {
		s.open.union(c.byVerb[family])
	}
	for family := s.said.Next(lexicon.NoFamily); family != lexicon.NoFamily; family = s.said.Next(family) {
		s.open.union(c.byAct[family])
	}
}

// tally is what the clause says about a tool so far, to be added to.
func (s *scratch) tally(tool int32) *tally {
	s.touched.add(tool)
	return &s.tallies[tool]
}

// begin makes the scratch ready for the next clause.
func (s *scratch) begin() {
	s.round++
	s.forget()
}

// forget makes the tallies empty again.
func (s *scratch) forget() {
	for tool := range s.touched.all {
		s.tallies[tool] = tally{}
	}
	clear(s.touched)
}
