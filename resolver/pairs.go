package resolver

// Pairs are the sets of neighbouring letters of a text, one bit for each and
// several share a bit. They tell far better than a tally whether a title
// holds a word.

// A number in each byte of a word.
const (
	byteOnes = 0x0101_0101_0101_0101
	byteTops = 0x8080_8080_8080_8080
)

// pairBit is the bit of two neighbours, in either case.
func pairBit(a, b byte) uint64 { return 1 << ((a<<3 ^ (b | ' ')) & 63) }

// pairsOfEight returns the pairs that eight bytes make with the eight bytes
// that follow them.
func pairsOfEight(x, next uint64) uint64 {
	p := x&(0x1f*byteOnes)<<3 ^ (next | ' '*byteOnes)
	return (1<<(p&63) | 1<<(p>>8&63) | 1<<(p>>16&63) | 1<<(p>>24&63)) |
		(1<<(p>>32&63) | 1<<(p>>40&63) | 1<<(p>>48&63) | 1<<(p>>56&63))
}

// allPairs are those of a title that lacks none as far as can be told.
const allPairs = ^uint64(0)

// pairsOf returns the pairs of a raw title, or all of them if it is very short,
// or not ASCII, or holds what words are put together without: apostrophes and
// controls.
func pairsOf(title string) (pairs uint64) {
	last := len(title) - 9
	if last < 0 {
		return allPairs
	}
	odd := uint64(0)
	for i := 0; i < last; i += 8 {
		t := title[i : i+9]
		x := eightOf(t)
		odd |= unjoined(x)
		pairs |= pairsOfEight(x, eightOf(t[1:]))
	}
	t := title[last : last+9] // may overlap: a set does not mind
	x, next := eightOf(t), eightOf(t[1:])
	odd |= unjoined(x) | unjoined(next)
	if odd&byteTops != 0 {
		return allPairs
	}
	return pairs | pairsOfEight(x, next)
}

// unjoined sets the top bit of a byte that is an apostrophe, a control or not
// ASCII. It may set others if there is one.
func unjoined(x uint64) uint64 {
	return (x + byteOnes) | (x - ' '*byteOnes) | ((x ^ '\''*byteOnes) - byteOnes)
}

// pairsIn returns the pairs of a folded word.
func pairsIn(word []byte) (pairs uint64) {
	for ; len(word) > 8; word = word[8:] {
		x := firstEight(word)
		pairs |= pairsOfEight(x, x>>8|uint64(word[8])<<56)
	}
	if n := len(word); n > 1 {
		x := firstEight(word)
		// After the last pair the first one is repeated.
		used := ^uint64(0) >> (64 - 8*(n-1))
		first, second := x&0xff*byteOnes, x>>8&0xff*byteOnes
		pairs |= pairsOfEight(x&used|first&^used, x>>8&used|second&^used)
	}
	return pairs
}
