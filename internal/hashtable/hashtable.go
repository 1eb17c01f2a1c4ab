// Package hashtable answers one question: what is filed under this hash?
//
// Most of the time that a text takes is spent on such questions, and a map of Go takes three times
// as long: it hashes the hash again, and makes sure of what readers of words do not need. A [Table]
// has no deletion, and who asks for a key gets whatever has the same 64 bits.
package hashtable

// Table finds values by hashes, with open addressing. The zero value is an empty
// table without room. It is safe for concurrent reading.
type Table[V any] struct {
	slots []slot[V]
	used  int
}

type slot[V any] struct {
	value V // first, so that a value of no size takes no room
	key   uint64
}

// New is a table with room for n keys.
func New[V any](n int) Table[V] {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return Table[V]{slots: make([]slot[V], size)}
}

// at is the slot of a key, or the free one where it belongs. There must be one.
// Any bits of a hash may be poor, of a number's all lower ones; those of the product are not.
func (t *Table[V]) at(key uint64) *slot[V] {
	mask := uint64(len(t.slots) - 1)
	for i := (key ^ key>>32) * 0x9E3779B97F4A7C15 >> 32; ; i++ {
		if s := &t.slots[i&mask]; s.key == key || s.key == 0 {
			return s
		}
	}
}

// Find is the value of a key, the zero value if there is none. 0 is no key. There
// must be room for one: it is asked so often that it does not look.
func (t *Table[V]) Find(key uint64) V { return t.at(key).value }

// Len is how many keys the table has.
func (t *Table[V]) Len() int { return t.used }

// Has reports whether a key is in the table.
func (t *Table[V]) Has(key uint64) bool { return t.used > 0 && key != 0 && t.at(key).key == key }

// Put files a value, unless there is one under the key.
func (t *Table[V]) Put(key uint64, value V) {
	if !t.Has(key) {
		*t.Add(key) = value
	}
}

// Add is the place of a key's value, which the table has from now on; it is good
// until the next one is added.
func (t *Table[V]) Add(key uint64) *V {
	if 2*t.used >= len(t.slots) {
		old := t.slots
		*t = New[V](len(old))
		for i := range old {
			if old[i].key != 0 {
				*t.Add(old[i].key) = old[i].value
			}
		}
	}
	s := t.at(key)
	if s.key == 0 {
		s.key = key
		t.used++
	}
	return &s.value
}

// Clear empties the table and keeps its room.
func (t *Table[V]) Clear() {
	if t.used > 0 {
		clear(t.slots)
	}
	t.used = 0
}

// All visits every key.
func (t *Table[V]) All(visit func(key uint64, value V) bool) {
	for i := range t.slots {
		if s := &t.slots[i]; s.key != 0 && !visit(s.key, s.value) {
			return
		}
	}
}
