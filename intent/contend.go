package intent

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/vector"
)

const (
	// maxContenders is how many tools are weighed, maxJudged how many of these are
	// judged one by one, from the first.
	maxContenders, maxJudged = 8, 5
	// earlyTrees of the ranking are walked for all, the others for those that are
	// not out of reach then.
	earlyTrees, outOfReach = 12, 3
	// nearShare is how much the nearness of a tool counts beside the trees.
	nearShare = 0.6
	// hardly is the share of the odds below which a tool is not judged.
	hardly = 0.05
	// farBehind is how far a tool may be behind the first of its clause, by plain
	// words, to be weighed at all; clauseFirst is what that first one has before
	// others where there is no room for all.
	farBehind, clauseFirst = 3, 2
)

// judgement is what is made of what a message says.
type judgement struct {
	all        evidence // whatever the tool
	contenders []*contender
	due        float32
	expected   []found
}

// judged are the contenders that are judged one by one.
func (j *judgement) judged() []*contender { return j.contenders[:min(len(j.contenders), maxJudged)] }

// contender is a tool that a message may mean.
type contender struct {
	message  *message
	*support // what the clause that says most for it says
	prior    *prior
	tool     *profile
	rough    float32 // how strong it is by plain words, by which it is weighed at all
	near     float32 // how near it is to where the words point
	score    float32 // of the ranking, a log-odds against those of its clause
	odds     float32 // of its score
	sure     float32 // the probability that it is asked for
	evidence evidence
}

// decide settles from the evidence how likely each tool is, and whether anything is due.
func (m *message) decide() {
	tops := m.compare()
	m.all = m.weighMessage(&tops)
	if m.contenders = m.contend(&tops); len(m.contenders) == 0 {
		m.due = float32(m.models.due.Probability(m.all[:]))
		return
	}
	for _, k := range m.contenders {
		k.weigh(&tops)
	}
	weighAgainst(m.contenders)
	m.rankAll()
	for i, k := range m.judged() {
		if share := m.stand(i); i > 0 && share < hardly && !k.isListedBeside(m.contenders[0]) {
			continue
		}
		k.sure = float32(m.models.sure.Probability(k.evidence[:]))
		if i == 0 {
			k.evidence[eSure] = k.sure
			m.due = float32(m.models.due.Probability(k.evidence[:]))
		}
	}
}

// rankAll scores the contenders and sorts them. Those that the first trees see far behind are
// not walked further: they have nothing to say in the end.
func (m *message) rankAll() {
	best := float32(math.Inf(-1))
	for _, k := range m.contenders {
		k.score = nearShare*k.near + m.models.early.Score(k.evidence[:])
		best = max(best, k.score)
	}
	for _, k := range m.contenders {
		if k.score > best-outOfReach {
			k.score += m.models.late.Score(k.evidence[:])
		}
		k.odds = float32(math.Exp(float64(k.score)))
	}
	slices.SortStableFunc(m.contenders, func(a, b *contender) int { return cmp.Compare(b.score, a.score) })
}

// stand notes how the i-th contender stands to the others that the same clause
// speaks of: its score, its share of all odds ("none" included), how far it is
// ahead, and its rank.
func (j *judgement) stand(i int) (share float32) {
	k, sum, best, rank := j.contenders[i], float32(1), float32(-8), 0
	for at, other := range j.contenders {
		if other.clause != k.clause {
			continue
		}
		sum += other.odds
		if at != i {
			best = max(best, other.score)
		}
		rank += number(at < i)
	}
	share = k.odds / sum
	e := &k.evidence
	e[eScore], e[eShare], e[eAhead], e[ePlace] = k.score, share, k.score-best, float32(rank)
	return share
}

// contend lists the tools that are worth weighing, the strongest first.
func (m *message) contend(tops *tops) []*contender {
	if tops.plain.tool >= 0 || m.hasPrevious { // else no tool is near, wherever the words point
		m.head()
	}
	able := make([]*contender, 0, maxContenders+1)
	for i, p := range m.profiles {
		k := contender{message: m, support: &m.supports[i], prior: &m.priors[i], tool: p, near: m.point.Times(&p.toward)}
		if !k.isWorthWeighing(tops) {
			continue
		}
		weaker := func(other *contender) bool {
			return other.rough < k.rough || other.rough == k.rough && other.clause == nil && k.clause != nil
		}
		at := slices.IndexFunc(able, weaker)
		if at < 0 {
			at = len(able)
		}
		if at < maxContenders {
			kept := k
			able = slices.Insert(able, at, &kept)
			able = able[:min(len(able), maxContenders)]
		}
	}
	return able
}

// isWorthWeighing notes how strong a contender is by plain words, and reports whether that is
// enough to weigh it.
func (k *contender) isWorthWeighing(tops *tops) bool {
	k.rough = k.prior.strength()
	if k.clause == nil {
		return k.rough > 0.5
	}
	k.rough = k.plain + k.near + k.rough
	if k.message.done.Overlaps(k.tool.acts) {
		k.rough++
	}
	first := k.clause.plainest.first
	if k.plain == first {
		k.rough += clauseFirst // what a clause speaks of most
	}
	return k.plain >= first-farBehind || k.rough > tops.plain.first
}

// head adds up the words of the message and of the text before.
func (m *message) head() {
	heading := vector.NewHeading(m.vectors, m.recalled)
	for i := range m.asking {
		heading.Say(&m.Tokens[i])
	}
	m.point = heading.Vector()
}
