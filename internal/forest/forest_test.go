package forest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomTrees are trees as a fit makes them: some grow to one side, some are a
// single answer.
func randomTrees(random *rand.Rand, count, depth, features int) [][]Node {
	trees := make([][]Node, count)
	for k := range trees {
		trees[k] = []Node{{}}
		level := []int{0}
		for range random.IntN(depth + 1) {
			var next []int
			for _, at := range level {
				if random.IntN(4) == 0 {
					continue
				}
				left := len(trees[k])
				trees[k][at] = Node{Feature: random.IntN(features), Cut: float32(random.IntN(9)-4) / 2, Left: left}
				trees[k] = append(trees[k], Node{}, Node{})
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
func plainScore(bias float32, trees [][]Node, x []float32) float32 {
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
		f, err := New(namesOf(20), 0.25, trees)
		require.NoError(t, err)
		file, err := Encode([]string{"some"}, []*Forest{f})
		require.NoError(t, err)
		read, err := Decode(file, "some")
		require.NoError(t, err)
		require.Equal(t, namesOf(20), read[0].Features())
		for range 100 {
			x := make([]float32, 20)
			for i := range x {
				x[i] = float32(random.IntN(11)-5) / 2
			}
			want := plainScore(0.25, trees, x)
			require.InDelta(t, want, f.Score(x), 1e-4)
			require.InDelta(t, want, read[0].Score(x), 1e-2)
			first, rest := f.Split(5)
			require.InDelta(t, want, first.Score(x)+rest.Score(x), 1e-4)
		}
	}
}

func TestTooManyCuts(t *testing.T) {
	var many [][]Node
	for i := range maxCuts + 1 {
		many = append(many, []Node{{Feature: 1, Cut: float32(i), Left: 1}, {}, {}})
	}
	_, err := New([]string{"a", "b"}, 0, many)
	require.ErrorContains(t, err, "feature 1 has 256 cuts; at most 255 can")
}

func TestProbability(t *testing.T) {
	f, err := New(nil, 0, nil)
	require.NoError(t, err)
	require.InDelta(t, 0.5, f.Probability(nil), 1e-9)
	require.Greater(t, Probability(3), 0.95)
	require.Less(t, Probability(-3), 0.05)
}

// TestNewRefuses: trees that no walk could end in, or that cannot be laid out, are refused.
func TestNewRefuses(t *testing.T) {
	for says, trees := range map[string][][]Node{
		"tree 1 has 0 nodes":       {{}},
		"asks for feature 2":       {{{Feature: 2, Left: 1}, {}, {}}},
		"asks for feature -1":      {{{Feature: -1, Left: 1}, {}, {}}},
		"must be a later one":      {{{Left: 2}, {}, {}}},
		"tree 2 leads from node 1": {{{}}, {{Left: 1}, {Left: 1}, {}}},
		"more than 6 questions":    {chain(7)},
	} {
		_, err := New(namesOf(2), 0, trees)
		require.ErrorContains(t, err, says)
	}
	_, err := New(namesOf(2), 0, [][]Node{chain(6)})
	require.NoError(t, err)
	_, err = New(make([]string, 256), 0, nil)
	require.ErrorContains(t, err, "256 features")
}

// chain is a tree that asks n questions in turn.
func chain(n int) (tree []Node) {
	for i := range n {
		tree = append(tree, Node{Cut: float32(i), Left: 2*i + 1}, Node{})
		if i > 0 {
			tree[2*i-1], tree[2*i] = tree[2*i], tree[2*i-1]
			tree[2*i-1].Left = 2*i + 1
		}
	}
	return append(tree, Node{})
}

// TestDecodeRefuses: a file that was cut off anywhere, or lacks a forest, is no file.
func TestDecodeRefuses(t *testing.T) {
	f, err := New(namesOf(3), 0.5, randomTrees(rand.New(rand.NewPCG(3, 5)), 5, 4, 3))
	require.NoError(t, err)
	file, err := Encode([]string{"a", "b"}, []*Forest{f, f})
	require.NoError(t, err)
	_, err = Decode(file, "a", "b")
	require.NoError(t, err)
	_, err = Decode(file, "a", "c")
	require.ErrorContains(t, err, `lack the forest "c"`)
	for n := 1; n < len(file); n++ {
		_, err := Decode(file[:n])
		require.Error(t, err, n)
	}
	other, err := New(namesOf(2), 0, nil)
	require.NoError(t, err)
	_, err = Encode([]string{"a", "b"}, []*Forest{f, other})
	require.ErrorContains(t, err, "other features")
}

func FuzzDecode(f *testing.F) {
	forest, err := New(namesOf(3), 0.5, randomTrees(rand.New(rand.NewPCG(3, 5)), 9, 6, 3))
	require.NoError(f, err)
	file, err := Encode([]string{"a"}, []*Forest{forest})
	require.NoError(f, err)
	f.Add(file)
	f.Fuzz(func(t *testing.T, file []byte) {
		if forests, err := Decode(file, "a"); err == nil {
			forests[0].Score(make([]float32, len(forests[0].Features()))) // ends, and inside its bounds
		}
	})
}

func BenchmarkScore(b *testing.B) {
	trees, cases := benchCases()
	f, err := New(namesOf(100), 0, trees)
	require.NoError(b, err)
	for i := 0; b.Loop(); i++ {
		f.Score(cases[i%len(cases)])
	}
}

func benchCases() (trees [][]Node, cases [][]float32) {
	random := rand.New(rand.NewPCG(3, 4))
	cases = make([][]float32, 64)
	for k := range cases {
		cases[k] = make([]float32, 100)
		for i := range cases[k] {
			cases[k][i] = float32(random.IntN(11)-5) / 2
		}
	}
	return randomTrees(random, 120, 5, 100), cases
}
