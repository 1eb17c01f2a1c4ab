package forest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// By ranks the trees say what they say by values, on the cuts and beside them.
func TestRanked(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, count := range []int{0, 1, 3, 4, 9, 30} {
		trees := [...][][]Node{
			randomTrees(random, count, 6, 20), randomTrees(random, count, 5, 20), randomTrees(random, count, 3, 20),
		}
		crowd(random, trees[0])
		var forests []*Forest
		for _, trees := range trees {
			f, err := New(namesOf(20), 0.25, trees)
			require.NoError(t, err)
			forests = append(forests, f)
		}
		read := written(t, forests)
		scale := read[0].Scale
		x, ranks := make([]float32, 20), &Ranks{}
		for range 300 {
			for i := range x {
				x[i] = float32(random.IntN(11)-5) / 2
				switch random.IntN(9) {
				case 0:
					x[i] = math.Nextafter32(x[i], 9)
				case 1:
					x[i] = math.Nextafter32(x[i], -9)
				case 2:
					x[i] = float32(random.NormFloat64()) / 1e3
				case 3:
					x[i] = math.MaxFloat32 * float32(random.IntN(3)-1)
				}
			}
			require.Same(t, ranks, scale.Rank(x, ranks))
			for i, trees := range trees {
				require.InDelta(t, plainScore(0.25, trees, x), forests[i].Score(x), 1e-4)
				require.InDelta(t, forests[i].Score(x), read[i].Ranked.Score(ranks), 0.002) // answers are rounded
				require.InDelta(t, read[i].Score(x), read[i].Ranked.Score(ranks), 0)
			}
			other, like := slices.Clone(x), &Ranks{}
			other[2]--
			scale.RankLike(other, x, ranks, like)
			other[18]++
			scale.RankFrom(17, other, like)
			require.InDelta(t, read[0].Score(other), read[0].Ranked.Score(like), 0)
		}
	}
}

// written are forests that were written as one section and read again.
func written(t testing.TB, forests []*Forest) []*Forest {
	t.Helper()
	names := namesOf(len(forests))
	file, err := Encode(names, forests)
	require.NoError(t, err)
	read, err := Decode(file, names...)
	require.NoError(t, err)
	return read
}

// crowd moves some cuts so near to one another that a ruler has them in one cell.
func crowd(random *rand.Rand, trees [][]Node) {
	for _, tree := range trees {
		for i := range tree {
			if tree[i].Left > 0 && random.IntN(3) == 0 {
				tree[i].Cut /= 1e3
			}
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

// fullTrees are trees that ask as many questions as they may, as those of a large fit.
func fullTrees(random *rand.Rand, count, features int) [][]Node {
	trees := make([][]Node, count)
	for k := range trees {
		trees[k] = make([]Node, 2*maxLeaves-1)
		for i := range maxLeaves - 1 {
			trees[k][i] = Node{Feature: random.IntN(features), Cut: float32(random.IntN(9)-4) / 2, Left: 2*i + 1}
		}
	}
	return trees
}

// BenchmarkRanked scores three forests for one case: by values, and by ranks that are
// found once.
func BenchmarkRanked(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	_, cases := benchCases()
	for _, x := range cases { // as of messages: most of what may be said of one is not
		for i := range x {
			x[i] *= float32(random.IntN(3) / 2)
		}
	}
	var forests []*Forest
	for range 3 {
		f, err := New(namesOf(100), 0, fullTrees(random, 160, 100))
		require.NoError(b, err)
		forests = append(forests, f)
	}
	read := written(b, forests)
	b.Run("values", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			for _, f := range forests {
				f.Score(cases[i%len(cases)])
			}
		}
	})
	b.Run("ranks", func(b *testing.B) {
		var ranks Ranks
		for i := 0; b.Loop(); i++ {
			read[0].Scale.Rank(cases[i%len(cases)], &ranks)
			for _, f := range read {
				f.Ranked.Score(&ranks)
			}
		}
	})
}
