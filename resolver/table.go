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
	slots  []slot
	shift  uint // how far a key is shifted to give its bucket
}

// A slot holds a part of a key, the size of a title, and its number.
type slot uint64

func newSlot(key uint64, size uint16, title uint32) slot {
	return slot(key&0xffff<<48 | uint64(size)<<32 | uint64(title))
}

func (s slot) tag() uint64   { return uint64(s >> 48) }
func (s slot) size() uint16  { return uint16(s >> 32) }
func (s slot) title() uint32 { return uint32(s) }

// keyed collects the keys of titles.
type keyed struct {
	keys  []uint64
	slots []slot
}

func (k *keyed) add(key uint64, size uint16, title uint32) {
	k.keys, k.slots = append(k.keys, key), append(k.slots, newSlot(key, size, title))
}

// newTable builds a table of buckets with about eight keys each.
func newTable(k *keyed) table {
	depth := bits.Len(uint(len(k.keys) / 8))
	t := table{
		starts: make([]uint32, 1<<depth+1),
		slots:  make([]slot, len(k.keys)),
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
		t.slots[next[bucket]] = k.slots[i]
		next[bucket]++
	}
	for i := 1; i < len(t.starts); i++ {
		slices.Sort(t.slots[t.starts[i-1]:t.starts[i]])
	}
	return t
}

// find returns the slots of a key. Another key may share them, though seldom;
// who uses them looks twice.
func (t *table) find(key uint64) []slot {
	bucket, tag := key>>t.shift, key&0xffff
	slots := t.slots[t.starts[bucket]:t.starts[bucket+1]]
	if len(slots) > 32 {
		slots = slots[sort.Search(len(slots), func(i int) bool { return slots[i].tag() >= tag }):]
		return slots[:sort.Search(len(slots), func(i int) bool { return slots[i].tag() > tag })]
	}
	// Counting takes no branch that depends on the key.
	first, last := uint64(0), uint64(0)
	for _, slot := range slots {
		first += (slot.tag() - tag) >> 63
		last += (slot.tag() - tag - 1) >> 63
	}
	return slots[first:last]
}
