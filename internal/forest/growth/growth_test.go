package growth

import (
	"math/rand/v2"
	"strings"
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
	var first, second strings.Builder
	grown(t, plain, table, labels, weights).Write(&first, "a")
	grown(t, plain, table, labels, weights).Write(&second, "a")
	require.Equal(t, first.String(), second.String())
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
