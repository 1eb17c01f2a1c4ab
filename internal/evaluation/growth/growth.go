package growth

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"

	"github.com/bonafide-go/bonafide/internal/forest"
)

// Options are how a forest is grown.
type Options struct {
	// Trees and Depth are how many there are, and how many questions each asks.
	Trees, Depth int
	// Rate is how far each tree goes towards what it would answer alone.
	Rate float64
	// Smooth is added to the curvature of a leaf; Least is the least that it must have.
	Smooth, Least float64
	// Columns and Rows are the shares of features and cases that a tree sees; 0 is
	// all.
	Columns, Rows float64
	Seed          uint64
	// Groups are the numbers of groups of cases that compete with one another, and
	// with none: of each at most one is right. The cases of a group stand together.
	// Nil lets each case stand for itself.
	Groups []int
	// Start is what is known of each case before any tree, as a log-odds that is added to
	// what the trees say; nil is nothing.
	Start []float64
	// Bias is the log-odds without any tree; 0 takes it from the labels.
	Bias float64
}

// Table is cases, cut into few steps for each feature.
type Table struct {
	cuts  [][]float32
	steps [][]uint8 // by feature
	rows  int
}

// NewTable cuts the features of cases, each into so many steps at most, 256 being
// the most. Fewer steps learn less by heart.
func NewTable(cases [][]float32, steps int) *Table {
	if len(cases) == 0 {
		return &Table{}
	}
	width := len(cases[0])
	t := &Table{cuts: make([][]float32, width), steps: make([][]uint8, width), rows: len(cases)}
	parallel(width, func(j int) {
		values := make([]float32, len(cases))
		for i := range cases {
			values[i] = cases[i][j]
		}
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		t.cuts[j] = cutsOf(sorted, steps)
		t.steps[j] = make([]uint8, len(cases))
		for i, v := range values {
			t.steps[j][i] = uint8(sort.Search(len(t.cuts[j]), func(k int) bool { return v < t.cuts[j][k] }))
		}
	})
	return t
}

// parallel does n things at the same time.
func parallel(n int, do func(i int)) {
	var work sync.WaitGroup
	for i := range n {
		work.Go(func() { do(i) })
	}
	work.Wait()
}

// cutsOf are the places between which sorted values are taken for one.
func cutsOf(sorted []float32, steps int) (cuts []float32) {
	unique := slices.Compact(slices.Clone(sorted))
	if len(unique) <= steps {
		for i := 1; i < len(unique); i++ {
			cuts = append(cuts, (unique[i]+unique[i-1])/2)
		}
		return cuts
	}
	for q := 1; q < steps; q++ {
		if v := unique[q*len(unique)/steps]; len(cuts) == 0 || v > cuts[len(cuts)-1] {
			cuts = append(cuts, v)
		}
	}
	return cuts
}

// grower is the state of one growth.
type grower struct {
	Options
	*Table
	labels, weights []float64
	scores          []float64
	slopes, curves  []float64 // of the loss
	at              []int     // the node of the present tree
	seen            []int     // the cases that the present tree is grown on
	slot            []int     // their place in the present level; -1 if none
	random          *rand.Rand
}

// node is one of a growing tree.
type node struct {
	forest.Node
	step uint8 // of the cut
}

// Grow fits a forest to cases with labels of 0 or 1 and weights.
func (o Options) Grow(features []string, table *Table, labels, weights []float64) *forest.Forest {
	g := o.grower(table, labels, weights)
	var trees [][]forest.Node
	for range o.Trees {
		trees = append(trees, g.tree())
	}
	return &forest.Forest{Features: features, Trees: trees, Bias: float32(g.Bias)}
}

