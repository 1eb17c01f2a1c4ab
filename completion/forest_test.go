package completion

import (
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// growth is how a forest is grown: few and shallow trees, so that what it
// learns from one domain holds in another.
type growth struct {
	trees, depth       int
	rate, lambda, leaf float64
	columns, rows      float64
	seed               uint64
}

// grownNode is a node while its tree grows; feature is -1 for a leaf.
type grownNode struct {
	feature, left int
	bin           uint8
	cut, answer   float64
}

// binned is a table of samples, cut into few steps for each feature.
type binned struct {
	cuts [][]float64
	bins [][]uint8 // by feature
}

const maxBins = 24

func binOf(samples [][]float32) *binned {
	n, m := len(samples), len(samples[0])
	b := &binned{cuts: make([][]float64, m), bins: make([][]uint8, m)}
	values := make([]float64, n)
	for j := range m {
		for i := range samples {
			values[i] = float64(samples[i][j])
		}
		sort.Float64s(values)
		b.cuts[j] = cutsOf(values)
		b.bins[j] = make([]uint8, n)
		for i := range samples {
			b.bins[j][i] = uint8(sort.Search(len(b.cuts[j]), func(k int) bool { return float64(samples[i][j]) < b.cuts[j][k] }))
		}
	}
	return b
}

// cutsOf are the places between which sorted values are taken for one.
func cutsOf(sorted []float64) []float64 {
	var unique, cuts []float64
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			unique = append(unique, v)
		}
	}
	if len(unique) <= maxBins {
		for i := 1; i < len(unique); i++ {
			cuts = append(cuts, float64(float32((unique[i]+unique[i-1])/2)))
		}
		return cuts
	}
	for q := 1; q < maxBins; q++ {
		if v := unique[q*len(unique)/maxBins]; len(cuts) == 0 || v > cuts[len(cuts)-1] {
			cuts = append(cuts, v)
		}
	}
	return cuts
}

// grower grows one forest by gradient boosting of the log loss.
type grower struct {
	*binned
	growth
	labels, weights   []float64
	sums              []float64
	gradient, hessian []float64
	at                []int
	rows              []int32
	slot              []int
	random            *rand.Rand
}

// grow fits a forest to samples.
func grow(b *binned, labels, weights []float64, g growth, features []string) *forest {
	n := len(labels)
	r := &grower{binned: b, growth: g, labels: labels, weights: weights, sums: make([]float64, n), gradient: make([]float64, n), hessian: make([]float64, n),
		at: make([]int, n), slot: make([]int, n), random: rand.New(rand.NewPCG(g.seed, 7))}
	sum, all := 0.0, 0.0
	for i := range labels {
		sum += labels[i] * weights[i]
		all += weights[i]
	}
	base := min(max(sum/all, 0.01), 0.99)
	f := &forest{bias: math.Log(base / (1 - base)), features: features}
	for i := range r.sums {
		r.sums[i] = f.bias
	}
	for range g.trees {
		tree := r.tree()
		f.roots = append(f.roots, len(f.nodes))
		for _, node := range tree {
			f.nodes = append(f.nodes, node.fixed())
		}
	}
	f.walk = walkOf(f)
	return f
}

func (n grownNode) fixed() node {
	if n.left == 0 {
		return node{cut: float32(n.answer)}
	}
	return node{cut: float32(n.cut), feature: uint16(n.feature), left: uint16(n.left)}
}

// tree grows one tree on what the trees before it got wrong.
func (r *grower) tree() []grownNode {
	r.rows = r.rows[:0]
	for i := range r.labels {
		p := 1 / (1 + math.Exp(-r.sums[i]))
		r.gradient[i] = r.weights[i] * (p - r.labels[i])
		r.hessian[i] = r.weights[i] * max(p*(1-p), 1e-4)
		r.at[i] = 0
		if r.random.Float64() < r.growth.rows {
			r.rows = append(r.rows, int32(i))
		}
	}
	var columns []int
	for j := range r.bins {
		if r.random.Float64() < r.columns {
			columns = append(columns, j)
		}
	}
	tree := []grownNode{{}}
	level := []int{0}
	for d := 0; d < r.depth && len(level) > 0; d++ {
		tree, level = r.split(tree, level, columns)
	}
	r.answer(tree)
	return tree
}

type moment struct{ gradient, hessian float64 }

type cutAt struct {
	gain         float64
	feature, bin int
}

// split grows one more level.
func (r *grower) split(tree []grownNode, level, columns []int) ([]grownNode, []int) {
	where := make([]int, len(tree))
	for k := range where {
		where[k] = -1
	}
	for k, n := range level {
		where[n] = k
	}
	totals := make([]moment, len(level))
	for _, i := range r.rows {
		k := where[r.at[i]]
		r.slot[i] = k
		if k >= 0 {
			totals[k].gradient += r.gradient[i]
			totals[k].hessian += r.hessian[i]
		}
	}
	best := make([]cutAt, len(level))
	for _, j := range columns {
		r.search(j, totals, best)
	}
	var next []int
	for k, n := range level {
		if best[k].gain <= 1e-6 {
			continue
		}
		left := len(tree)
		tree = append(tree, grownNode{}, grownNode{})
		tree[n] = grownNode{feature: best[k].feature, left: left, bin: uint8(best[k].bin), cut: r.cuts[best[k].feature][best[k].bin]}
		next = append(next, left, left+1)
	}
	for _, i := range r.rows {
		r.at[i] = r.step(tree, r.at[i], int(i))
	}
	return tree, next
}

