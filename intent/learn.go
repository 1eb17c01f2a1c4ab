package intent

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// model is what the host's examples taught: for each tool that has enough of
// them, weights of words and pairs of words. It speaks beside the rules: their
// score is its starting point, and what it adds is bounded, so that neither a
// few examples nor a wrong one can turn everything over.
type model struct {
	learned []int32                   // the tools that have examples
	weights hashtable.Table[[]weight] // of the learned tools, by mark
}

// weight is how much a mark says for a tool, and the squares of what it learned.
type weight struct{ value, squares float32 }

const (
	minExamples = 3   // of a tool, before it is learned
	minSeen     = 2   // times that a word or pair must be seen
	maxMarks    = 160 // words and pairs read of one message
	learnRounds = 12
	learnRate   = 0.35
	learnDecay  = 1e-3
	maxLearned  = 6   // the most that a model adds to, or takes from, a score
	learnBias   = 0.8 // what both learn of is rarer among examples than among requests
	learnCare   = 1.6 // what an unexpected deletion must have beyond other tools
	trainShare  = 0.3 // of the rules' score while learning; the rest is to be learned again
	ruleClip    = 4   // the most that the rules say
	maxExamples = 20_000
	markAny     = 1 // every message has it
	markWord    = 0x9E3779B97F4A7C15
	markPair    = 0xC2B2AE3D27D4EB4F
	markOpening = 0x165667B19E3779F9
)

// learn fits a model to the examples; nil if there are too few. It is
// deterministic. Examples that name tools which are not ours are about others
// and left out.
func (c *Classifier) learn(examples []Example) *model {
	if len(examples) == 0 {
		return nil
	}
	lessons := c.lessons(examples[:min(len(examples), maxExamples)])
	m := &model{weights: hashtable.New[[]weight](len(lessons))}
	for tool := range c.profiles {
		n := 0
		for i := range lessons {
			n += int(one(lessons[i].wanted[tool]))
		}
		if n >= minExamples && !c.silent[tool] {
			m.learned = append(m.learned, int32(tool))
		}
	}
	if len(m.learned) == 0 {
		return nil
	}
	seen := map[uint64]int{}
	for i := range lessons {
		for _, mark := range lessons[i].marks {
			if seen[mark]++; seen[mark] == minSeen {
				m.weights.Put(mark, make([]weight, len(m.learned)))
			}
		}
	}
	for i := range lessons {
		lessons[i].weights = m.of(nil, lessons[i].marks)
	}
	for range learnRounds {
		for i := range lessons {
			m.fit(&lessons[i])
		}
		for k, always := range m.weights.Find(markAny) { // no message asks for a tool because it is one
			m.weights.Find(markAny)[k].value = min(always.value, 0)
		}
	}
	return m
}

// destructive families are never expected on the strength of examples alone, nor
// on that of words beside a verb that says something else.
var destructive = lexicon.FamiliesOf(lexicon.Delete, lexicon.Cancel)

// lesson is an example as the model sees it.
type lesson struct {
	marks   []uint64
	weights [][]weight // of the marks that count
	rules   []float32  // what the rules say of each tool
	wanted  []bool     // by tool
}

func (c *Classifier) lessons(examples []Example) []lesson {
	s := c.newScratch()
	s.peaks = make([]float32, len(c.profiles))
	var lessons []lesson
next:
	for _, example := range examples {
		l := lesson{wanted: make([]bool, len(c.profiles))}
		for _, name := range example.Expected {
			tool, ours := c.byName[name]
			if !ours {
				continue next
			}
			l.wanted[tool] = true
		}
		c.read(s, example.User)
		if s.reader.Foreign && len(example.Expected) == 0 {
			continue
		}
		l.marks = append(l.marks, s.marks()...)
		l.rules = append(l.rules, s.peaks...)
		lessons = append(lessons, l)
	}
	return lessons
}

