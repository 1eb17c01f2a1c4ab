package forest

import (
	"fmt"
	"math"
	"slices"
)

// Scale are the cuts of forests that ask for the same features. A case is ranked by it
// once, and then scored by each of them.
type Scale struct {
	features []string
	rulers   []ruler // by feature
	null     Ranks   // of a case that is all zeros
}

// ruler are the cuts of one feature. Between the lowest and the highest it is cut into
// even cells, so that a number need not be compared with all of them.
type ruler struct {
	low, grain float32
	first      [maxCuts + 1]uint8 // by cell: how many cuts lie in cells below
	crowded    bool               // some cell has more cuts than are compared without a jump
	cuts       []float32          // in order; then some that no number reaches
}

// Ranks are the features of a case by how many cuts they reach. The lower bits are
// free: questions have their feature there.
type Ranks [maxFeatures + 1]int32

const (
	rankShift = 8
	maxCuts   = 1<<rankShift - 1
)

// Ranked is a forest that scores by ranks, which takes less time than by the values
// themselves (see BenchmarkRanked): a question is so small that most of them stay in
// the processor's nearest cache, and a tree is laid out as if it were full, so that the
// question at i leads to those at 2i and 2i+1 and need not say so.
type Ranked struct {
	bias   float32
	depth  int // how many questions are asked in turn
	trees  int
	stands []stand
	leaves []leaves // of each stand; apart, as only few of them are looked at
}

// stand are the questions of trees that are walked side by side, from 1: the rank of a
// cut, and its feature. Leaves are their answers.
type (
	stand  [standing][maxLeaves]uint16
	leaves [standing][maxLeaves]float32
)

const (
	standing  = abreast
	maxDepth  = 6
	maxLeaves = 1 << maxDepth
	maxNodes  = 2*maxLeaves - 1
	// flat and shallow trees are walked down so many questions, all others maxDepth.
	flat, shallow = 3, 5
	// settled is what is asked where a tree has its answer already: no value reaches it,
	// so that the way goes on to the left.
	settled = maxCuts << rankShift
)

// newScale makes a scale of the cuts of each feature, in any order.
func newScale(features []string, all [][]float32) (*Scale, error) {
	s := &Scale{features: features, rulers: make([]ruler, len(all))}
	for i, cuts := range all {
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		if len(cuts) > maxCuts {
			return nil, fmt.Errorf("feature %d has %d cuts; at most %d can be ranked", i, len(cuts), maxCuts)
		}
		s.rulers[i].cut(cuts)
		s.null[i] = s.rulers[i].rank(0)
	}
	return s, nil
}

// cut makes a ruler.
func (r *ruler) cut(cuts []float32) {
	if len(cuts) > 1 && !math.IsInf(float64(cuts[len(cuts)-1]-cuts[0]), 0) {
		r.low, r.grain = cuts[0], maxCuts/(cuts[len(cuts)-1]-cuts[0])
	}
	cells := [maxCuts + 1]uint8{}
	for _, cut := range cuts {
		cells[r.cell(cut)]++
	}
	for i := range maxCuts {
		r.first[i+1] = r.first[i] + cells[i]
		r.crowded = r.crowded || cells[i] > compared
	}
	r.crowded = r.crowded || cells[maxCuts] > compared
	nan := float32(math.NaN())
	r.cuts = slices.Concat(cuts, []float32{nan, nan, nan})
}

// compared is how many cuts of a cell are compared without a jump.
const compared = 3

// cell is where a number lies: the more it is, the higher. What is infinite may lie in
// the first one, which is as good, as no number is below it.
func (r *ruler) cell(x float32) uint8 {
	at := (x - r.low) * r.grain
	if at >= maxCuts {
		return maxCuts
	}
	return uint8(max(int32(at), 0))
}

// rank is how many cuts a number reaches. It is found without a jump, if it can be:
// where a number lies is hard to predict.
func (r *ruler) rank(x float32) int32 {
	at := int(r.first[r.cell(x)])
	near := r.cuts[at : at+compared : at+compared]
	n := 2 * reaches(x, near[1])
	at += n + reaches(x, near[n])
	for r.crowded && x >= r.cuts[at] {
		at++
	}
	return int32(at) << rankShift
}

func reaches(x, cut float32) int {
	if x >= cut {
		return 1
	}
	return 0
}

// newRanked makes room for trees that ask so many questions in turn.
func newRanked(bias float32, depth, trees int) *Ranked {
	n := (trees + standing - 1) / standing
	r := &Ranked{bias: bias, depth: maxDepth, trees: trees, stands: make([]stand, n), leaves: make([]leaves, n)}
	switch {
	case depth <= flat:
		r.depth = flat
	case depth <= shallow:
		r.depth = shallow
	}
	for i := range r.stands {
		for lane := range standing {
			for at := range maxLeaves {
				r.stands[i][lane][at] = settled
			}
		}
	}
	return r
}

// tree is where the i-th tree has its questions and answers.
func (r *Ranked) tree(i int) (*[maxLeaves]uint16, *[maxLeaves]float32) {
	return &r.stands[i/standing][i%standing], &r.leaves[i/standing][i%standing]
}

// leafOf is where the answer of a leaf stands: the way on from its place is to the left.
func (r *Ranked) leafOf(place int) int {
	for place < 1<<r.depth {
		place *= 2
	}
	return place % maxLeaves
}

