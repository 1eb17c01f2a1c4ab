package forest

import "math"

// Node is one question of a tree, or an answer where Left is 0.
type Node struct {
	// Feature is what is asked for: below Cut the next node is Left, from it on the
	// one after that. Cut is the answer of a leaf.
	Feature int
	Cut     float32
	Left    int
}

// Forest is a sum of trees. A tree begins with its first node, and each leads on to later
// ones, so that no walk goes round in a circle.
type Forest struct {
	// Features are the names of what the trees ask for, in their order.
	Features []string
	Trees    [][]Node
	// Bias is the log-odds without any of them.
	Bias float32
}

// What a file has room for, and a tree may ask.
const (
	MaxFeatures = 1<<8 - 1
	MaxCuts     = 1<<8 - 1 // of a feature
	MaxDepth    = 6        // questions that a tree asks in turn
	maxNodes    = 2<<MaxDepth - 1
)

// Score is the log-odds for the features of a case.
func (f *Forest) Score(features []float32) float32 {
	sum := f.Bias
	for _, tree := range f.Trees {
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