func (r *grower) step(tree []grownNode, n, i int) int {
	if tree[n].left == 0 {
		return n
	}
	if r.bins[tree[n].feature][i] <= tree[n].bin {
		return tree[n].left
	}
	return tree[n].left + 1
}

// search looks for the best cut of a feature in each node of a level.
func (r *grower) search(j int, totals []moment, best []cutAt) {
	steps := len(r.cuts[j]) + 1
	if steps < 2 {
		return
	}
	histogram := make([]moment, steps*len(totals))
	bins := r.bins[j]
	for _, i := range r.rows {
		if k := r.slot[i]; k >= 0 {
			m := &histogram[k*steps+int(bins[i])]
			m.gradient += r.gradient[i]
			m.hessian += r.hessian[i]
		}
	}
	for k, total := range totals {
		var left moment
		whole := total.gradient * total.gradient / (total.hessian + r.lambda)
		for c := range steps - 1 {
			left.gradient += histogram[k*steps+c].gradient
			left.hessian += histogram[k*steps+c].hessian
			right := moment{total.gradient - left.gradient, total.hessian - left.hessian}
			if left.hessian < r.leaf || right.hessian < r.leaf {
				continue
			}
			gain := left.gradient*left.gradient/(left.hessian+r.lambda) + right.gradient*right.gradient/(right.hessian+r.lambda) - whole
			if gain > best[k].gain+1e-9 {
				best[k] = cutAt{gain, j, c}
			}
		}
	}
}

// answer gives the leaves their values and moves all samples on.
func (r *grower) answer(tree []grownNode) {
	totals := make([]moment, len(tree))
	for _, i := range r.rows {
		totals[r.at[i]].gradient += r.gradient[i]
		totals[r.at[i]].hessian += r.hessian[i]
	}
	for n := range tree {
		if tree[n].left == 0 {
			tree[n].answer = -r.rate * totals[n].gradient / (totals[n].hessian + r.lambda)
		}
	}
	for i := range r.sums {
		n := 0
		for tree[n].left > 0 {
			n = r.step(tree, n, i)
		}
		r.sums[i] += tree[n].answer
	}
}

// write appends the forest in the form that parseModels reads.
func (f *forest) write(out *strings.Builder, name string) {
	out.WriteString("forest " + name + "\nfeatures " + strings.Join(f.features, "|") + "\nbias " + strconv.FormatFloat(f.bias, 'g', 6, 64) + "\n")
	for k, root := range f.roots {
		end := len(f.nodes)
		if k+1 < len(f.roots) {
			end = f.roots[k+1]
		}
		out.WriteString("tree")
		for _, n := range f.nodes[root:end] {
			if n.left == 0 {
				out.WriteString(" =" + strconv.FormatFloat(float64(n.cut), 'g', 4, 32))
				continue
			}
			out.WriteString(" " + strconv.Itoa(int(n.feature)) + ":" + strconv.FormatFloat(float64(n.cut), 'g', -1, 32) + ":" + strconv.Itoa(int(n.left)))
		}
		out.WriteString("\n")
	}
}

// plainSum walks one tree after another.
func plainSum(f *forest, x []float32) float64 {
	sum := 0.0
	for _, root := range f.roots {
		n := f.nodes[root]
		for n.left > 0 {
			at := root + int(n.left)
			if x[n.feature] >= n.cut {
				at++
			}
			n = f.nodes[at]
		}
		sum += float64(n.cut)
	}
	return sum
}

// The walk sums what the trees say.
func TestWalk(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, f := range []*forest{standardModels().clause, standardModels().turn, standardModels().blocked} {
		x := make([]float32, len(f.features))
		for range 200 {
			for i := range x {
				x[i] = float32(random.IntN(9)-3) / 2
			}
			require.InDelta(t, plainSum(f, x), float64(f.walk.sum(x)), 1e-4)
		}
	}
}

// BenchmarkWalk walks several trees at a time, BenchmarkWalkPlain one after another.
func BenchmarkWalk(b *testing.B) {
	benchmarkForest(b, func(f *forest, x []float32) { f.walk.sum(x) })
}

func BenchmarkWalkPlain(b *testing.B) {
	benchmarkForest(b, func(f *forest, x []float32) { plainSum(f, x) })
}

func benchmarkForest(b *testing.B, sum func(f *forest, x []float32)) {
	f := standardModels().clause
	random := rand.New(rand.NewPCG(3, 4))
	turns := make([][]float32, 64)
	for k := range turns {
		turns[k] = make([]float32, len(f.features))
		for i := range turns[k] {
			turns[k][i] = float32(random.IntN(9)-3) / 2
		}
	}
	for i := 0; b.Loop(); i++ {
		sum(f, turns[i%len(turns)])
	}
}
