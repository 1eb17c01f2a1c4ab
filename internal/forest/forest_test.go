package forest

import (
	"math/rand/v2"
	"strings"
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
		var text strings.Builder
		f.Write(&text, "some")
		read, err := Parse("# a comment\n\n"+text.String(), "some")
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

// A part of a forest is written as one.
func TestSplit(t *testing.T) {
	trees := randomTrees(rand.New(rand.NewPCG(3, 5)), 9, 4, 20)
	f, err := New(namesOf(20), 1, trees)
	require.NoError(t, err)
	first, rest := f.Split(6)
	for _, part := range []struct {
		part  *Forest
		trees int
	}{{first, 4}, {rest, 5}} {
		var text strings.Builder
		part.part.Write(&text, "part")
		require.Equal(t, part.trees, strings.Count(text.String(), "\ntree "))
		_, err := Parse(text.String())
		require.NoError(t, err)
	}
	all, none := f.Split(100)
	require.InDelta(t, f.Score(make([]float32, 20)), all.Score(make([]float32, 20)), 1e-6)
	require.Zero(t, none.Score(make([]float32, 20)))
}

func TestProbability(t *testing.T) {
	f, err := New(nil, 0, nil)
	require.NoError(t, err)
	require.InDelta(t, 0.5, f.Probability(nil), 1e-9)
	require.Greater(t, Probability(3), 0.95)
	require.Less(t, Probability(-3), 0.05)
}

func TestParseErrors(t *testing.T) {
	const head = "forest a\nfeatures x|y\nbias 0\n"
	for text, says := range map[string]string{
		"bias 1":                     "before the first forest",
		head + "shrub 1":             "neither forest",
		head + "forest a":            "twice",
		head + "tree":                "tree 1 is empty",
		head + "tree =x":             `"x" is no number`,
		head + "tree =NaN":           `"NaN" is no number`,
		head + "tree 0:1":            "FEATURE:CUT:LEFT",
		head + "tree x:1:1 =1 =2":    "no number of a feature",
		head + "tree 0:1:0 =1 =2":    "no number of a node",
		head + "tree 2:1:1 =1 =2":    "asks for feature 2; there are 2",
		head + "tree -1:1:1 =1 =2":   "asks for feature -1",
		head + "tree 0:1:2 =1 =2":    "must be a later one of its 3",
		head + "tree 0:1:1 0:1:1 =2": "must be a later one of its 3",
		head + "bias =":              `"=" is no number`,
		"forest a\nfeatures x" + strings.Repeat("|x", 300) + "\ntree 256:1:1 =1 =2": "there are 301, of at most 256",
		head + "tree 0:1:1 =1 =2\ntree 0:1:9 =1 =2":                                 "line 5: tree 2",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, says, text)
	}
	_, err := Parse(head, "a", "b")
	require.ErrorContains(t, err, `lack the forest "b"`)
}

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		forests, err := parse(text)
		if err != nil {
			return
		}
		for name, parsed := range forests {
			x := make([]float32, len(parsed.Features()))
			parsed.Score(x) // ends, and inside its bounds
			if strings.ContainsAny(name, "\n") {
				continue
			}
			var out strings.Builder
			parsed.Write(&out, name)
			_, err := Parse(out.String())
			require.NoError(t, err)
		}
	})
}

// BenchmarkScore walks several trees at a time, BenchmarkScorePlain one after
// another.
func BenchmarkScore(b *testing.B) {
	trees, cases := benchCases()
	f, err := New(namesOf(100), 0, trees)
	require.NoError(b, err)
	for i := 0; b.Loop(); i++ {
		f.Score(cases[i%len(cases)])
	}
}

func BenchmarkScorePlain(b *testing.B) {
	trees, cases := benchCases()
	for i := 0; b.Loop(); i++ {
		plainScore(0, trees, cases[i%len(cases)])
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
