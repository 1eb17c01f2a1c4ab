package resolver

import (
	"slices"
	"sync"
)

// An Index holds entries ready for resolving many references. All methods are
// safe for concurrent use, and readers do not wait for one another. Titles that
// share no word with a reference are only looked at where no other one is meant,
// and then cost a few nanoseconds each.
type Index struct {
	mu      sync.RWMutex
	rules   rules
	entries []Entry
	marks   []mark             // of each entry
	places  map[string]int32   // of the entries, by id
	holders map[string][]int32 // entries in order, by the words of their titles: see phrase.key
	removed int                // entries that are gone and still have a place
}

// New returns an Index of the entries. Of entries with the same id the last
// one counts.
func New(entries []Entry, o *Options) *Index {
	x := &Index{rules: newRules(o)}
	x.add(entries)
	return x
}

// Resolve finds the entry that a reference means. The error is an
// [*AmbiguousError], a [*NotFoundError] or [ErrReferenceTooLong].
func (x *Index) Resolve(reference string) (Match, error) {
	if len(reference) > MaxReference {
		return Match{}, ErrReferenceTooLong
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	if n, known := x.places[reference]; known {
		return newMatch(x.entries[n], rank{tier: ByID}), nil
	}
	if isUUID(reference) {
		return Match{}, &NotFoundError{Reference: reference, Noun: x.rules.label}
	}
	s := newScratch(&x.rules)
	defer scratches.Put(s)
	s.query.prepare(reference, s.rules)
	s.search(x)
	return s.answer(reference, x.entries, x.marks)
}

// Add adds entries. One with a known id replaces the entry that had it, and
// stands after the others.
func (x *Index) Add(entries ...Entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.add(entries)
}

func (x *Index) add(entries []Entry) {
	if x.places == nil {
		x.places, x.holders = make(map[string]int32, len(entries)), map[string][]int32{}
	}
	x.entries, x.marks = slices.Grow(x.entries, len(entries)), slices.Grow(x.marks, len(entries))
	var p phrase
	for _, entry := range entries {
		x.remove(entry.ID)
		if entry.ID != "" {
			x.places[entry.ID] = int32(len(x.entries))
		}
		p.analyse(entry.Title)
		for i := range p.tokens {
			word, at := string(p.key(&p.tokens[i])), int32(len(x.entries))
			if held := x.holders[word]; len(held) == 0 || held[len(held)-1] != at {
				x.holders[word] = append(held, at)
			}
		}
		x.entries, x.marks = append(x.entries, entry), append(x.marks, p.mark())
	}
	x.tidy()
}

// Remove removes the entry with an id and reports whether there was one.
func (x *Index) Remove(id string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.tidy()
	return x.remove(id)
}

func (x *Index) remove(id string) bool {
	n, known := x.places[id]
	if known {
		delete(x.places, id)
		x.entries[n], x.marks[n] = Entry{}, mark{gone: true}
		x.removed++
	}
	return known
}

// tidy moves entries together when a quarter of the places is empty.
func (x *Index) tidy() {
	if x.removed <= len(x.entries)/4 {
		return
	}
	kept := x.kept()
	x.entries, x.marks, x.places, x.removed = nil, nil, nil, 0
	x.add(kept)
}

func (x *Index) kept() []Entry {
	entries := make([]Entry, 0, len(x.entries)-x.removed)
	for i, entry := range x.entries {
		if !x.marks[i].gone {
			entries = append(entries, entry)
		}
	}
	return entries
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
	return x.kept()
}

// Redact replaces the ids of the entries in a text, as [Redact] does.
func (x *Index) Redact(text string) string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return redact(text, func(id string) (string, bool) {
		n, known := x.places[id]
		if !known {
			return "", false
		}
		return x.entries[n].Title, true
	})
}
