package growth

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/forest"
)

var plain = Options{Trees: 60, Depth: 3, Rate: 0.2, Smooth: 1, Least: 1, Columns: 0.8, Rows: 0.8, Seed: 1}

// cases are random numbers; a case is right where the first two are both high or
// both low, which no single question can tell. The last number says nothing.
func cases(n int) (table [][]float32, labels, weights []float64) {
	random := rand.New(rand.NewPCG(5, 6))
	for range n {
		x := []float32{random.Float32(), random.Float32(), random.Float32()}
		label := 0.0
		if (x[0] > 0.5) == (x[1] > 0.5) {
			label = 1
		}
		table, labels, weights = append(table, x), append(labels, label), append(weights, 1)
	}
	return table, labels, weights
}

func grown(t *testing.T, o Options, table [][]float32, labels, weights []float64) *forest.Forest {
	t.Helper()
	return o.Grow([]string{"a", "b", "c"}, NewTable(table, 32), labels, weights)
}

func TestGrow(t *testing.T) {
	table, labels, weights := cases(4000)
	f := grown(t, plain, table[:3000], labels[:3000], weights[:3000])
	right := 0
	for i := 3000; i < 4000; i++ {
		if (f.Probability(table[i]) > 0.5) == (labels[i] > 0.5) {
			right++
		}
	}
	require.Greater(t, right, 940, "of 1,000 cases that were not seen")
}

// Whoever fits again gets the same forest.
func TestGrowIsRepeatable(t *testing.T) {
	table, labels, weights := cases(500)
	encoded := func() []byte {
		file, err := Encode([]string{"a"}, []*forest.Forest{grown(t, plain, table, labels, weights)})
		require.NoError(t, err)
		return file
	}
	require.True(t, bytes.Equal(encoded(), encoded()))
}

// What weighs nothing teaches nothing.
func TestWeights(t *testing.T) {
	table, labels, weights := cases(2000)
	for i := range labels {
		if i%2 == 0 {
			labels[i], weights[i] = 1-labels[i], 0
		}
	}
	f := grown(t, plain, table, labels, weights)
	require.Greater(t, f.Probability([]float32{0.9, 0.9, 0.5}), 0.8)
	require.Less(t, f.Probability([]float32{0.9, 0.1, 0.5}), 0.2)
}

// The cases of a group compete: the better of two is told, though neither is
// likely by itself, and where both are poor, none is.
func TestGroups(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	var table [][]float32
	var labels, weights []float64
	var groups []int
	for k := range 2000 {
		a, b := random.Float32(), random.Float32()
		for _, x := range []float32{a, b} {
			label := 0.0
			if x == max(a, b) && x > 0.3 {
				label = 1
			}
			table, labels, weights, groups = append(table, []float32{x, 0, 0}), append(labels, label), append(weights, 1), append(groups, k)
		}
	}
	o := plain
	o.Groups, o.Bias = groups, -1
	f := grown(t, o, table, labels, weights)
	require.Greater(t, f.Score([]float32{0.9, 0, 0}), f.Score([]float32{0.6, 0, 0})+1)
	require.Less(t, f.Score([]float32{0.1, 0, 0}), float32(-2))
}

func TestNothingToLearn(t *testing.T) {
	f := grown(t, plain, [][]float32{{1, 1, 1}, {1, 1, 1}}, []float64{0, 1}, []float64{1, 3})
	require.InDelta(t, 0.75, f.Probability([]float32{1, 1, 1}), 0.01)
}

// What is known before any tree is not learned again.
func TestStart(t *testing.T) {
	table, labels, weights := cases(2000)
	known := plain
	for _, label := range labels {
		known.Start = append(known.Start, 12*label-6)
	}
	known.Bias = 1e-9
	f := grown(t, known, table, labels, weights)
	require.InDelta(t, 0, f.Score([]float32{0.9, 0.9, 0.5}), 1.5)
	require.Greater(t, grown(t, plain, table, labels, weights).Score([]float32{0.9, 0.9, 0.5}), float32(2))
}

// Of two nodes only one is counted, and the other is what is left of their parent: each
// cut is the best one all the same, by an obvious count of the cases that come to its node.
func TestCutsAreTheBest(t *testing.T) {
	features, labels, weights := cases(800)
	for i := range features { // few steps beside many, and a feature that is the same everywhere
		features[i] = append(features[i], float32(i%3), 1)
	}
	o := Options{Depth: 5, Rate: 0.2, Smooth: 1, Least: 2, Rows: 0.7, Seed: 4}
	g := o.grower(NewTable(features, 32), labels, weights)
	for range 6 {
		tree := g.tree()
		inside := make([][]int, len(tree)) // the cases of each node
		inside[0] = g.seen
		for n, grown := range tree {
			if grown.Left == 0 {
				continue
			}
			best := 0.0
			for j := range features[0] {
				for _, at := range g.cuts[j] {
					gain, _, _ := g.cutAt(features, inside[n], j, at)
					best = max(best, gain)
				}
			}
			gain, below, above := g.cutAt(features, inside[n], grown.Feature, grown.Cut)
			inside[grown.Left], inside[grown.Left+1] = below, above
			require.Positive(t, gain)
			require.InDelta(t, best, gain, 1e-6)
		}
	}
}

// cutAt is what a cut of some cases gains, and which of them are below it and above.
func (g *grower) cutAt(features [][]float32, cases []int, feature int, at float32) (gain float64, below, above []int) {
	var whole, left, right moment
	for _, i := range cases {
		whole.add(g.slopes[i], g.curves[i])
		if features[i][feature] < at {
			left.add(g.slopes[i], g.curves[i])
			below = append(below, i)
		} else {
			right.add(g.slopes[i], g.curves[i])
			above = append(above, i)
		}
	}
	if left.curve >= g.Least && right.curve >= g.Least {
		gain = left.gain(g.Smooth) + right.gain(g.Smooth) - whole.gain(g.Smooth)
	}
	return gain, below, above
}

// BenchmarkGrow grows trees as deep as those of the fitted models.
func BenchmarkGrow(b *testing.B) {
	features, labels, weights := cases(20000)
	table := NewTable(features, 32)
	o := Options{Trees: 10, Depth: 6, Rate: 0.1, Smooth: 1, Least: 3, Rows: 0.7, Seed: 1}
	for b.Loop() {
		o.Grow([]string{"a", "b", "c"}, table, labels, weights)
	}
}