// grower is where growth begins: no tree says anything yet.
func (o Options) grower(table *Table, labels, weights []float64) *grower {
	n := len(labels)
	g := &grower{
		Options: o, Table: table, labels: labels, weights: weights, scores: make([]float64, n), slopes: make([]float64, n),
		curves: make([]float64, n), at: make([]int, n), slot: make([]int, n),
		random: rand.New(rand.NewPCG(o.Seed, 7)), // #nosec G404 -- whoever fits again gets the same forest
	}
	if g.Bias == 0 {
		g.Bias = oddsOf(labels, weights)
	}
	for i := range g.scores {
		g.scores[i] = g.Bias
		if g.Start != nil {
			g.scores[i] += g.Start[i]
		}
	}
	return g
}

// oddsOf is the log-odds of the labels.
func oddsOf(labels, weights []float64) float64 {
	sum, all := 0.0, 0.0
	for i := range labels {
		sum += labels[i] * weights[i]
		all += weights[i]
	}
	share := min(max(sum/max(all, 1e-9), 0.01), 0.99)
	return math.Log(share / (1 - share))
}

// tree grows one tree on what the trees before it got wrong.
func (g *grower) tree() []forest.Node {
	g.lose()
	g.sample()
	var columns []int
	for j := range g.steps {
		if g.Columns == 0 || g.random.Float64() < g.Columns {
			columns = append(columns, j)
		}
	}
	tree, now := []node{{}}, &level{nodes: []int{0}}
	for d := 0; d < g.Depth && len(now.nodes) > 0; d++ {
		tree, now = g.split(tree, now, columns)
	}
	g.answer(tree)
	grown := make([]forest.Node, len(tree))
	for i := range tree {
		grown[i] = tree[i].Node
	}
	return grown
}

// lose notes slope and curvature of the loss of each case.
func (g *grower) lose() {
	for from := 0; from < len(g.labels); {
		to := from + 1
		for g.Groups != nil && to < len(g.labels) && g.Groups[to] == g.Groups[from] {
			to++
		}
		sum, wanted := 1.0, 0.0
		for i := from; i < to; i++ {
			sum += math.Exp(g.scores[i])
			wanted += g.labels[i]
		}
		for i := from; i < to; i++ {
			p := math.Exp(g.scores[i]) / sum
			g.slopes[i] = g.weights[i] * (p - g.labels[i]/max(wanted, 1))
			g.curves[i] = g.weights[i] * max(p*(1-p), 1e-4)
		}
		from = to
	}
}

// sample chooses the cases that a tree sees, groups as a whole.
func (g *grower) sample() {
	g.seen = g.seen[:0]
	chosen := true
	for i := range g.labels {
		g.at[i] = 0
		if g.Rows > 0 && (i == 0 || g.Groups == nil || g.Groups[i] != g.Groups[i-1]) {
			chosen = g.random.Float64() < g.Rows
		}
		if chosen {
			g.seen = append(g.seen, i)
		}
	}
}

type moment struct{ slope, curve float64 }

func (m *moment) add(slope, curve float64) { m.slope, m.curve = m.slope+slope, m.curve+curve }

// gain is what a node with such a moment takes from the loss.
func (m moment) gain(smooth float64) float64 { return m.slope * m.slope / (m.curve + smooth) }

type cut struct {
	gain          float64
	feature, step int
}

// level is the nodes of a tree that are split at the same time. The two of a split
// stand side by side.
type level struct {
	nodes   []int
	parents []int      // their places in the level before
	counted []bool     // of each pair the one with fewer cases is counted, the other is what is left
	totals  []moment   // of the nodes
	cases   []int      // those of the nodes that are counted
	sums    [][]moment // by column, node and step
}

// split grows one more level.
func (g *grower) split(tree []node, now *level, columns []int) ([]node, *level) {
	g.count(len(tree), now)
	found := make([][]cut, len(columns))
	before := now.sums
	now.sums = make([][]moment, len(columns))
	parallel(len(columns), func(c int) {
		var sums []moment
		if before != nil {
			sums = before[c]
		}
		now.sums[c] = g.sum(columns[c], now, sums)
		found[c] = g.search(columns[c], now, now.sums[c])
	})
	next := &level{sums: now.sums}
	for k, n := range now.nodes {
		best := cut{gain: 1e-6}
		for c := range found {
			if found[c] != nil && found[c][k].gain > best.gain+1e-9 {
				best = found[c][k]
			}
		}
		if best.gain <= 1e-6 {
			continue
		}
		left := len(tree)
		tree[n] = node{forest.Node{Feature: best.feature, Cut: g.cuts[best.feature][best.step], Left: left}, uint8(best.step)}
		tree = append(tree, node{}, node{})
		next.nodes, next.parents = append(next.nodes, left, left+1), append(next.parents, k, k)
	}
	for _, i := range g.seen {
		g.at[i] = g.next(tree, g.at[i], i)
	}
	return tree, next
}

