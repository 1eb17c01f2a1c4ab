package intent

import (
	"math/bits"
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// judge finds the tools that a clause asks for, if any.
func (c *Classifier) judge(s *scratch, cl *clause) {
	s.begin()
	o := s.survey(c, cl)
	f := c.newFrame(s, cl, o)
	s.carry = f.kind
	best := c.rank(s, f)
	c.note(s, cl, f)
	if cl.mood == barred && !c.entity {
		return
	}
	if cl.able && o.generic(cl) {
		cl.mood = asking // for the ability
		return
	}
	if cl.mood == barred || s.reader.retrospect(cl) {
		return
	}
	if best < 0 {
		return
	}
	score := s.scores[best]
	if c.silent[best] { // what it would have done is nobody else's to do
		return
	}
	switch found := c.found(s, cl, f, best); {
	case !found.asked && c.aside(s, best):
	case score > 0 || s.listed && score > itemScore && found.named:
		s.expect(found)
		c.others(s, cl, f, best)
	case score > besideScore && found.asked && !found.conflict && s.tallies[best].hits > 0:
		s.beside = append(s.beside, found)
	}
}

// rank scores the tools and returns the best one, -1 if nothing speaks for any.
func (c *Classifier) rank(s *scratch, f *frame) (best int) {
	c.compare(s, f)
	best = -1
	for at, rest := range s.candidates(c.candidacy, f) {
		for ; rest != 0; rest &= rest - 1 {
			tool := at<<6 + bits.TrailingZeros64(rest)
			score, meant := s.grade(f, tool, c.profiles[tool])
			s.scores[tool] = score
			if meant && (best < 0 || score > s.scores[best]) {
				best = tool
			}
		}
	}
	return best
}

// grade is the score of a tool; false if nothing speaks for it. It is worked out
// once for all tools of one manner of which the message says no word.
func (s *scratch) grade(f *frame, tool int, p *profile) (score float32, meant bool) {
	if s.touched.has(tool) || s.whole && s.heard.has(tool) {
		return s.gradeOf(f, tool, &p.manner)
	}
	known := &s.grades[p.like]
	if known.round != s.round {
		known.round = s.round
		known.score, known.meant = s.gradeOf(f, tool, &p.manner)
	}
	return known.score, known.meant
}

// grade is a grade of the clause of a round.
type grade struct {
	round uint32
	score float32
	meant bool
}

func (s *scratch) gradeOf(f *frame, tool int, p *manner) (score float32, meant bool) {
	t, total := &s.tallies[tool], s.total(tool)
	thinks := f.clause.mood == pondering || f.clause.mood == learning
	meant = !(p.entity && (thinks || f.untold(p)) || !f.evidence(p, t, total))
	if !meant {
		return unmeant, false
	}
	return f.score(p, t, total), true
}

// unmeant is the score of a tool that nothing speaks for.
const unmeant = -6

// untold reports whether a clause tells something, or asks for an act, that is
// none of a tool's which only answers: who says "that is the right order" or "use
// the new address for my order" does not ask to be shown it.
func (f *frame) untold(p *manner) bool {
	if !p.info || f.asks || f.relate(p) != unrelated {
		return false
	}
	return f.clause.mood == statement && !p.agenda || !f.families.Empty() && (f.clause.mood == command || f.clause.mood == suggestion)
}

// evidence reports whether anything in the message speaks of the tool: one of
// its words or fields, its verb, or a question that needs no words of its own.
func (f *frame) evidence(p *manner, t, total *tally) bool {
	if p.executes && !p.runs && f.families.Overlaps(making) && f.relate(p) == unrelated {
		return false // "add a test" runs none
	}
	if p.changes && f.clause.mood == asking && f.clause.verb < 0 {
		return false // a plain question asks for no change
	}
	if t.hits > 0 || t.akin > 0 || p.general || p.runs || p.agenda && p.info && f.asks {
		return true
	}
	return f.families.Overlaps(p.acts) || f.families.Overlaps(p.told) || f.families.Overlaps(p.kin) || !p.entity && f.said.Overlaps(p.acts) || total.hits > 0
}

// executing families put to use what making families bring about.
var (
	executing = lexicon.FamiliesOf(lexicon.Run, lexicon.Test)
	making    = lexicon.FamiliesOf(lexicon.Create, lexicon.Delete, lexicon.Update, lexicon.Write, lexicon.Fix, lexicon.Refactor, lexicon.Implement, lexicon.Move)
)

// found describes the expectation of a tool by a clause.
func (c *Classifier) found(s *scratch, cl *clause, f *frame, tool int) found {
	p := c.profiles[tool]
	rel := f.relate(&p.manner)
	return found{
		tool: int32(tool), score: s.scores[tool], from: cl.from, to: cl.to,
		own:   rel == acting && cl.mood == command && !f.families.Overlaps(vague),
		weak:  p.info && (cl.verb < 0 && cl.mood != asking || cl.mood != asking && f.families.Overlaps(leading)),
		wish:  cl.me && !p.info && !p.entity,
		asked: pleading[cl.mood] >= pleading[asking],
		named: s.tallies[tool].namedHits > 0, conflict: rel == unrelated && !f.families.Empty() && !(p.info && f.informs),
	}
}

// others finds further tools that one clause asks for: "the area of the square
// and the volume of the cube" names two, each by a word of its own.
func (c *Classifier) others(s *scratch, cl *clause, f *frame, best int) {
	if !s.reader.enumerates(cl) {
		return
	}
	for tool := s.open.next(0); tool >= 0; tool = s.open.next(tool + 1) {
		if tool != best && !c.silent[tool] && !c.profiles[tool].entity && s.scores[tool] > alongside && c.exclusive(s, tool, best) {
			s.expect(c.found(s, cl, f, tool))
		}
	}
}

// itemScore is what an item of a counted list must have: who counts up means
// each of them.
const itemScore = -1

// besideScore is what a request must have beside one that a tool is expected for:
// who asks for one thing mostly asks for the others, too.
const besideScore = -0.8

// alongside is the score that a second tool of a clause must have.
const alongside = 1

// enumerates reports whether the clause names several things.
func (r *reader) enumerates(c *clause) bool {
	for i := c.body; i < c.to; i++ {
		if r.tokens[i].Kind == lexicon.Comma || r.class(i).Has(lexicon.Conjunction) {
			return true
		}
	}
	return false
}

// exclusive reports whether the clause holds a word of the tool's name that the
// other tool's name has not.
func (c *Classifier) exclusive(s *scratch, tool, other int) bool {
	for _, number := range s.matched {
		w := &c.vocabulary.words[number-1]
		has, shared := false, false
		for _, p := range c.vocabulary.postings[w.from:w.to] {
			has = has || p.named && !p.lent && int(p.tool) == tool
			shared = shared || !p.lent && int(p.tool) == other
		}
		if has && !shared {
			return true
		}
	}
	return false
}

// settle drops expectations that only lean on a stronger one: people tell
// around what they ask for.
func (c *Classifier) settle(s *scratch) {
	top := 0
	for i := range s.expected {
		if s.expected[i].score > s.expected[top].score {
			top = i
		}
	}
	kept := s.settled[:0] // not in place: each is compared with all
	for i, f := range s.expected {
		if f.weak && c.profiles[f.tool].entity && i+1 < len(s.expected) && !c.profiles[s.expected[i+1].tool].info && s.expected[i+1].from == f.to {
			continue // "find it and delete it"
		}
		if c.foregone(s.expected, f) {
			continue
		}
		if i == top || f.score <= 0 || c.profiles[f.tool].entity || (!f.conflict || f.score > 2) && (f.named && (f.asked || f.score > 0.5) || f.own || f.score > 2) || s.listed && (f.named || f.score > 0.5) {
			kept = append(kept, f)
		}
	}
	s.expected, s.settled = kept, s.expected
}

// foregone reports whether a wish only says what for a tool of the same service
// is asked: "I need to reserve two seats. Which trains are there?"
func (c *Classifier) foregone(expected []found, wish found) bool {
	if !wish.wish {
		return false
	}
	for _, f := range expected {
		if f.asked && !f.wish && c.profiles[f.tool].info && c.profiles[f.tool].akin(c.profiles[wish.tool]) {
			return true
		}
	}
	return false
}

// join adds what is asked for beside what is expected.
func (s *scratch) join() {
	for _, f := range s.beside {
		if s.position(f.tool) < 0 {
			s.expected = append(s.expected, f)
		}
	}
	slices.SortStableFunc(s.expected, func(a, b found) int { return a.from - b.from })
}

// leading families only lead to what is asked for next: "open my list and add".
var leading = lexicon.FamiliesOf(lexicon.Search, lexicon.Open, lexicon.Verify)

// vague families ask for so many things that they alone mean none.
var vague = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Book, lexicon.Order, lexicon.Play, lexicon.Verify)

// itemized reports whether the message counts its requests up: first, second,
// then, finally.
func (s *scratch) itemized() bool {
	n := 0
	for i := range s.reader.tokens {
		if s.reader.class(i).Has(lexicon.Sequence) && s.reader.tokens[i].Has(lexicon.SentenceStart) {
			n++
		}
	}
	return n >= 2
}

// total is what the whole message says of a tool.
func (s *scratch) total(tool int) *tally {
	if s.whole {
		return &s.totals[tool]
	}
	return &s.tallies[tool]
}

// expect adds a tool once, with its best score.
func (s *scratch) expect(f found) {
	for i := range s.expected {
		if s.expected[i].tool == f.tool {
			s.expected[i].score = max(s.expected[i].score, f.score)
			return
		}
	}
	s.expected = append(s.expected, f)
}
