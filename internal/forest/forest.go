package forest

import (
	"fmt"
	"math"
	"slices"
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
	features []string
	trees    [][]Node
	bias     float32
}

const (
	maxFeatures = 1<<8 - 1
	maxCuts     = 1<<8 - 1 // of a feature
	maxDepth    = 6        // questions that a tree asks in turn
	maxNodes    = 2<<maxDepth - 1
)

// New makes a forest of trees. Bias is the log-odds without any of them.
func New(features []string, bias float32, trees [][]Node) (*Forest, error) {
	if len(features) > maxFeatures {
		return nil, fmt.Errorf("there are %d features, of at most %d", len(features), maxFeatures)
	}
	for i, tree := range trees {
		if err := check(tree, len(features)); err != nil {
			return nil, fmt.Errorf("tree %d %w", i+1, err)
		}
	}
	f := &Forest{features, trees, bias}
	for i, cuts := range f.cuts() {
		if len(cuts) > maxCuts {
			return nil, fmt.Errorf("feature %d has %d cuts; at most %d can be written", i, len(cuts), maxCuts)
		}
	}
	return f, nil
}

// check refuses a tree that a walk might not end in, or that asks too much. Its nodes must
// lead on: so no walk goes round in a circle.
func check(tree []Node, features int) error {
	if len(tree) == 0 || len(tree) > maxNodes {
		return fmt.Errorf("has %d nodes; it may have 1 to %d", len(tree), maxNodes)
	}
	var depths [maxNodes]int
	for i, n := range tree {
		switch {
		case n.Left == 0:
			continue
		case n.Feature < 0 || n.Feature >= features:
			return fmt.Errorf("asks for feature %d; there are %d", n.Feature, features)
		case n.Left <= i || n.Left+1 >= len(tree):
			return fmt.Errorf("leads from node %d to %d; it must be a later one of its %d", i, n.Left, len(tree))
		case depths[i] == maxDepth:
			return fmt.Errorf("asks more than %d questions in turn", maxDepth)
		}
		depths[n.Left], depths[n.Left+1] = depths[i]+1, depths[i]+1
	}
	return nil
}

// cuts are those of each feature, in order.
func (f *Forest) cuts() [][]float32 { return cutsOf(len(f.features), f) }

func cutsOf(features int, forests ...*Forest) [][]float32 {
	all := make([][]float32, features)
	for _, f := range forests {
		for _, tree := range f.trees {
			for _, n := range tree {
				if n.Left > 0 {
					all[n.Feature] = append(all[n.Feature], n.Cut)
				}
			}
		}
	}
	for i := range all {
		slices.Sort(all[i])
		all[i] = slices.Compact(all[i])
	}
	return all
}

// Split cuts a forest in two whose scores sum to its own: one of so many trees, and the rest.
// Where the first say enough, the rest need not be walked.
func (f *Forest) Split(trees int) (first, rest *Forest) {
	trees = min(trees, len(f.trees))
	return &Forest{f.features, f.trees[:trees], f.bias}, &Forest{f.features, f.trees[trees:], 0}
}

// Features are the names of what the trees ask for, in their order.
func (f *Forest) Features() []string { return f.features }

// Score is the log-odds for the features of a case.
func (f *Forest) Score(features []float32) float32 {
	sum := f.bias
	for _, tree := range f.trees {
		n := &tree[0]
		for n.Left > 0 {
			at := n.Left
			if features[n.Feature] >= n.Cut {
				at++
			}
			n = &tree[at]
		}
		sum += n.Cut
	}
	return sum
}

// Probability is the same as a probability.
func (f *Forest) Probability(x []float32) float64 { return Probability(f.Score(x)) }

// Probability maps a log-odds to a probability.
func Probability(score float32) float64 { return 1 / (1 + math.Exp(-float64(score))) }
