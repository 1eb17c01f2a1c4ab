package intent

import "math"

// forest is a sum of small decision trees, each fitted to what those before it
// got wrong. The forests of the package are in fitted.go, which TestFit writes.
type forest struct {
	bias  float32
	depth int
	// features and cuts are those of the inner nodes, tree by tree: the children
	// of node i are 2i+1, for values up to the cut, and 2i+2.
	features []uint8
	cuts     []float32
	leaves   []float32
}

// score is a log-odds.
func (f *forest) score(x []float32) float32 {
	sum, inner := f.bias, 1<<f.depth-1
	leaves := f.leaves
	for at := 0; at < len(f.features); at += inner {
		features, cuts := f.features[at:at+inner], f.cuts[at:at+inner]
		i := 0
		for range f.depth {
			next := 2*i + 1
			if x[features[i]] > cuts[i] {
				next++
			}
			i = next
		}
		sum += leaves[i-inner]
		leaves = leaves[inner+1:]
	}
	return sum
}

// probability maps a log-odds to a probability.
func probability(score float32) float32 { return float32(1 / (1 + math.Exp(-float64(score)))) }
