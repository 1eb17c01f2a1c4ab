package turnfit

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/forest"
)

// clauseModel says how doubtful a clause is: what its phrases say is one of the features that
// the trees ask for.
type clauseModel struct {
	trees   *forest.Forest
	phrases []float64
}

// column is where the wording stands among the features of a clause.
func column() int {
	names, _ := fitting.Completion.Features()
	return slices.Index(names, fitting.Completion.Wording)
}

// doubts says how doubtful the clauses of a turn are.
func (m *clauseModel) doubts(s *Sample) []float64 {
	doubts, at := make([]float64, len(s.clauses)), column()
	for i, c := range s.clauses {
		x := slices.Clone(c.features)
		x[at] = wordingOf(m.phrases, c.phrases)
		doubts[i] = m.trees.Probability(x)
	}
	return doubts
}

// wordingOf is what phrases say together, as package completion reads it: clipped and rounded.
func wordingOf(weights []float64, phrases []uint16) float32 {
	sum := 0
	for _, phrase := range phrases {
		sum += int(partsOf(weights[phrase]))
	}
	return float32(sum) / float32(fitting.Completion.PhraseUnit)
}

func partsOf(weight float64) int8 {
	return int8(min(max(math.Round(weight*float64(fitting.Completion.PhraseUnit)), math.MinInt8), math.MaxInt8))
}

// wordingFile is the weights as data/wording.bin has them.
func (m *clauseModel) wordingFile() []byte {
	file := make([]byte, len(m.phrases))
	for i, weight := range m.phrases {
		file[i] = byte(partsOf(weight))
	}
	return file
}

// phrasedClause is a clause that weights of phrases are fitted to.
type phrasedClause struct {
	group         string
	phrases       []uint16
	label, weight float64
}

const (
	phraseRounds = 8
	phraseStep   = 0.06
	phraseDecay  = 1e-3
)

// fitPhrases is a logistic regression; the mean of the weights of later rounds is steadier
// than the last ones.
func fitPhrases(clauses []phrasedClause) []float64 {
	weights := make([]float64, fitting.Completion.Phrases)
	slopes, mean := make([]float64, len(weights)), make([]float64, len(weights))
	order := make([]int, len(clauses))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(7, 7)) // #nosec G404 -- an order, the same each time
	for round := range phraseRounds {
		random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		for _, i := range order {
			clause := &clauses[i]
			sum := 0.0
			for _, phrase := range clause.phrases {
				sum += weights[phrase]
			}
			fault := clause.weight * (1/(1+math.Exp(-sum)) - clause.label)
			for _, phrase := range clause.phrases {
				slope := fault + phraseDecay*weights[phrase]
				slopes[phrase] += slope * slope
				weights[phrase] -= phraseStep * slope / math.Sqrt(slopes[phrase]+1e-2)
			}
		}
		if round >= 2 {
			for i, weight := range weights {
				mean[i] += weight / (phraseRounds - 2)
			}
		}
	}
	return mean
}

// leavePhrasesOut gives each clause the wording that was fitted without its group, as in use
// it comes from texts that nobody has seen.
func leavePhrasesOut(clauses []phrasedClause) []float32 {
	const folds = 5
	wording := make([]float32, len(clauses))
	for k := range folds {
		weights := fitPhrases(slices.DeleteFunc(slices.Clone(clauses), func(c phrasedClause) bool {
			return inFold(c.group+" phrases", folds) == k
		}))
		for i := range clauses {
			if inFold(clauses[i].group+" phrases", folds) == k {
				wording[i] = wordingOf(weights, clauses[i].phrases)
			}
		}
	}
	return wording
}
