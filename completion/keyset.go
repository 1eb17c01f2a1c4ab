package completion

// keySet is a set of the keys of values. Its zero value is empty.
type keySet struct {
	slots []uint64
	count int
}

// reset empties the set and keeps its room.
func (s *keySet) reset() {
	if s.count > 0 {
		clear(s.slots)
	}
	s.count = 0
}

// place is the slot of a key, or the free one where it belongs. There must be one.
func (s *keySet) place(key uint64) *uint64 {
	mask := uint64(len(s.slots) - 1)
	for i := key >> 17; ; i++ {
		if slot := &s.slots[i&mask]; *slot == key || *slot == 0 {
			return slot
		}
	}
}

// add puts a key into the set.
func (s *keySet) add(key uint64) {
	if s.count*2 >= len(s.slots) {
		s.grow()
	}
	key = max(key, 1)
	if slot := s.place(key); *slot == 0 {
		*slot = key
		s.count++
	}
}

// addAll puts the keys of another set into the set.
func (s *keySet) addAll(other *keySet) {
	for _, key := range other.slots {
		if key != 0 {
			s.add(key)
		}
	}
}

func (s *keySet) grow() {
	old := s.slots
	s.slots, s.count = make([]uint64, max(64, 2*len(old))), 0
	for _, key := range old {
		if key != 0 {
			s.add(key)
		}
	}
}

// has reports whether a key is in the set.
func (s *keySet) has(key uint64) bool { return s.count > 0 && *s.place(max(key, 1)) != 0 }
