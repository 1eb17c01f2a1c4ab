package resolver

import (
	"encoding/binary"
	"math/bits"
)

// Odd constants with mixed bits, taken from the digits of the golden ratio.
const (
	mixA = 0x9e3779b97f4a7c15
	mixB = 0xbf58476d1ce4e5b9
)

// hashWord hashes a word, or a stem and whether a "y" was cut from it. Matches
// found by hash are compared byte by byte before they count.
func hashWord(word []byte, y bool) uint64 {
	h := uint64(len(word)) * mixB
	if y {
		h ^= mixA
	}
	for len(word) > 8 {
		h = mix(h ^ binary.LittleEndian.Uint64(word))
		word = word[8:]
	}
	var low, high uint64
	switch n := len(word); {
	case n >= 4:
		low = uint64(binary.LittleEndian.Uint32(word))
		high = uint64(binary.LittleEndian.Uint32(word[n-4:]))
	case n > 0:
		low = uint64(word[0]) | uint64(word[n/2])<<8 | uint64(word[n-1])<<16
	}
	return mix(h ^ low ^ high<<32)
}

func mix(x uint64) uint64 {
	high, low := bits.Mul64(x^mixB, mixA)
	return high ^ low
}
