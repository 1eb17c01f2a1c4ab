package resolver

import (
	"slices"
	"sync"
)

// An Index holds entries ready for resolving many references. All methods are
// safe for concurrent use, and readers do not wait for one another. Resolving
// takes about the same time for ten titles and for ten thousand; a reference
// that matches nothing takes a few nanoseconds for each title.
//
// Entries that were added lately are looked at one by one, until there are
// enough of them to build the Index anew; that happens within Add.
type Index struct {
	mu      sync.RWMutex
	rules   rules
	entries []Entry
	marks   marks
	dead    bitset // entries that were removed or replaced
	removed int    // how many
	built   int    // entries before it are on the shelf
	shelf   *shelf
}

// New returns an Index of the entries. Of entries with the same id the last
// one counts.
func New(entries []Entry, o *Options) *Index {
	x := &Index{rules: newRules(o), entries: slices.Clone(entries)}
	x.build()
	if x.dropDoubles() {
		x.build()
	}
	return x
}

// smallIndex is the number of titles that are looked at one by one.
const smallIndex = 64

// build puts all entries on a new shelf, or on none if they are few.
func (x *Index) build() {
	if x.removed > 0 {
		kept := make([]Entry, 0, len(x.entries)-x.removed)
		for i, entry := range x.entries {
			if !x.dead.has(uint32(i)) {
				kept = append(kept, entry)
			}
		}
		x.entries, x.dead, x.removed = kept, nil, 0
	}
	x.marks = newMarks(len(x.entries))
	if len(x.entries) <= smallIndex {
		x.built, x.shelf = 0, nil
		var p phrase
		for i := range x.entries {
			p.analyse(x.entries[i].Title)
			x.marks.add(&p)
		}
		return
	}
	x.built, x.shelf = len(x.entries), newShelf(x.entries, &x.marks)
}

// dropDoubles marks all entries but the last of each id, and reports whether
// there were any.
func (x *Index) dropDoubles() bool {
	if x.shelf == nil {
		last := make(map[string]int, len(x.entries))
		for i, entry := range x.entries {
			if before, ok := last[entry.ID]; ok && entry.ID != "" {
				x.kill(uint32(before))
			}
			last[entry.ID] = i
		}
		return x.removed > 0
	}
	for i := range x.entries {
		if id := x.entries[i].ID; id != "" {
			for _, slot := range x.shelf.keys.find(hashID(id)) {
				if n := slot.title(); n < uint32(i) && x.entries[n].ID == id {
					x.kill(n)
				}
			}
		}
	}
	return x.removed > 0
}

func (x *Index) kill(n uint32) {
	if !x.dead.has(n) {
		x.dead.set(n, len(x.entries))
		x.removed++
	}
}

// Resolve finds the entry that a reference means. The error is an
// [*AmbiguousError], a [*NotFoundError] or [ErrReferenceTooLong].
func (x *Index) Resolve(reference string) (Match, error) {
	if len(reference) > MaxReference {
		return Match{}, ErrReferenceTooLong
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.rules = &x.rules
	if n, ok := x.byID(reference); ok {
		return newMatch(x.entries[n], rank{tier: ByID}), nil
	}
	if isUUID(reference) {
		return Match{}, &NotFoundError{Reference: reference, Noun: x.rules.label}
	}
	s.ask(reference)
	x.find(s)
	return s.answer(reference, x.titles(0, len(x.entries)))
}

// find looks at the entries that are not on the shelf, and on the shelf.
func (x *Index) find(s *scratch) {
	s.scan(x.titles(x.built, len(x.entries)), 1)
	if x.shelf == nil {
		return
	}
	best := s.best
	s.late = append(s.late[:0], s.found...)
	x.search(s)
	slices.Sort(s.found)
	s.found = slices.Compact(s.found)
	for _, n := range s.late {
		s.offer(n, best)
	}
}

// titles returns the entries from first to last for a scan.
func (x *Index) titles(first, last int) *titles {
	return &titles{entries: x.entries, marks: x.marks, first: first, last: last, dead: x.dead}
}

// byID returns the entry with an id.
func (x *Index) byID(id string) (uint32, bool) {
	if id == "" {
		return 0, false
	}
	if x.shelf != nil && x.shelf.ids&idLength(id) != 0 {
		for _, slot := range x.shelf.keys.find(hashID(id)) {
			if n := slot.title(); x.entries[n].ID == id && !x.dead.has(n) {
				return n, true
			}
		}
	}
	for i := x.built; i < len(x.entries); i++ {
		if x.entries[i].ID == id && !x.dead.has(uint32(i)) {
			return uint32(i), true
		}
	}
	return 0, false
}

// Add adds entries. One with a known id replaces the entry that had it, and
// stands after the others. Many entries are added faster at once than one by
// one.
func (x *Index) Add(entries ...Entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	var p phrase
	for _, entry := range entries {
		if n, ok := x.byID(entry.ID); ok {
			x.kill(n)
		}
		p.analyse(entry.Title)
		x.entries = append(x.entries, entry)
		x.marks.add(&p)
		if x.late() > max(smallIndex, x.built) {
			x.build() // byID looks at late entries one by one
		}
	}
	if x.late() > max(smallIndex, x.built/32) {
		x.build()
	}
}

// late is the number of entries that are not on the shelf.
func (x *Index) late() int { return len(x.entries) - x.built }

// Remove removes the entry with an id and reports whether there was one.
func (x *Index) Remove(id string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	n, ok := x.byID(id)
	if ok {
		x.kill(n)
		if x.removed > max(smallIndex, len(x.entries)/4) {
			x.build()
		}
	}
	return ok
}

// Len returns the number of entries.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.entries) - x.removed
}

// Entries returns the entries in the order in which they were added.
func (x *Index) Entries() []Entry {
	x.mu.RLock()
	defer x.mu.RUnlock()
	entries := make([]Entry, 0, len(x.entries)-x.removed)
	for i, entry := range x.entries {
		if !x.dead.has(uint32(i)) {
			entries = append(entries, entry)
		}
	}
	return entries
}

// Redact replaces the ids of the entries in a text, as [Redact] does.
func (x *Index) Redact(text string) string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return redact(text, func(id string) (string, bool) {
		n, ok := x.byID(id)
		if !ok {
			return "", false
		}
		return x.entries[n].Title, true
	})
}
