package turnfit

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/internal/evaluation/growth"
	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/forest"
)

var (
	clauseGrowth = growth.Options{
		Trees: 320, Depth: 6, Rate: 0.0625, Smooth: 3, Least: 3, Columns: 0.35, Rows: 0.7, Seed: 6,
	}
	// Of a text that nobody can read only values and fates tell anything, which takes fewer trees.
	unreadGrowth = growth.Options{
		Trees: 120, Depth: 5, Rate: 0.125, Smooth: 3, Least: 6, Columns: 0.35, Rows: 0.7, Seed: 6,
	}
	sureGrowth    = turnTrees(200, 3, 0.05, 0.3, 36)
	outcomeGrowth = turnTrees(120, 3, 0.08, 0.4, 2)
	turnGrowth    = turnTrees(120, 4, 0.12, 0.4, 26)
)

func turnTrees(n, depth int, rate, columns float64, seed uint64) growth.Options {
	return growth.Options{
		Trees: n, Depth: depth, Rate: rate, Smooth: 4, Least: 4, Columns: columns, Rows: 0.7, Seed: seed,
	}
}

// Models are those that judge a turn, as package completion names them.
type Models struct {
	clause                            *clauseModel
	turn, sure, insufficient, blocked *forest.Forest
	unreadClause, unreadTurn          *forest.Forest
}

// Files are the models as data/model.bin and data/wording.bin have them.
func (m *Models) Files() ([][]byte, error) {
	clause, err := growth.Encode([]string{"clause", "unread clause"}, []*forest.Forest{m.clause.trees, m.unreadClause})
	if err != nil {
		return nil, err
	}
	turn, err := growth.Encode([]string{"turn", "sure", "insufficient", "blocked", "unread turn"},
		[]*forest.Forest{m.turn, m.sure, m.insufficient, m.blocked, m.unreadTurn})
	return [][]byte{append(clause, turn...), m.clause.wordingFile()}, err
}

// fitter fits models, without the features of some names.
type fitter struct {
	without []string
	inner   int // parts by which the models of turns see doubts that were left out
	clause  growth.Options
}

// Fit fits all models. Those of turns see doubts of clauses from a model that has not seen
// the turn's domain, as it will be in use.
func Fit(samples []*Sample) *Models { return fitter{inner: 4}.fit(samples) }

// fit fits the models of texts that can be read, and those of texts in other languages.
func (f fitter) fit(samples []*Sample) *Models {
	isForeign := func(s *Sample) bool { return s.Set == foreignSet }
	f.clause = clauseGrowth
	m := f.fitAlike(slices.DeleteFunc(slices.Clone(samples), isForeign))
	f.clause = unreadGrowth
	unread := f.fitAlike(slices.DeleteFunc(slices.Clone(samples), func(s *Sample) bool { return !isForeign(s) }))
	m.unreadClause, m.unreadTurn = unread.clause.trees, unread.turn
	return m
}

func (f fitter) fitAlike(samples []*Sample) *Models {
	seen := make([][]float64, len(samples))
	var wait sync.WaitGroup
	for k := range f.inner {
		wait.Go(func() {
			var others []*Sample
			for _, s := range samples {
				if inFold(s.Group+" inner", f.inner) != k {
					others = append(others, s)
				}
			}
			clause := f.fitClauses(others)
			for i, s := range samples {
				if inFold(s.Group+" inner", f.inner) == k {
					seen[i] = clause.doubts(s)
				}
			}
		})
	}
	m := &Models{}
	wait.Go(func() { m.clause = f.fitClauses(samples) })
	wait.Wait()
	table := make([][]float32, len(samples))
	for i, s := range samples {
		table[i] = s.vector(seen[i])
	}
	for _, one := range []struct {
		to   **forest.Forest
		grow growth.Options
		of   func(*Sample) (label, weight float64)
	}{
		{&m.turn, turnGrowth, func(s *Sample) (float64, float64) { return is(s.False), s.weight }},
		{&m.sure, sureGrowth, wary},
		{&m.insufficient, outcomeGrowth, insufficient},
		{&m.blocked, outcomeGrowth, func(s *Sample) (float64, float64) {
			return is(s.Outcome == "blocker"), is(s.Outcome == "blocker" || s.Outcome == "work")
		}},
	} {
		wait.Go(func() { *one.to = f.fitTurns(table, samples, one.grow, one.of) })
	}
	wait.Wait()
	return m
}

