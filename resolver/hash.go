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
	for len(word) > 16 {
		h = mix(h^firstEight(word), firstEight(word[8:]))
		word = word[16:]
	}
	return mix(h^firstEight(word), firstEight(word[min(8, len(word)):]))
}

// hashSixteen is hashWord for the first n of sixteen bytes. It takes no branch
// that depends on the length, which a processor cannot predict.
func hashSixteen(first, second uint64, n int) uint64 {
	return mix(uint64(n)*mixB^first&lowBytes[n], second&lowBytes[max(n, 8)-8])
}

// lowBytes are masks of the first bytes of a number.
var lowBytes = [17]uint64{
	0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1,
	8: 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1,
}

// firstEight returns up to eight bytes as a number, the first in its lowest
// bits. Where the buffer goes on after the word it takes one load.
func firstEight(word []byte) uint64 {
	n := len(word)
	if cap(word) >= 8 {
		if n == 0 {
			return 0
		}
		return binary.LittleEndian.Uint64(word[:8]) << (64 - 8*min(n, 8)) >> (64 - 8*min(n, 8))
	}
	var x uint64
	for i := n - 1; i >= 0; i-- {
		x = x<<8 | uint64(word[i])
	}
	return x
}

// firstEightOf is firstEight for a string.
func firstEightOf(s string) (x uint64) {
	if len(s) >= 8 {
		return eightOf(s)
	}
	for i := len(s) - 1; i >= 0; i-- {
		x = x<<8 | uint64(s[i])
	}
	return x
}

// eightOf is one load, as the compiler sees.
func eightOf(s string) uint64 {
	t := s[:8]
	return uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
		uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
}

func mix(x, y uint64) uint64 {
	high, low := bits.Mul64(x^mixB, y^mixA)
	return high ^ low
}
