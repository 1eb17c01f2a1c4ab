package completion

import (
	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// keySet is a set of the keys of values. Its zero value is empty.
type keySet struct{ hashtable.Table[struct{}] }

// add puts a key into the set.
func (s *keySet) add(key uint64) { s.Add(max(key, 1)) }

// addAll puts the keys of other sets into the set.
func (s *keySet) addAll(others ...*keySet) {
	for _, other := range others {
		for key := range other.All {
			s.Add(key)
		}
	}
}

// addValues puts the keys of values into the set.
func (s *keySet) addValues(values []reading.Value) {
	for i := range values {
		s.add(values[i].Key)
	}
}

// has reports whether a key is in the set.
func (s *keySet) has(key uint64) bool { return s.Has(max(key, 1)) }
