package resolver

import (
	"slices"
	"sync"
)

// An Index holds entries ready for resolving many references. All methods are
// safe for concurrent use; readers do not wait for one another.
type Index struct {
	mu      sync.RWMutex
	rules   rules
	entries []Entry
}

// New returns an Index of the entries. Of entries with the same id the last
// one counts.
func New(entries []Entry, o *Options) *Index {
	x := &Index{rules: newRules(o)}
	x.Add(entries...)
	return x
}

// Resolve finds the entry that a reference means. The error is an
// [*AmbiguousError], a [*NotFoundError] or [ErrReferenceTooLong].
func (x *Index) Resolve(reference string) (Match, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.rules = x.rules
	return s.resolve(reference, x.entries)
}

// Add adds entries. One with a known id replaces the entry that had it.
func (x *Index) Add(entries ...Entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, entry := range entries {
		i := -1
		if entry.ID != "" {
			i = slices.IndexFunc(x.entries, func(e Entry) bool { return e.ID == entry.ID })
		}
		if i < 0 {
			x.entries = append(x.entries, entry)
		} else {
			x.entries[i] = entry
		}
	}
}

// Remove removes the entry with the id and reports whether there was one.
func (x *Index) Remove(id string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	before := len(x.entries)
	x.entries = slices.DeleteFunc(x.entries, func(e Entry) bool { return e.ID == id && id != "" })
	return len(x.entries) < before
}

// Len returns the number of entries.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.entries)
}