// count finds the cases of a level's nodes, of so many in the tree.
func (g *grower) count(nodes int, now *level) {
	place := slices.Repeat([]int{-1}, nodes)
	for k, n := range now.nodes {
		place[n] = k
	}
	now.totals, now.counted = make([]moment, len(now.nodes)), make([]bool, len(now.nodes))
	number := make([]int, len(now.nodes))
	for _, i := range g.seen {
		k := place[g.at[i]]
		if g.slot[i] = k; k >= 0 {
			now.totals[k].add(g.slopes[i], g.curves[i])
			number[k]++
		}
	}
	for k := range now.nodes {
		if now.counted[k] = len(now.nodes) == 1; !now.counted[k] {
			other := number[k^1]
			now.counted[k] = number[k] < other || number[k] == other && k%2 == 0
		}
	}
	for _, i := range g.seen {
		if k := g.slot[i]; k >= 0 && now.counted[k] {
			now.cases = append(now.cases, i)
		}
	}
}

// next is the node that a case comes to.
func (g *grower) next(tree []node, n, i int) int {
	switch {
	case tree[n].Left == 0:
		return n
	case g.steps[tree[n].Feature][i] <= tree[n].step:
		return tree[n].Left
	}
	return tree[n].Left + 1
}

// sum sums up the cases by the steps of a feature, in each node of a level. Before is the
// same of the level before: what one of two nodes does not have of it, the other has.
func (g *grower) sum(j int, now *level, before []moment) []moment {
	steps := len(g.cuts[j]) + 1
	sums := make([]moment, steps*len(now.nodes))
	for _, i := range now.cases {
		sums[g.slot[i]*steps+int(g.steps[j][i])].add(g.slopes[i], g.curves[i])
	}
	for k := range now.nodes {
		if now.counted[k] {
			continue
		}
		for c := range steps {
			whole, other := before[now.parents[k]*steps+c], sums[(k^1)*steps+c]
			sums[k*steps+c] = moment{whole.slope - other.slope, whole.curve - other.curve}
		}
	}
	return sums
}

// search looks for the best cut of a feature in each node of a level.
func (g *grower) search(j int, now *level, sums []moment) []cut {
	steps := len(g.cuts[j]) + 1
	if steps < 2 {
		return nil
	}
	best := make([]cut, len(now.totals))
	for k, total := range now.totals {
		var left moment
		whole := total.gain(g.Smooth)
		for c, step := range sums[k*steps:][:steps-1] {
			left.add(step.slope, step.curve)
			right := moment{total.slope - left.slope, total.curve - left.curve}
			if left.curve < g.Least || right.curve < g.Least {
				continue
			}
			if gain := left.gain(g.Smooth) + right.gain(g.Smooth) - whole; gain > best[k].gain {
				best[k] = cut{gain, j, c}
			}
		}
	}
	return best
}

// answer gives the leaves their answers and moves the scores of all cases on.
func (g *grower) answer(tree []node) {
	totals := make([]moment, len(tree))
	for _, i := range g.seen {
		totals[g.at[i]].add(g.slopes[i], g.curves[i])
	}
	for n := range tree {
		if tree[n].Left == 0 {
			tree[n].Cut = float32(-g.Rate * totals[n].slope / (totals[n].curve + g.Smooth))
		}
	}
	for i := range g.scores {
		n := 0
		for tree[n].Left > 0 {
			n = g.next(tree, n, i)
		}
		g.scores[i] += float64(tree[n].Cut)
	}
}
