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
	DefaultDue = 0.58
	// DefaultSureChange is the confidence from which on a tool that may change
	// something can be insisted on, DefaultSureRead that for one that only reads.
	DefaultSureChange = 0.92
	DefaultSureRead   = 0.9
)

const (
	// expectFirst is the probability from which on the tool that stands first is
	// expected, expectFurther that for further ones.
	expectFirst, expectFurther = 0.38, 0.6
	// expectDue is how probable it must be that anything is due, for a tool that
	// is expected as the first only.
	expectDue = 0.7
	// expectListed is that for a tool that a clause lists beside the first.
	expectListed = 0.2
	// expectAgreed is that for a tool that was offered, and agreed to.
	expectAgreed = 0.15
	// agreedScore is the log-odds of such a tool, at least: four of five are meant.
	agreedScore = 1.4
	// expectBare is that for the one tool of whose very verb a command consists,
	// but for an id or a name: "delete t1".
	expectBare = 0.1
	// bareScore is the log-odds of such a tool, at least: seven of ten are meant.
	bareScore = 0.9
	// expectHeld is that for a tool that the message seems to hold back.
	expectHeld = 0.75
	// maxContenders is how many tools are weighed, maxJudged how many of these are
	// judged one by one, from the first.
	maxContenders, maxJudged = 8, 4
	// hardly is the share of the odds below which a tool is not judged.
	hardly = 0.02
	// leastSaid is what plain words say at least of a tool that a message speaks of.
	leastSaid = 1.3
	// farBehind is how far a tool may be behind the first, by plain words, to be
	// weighed at all.
	farBehind = 4
)

// contender is a tool that a message may mean.
type contender struct {
	tool  int32
	at    int32   // the place of its evidence
	view  int32   // the clause that says most for it
	score float32 // of the ranking
	odds  float32 // the same as odds
	sure  float32 // the probability that it is asked for
}

