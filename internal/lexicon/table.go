package lexicon

// table finds entries by 64-bit keys, with open addressing: most of the time
// that a text takes is spent here, and a map takes three times as long.
type table []slot

type slot struct {
	key   uint64
	entry *Entry // nil if the slot is free
}

// newTable makes a table with room for n keys, at most half full.
func newTable(n int) table {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return make(table, size)
}

// at is the slot of a key, or the free one where it belongs.
func (t table) at(key uint64) *slot {
	mask := uint64(len(t) - 1)
	for i := key >> 32; ; i++ {
		if s := &t[i&mask]; s.key == key || s.entry == nil {
			return s
		}
	}
}

// put adds an entry. The first one of a key stays.
func (t table) put(key uint64, entry *Entry) {
	if s := t.at(key); s.entry == nil {
		*s = slot{key, entry}
	}
}
