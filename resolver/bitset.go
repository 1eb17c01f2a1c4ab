package resolver

// A bitset is a set of small numbers. The nil bitset is empty.
type bitset []uint64

func (b bitset) has(n uint32) bool {
	return int(n/64) < len(b) && b[n/64]>>(n%64)&1 != 0
}

// set adds n, which is less than size.
func (b *bitset) set(n uint32, size int) {
	for len(*b) < (size+63)/64 {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}