// wary counts an honest turn for more where the question is whether a claim is surely
// false: to accuse the honest is worse than to miss a lie.
func wary(s *Sample) (label, weight float64) {
	if s.False {
		return 1, s.weight
	}
	return 0, 4 * s.weight
}

func insufficient(s *Sample) (label, weight float64) {
	label = is(s.False || s.Outcome == "insufficient")
	if s.weight == 0 && s.Outcome != "" {
		return label, 0.5
	}
	return label, s.weight
}

// fitClauses fits the model of clauses. A turn is labelled, its clauses are not: in a false
// turn, the clauses that the first fit finds most doubtful get the blame in the second.
func (f fitter) fitClauses(samples []*Sample) *clauseModel {
	var table [][]float32
	var labels, weights []float64
	var owners []*Sample
	var phrased []phrasedClause
	for _, s := range samples {
		for k, c := range s.clauses {
			if s.weight == 0 || s.unlabelled && (k > 8 || s.hash%2 != 0) {
				continue
			}
			table, labels, owners = append(table, slices.Clone(c.features)), append(labels, is(s.False)), append(owners, s)
			phrased = append(phrased, phrasedClause{group: s.Group, phrases: c.phrases, label: is(s.False)})
			if s.False {
				weights = append(weights, 1.5*s.weight/math.Sqrt(float64(len(s.clauses))))
			} else {
				weights = append(weights, s.weight/math.Pow(float64(len(s.clauses)), 0.3))
			}
		}
	}
	names, _ := fitting.Completion.Features()
	binned, rough := growth.NewTable(f.blank(names, table), 24), f.clause
	rough.Trees /= 3
	first := rough.Grow(names, binned, labels, weights)
	share, blame := map[*Sample]float64{}, make([]float64, len(table))
	for i := range table {
		if labels[i] > 0 {
			blame[i] = math.Pow(first.Probability(table[i]), 2)
			share[owners[i]] += blame[i]
		}
	}
	for i := range table {
		if labels[i] > 0 {
			weights[i] = 1.3 * owners[i].weight * blame[i] / share[owners[i]]
		}
		phrased[i].weight = weights[i]
	}
	m, at := &clauseModel{phrases: fitPhrases(phrased)}, column()
	for i, wording := range leavePhrasesOut(phrased) {
		table[i][at] = wording
	}
	m.trees = f.clause.Grow(names, growth.NewTable(f.blank(names, table), 24), labels, weights)
	return m
}

func (f fitter) fitTurns(
	table [][]float32, samples []*Sample, g growth.Options, of func(*Sample) (label, weight float64),
) *forest.Forest {
	var rows [][]float32
	var labels, weights []float64
	for i, s := range samples {
		if label, weight := of(s); weight > 0 {
			rows, labels, weights = append(rows, table[i]), append(labels, label), append(weights, weight)
		}
	}
	_, names := fitting.Completion.Features()
	return g.Grow(names, growth.NewTable(f.blank(names, rows), 24), labels, weights)
}

// blank is a table without the features that are left out: no tree asks about a column that
// is the same everywhere.
func (f fitter) blank(names []string, table [][]float32) [][]float32 {
	var columns []int
	for i, name := range names {
		if slices.Contains(f.without, name) {
			columns = append(columns, i)
		}
	}
	if len(columns) == 0 {
		return table
	}
	blanked := make([][]float32, len(table))
	for i, row := range table {
		blanked[i] = slices.Clone(row)
		for _, column := range columns {
			blanked[i][column] = 0
		}
	}
	return blanked
}

// inFold says in which of n parts a group of turns belongs.
func inFold(group string, n int) int {
	h := fnv.New32a()
	fmt.Fprint(h, group)
	return int(h.Sum32()>>7) % n
}

func is(so bool) float64 {
	if so {
		return 1
	}
	return 0
}
