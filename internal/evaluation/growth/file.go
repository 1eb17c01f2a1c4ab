package growth

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/forest"
)

// Encode writes forests that ask for the same features as one section of a file; see package forest.
func Encode(names []string, forests []*forest.Forest) ([]byte, error) {
	features := forests[0].Features
	for i, f := range forests {
		if !slices.Equal(features, f.Features) {
			return nil, fmt.Errorf("the forest %q asks for other features than %q", names[i], names[0])
		}
	}
	if len(features) > forest.MaxFeatures {
		return nil, fmt.Errorf("there are %d features, of at most %d", len(features), forest.MaxFeatures)
	}
	cuts := featureCuts(len(features), forests...)
	out := binary.AppendUvarint(nil, uint64(len(features)))
	for i, feature := range features {
		if len(cuts[i]) > forest.MaxCuts {
			return nil, fmt.Errorf("feature %d has %d cuts; at most %d can be written", i, len(cuts[i]), forest.MaxCuts)
		}
		out = binary.AppendUvarint(appendText(out, feature), uint64(len(cuts[i])))
		for _, cut := range cuts[i] {
			out = appendNumber(out, cut)
		}
	}
	out = binary.AppendUvarint(out, uint64(len(forests)))
	for i, f := range forests {
		out = appendForest(appendText(out, names[i]), f, cuts)
	}
	_, err := forest.Decode(out, names...) // trees that lead nowhere, or ask too much, cannot be read
	return out, err
}

func appendForest(out []byte, f *forest.Forest, cuts [][]float32) []byte {
	most := float32(0)
	for _, tree := range f.Trees {
		for _, n := range tree {
			if n.Left == 0 {
				most = max(most, n.Cut, -n.Cut)
			}
		}
	}
	unit := most / math.MaxInt16
	out = append(appendNumber(appendNumber(out, f.Bias), unit), forest.MaxDepth)
	out = binary.AppendUvarint(out, uint64(len(f.Trees)))
	for _, tree := range f.Trees {
		out = appendNode(out, tree, 0, unit, cuts)
	}
	return out
}

func appendNode(out []byte, tree []forest.Node, at int, unit float32, cuts [][]float32) []byte {
	n := tree[at]
	if n.Left > 0 {
		rank, _ := slices.BinarySearch(cuts[n.Feature], n.Cut)
		out = append(out, byte(n.Feature+1), byte(rank))
		return appendNode(appendNode(out, tree, n.Left, unit, cuts), tree, n.Left+1, unit, cuts)
	}
	units := int16(0)
	if unit > 0 {
		units = int16(math.Round(float64(n.Cut / unit)))
	}
	return binary.LittleEndian.AppendUint16(append(out, 0), uint16(units))
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

func appendNumber(out []byte, number float32) []byte {
	return binary.LittleEndian.AppendUint32(out, math.Float32bits(number))
}

// featureCuts are the cuts of each feature, in order.
func featureCuts(features int, forests ...*forest.Forest) [][]float32 {
	all := make([][]float32, features)
	for _, f := range forests {
		for _, tree := range f.Trees {
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
func Split(f *forest.Forest, trees int) (first, rest *forest.Forest) {
	trees = min(trees, len(f.Trees))
	return &forest.Forest{Features: f.Features, Trees: f.Trees[:trees], Bias: f.Bias},
		&forest.Forest{Features: f.Features, Trees: f.Trees[trees:]}
}
