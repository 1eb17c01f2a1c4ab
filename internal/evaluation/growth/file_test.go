package growth

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/forest"
)

// randomTrees are trees as a fit makes them: some grow to one side, some are a
// single answer.
func randomTrees(random *rand.Rand, count, depth, features int) [][]forest.Node {
	trees := make([][]forest.Node, count)
	for k := range trees {
		trees[k] = []forest.Node{{}}
		level := []int{0}
		for range random.IntN(depth + 1) {
			var next []int
			for _, at := range level {
				if random.IntN(4) == 0 {
					continue
				}
				left := len(trees[k])
				trees[k][at] = forest.Node{Feature: random.IntN(features), Cut: float32(random.IntN(9)-4) / 2, Left: left}
				trees[k] = append(trees[k], forest.Node{}, forest.Node{})
				next = append(next, left, left+1)
			}
			level = next
		}
		for i := range trees[k] {
			if trees[k][i].Left == 0 {
				trees[k][i].Cut = float32(random.IntN(200)-100) / 64
			}
		}
	}
	return trees
}

func namesOf(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "f" + string(rune('a'+i))
	}
	return names
}

// plainScore walks one tree after another, as they are written.
func plainScore(bias float32, trees [][]forest.Node, x []float32) float32 {
	for _, tree := range trees {
		n := tree[0]
		for n.Left > 0 {
			at := n.Left
			if x[n.Feature] >= n.Cut {
				at++
			}
			n = tree[at]
		}
		bias += n.Cut
	}
	return bias
}

// The walk says what the trees say, whatever their number and shape, also once
// they have been written and read.
func TestScore(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for count := range 11 {
		trees := randomTrees(random, count, 6, 20)
		f := &forest.Forest{Features: namesOf(20), Trees: trees, Bias: 0.25}
		file, err := Encode([]string{"some"}, []*forest.Forest{f})
		require.NoError(t, err)
		read, err := forest.Decode(file, "some")
		require.NoError(t, err)
		require.Equal(t, namesOf(20), read[0].Features)
		for range 100 {
			x := make([]float32, 20)
			for i := range x {
				x[i] = float32(random.IntN(11)-5) / 2
			}
			want := plainScore(0.25, trees, x)
			require.InDelta(t, want, f.Score(x), 1e-4)
			require.InDelta(t, want, read[0].Score(x), 1e-2)
			first, rest := Split(f, 5)
			require.InDelta(t, want, first.Score(x)+rest.Score(x), 1e-4)
		}
	}
}

// TestEncodeRefuses: forests that cannot be laid out are refused.
func TestEncodeRefuses(t *testing.T) {
	var many [][]forest.Node
	for i := range forest.MaxCuts + 1 {
		many = append(many, []forest.Node{{Feature: 1, Cut: float32(i), Left: 1}, {}, {}})
	}
	for says, forests := range map[string][]*forest.Forest{
		"feature 1 has 256 cuts; at most 255 can": {{Features: namesOf(2), Trees: many}},
		"256 features":   {{Features: make([]string, 256)}},
		"other features": {{Features: namesOf(2)}, {Features: namesOf(3)}},
		"no models":      {{Features: namesOf(2), Trees: [][]forest.Node{chain(7)}}},
	} {
		_, err := Encode([]string{"a", "b"}[:len(forests)], forests)
		require.ErrorContains(t, err, says)
	}
	_, err := Encode([]string{"a"}, []*forest.Forest{{Features: namesOf(2), Trees: [][]forest.Node{chain(6)}}})
	require.NoError(t, err)
}

// chain is a tree that asks n questions in turn.
func chain(n int) (tree []forest.Node) {
	for i := range n {
		tree = append(tree, forest.Node{Cut: float32(i), Left: 2*i + 1}, forest.Node{})
		if i > 0 {
			tree[2*i-1], tree[2*i] = tree[2*i], tree[2*i-1]
			tree[2*i-1].Left = 2*i + 1
		}
	}
	return append(tree, forest.Node{})
}