// decide settles from the evidence what is expected, how sure that is, and
// whether anything is due.
func (c *Classifier) decide(s *scratch) {
	tops := c.tops(s)
	c.weighMessage(s, &tops, &s.message)
	s.contend(c, &tops)
	if len(s.contenders) == 0 {
		s.due = probability(dueForest.score(&s.message))
		return
	}
	for i := range s.contenders {
		k := &s.contenders[i]
		k.at = int32(i)
		c.weigh(s, int(k.tool), &tops, &s.evidence[i])
	}
	s.compareDeeds()
	for i := range s.contenders {
		k := &s.contenders[i]
		k.score = rankForest.score(&s.evidence[i])
		k.odds = float32(math.Exp(float64(k.score)))
	}
	slices.SortStableFunc(s.contenders, func(a, b contender) int { return compare(b.score, a.score) })
	for i := range s.contenders[:min(len(s.contenders), maxJudged)] {
		k := &s.contenders[i]
		x := &s.evidence[k.at]
		if share := s.stand(i, x); i > 0 && share < hardly {
			continue
		}
		k.sure = probability(sureForest.score(x))
		if i == 0 {
			x[numEvidence+numStanding] = k.sure
			s.due = probability(dueForest.score(x))
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
func (s *scratch) stand(i int, x *vector) (share float32) {
	k, sum, best, rank := &s.contenders[i], float32(1), float32(-8), 0
	for j := range s.contenders {
		other := &s.contenders[j]
		if other.view != k.view {
			continue
		}
		sum += other.odds
		if j != i {
			best = max(best, other.score)
		}
		if j < i {
			rank++
		}
	}
	share = k.odds / sum
	x[numEvidence], x[numEvidence+1], x[numEvidence+2], x[numEvidence+3] = k.score, share, k.score-best, float32(rank)
	return share
}

// contend lists the tools that are worth weighing, the strongest first.
func (s *scratch) contend(c *Classifier, tops *tops) {
	s.contenders = s.contenders[:0]
	least := tops.plain.first - farBehind
	if tops.plain.first < leastSaid { // nothing speaks for any of them
		least = tops.plain.first
	}
	for tool := s.sighted.next(0); tool >= 0; tool = s.sighted.next(tool + 1) {
		seen := &s.sights[tool]
		strength := seen.plain
		if s.hasPrevious {
			strength += s.priors[tool].strength()
		}
		if s.done.Overlaps(c.profiles[tool].acts) {
			strength++
		}
		if seen.plain >= least || seen.rule > 0 || strength > tops.plain.first {
			s.enter(contender{tool: int32(tool), view: seen.view, score: strength})
		}
	}
	if !s.hasPrevious {
		return
	}
	for tool := range s.priors {
		if strength := s.priors[tool].strength(); strength > 0.5 && !s.sighted.has(tool) {
			s.enter(contender{tool: int32(tool), view: -1, score: strength})
		}
	}
}

// enter adds a contender before those that are weaker. The weakest gives way
// where there is no room.
func (s *scratch) enter(k contender) {
	if len(s.contenders) == maxContenders {
		if k.score <= s.contenders[maxContenders-1].score {
			return
		}
		s.contenders = s.contenders[:maxContenders-1]
	}
	s.contenders = append(s.contenders, k)
	for i := len(s.contenders) - 1; i > 0 && s.contenders[i-1].score < k.score; i-- {
		s.contenders[i], s.contenders[i-1] = s.contenders[i-1], s.contenders[i]
	}
}

// expectations turns the contenders that are probable enough into expectations, in
// the order in which the message asks for them.
func (c *Classifier) expectations(s *scratch) {
	s.expected = s.expected[:0]
	for i, k := range s.contenders[:min(len(s.contenders), maxJudged)] {
		if !c.silent[k.tool] && c.probable(s, i) {
			s.expected = append(s.expected, c.foundTool(s, k))
		}
	}
	slices.SortStableFunc(s.expected, func(a, b found) int { return a.from - b.from })
	if len(s.expected) > 1 {
		s.settled = append(s.settled[:0], s.expected...)
		s.expected = slices.DeleteFunc(s.expected, func(f found) bool {
			return c.leadsOn(s, f) ||
				c.foregone(s.settled, f)
		})
	}
}

// probable reports whether the i-th contender is probable enough to be expected.
func (c *Classifier) probable(s *scratch, i int) bool {
	k := &s.contenders[i]
	limit := float32(expectFurther)
	switch prior := &s.priors[k.tool]; {
	case i == 0 && s.replies && (prior.offered >= sameAct || s.corrects && prior.like >= sameAct):
		return k.sure >= expectAgreed
	case i == 0 && s.due >= expectDue:
		limit = expectFirst
	case i > 0 && s.listsBoth(i):
		limit = expectListed
	}
	if k.view >= 0 {
		v, seen := &s.views[k.view], &s.sights[k.tool]
		switch p := c.profiles[k.tool]; {
		case i == 0 && c.bare(s, k):
			return k.sure >= expectBare
		case p.firsts > 0 && seen.namedHits > 0 && seen.first == 0:
			limit = max(limit, expectHeld) // "I need my phone" says nothing of get_customer_by_phone
		case v.able && v.generic: // "can you delete tasks?" asks for the ability
			return false
		case v.mood == learning, v.mood == asking && !p.info && seen.like < sameAct:
			limit = max(limit, expectHeld) // how it is done; a plain question asks for no change
		}
	}
	if c.holds(s, int(k.tool)) && !s.besides(k) {
		limit = max(limit, expectHeld)
	}
	return k.sure >= limit
}

// bare reports whether a contender is the one tool of whose very verb a command
// consists.
func (c *Classifier) bare(s *scratch, k *contender) bool {
	if k.view < 0 || c.profiles[k.tool].info || s.hold != NotHeld {
		return false
	}
	v := &s.views[k.view]
	return v.bare() && s.sights[k.tool].like == sameVerb && v.likest.without(int(k.tool)) < sameVerb
}

// bare reports whether a clause is a command with next to nothing but its verb.
func (v *view) bare() bool {
	return v.mood == command && v.foreign == 0 && v.object.content <= 1 && !v.generic
}

// besides reports whether a message that forbids one thing commands the tool
// beside it: "don't delete it, mark it as done".
func (s *scratch) besides(k *contender) bool {
	return s.hold == Forbidden && k.view >= 0 && s.views[k.view].mood == command && s.message[eBars] > 0 &&
		s.ruled(k.tool)
}

// ruled reports whether the grammar of requests expects a tool.
func (s *scratch) ruled(tool int32) bool {
	return slices.ContainsFunc(s.rules, func(f found) bool { return f.tool == tool })
}

// listsBoth reports whether the grammar of requests finds the i-th contender
// beside the first in one clause: "its languages and its currency".
func (s *scratch) listsBoth(i int) bool {
	return s.contenders[i].view == s.contenders[0].view && s.ruled(s.contenders[i].tool) &&
		s.ruled(s.contenders[0].tool)
}

// holds reports whether the message holds a tool back. Questions about how and
// what if hold back changes only.
func (c *Classifier) holds(s *scratch, tool int) bool {
	return s.hold == Withdrawn || s.hold == Forbidden || s.hold != NotHeld && !c.profiles[tool].info
}

// leadsOn reports whether a look-up only leads to the change that is asked for
// next: "find it and delete it".
func (c *Classifier) leadsOn(s *scratch, f found) bool {
	if !c.profiles[f.tool].info || !c.profiles[f.tool].entity || !s.sighted.has(int(f.tool)) ||
		!s.views[s.sights[f.tool].view].families.Overlaps(leading) {
		return false
	}
	return slices.ContainsFunc(s.settled, func(next found) bool {
		return next.from == f.to &&
			!c.profiles[next.tool].info
	})
}

// foundTool describes the expectation of a tool.
func (c *Classifier) foundTool(s *scratch, k contender) found {
	f := found{tool: k.tool, score: logit(k.sure), to: len(s.reader.tokens)}
	if c.bare(s, &k) {
		f.score = max(f.score, bareScore)
	}
	if s.sighted.has(int(k.tool)) {
		seen := &s.sights[k.tool]
		v := &s.views[seen.view]
		f.from, f.to = v.from, v.to
		f.wish, f.asked = v.me && !c.profiles[k.tool].info && !c.profiles[k.tool].entity,
			pleading[v.mood] >= pleading[asking]
		f.own = seen.like >= sameAct && v.mood == command && !v.families.Overlaps(vague)
	}
	if prior := &s.priors[k.tool]; s.replies && prior.strength() > 0.5 {
		f.from, f.to = 0, len(s.reader.tokens)
		if prior.offered >= sameAct {
			f.score = max(f.score, agreedScore)
		}
	}
	return f
}

// logit maps a probability to a log-odds.
func logit(p float32) float32 {
	p = max(min(p, 0.9999), 0.0001)
	return float32(math.Log(float64(p) / (1 - float64(p))))
}