// marks are the hashes of a message's words and pairs of words. Quotations
// and numbers stand for themselves whatever they hold.
func (s *scratch) marks() []uint64 {
	s.found = append(s.found[:0], markAny)
	last, first := uint64(markOpening), true
	for i := range s.reader.Tokens {
		token := &s.reader.Tokens[i]
		if !token.IsWord() || len(s.found) >= maxMarks {
			continue
		}
		key := token.Hash
		switch {
		case token.Kind == lexicon.Number:
			key = markWord
		case s.reader.Quotes && token.Has(lexicon.Quoted):
			key = markPair
		case token.Entry != nil:
			key = uint64(token.Entry.ID+1) * markWord
		}
		s.found = append(s.found, key*markPair|1, (last^key*markOpening)*markPair|1)
		if first {
			s.found = append(s.found, key*markOpening|1)
			first = false
		}
		last = key
	}
	return s.found
}

// of appends the weights of those marks that were seen often enough.
func (m *model) of(dst [][]weight, marks []uint64) [][]weight {
	for _, mark := range marks {
		if weights := m.weights.Find(mark); weights != nil {
			dst = append(dst, weights)
		}
	}
	return dst
}

// fit moves the weights of a lesson towards what it wants.
func (m *model) fit(l *lesson) {
	for k, tool := range m.learned {
		known := trainShare * clip(l.rules[tool], ruleClip)
		slope := float32(forest.Probability(known+sum(l.weights, k))) - one(l.wanted[tool])
		if slope > -0.01 && slope < 0.01 {
			continue
		}
		for _, weights := range l.weights {
			w := &weights[k]
			step := slope + learnDecay*w.value
			w.squares += step * step
			w.value -= learnRate * step / float32(math.Sqrt(float64(w.squares))+1)
		}
	}
}

// sum is what the marks of a message say for the k-th learned tool.
func sum(marks [][]weight, k int) (sum float32) {
	for _, weights := range marks {
		sum += weights[k].value
	}
	return clip(sum, maxLearned)
}

func clip(x, limit float32) float32 { return max(-limit, min(limit, x)) }

// recollect lets the model have its say on what the rules found. It may name a tool, and
// be sure of it where its own words speak for it; what keeps the rules from being sure
// keeps it from that, too.
func (c *Classifier) recollect(s *scratch) {
	s.weights = c.model.of(s.weights[:0], s.marks())
	before := len(s.expected)
	for k, tool := range c.model.learned {
		taught := sum(s.weights, k)
		score := clip(s.peaks[tool], ruleClip) + taught + learnBias
		at := s.position(tool)
		if at < 0 && c.profiles[tool].acts.Overlaps(destructive) {
			score -= learnCare
		}
		switch {
		case score > 0 && at < 0:
			score = min(score, c.mostTaught(s, tool))
			s.expected = append(s.expected, found{tool: tool, score: score, to: len(s.reader.Tokens)})
		case score > 0:
			f := &s.expected[at]
			if f.score = min(f.score+min(taught, 0), score); taught > 0 {
				f.score = min(max(f.score, score-learnBias), c.mostTaught(s, tool))
			}
		case at >= 0:
			s.expected = slices.Delete(s.expected, at, at+1)
		}
	}
	for len(s.expected) > max(before, 1) { // a message does not ask for more than it says
		weakest := slices.MinFunc(s.expected, func(a, b found) int { return cmp.Compare(a.score, b.score) })
		at := s.position(weakest.tool)
		s.expected = slices.Delete(s.expected, at, at+1)
	}
}

// mostTaught is the most that examples make of a tool: nobody is sure of a change that no
// clause asks for plainly.
func (c *Classifier) mostTaught(s *scratch, tool int32) float32 {
	plainly := c.profiles[tool].info || slices.ContainsFunc(s.views, func(v view) bool {
		asks := v.plea == reading.Commanded || v.plea == reading.Suggested || v.plea == reading.Wished
		return asks && !s.reader.Reserved(v.clause)
	})
	if plainly && !(s.sighted.has(int(tool)) && c.cautious(s, int(tool))) {
		return maxLearned
	}
	return strangeScore
}

// position is the place of a tool among the expectations, -1 if it is none.
func (s *scratch) position(tool int32) int {
	return slices.IndexFunc(s.expected, func(f found) bool { return f.tool == tool })
}
