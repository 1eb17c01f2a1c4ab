package resolver

import (
	"math/bits"
	"slices"
	"sort"
)

// A table finds the titles that have a key. It is built once from all keys and
// takes little more than eight bytes for each of them: they lie sorted in
// buckets, so that a key that thousands of titles share costs no more than a
// rare one.
type table struct {
	starts []uint32 // of the buckets in slots
	slots  []uint64 // half a key, then a title
	shift  uint     // how far a key is shifted to give its bucket
}

// keyed collects the keys of titles.
type keyed struct {
	keys   []uint64
	titles []uint32
}

func (k *keyed) add(key uint64, title uint32) {
	k.keys, k.titles = append(k.keys, key), append(k.titles, title)
}

// newTable builds a table of buckets with about eight keys each.
func newTable(k *keyed) table {
	depth := bits.Len(uint(len(k.keys) / 8))
	t := table{
		starts: make([]uint32, 1<<depth+1),
		slots:  make([]uint64, len(k.keys)),
		shift:  uint(64 - depth),
	}
	for _, key := range k.keys {
		t.starts[key>>t.shift+1]++
	}
	for i := 1; i < len(t.starts); i++ {
		t.starts[i] += t.starts[i-1]
	}
	next := slices.Clone(t.starts)
	for i, key := range k.keys {
		bucket := key >> t.shift
		t.slots[next[bucket]] = key<<32 | uint64(k.titles[i])
		next[bucket]++
	}
	for i := 1; i < len(t.starts); i++ {
		slices.Sort(t.slots[t.starts[i-1]:t.starts[i]])
	}
	return t
}

// find returns the slots of a key, in the order of the titles. Two keys may
// share them once in four thousand million times; who uses them looks twice.
func (t *table) find(key uint64) []uint64 {
	bucket := key >> t.shift
	slots := t.slots[t.starts[bucket]:t.starts[bucket+1]]
	half := key << 32 >> 32
	first := 0
	if len(slots) > 32 {
		first = sort.Search(len(slots), func(i int) bool { return slots[i]>>32 >= half })
	} else {
		for first < len(slots) && slots[first]>>32 < half {
			first++
		}
	}
	slots = slots[first:]
	if len(slots) > 32 {
		return slots[:sort.Search(len(slots), func(i int) bool { return slots[i]>>32 > half })]
	}
	last := 0
	for last < len(slots) && slots[last]>>32 == half {
		last++
	}
	return slots[:last]
}
