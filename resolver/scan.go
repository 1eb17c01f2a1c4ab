package resolver

import (
	"cmp"
	"slices"
	"sync"
)

// scratch holds what one resolution works with; it is pooled, so that nothing
// is allocated on the way.
type scratch struct {
	query query
	title phrase
	rules rules
	best  rank
	found []int32  // positions of the titles of the best rank
	bags  []uint64 // of the titles, in a scan without an Index
	exact bool     // bags are those of the words, also if they are not ASCII
	late  []int32  // found outside the shelf of an Index
	lists [][]uint64
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Resolve finds the entry that a reference means, without building an Index:
// the right choice for a list that is fetched for this one question.
//
// The error is an [*AmbiguousError], a [*NotFoundError] or
// [ErrReferenceTooLong].
func Resolve(reference string, entries []Entry, o *Options) (Match, error) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.rules = defaultRules
	if o != nil {
		s.rules = newRules(o)
	}
	return s.resolve(reference, entries)
}

// resolve compares the reference with one entry after the other.
func (s *scratch) resolve(reference string, entries []Entry) (Match, error) {
	if len(reference) > MaxReference {
		return Match{}, ErrReferenceTooLong
	}
	s.best, s.found, s.bags, s.exact = rank{}, s.found[:0], s.bags[:0], false
	for i := range entries {
		if entries[i].ID == reference && reference != "" {
			s.offer(int32(i), rank{tier: ByID})
		}
		s.bags = append(s.bags, bagOfASCII(entries[i].Title))
	}
	if s.best.tier == 0 {
		if isUUID(reference) {
			return Match{}, &NotFoundError{Reference: reference, Noun: s.rules.label}
		}
		s.query.prepare(reference, &s.rules)
		s.scan(entries, s.bags, span{last: len(entries)}, 1)
	}
	return s.answer(reference, entries, s.bags, nil)
}

// A span is the part of the entries that a scan looks at.
type span struct {
	first, last int
	dead        bitset // entries that are left out
}

// scan grades every title that its bag does not rule out. It looks for titles
// with so many mistyped words first and for more of them only if there is
// none, because the filter is the weaker the more it has to forgive.
func (s *scratch) scan(entries []Entry, bags []uint64, part span, words int) {
	f := &s.query.filter
	most := min(f.errors, len(f.words))
	for words = min(words, most); ; words++ {
		if words >= 2 {
			f.count()
		}
		if words == manyWords {
			words = len(f.words)
		}
		s.best, s.found = rank{}, s.found[:0]
		a, b, c := f.anchors(words)
		for i := part.first; i < part.last; i++ {
			bag := bags[i]
			if a&^bag != 0 && b&^bag != 0 && c&^bag != 0 && (bag < foreign || s.exact) || part.dead.has(uint32(i)) {
				continue
			}
			s.look(int32(i), entries[i].Title, bag, words)
		}
		enough := s.best.tier != 0 && (s.best.tier < Typing || s.best.tier == Typing && int(s.best.step) <= words)
		if enough || words >= most {
			return
		}
	}
}

// look grades a title unless the filter rules it out.
func (s *scratch) look(i int32, title string, bag uint64, words int) {
	if (bag < foreign || s.exact) && !s.likely(title, bag, words) {
		return
	}
	s.title.analyse(title)
	s.offer(i, s.query.grade(&s.title))
}

// likely reports whether a title may match no worse than the best one so far,
// with typing errors in at most so many words.
func (s *scratch) likely(title string, bag uint64, words int) bool {
	f, ascii := &s.query.filter, bag < foreign
	if f.certain(bag) && (!ascii || f.intact(title, bag, 0)) {
		return true
	}
	if words == 0 || s.best.tier != 0 && s.best.tier < Typing || !f.typed(bag, words) {
		return false
	}
	return !ascii || f.intact(title, bag, words) && (words == 1 || !f.exceeds(title))
}

// answer says what was found.
func (s *scratch) answer(reference string, entries []Entry, bags []uint64, dead bitset) (Match, error) {
	switch len(s.found) {
	case 0:
		e := &NotFoundError{Reference: reference, Noun: s.rules.label}
		e.Suggestions = s.suggest(entries, bags, dead)
		return Match{}, e
	case 1:
		return newMatch(entries[s.found[0]], s.best), nil
	}
	e := &AmbiguousError{Reference: reference, Noun: s.rules.label, Candidates: make([]Match, len(s.found))}
	for i, n := range s.found {
		r := s.best
		if r.tier == Typing { // candidates may differ in the number of errors
			s.title.analyse(entries[n].Title)
			r = s.query.grade(&s.title)
		}
		e.Candidates[i] = newMatch(entries[n], r)
	}
	slices.SortStableFunc(e.Candidates, func(a, b Match) int { return cmp.Compare(a.Errors, b.Errors) })
	return Match{}, e
}

// offer keeps a title if none is better.
func (s *scratch) offer(i int32, r rank) {
	switch {
	case r.tier == 0 || s.best.better(r):
	case r.better(s.best):
		s.best = r
		s.found = append(s.found[:0], i)
	default:
		s.found = append(s.found, i)
	}
}