// plant lays out a tree.
func (s *Scale) plant(r *Ranked, number int, tree []Node) {
	asks, answers := r.tree(number)
	var places [maxNodes]int // of the nodes
	places[0] = 1
	for i, n := range tree {
		if n.Left == 0 {
			answers[r.leafOf(places[i])] = n.Cut
			continue
		}
		asks[places[i]] = uint16(s.rulers[n.Feature].rank(n.Cut) - 1<<rankShift + int32(n.Feature))
		places[n.Left], places[n.Left+1] = 2*places[i], 2*places[i]+1
	}
}

// Rank ranks the features of a case, and returns the ranks.
func (s *Scale) Rank(features []float32, ranks *Ranks) *Ranks {
	*ranks = s.null
	for i, x := range features[:len(s.rulers)] {
		if math.Float32bits(x) != 0 { // compared faster than the number is
			ranks[uint8(i)] = s.rulers[i].rank(x)
		}
	}
	return ranks
}

// Features are the names of what is ranked, in their order.
func (s *Scale) Features() []string { return s.features }

// RankLike is the same where the ranks of a similar case are known: what they have in
// common is not ranked again.
func (s *Scale) RankLike(features, known []float32, of, ranks *Ranks) *Ranks {
	*ranks = *of
	features, known = features[:len(s.rulers)], known[:len(s.rulers)]
	for i, x := range features {
		if math.Float32bits(x) != math.Float32bits(known[i]) {
			ranks[uint8(i)] = s.rulers[i].rank(x)
		}
	}
	return ranks
}

// RankFrom ranks the features from one on anew.
func (s *Scale) RankFrom(from int, features []float32, ranks *Ranks) *Ranks {
	for i := from; i < len(s.rulers); i++ {
		ranks[uint8(i)] = s.rulers[i].rank(features[i])
	}
	return ranks
}

// Score is the log-odds for a case by its ranks.
func (r *Ranked) Score(ranks *Ranks) float32 {
	sum := r.bias
	for i := range r.stands {
		left, right := r.stands[i].walk(ranks, r.depth, &r.leaves[i])
		sum = sum + left + right // as a forest sums them, so that both say the same
	}
	return sum
}

// Probability is the same as a probability.
func (r *Ranked) Probability(ranks *Ranks) float32 { return float32(Probability(r.Score(ranks))) }

// walk walks down the trees of a stand, and adds up their answers by four.
func (s *stand) walk(x *Ranks, depth int, to *leaves) (left, right float32) {
	a, b, c, d := 2+above(s[0][1], x), 2+above(s[1][1], x), 2+above(s[2][1], x), 2+above(s[3][1], x)
	e, f, g, h := 2+above(s[4][1], x), 2+above(s[5][1], x), 2+above(s[6][1], x), 2+above(s[7][1], x)
	a, b, c, d = 2*a+above(s[0][a], x), 2*b+above(s[1][b], x), 2*c+above(s[2][c], x), 2*d+above(s[3][d], x)
	e, f, g, h = 2*e+above(s[4][e], x), 2*f+above(s[5][f], x), 2*g+above(s[6][g], x), 2*h+above(s[7][h], x)
	a, b, c, d = 2*a+above(s[0][a], x), 2*b+above(s[1][b], x), 2*c+above(s[2][c], x), 2*d+above(s[3][d], x)
	e, f, g, h = 2*e+above(s[4][e], x), 2*f+above(s[5][f], x), 2*g+above(s[6][g], x), 2*h+above(s[7][h], x)
	if depth > flat {
		a, b, c, d = 2*a+above(s[0][a], x), 2*b+above(s[1][b], x), 2*c+above(s[2][c], x), 2*d+above(s[3][d], x)
		e, f, g, h = 2*e+above(s[4][e], x), 2*f+above(s[5][f], x), 2*g+above(s[6][g], x), 2*h+above(s[7][h], x)
		a, b, c, d = 2*a+above(s[0][a], x), 2*b+above(s[1][b], x), 2*c+above(s[2][c], x), 2*d+above(s[3][d], x)
		e, f, g, h = 2*e+above(s[4][e], x), 2*f+above(s[5][f], x), 2*g+above(s[6][g], x), 2*h+above(s[7][h], x)
		if depth > shallow {
			a, b, c, d = 2*a+above(s[0][a], x), 2*b+above(s[1][b], x), 2*c+above(s[2][c], x), 2*d+above(s[3][d], x)
			e, f, g, h = 2*e+above(s[4][e], x), 2*f+above(s[5][f], x), 2*g+above(s[6][g], x), 2*h+above(s[7][h], x)
		}
	}
	left = to[0][a%maxLeaves] + to[1][b%maxLeaves] + to[2][c%maxLeaves] + to[3][d%maxLeaves]
	right = to[4][e%maxLeaves] + to[5][f%maxLeaves] + to[6][g%maxLeaves] + to[7][h%maxLeaves]
	return left, right
}

// above is 1 where a rank is above the cut that is asked for, else 0: the sign of their
// difference, so that there is no jump.
func above(ask uint16, x *Ranks) uint { return uint(uint32(int32(ask)-x[uint8(ask)]) >> 31) }
