package intent

import (
	"math"
	"slices"
)

// The probabilities from which on a guard does well to act; a host may choose
// others. They were chosen on requests of sources that were left out while the
// weights were fitted; see fitted.go for the figures.
const (
	// DefaultDue is that of [Intent.Due] from which on an answer without calls is
	// worth a question.
	DefaultDue = 0.6
	// DefaultSureChange is the confidence from which on a tool that may change
	// something can be insisted on, DefaultSureRead that for one that only reads.
	DefaultSureChange = 0.93
	DefaultSureRead   = 0.9
)

const (
	// expectFirst is the probability from which on the tool that stands first is
	// expected, expectFurther that for further ones.
	expectFirst, expectFurther = 0.35, 0.5
	// expectDue is how probable it must be that anything is due, for a tool that
	// is expected as the first only.
	expectDue = 0.6
	// maxJudged is how many tools are judged one by one, from the first.
	maxJudged = 6
	// farBehind is how far a tool may be behind the first, by plain words, to be
	// weighed at all.
	farBehind = 5
)

// contender is a tool that a message may mean.
type contender struct {
	tool  int32
	view  int32   // the clause that says most for it
	score float32 // of the ranking
	sure  float32 // the probability that it is asked for
}

// decide settles from the evidence what is expected, how sure that is, and
// whether anything is due.
func (c *Classifier) decide(s *scratch) {
	tops := c.tops(s)
	s.contend(c, &tops)
	s.due = 0
	if len(s.contenders) == 0 {
		s.weights = [weightedEvidence]float32{}
		c.weighMessage(s, &tops, (*evidence)(s.weights[:numEvidence]))
		s.due = probability(dueForest.score(s.weights[:]))
		return
	}
	for i := range s.contenders {
		k := &s.contenders[i]
		c.weigh(s, int(k.tool), &tops, (*evidence)(s.weights[:numEvidence]))
		k.score = rankForest.score(s.weights[:numEvidence])
	}
	slices.SortStableFunc(s.contenders, func(a, b contender) int { return compare(b.score, a.score) })
	for i := range s.contenders[:min(len(s.contenders), maxJudged)] {
		k := &s.contenders[i]
		c.weigh(s, int(k.tool), &tops, (*evidence)(s.weights[:numEvidence]))
		s.stand(i)
		k.sure = probability(sureForest.score(s.weights[:numEvidence+numStanding]))
		if i == 0 {
			s.weights[numEvidence+numStanding] = k.sure
			s.due = probability(dueForest.score(s.weights[:]))
		}
	}
}

func compare(a, b float32) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// numStanding is how many numbers tell how a tool stands to the others;
// weightedEvidence how many tell whether anything is due.
const (
	numStanding      = 4
	weightedEvidence = numEvidence + numStanding + 1
)

// stand notes how the i-th contender stands to the others that the same clause
// speaks of: its score, its share of all odds ("none" included), how far it is
// ahead, and its rank.
func (s *scratch) stand(i int) {
	k, sum, best, rank := &s.contenders[i], 1.0, float32(-8), 0
	for j := range s.contenders {
		other := &s.contenders[j]
		if other.view != k.view {
			continue
		}
		sum += math.Exp(float64(other.score))
		if j != i {
			best = max(best, other.score)
		}
		if j < i {
			rank++
		}
	}
	share := float32(math.Exp(float64(k.score)) / sum)
	s.weights[numEvidence], s.weights[numEvidence+1] = k.score, share
	s.weights[numEvidence+2], s.weights[numEvidence+3] = k.score-best, float32(rank)
}

// contend lists the tools that are worth weighing.
func (s *scratch) contend(c *Classifier, tops *tops) {
	s.contenders = s.contenders[:0]
	for tool := range c.profiles {
		seen := s.sighted.has(tool) && (s.sights[tool].plain > tops.plain.first-farBehind || s.sights[tool].rule > 0)
		if seen || s.hasPrevious && s.priors[tool].strength() > 0.5 {
			k := contender{tool: int32(tool), view: -1}
			if s.sighted.has(tool) {
				k.view = s.sights[tool].view
			}
			s.contenders = append(s.contenders, k)
		}
	}
}

// expectations turns the contenders that are probable enough into expectations, in
// the order in which the message asks for them.
func (c *Classifier) expectations(s *scratch) {
	s.expected = s.expected[:0]
	for i, k := range s.contenders[:min(len(s.contenders), maxJudged)] {
		if c.silent[k.tool] || k.sure < expectFurther && (i > 0 || k.sure < expectFirst || s.due < expectDue) {
			continue
		}
		s.expected = append(s.expected, c.foundTool(s, k))
	}
	slices.SortStableFunc(s.expected, func(a, b found) int { return a.from - b.from })
}

// foundTool describes the expectation of a tool.
func (c *Classifier) foundTool(s *scratch, k contender) found {
	f := found{tool: k.tool, score: logit(k.sure), to: len(s.reader.tokens)}
	if s.sighted.has(int(k.tool)) {
		seen := &s.sights[k.tool]
		v := &s.views[seen.view]
		f.from, f.to = v.from, v.to
		f.own = seen.like >= sameAct && v.mood == command && !v.families.Overlaps(vague)
	}
	if s.replies && s.priors[k.tool].strength() > 0.5 {
		f.from, f.to = 0, len(s.reader.tokens)
	}
	return f
}

// logit maps a probability to a log-odds.
func logit(p float32) float32 {
	p = max(min(p, 0.9999), 0.0001)
	return float32(math.Log(float64(p) / (1 - float64(p))))
}
