package forest

import (
	"fmt"
	"math"
)

// Node is one question of a tree, or an answer where Left is 0.
type Node struct {
	// Feature is what is asked for: below Cut the next node is Left, from it on the
	// one after that. Cut is the answer of a leaf.
	Feature int
	Cut     float32
	Left    int
}

// Forest is a sum of trees.
type Forest struct {
	// Scale ranks cases for Ranked; forests of one section of a file have it in common.
	Scale  *Scale
	Ranked *Ranked

	trees [][]Node // nil if it was read
	bias  float32
}

// abreast is how many trees are walked at a time; their answers are added by four.
const abreast = 8

const maxFeatures = 1<<8 - 1

// New makes a forest of trees. Bias is the log-odds without any of them.
func New(features []string, bias float32, trees [][]Node) (*Forest, error) {
	if len(features) > maxFeatures {
		return nil, fmt.Errorf("there are %d features, of at most %d", len(features), maxFeatures)
	}
	depth := 0
	for i, tree := range trees {
		deep, err := depthOf(tree, len(features))
		if err != nil {
			return nil, fmt.Errorf("tree %d %w", i+1, err)
		}
		depth = max(depth, deep)
	}
	scale, err := newScale(features, cutsOf(len(features), trees))
	if err != nil {
		return nil, err
	}
	r := newRanked(bias, depth, len(trees))
	for i, tree := range trees {
		scale.plant(r, i, tree)
	}
	return &Forest{Scale: scale, Ranked: r, trees: trees, bias: bias}, nil
}

// depthOf is how many questions a tree asks in turn. Its nodes must lead on: so no walk
// goes round in a circle.
func depthOf(tree []Node, features int) (deepest int, err error) {
	if len(tree) == 0 || len(tree) > maxNodes {
		return 0, fmt.Errorf("has %d nodes; it may have 1 to %d", len(tree), maxNodes)
	}
	var depths [maxNodes]int
	for i, n := range tree {
		switch {
		case n.Left == 0:
			deepest = max(deepest, depths[i])
			continue
		case n.Feature < 0 || n.Feature >= features:
			return 0, fmt.Errorf("asks for feature %d; there are %d", n.Feature, features)
		case n.Left <= i || n.Left+1 >= len(tree):
			return 0, fmt.Errorf("leads from node %d to %d; it must be a later one of its %d", i, n.Left, len(tree))
		case depths[i] == maxDepth:
			return 0, fmt.Errorf("asks more than %d questions in turn", maxDepth)
		}
		depths[n.Left], depths[n.Left+1] = depths[i]+1, depths[i]+1
	}
	return deepest, nil
}

// cutsOf are the cuts of each feature, in any order.
func cutsOf(features int, trees [][]Node) [][]float32 {
	all := make([][]float32, features)
	for _, tree := range trees {
		for _, n := range tree {
			if n.Left > 0 {
				all[n.Feature] = append(all[n.Feature], n.Cut)
			}
		}
	}
	return all
}

// Split cuts a forest that was not read in two whose scores sum to its own: one of so many
// trees, and the rest. Where the first say enough, the rest need not be walked.
func (f *Forest) Split(trees int) (first, rest *Forest, err error) {
	trees = min(trees, len(f.trees))
	if first, err = New(f.Scale.features, f.bias, f.trees[:trees]); err != nil {
		return nil, nil, err
	}
	rest, err = New(f.Scale.features, 0, f.trees[trees:])
	return first, rest, err
}

// Features are the names of what the trees ask for, in their order.
func (f *Forest) Features() []string { return f.Scale.features }

// Score is the log-odds for the features of a case.
func (f *Forest) Score(features []float32) float32 {
	return f.Ranked.Score(f.Scale.Rank(features, &Ranks{}))
}

// Probability is the same as a probability.
func (f *Forest) Probability(x []float32) float64 { return Probability(f.Score(x)) }

// Probability maps a log-odds to a probability.
func Probability(score float32) float64 { return 1 / (1 + math.Exp(-float64(score))) }
