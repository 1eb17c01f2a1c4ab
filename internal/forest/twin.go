package forest

import (
	"math"
	"slices"
)

// Twins finds vectors that were seen before, by their hashes: long texts have many clauses
// alike, and to ask a forest again costs more than to look. The zero value has seen none.
type Twins struct{ hashes []uint64 }

// First is the number of the first vector that is equal to the i-th, which may be itself.
// Vectors are given in their order; the 0th begins anew.
func (t *Twins) First(i int, x []float32) int {
	hash := uint64(len(x))
	if len(x)%2 == 1 { // of an odd number, the last has no other
		hash = uint64(math.Float32bits(x[len(x)-1]))
	}
	for k := 1; k < len(x); k += 2 {
		two := uint64(math.Float32bits(x[k-1]))<<32 | uint64(math.Float32bits(x[k]))
		hash = (hash ^ hash>>29 ^ two) * 0x9E3779B97F4A7C15
	}
	t.hashes = append(t.hashes[:i], hash)
	return slices.Index(t.hashes, hash)
}
