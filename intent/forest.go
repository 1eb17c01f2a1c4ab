package intent

import "math"

// forest is a sum of small decision trees, each fitted to what those before it
// got wrong. The forests of the package are in fitted.go, which TestFit writes.
type forest struct {
	bias  float32
	trees []tree
}

// treeDepth is how many questions a tree asks.
const treeDepth = 3

// tree asks whether a number is above a cut: the children of node n are 2n+1, if
// it is not, and 2n+2. Its arrays have room for eight, so that an index of three
// bits is always one of theirs.
type tree struct {
	cuts     [8]float32
	leaves   [8]float32
	features [8]uint8
}

// newForest makes a forest of the inner nodes and the leaves of its trees, tree
// after tree.
func newForest(bias float32, features []uint8, cuts, leaves []float32) *forest {
	const inner = 1<<treeDepth - 1
	f := &forest{bias: bias, trees: make([]tree, len(leaves)/(inner+1))}
	for i := range f.trees {
		t := &f.trees[i]
		copy(t.features[:], features[i*inner:(i+1)*inner])
		copy(t.cuts[:], cuts[i*inner:(i+1)*inner])
		copy(t.leaves[:], leaves[i*(inner+1):])
	}
	return f
}

// score is a log-odds.
func (f *forest) score(x *vector) float32 {
	sum := f.bias
	for i := range f.trees {
		t := &f.trees[i]
		n := 1
		if x[t.features[0]&(vectorSize-1)] > t.cuts[0] {
			n = 2
		}
		next := 2*n + 1
		if x[t.features[n&7]&(vectorSize-1)] > t.cuts[n&7] {
			next++
		}
		leaf := 2*next + 1
		if x[t.features[next&7]&(vectorSize-1)] > t.cuts[next&7] {
			leaf++
		}
		sum += t.leaves[(leaf-7)&7]
	}
	return sum
}

// probability maps a log-odds to a probability.
func probability(score float32) float32 { return float32(1 / (1 + math.Exp(-float64(score)))) }
