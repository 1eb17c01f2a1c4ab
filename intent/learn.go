package intent

import (
	"math"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// model is what the host's examples taught: for each tool that has enough of
// them, weights of words and pairs of words. It speaks beside the rules: their
// score is its starting point, and what it adds is bounded, so that neither a
// few examples nor a wrong one can turn everything over.
type model struct {
	features hashtable.Table[int32]
	learned  []int32   // the tools that have examples
	weights  []float32 // feature × learned tool
	careful  []bool    // learned tools that destroy
}

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
	if len(examples) > maxExamples {
		examples = examples[:maxExamples]
	}
	lessons := c.lessons(examples)
	m := &model{learned: c.taught(lessons)}
	if len(m.learned) == 0 {
		return nil
	}
	for _, tool := range m.learned {
		m.careful = append(m.careful, c.profiles[tool].acts.Overlaps(destructive))
	}
	m.list(lessons)
	m.fit(lessons)
	return m
}

// destructive families are never expected on the strength of examples alone, nor
// on that of words beside a verb that says something else.
var destructive = lexicon.FamiliesOf(lexicon.Delete, lexicon.Cancel)

// lesson is an example as the model sees it.
type lesson struct {
	marks   []uint64
	numbers []int32   // of the marks that count
	rules   []float32 // what the rules say of each tool
	wanted  []bool    // by tool
}

func (c *Classifier) lessons(examples []Example) []lesson {
	byName := map[string]int{}
	for i, p := range c.profiles {
		byName[p.name] = i
	}
	s := c.newScratch()
	s.peaks = make([]float32, len(c.profiles))
	var lessons []lesson
next:
	for _, example := range examples {
		l := lesson{wanted: make([]bool, len(c.profiles))}
		for _, name := range example.Expected {
			tool, ours := byName[name]
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

// taught are the tools with enough examples.
func (c *Classifier) taught(lessons []lesson) []int32 {
	var tools []int32
	for tool := range c.profiles {
		if c.silent[tool] {
			continue
		}
		n := 0
		for i := range lessons {
			if lessons[i].wanted[tool] {
				n++
			}
		}
		if n >= minExamples {
			tools = append(tools, int32(tool))
		}
	}
	return tools
}

// marks are the hashes of a message's words and pairs of words. Quotations
// and numbers stand for themselves whatever they hold.
func (s *scratch) marks() []uint64 {
	s.found = s.found[:0]
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

// list numbers the marks that are seen often enough.
func (m *model) list(lessons []lesson) {
	seen := map[uint64]int{}
	n := 0
	for i := range lessons {
		for _, mark := range lessons[i].marks {
			if seen[mark]++; seen[mark] == minSeen {
				n++
			}
		}
	}
	m.features = hashtable.New[int32](n + 1)
	next := int32(1)
	for i := range lessons {
		for _, mark := range lessons[i].marks {
			if seen[mark] >= minSeen && m.features.Find(mark) == 0 {
				m.features.Put(mark, next+1)
				next++
			}
			if number := m.features.Find(mark); number != 0 {
				lessons[i].numbers = append(lessons[i].numbers, number-1)
			}
		}
	}
	m.weights = make([]float32, int(next)*len(m.learned))
}

// fit runs over the lessons a fixed number of times. Number 0 is the bias.
func (m *model) fit(lessons []lesson) {
	squares := make([]float32, len(m.weights))
	width := len(m.learned)
	for range learnRounds {
		for i := range lessons {
			l := &lessons[i]
			for k, tool := range m.learned {
				wanted := float32(0)
				if l.wanted[tool] {
					wanted = 1
				}
				slope := float32(forest.Probability(trainShare*clip(l.rules[tool], ruleClip)+m.sum(l.numbers, k))) - wanted
				if slope > -0.01 && slope < 0.01 {
					continue
				}
				m.step(squares, k, slope)
				for _, number := range l.numbers {
					m.step(squares, int(number)*width+k, slope)
				}
			}
		}
	}
}

func (m *model) step(squares []float32, at int, slope float32) {
	slope += learnDecay * m.weights[at]
	squares[at] += slope * slope
	m.weights[at] -= learnRate * slope / float32(math.Sqrt(float64(squares[at]))+1)
}

func (m *model) sum(numbers []int32, k int) float32 {
	sum := m.weights[k]
	for _, number := range numbers {
		sum += m.weights[int(number)*len(m.learned)+k]
	}
	return clip(sum, maxLearned)
}

func clip(x, limit float32) float32 { return max(-limit, min(limit, x)) }

// apply lets the model have its say on what the rules found.
func (m *model) apply(s *scratch) {
	s.numbers = s.numbers[:0]
	for _, mark := range s.marks() {
		if number := m.features.Find(mark); number != 0 {
			s.numbers = append(s.numbers, number-1)
		}
	}
	before := len(s.expected)
	for k, tool := range m.learned {
		score := clip(s.peaks[tool], ruleClip) + m.sum(s.numbers, k) + learnBias
		if m.careful[k] && s.position(tool) < 0 {
			score -= learnCare
		}
		at := s.position(tool)
		switch {
		case score > 0 && at < 0:
			s.expected = append(s.expected, found{tool: tool, score: score, to: len(s.reader.Tokens)})
		case score > 0:
			s.expected[at].score = score
		case at >= 0:
			s.expected = append(s.expected[:at], s.expected[at+1:]...)
		}
	}
	s.atMost(before)
}

// atMost drops the weakest expectations beyond one for each clause: a message
// does not ask for more than it says.
func (s *scratch) atMost(n int) {
	for len(s.expected) > max(n, 1) {
		weakest := 0
		for i := range s.expected {
			if s.expected[i].score < s.expected[weakest].score {
				weakest = i
			}
		}
		s.expected = append(s.expected[:weakest], s.expected[weakest+1:]...)
	}
}

// position is the place of a tool among the expectations, -1 if it is none.
func (s *scratch) position(tool int32) int {
	for i := range s.expected {
		if s.expected[i].tool == tool {
			return i
		}
	}
	return -1
}
